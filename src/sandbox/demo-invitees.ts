import type { AccountClass } from '#model/account.ts';
import { referCodeOf } from '#model/refer-code.ts';
import type { AccountId, Uid } from '#model/units.ts';
import { demoAccounts } from '#sandbox/demo-accounts.ts';
import { demoUid } from '#sandbox/demo-identity.ts';
import { type DemoMarketPorts, GenesisRefused, submitAll } from '#sandbox/demo-market.ts';

/*
 * Who came to the sandbox by an invitation. Some came when the market opened, others later, so that the reports of the
 * affiliate have rows of the last week and of the month before. DEC-SUB-75.
 */

/** A code of the sandbox. */
interface DemoCode {
  readonly code: string;
  readonly campaign: string | null;
}

/** An account that came by an invitation. */
export interface DemoInvitee {
  readonly name: string;
  /** In the table of demo accounts, which its uid begins with. */
  readonly place: number;
  readonly class: Extract<AccountClass, 'user' | 'affiliate'>;
  readonly kycLevel: number;
  /** Under which code; `null`: under the refer code of the affiliate. */
  readonly code: string | null;
  /** How many days before the market went live. */
  readonly daysAgo: number;
  /** First deposit, in USDT; 0: it neither deposits nor trades. */
  readonly deposit: number;
  /** A code of its own, under which it invites others and gives them back a part of its share. */
  readonly invites: DemoCode | null;
}

/** The inviter of the sandbox. */
const affiliateName = 'affiliate';

/** Codes of the affiliate, each with how long ago it was made; the simulation records clicks on them. */
export const affiliateCodes: readonly (DemoCode & { readonly daysAgo: number })[] = [
  { code: 'DEMO-START', campaign: 'First steps', daysAgo: 33 },
  { code: 'DEMO-NOW', campaign: 'This week', daysAgo: 6 },
];

const none = { class: 'user', invites: null } as const;
const partnerCode = { code: 'DEMO-PARTNER', campaign: null };
const newPartnerCode = { code: 'DEMO-CLUB', campaign: 'Trading club' };
const partner = { class: 'affiliate', kycLevel: 4, deposit: 0 } as const;

/** In the order in which they came. */
export const demoInvitees: readonly DemoInvitee[] = [
  { ...partner, name: 'partner', place: 10, code: 'DEMO-START', daysAgo: 33, invites: partnerCode },
  { ...none, name: 'invitee', place: 11, kycLevel: 4, code: 'DEMO-PARTNER', daysAgo: 33, deposit: 1200 },
  { ...none, name: 'invitee-2', place: 12, kycLevel: 2, code: 'DEMO-START', daysAgo: 33, deposit: 900 },
  { ...none, name: 'invitee-3', place: 13, kycLevel: 1, code: 'DEMO-START', daysAgo: 20, deposit: 400 },
  { ...none, name: 'invitee-4', place: 14, kycLevel: 3, code: 'DEMO-NOW', daysAgo: 5, deposit: 1000 },
  { ...partner, name: 'club', place: 15, code: 'DEMO-NOW', daysAgo: 4, invites: newPartnerCode },
  { ...none, name: 'invitee-5', place: 16, kycLevel: 2, code: null, daysAgo: 3, deposit: 600 },
  { ...none, name: 'invitee-6', place: 17, kycLevel: 2, code: 'DEMO-CLUB', daysAgo: 2, deposit: 700 },
  { ...none, name: 'invitee-7', place: 18, kycLevel: 1, code: 'DEMO-NOW', daysAgo: 1, deposit: 0 },
];

/** What those who invite under codes of their own give back of their 20 %, in parts per million of the commission. */
const kickbackPpm = 50_000;

/** Public number of an invited account of the sandbox. */
export const inviteeUid = (seed: string, { name, place }: Pick<DemoInvitee, 'name' | 'place'>): Uid =>
  demoUid(seed, name, place);

type InvitationPorts = Pick<DemoMarketPorts, 'submit' | 'queries' | 'seed'>;

/**
 * Opens the codes and accounts that came at least `daysAgo` days ago (0: all) and are not there yet. Answers each such
 * account, in the order of `demoInvitees`.
 * @throws GenesisRefused
 */
export async function openDemoInvitees(
  ports: InvitationPorts,
  daysAgo: number,
): Promise<readonly (DemoInvitee & { readonly account: AccountId })[]> {
  const affiliate = await affiliateOf(ports);
  for (const each of affiliateCodes) if (each.daysAgo >= daysAgo) await openCode(ports, affiliate, each);
  const open: (DemoInvitee & { readonly account: AccountId })[] = [];
  for (const invitee of demoInvitees) {
    if (invitee.daysAgo < daysAgo) continue;
    const account = await openInvitee(ports, invitee, affiliate);
    if (invitee.invites !== null) await letInvite(ports, account, invitee.invites);
    open.push({ ...invitee, account });
  }
  return open;
}

async function affiliateOf({ queries, seed }: InvitationPorts): Promise<AccountId> {
  const { uid } = demoAccounts(seed).find(({ name }) => name === affiliateName)!;
  const view = await queries.accountByUid(uid);
  if (view === null) throw new GenesisRefused('opening invitations: the sandbox has no affiliate');
  return view.account;
}

async function openCode({ submit, queries }: InvitationPorts, owner: AccountId, code: DemoCode): Promise<void> {
  if ((await queries.rebates.inviteCode(code.code)) !== null) return;
  await submitAll(submit, [{ kind: 'createInviteCode', owner, code: code.code, campaign: code.campaign }]);
}

/** The rates come first, so that a start after an interruption sets them too. */
async function letInvite(ports: InvitationPorts, inviter: AccountId, code: DemoCode): Promise<void> {
  const { submit, queries } = ports;
  if ((await queries.rebates.inviteCode(code.code)) !== null) return;
  const rates = await queries.rebates.rates(inviter, 'spot');
  await submitAll(submit, [{ kind: 'setRebateRates', inviter, product: 'spot', ...rates, kickbackPpm }]);
  await openCode(ports, inviter, code);
}

async function openInvitee(
  { submit, queries, seed }: InvitationPorts,
  invitee: DemoInvitee,
  affiliate: AccountId,
): Promise<AccountId> {
  const uid = inviteeUid(seed, invitee);
  const known = await queries.accountByUid(uid);
  if (known !== null) return known.account;
  const { name, class: accountClass, kycLevel, code } = invitee;
  const mail = `${name}@example.com`;
  const isMailFree = (await queries.wallet.accountOfContact('email', mail)) === null;
  await submitAll(submit, [
    {
      kind: 'registerAccount',
      uid,
      name,
      class: accountClass,
      kycLevel,
      simulated: false,
      email: isMailFree ? mail : null,
      mobile: null,
      inviteCode: code ?? referCodeOf(affiliate),
    },
  ]);
  return (await queries.accountByUid(uid))!.account;
}
