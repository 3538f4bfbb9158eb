import type { AccountView } from '#model/account.ts';
import type { Command } from '#model/command.ts';
import { referCodeOf } from '#model/refer-code.ts';
import type { AccountId, AssetId, Balance, Uid } from '#model/units.ts';
import {
  type DemoAccount,
  demoAccountNamed,
  demoAccounts,
  demoAccountsOf,
  type DemoCode,
  type DemoInvitee,
  type DemoKey,
  demoKeys,
  type DemoSubAccount,
  demoUidOf,
  liveOpenOrdersMax,
} from '#sandbox/demo-accounts.ts';
import { type DemoMarketPorts, GenesisRefused, submitAll } from '#sandbox/genesis.ts';

/** What opening accounts of the sandbox needs. */
export type DemoAccountPorts = Pick<DemoMarketPorts, 'submit' | 'queries' | 'seed'>;

/** An account of the table that is there. */
export interface OpenDemoAccount {
  readonly account: DemoAccount;
  readonly view: AccountView;
}

/** The account as the exchange has it; `null`: it is missing. */
export async function knownDemoAccount(
  ports: Pick<DemoAccountPorts, 'queries' | 'seed'>,
  account: DemoAccount,
): Promise<AccountView | null> {
  const { queries, seed } = ports;
  if (account.kind !== 'subAccount') return queries.accountByUid(demoUidOf(seed, account.name));
  const master = await knownDemoAccount(ports, demoAccountNamed(account.master));
  const found = master === null ? null : await queries.subAccounts.named(master.account, account.name);
  return found === null ? null : queries.account(found.account);
}

/**
 * Opens what is missing of an account: itself, its opening balances, and those of its codes that are as old as
 * `daysAgo` (0: all). Answers `null` for a sub-account whose master cannot be used. A sub-account needs the wallet.
 * @throws GenesisRefused
 */
export async function openDemoAccount(
  ports: DemoAccountPorts,
  account: DemoAccount,
  daysAgo = 0,
): Promise<AccountView | null> {
  let view = await knownDemoAccount(ports, account);
  if (view === null) {
    const opening = await openingOf(ports, account);
    if (opening === null) return null;
    await submitAll(ports.submit, [opening]);
    view = await knownDemoAccount(ports, account);
  }
  if (view === null) throw new GenesisRefused(`opening the demo market: no account ${account.name} after its opening`);
  await fund(ports, account, view);
  for (const code of account.codes) if (code.daysAgo >= daysAgo) await makeCode(ports, view.account, code);
  return view;
}

/** Opens what is missing of these accounts, one after the other; of those who were invited, who came that long ago. */
export async function openDemoAccounts(
  ports: DemoAccountPorts,
  accounts: readonly DemoAccount[],
  daysAgo = 0,
): Promise<readonly OpenDemoAccount[]> {
  const open: OpenDemoAccount[] = [];
  for (const account of accounts) {
    if (account.kind === 'invitee' && account.daysAgo < daysAgo) continue;
    const view = await openDemoAccount(ports, account, daysAgo);
    if (view !== null) open.push({ account, view });
  }
  return open;
}

/** Who invites under codes, and who came by an invitation. */
export const invitationTree: readonly DemoAccount[] = demoAccounts.filter(
  ({ kind, codes }) => kind === 'invitee' || codes.length > 0,
);

/**
 * Opens everyone who belongs to a demo account, invited by it or as its sub-account, with their keys, unless they are
 * there: a sandbox that was made before there were any gets them at its next start. The demo wallet must be open.
 * Answers their keys. DEC-SUB-75, DEC-SUB-76.
 * @throws GenesisRefused
 */
export async function openDemoMembers(ports: DemoMarketPorts): Promise<readonly DemoKey[]> {
  const open = await openDemoAccounts(ports, [...invitationTree, ...demoAccountsOf('subAccount')]);
  const members = open.filter(({ account }) => account.kind !== 'person');
  const keys = demoKeys(ports.seed, new Map(members.map(({ account, view }) => [account.name, view.uid])));
  await createMissingKeys(ports, keys);
  return keys;
}

/**
 * Keys of everyone who belongs to a demo account, in an exchange that another process opened; `null`: not all of those
 * are there yet who can be.
 */
export async function knownMemberKeys(
  ports: Pick<DemoAccountPorts, 'queries' | 'seed'>,
): Promise<readonly DemoKey[] | null> {
  const uids = new Map<string, Uid>();
  for (const account of [...invitationTree, ...demoAccountsOf('subAccount')]) {
    const view = await knownDemoAccount(ports, account);
    if (view !== null && account.kind !== 'person') uids.set(account.name, view.uid);
    if (view !== null || account.kind === 'person') continue;
    if (account.kind !== 'subAccount' || (await usableMaster(ports, account)) !== null) return null;
  }
  return demoKeys(ports.seed, uids);
}

/** Creates those keys that are not there yet; their accounts are. @throws GenesisRefused */
export async function createMissingKeys(
  { submit, queries, seal }: Omit<DemoMarketPorts, 'seed'>,
  keys: readonly DemoKey[],
): Promise<void> {
  for (const { name, uid, accessKey, secretKey, permissions } of keys) {
    if ((await queries.apiKey(accessKey)) !== null) continue;
    const { account } = (await queries.accountByUid(uid))!;
    const bound = { accessKey, account, permissions, ips: [] };
    const sealedSecret = await seal({ ...bound, uid, secret: secretKey });
    await submitAll(submit, [{ kind: 'createApiKey', ...bound, sealedSecret, note: name, unboundLifeMs: null }]);
  }
}

/** What a master of the sandbox may have; more than it has. */
const subAccountsMax = 30;

/** What opens a missing account; `null`: its master cannot be used. */
async function openingOf(ports: DemoAccountPorts, account: DemoAccount): Promise<Command | null> {
  if (account.kind === 'subAccount') {
    const master = await usableMaster(ports, account);
    if (master === null) return null;
    const { name, note } = account;
    return { kind: 'openSubAccount', master, name, note, passwordHash: null, atMost: subAccountsMax };
  }
  const { name, kycLevel, class: accountClass } = account;
  const own = { uid: demoUidOf(ports.seed, name), name, class: accountClass, kycLevel };
  if (account.kind === 'invitee') return { kind: 'registerAccount', ...own, ...(await invitationOf(ports, account)) };
  return { kind: 'openAccount', ...own, master: null, simulated: account.kind === 'participant' };
}

async function invitationOf(ports: DemoAccountPorts, { name, inviter, code }: DemoInvitee) {
  const view = await knownDemoAccount(ports, demoAccountNamed(inviter));
  if (view === null) throw new GenesisRefused(`opening invitations: the sandbox has no ${inviter}`);
  const email = `${name}@example.com`;
  const isFree = (await ports.queries.wallet.accountOfContact('email', email)) === null;
  const contact = { email: isFree ? email : null, mobile: null };
  return { ...contact, simulated: false, inviteCode: code ?? referCodeOf(view.account) };
}

/** `null` while the master is not there or is frozen. */
async function usableMaster(
  ports: Pick<DemoAccountPorts, 'queries' | 'seed'>,
  { master }: DemoSubAccount,
): Promise<AccountId | null> {
  const view = await knownDemoAccount(ports, demoAccountNamed(master));
  return view?.status === 'normal' ? view.account : null;
}

/** An amount in smallest units. */
interface Payment {
  readonly asset: AssetId;
  readonly amount: Balance;
}

/** Credits what an account lacks of its opening balances, or lets its master pay that. */
async function fund(ports: DemoAccountPorts, account: DemoAccount, view: AccountView): Promise<void> {
  const missing = await missingFunds(ports, account, view);
  if (account.kind === 'subAccount' && account.isPaidByMaster) {
    for (const payment of missing) await payFromMaster(ports, view, payment);
    return;
  }
  await submitAll(
    ports.submit,
    missing.map((payment): Command => ({ kind: 'creditFunds', account: view.account, ...payment })),
  );
}

async function missingFunds(
  ports: DemoAccountPorts,
  account: DemoAccount,
  view: AccountView,
): Promise<readonly Payment[]> {
  const { queries } = ports;
  if (account.funds.size === 0 || (await isFunded(ports, account, view))) return [];
  const { assets } = await queries.listing();
  const owned = new Set((await queries.balances(view.account)).map(({ asset }) => asset));
  if (account.kind === 'subAccount' && owned.size > 0) return [];
  return [...account.funds]
    .map(([code, amount]) => ({ asset: assets.find((asset) => asset.code === code)!.id, amount }))
    .filter(({ asset }) => !owned.has(asset));
}

/**
 * Whether an account had its opening balances, or cannot be given them: people may empty theirs, which get their keys
 * last. A sub-account for which the market trades is funded again when it owns nothing; a frozen one gets nothing.
 */
async function isFunded(ports: DemoAccountPorts, account: DemoAccount, view: AccountView): Promise<boolean> {
  if (account.kind === 'participant') return view.openOrdersMax === liveOpenOrdersMax;
  if (account.kind === 'subAccount') {
    if (view.status !== 'normal' || (await usableMaster(ports, account)) === null) return true;
    if (account.isRetailTrader) return false;
  }
  return (await ports.queries.apiKeysOf(view.account)).length > 0;
}

/** Lets a master transfer to its sub-account, and credits the master with what it lacks for it. */
async function payFromMaster(
  { submit, queries }: DemoAccountPorts,
  view: AccountView,
  payment: Payment,
): Promise<void> {
  const { master, account: to } = view;
  if ((await queries.subAccounts.transferable(master, 'spot', payment.asset)) < payment.amount)
    await submitAll(submit, [{ kind: 'creditFunds', account: master, ...payment }]);
  const wallets = { fromWallet: 'spot', toWallet: 'spot', clientTranId: null } as const;
  await submitAll(submit, [{ kind: 'makeUniversalTransfer', master, from: master, to, ...wallets, ...payment }]);
}

/** The rates come first, so that a start after an interruption sets them too. */
async function makeCode({ submit, queries }: DemoAccountPorts, owner: AccountId, demoCode: DemoCode): Promise<void> {
  const { code, campaign, kickbackPpm } = demoCode;
  if ((await queries.rebates.inviteCode(code)) !== null) return;
  if (kickbackPpm > 0) {
    const rates = await queries.rebates.rates(owner, 'spot');
    await submitAll(submit, [{ kind: 'setRebateRates', inviter: owner, product: 'spot', ...rates, kickbackPpm }]);
  }
  await submitAll(submit, [{ kind: 'createInviteCode', owner, code, campaign }]);
}
