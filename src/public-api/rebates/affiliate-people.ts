import type { Invitation } from '#model/rebate.ts';
import { type AccountId, type TimestampMs, type Uid, as } from '#model/units.ts';
import {
  type AskedReportPage,
  commissionOf,
  moveSums,
  ofCode,
  placeOf,
  type Report,
  reportNumbers,
  sumsOfPage,
  tradeSums,
  turnoverOf,
  type UserFilter,
} from '#public-api/rebates/affiliate-parameters.ts';
import { balanceBandOf, worthOf } from '#public-api/rebates/balance-band.ts';
import { maskedMail, namedAs, type Person, personsOf } from '#public-api/rebates/report-parameters.ts';
import { earnedSums } from '#public-api/rebates/rebate-sums.ts';
import type { SubAffiliate } from '#sequencer/queries/rebate-queries.ts';

interface AskedPeople extends AskedReportPage {
  readonly inviteCode?: string | undefined;
}

interface Invitees {
  readonly items: readonly Invitation[];
  readonly total: number;
}

/** The user with a uid, if the account invited it, and by the code that is asked for. */
async function inviteeOf({ context, account }: Report, uid: string, code: string | undefined): Promise<Invitees> {
  const view = await context.queries.accountByUid(as<Uid>(Number(uid)));
  const invitation = view === null ? null : await context.queries.rebates.invitation(view.account);
  const isWanted = invitation?.inviter === account && (code === undefined || invitation.code === code);
  return isWanted ? { items: [invitation], total: 1 } : { items: [], total: 0 };
}

/** A moment of an invitation; 0 is none. */
const orNull = (at: TimestampMs): number | null => (at === 0 ? null : at);

const mailOf = (person: Person | undefined): string =>
  person === undefined ? '' : maskedMail(person.contact, person.view.uid);

/** Tells the band that the worth of an account is in. DEC-SUB-28. */
async function bandsOf({ context, directory }: Report) {
  const rules = await context.queries.wallet.rules();
  if (rules === null) return async () => balanceBandOf(0n, 0);
  const worth = worthOf(context, directory, rules);
  const { scale } = directory.asset(rules.valuedIn);
  return async (account: AccountId) => balanceBandOf(await worth(account), scale);
}

/** Users whom the account invited itself. SPEC-AFF-06, DEC-SUB-67. */
export async function referralReport(report: Report, asked: AskedPeople & { readonly uid?: string | undefined }) {
  const { context, account, window, valueText } = report;
  const filter = ofCode(asked.inviteCode);
  const { offset, limit } = placeOf(asked);
  const found =
    asked.uid === undefined
      ? await context.queries.rebates.invitees(account, { ...filter, from: as(0), to: window.to, offset, limit })
      : await inviteeOf(report, asked.uid, asked.inviteCode);
  const items = asked.uid === undefined ? found.items : found.items.slice(offset, offset + limit);
  const users = items.map((invitation) => invitation.account);
  const ofPage = users.map((user) => ({ user }));
  const [trades, moves, persons, bandOf] = await Promise.all([
    sumsOfPage((of: UserFilter) => tradeSums(report, of), filter, ofPage),
    sumsOfPage((of: UserFilter) => moveSums(report, account, of), filter, ofPage),
    personsOf(context, users),
    bandsOf(report),
  ]);
  const entry = async ({ account: user, code, invitedAt, ...times }: Invitation) => {
    const person = persons.get(user);
    const own = trades.filter(({ source }) => source === user);
    const moved = (direction: 'deposit' | 'withdrawal'): string =>
      valueText(moves.find((move) => move.account === user && move.direction === direction)?.value ?? 0n);
    const commission = valueText(commissionOf(own));
    const withdrawn = moved('withdrawal');
    return {
      ...namedAs(person),
      nickName: person?.view.name ?? '',
      email: mailOf(person),
      registerTime: person?.view.openedAt ?? 0,
      inviteCode: code,
      inviteTime: invitedAt,
      depositAmount: moved('deposit'),
      tradingAmount: valueText(turnoverOf(own)),
      commission,
      amount: commission,
      firstDepositTime: orNull(times.firstDepositAt),
      firstTradeTime: orNull(times.firstTradeAt),
      lastDepositTime: orNull(times.lastDepositAt),
      lastTradeTime: orNull(times.lastTradeAt),
      withdrawAmount: withdrawn,
      withdrawalAmount: withdrawn,
      asset: await bandOf(user),
      identification: (person?.view.kycLevel ?? 1) as 1 | 2 | 3 | 4,
    };
  };
  return { ...reportNumbers(found.total, asked), resultList: await Promise.all(items.map(entry)) };
}

/** Users whom the account invited and who invited others. SPEC-AFF-07, DEC-SUB-68. */
export async function subAffiliateReport(report: Report, asked: AskedPeople) {
  const { context, account, window, valueText } = report;
  const { rebates } = context.queries;
  const place = { ...ofCode(asked.inviteCode), to: window.to, ...placeOf(asked) };
  const [{ items, total }, ownCodes, earned] = await Promise.all([
    rebates.subAffiliates(account, place),
    rebates.inviteCodesOf(account),
    earnedSums(context.history, { account, kind: 'earned', share: 'subAffiliate' }, window, ['code']),
  ]);
  const persons = await personsOf(
    context,
    items.map(({ invitation }) => invitation.account),
  );
  const entry = async ({ invitation: { account: user, code }, activatedAt }: SubAffiliate) => {
    const [signups, codes, deposits] = await Promise.all([
      rebates.invitees(user, { ...window, offset: 0, limit: 1 }),
      rebates.inviteCodesOf(user),
      moveSums(report, user, { direction: 'deposit' }),
    ]);
    const isTheirs = new Set(codes.map((theirs) => theirs.code));
    const commission = earned.reduce((sum, each) => (isTheirs.has(each.code) ? sum + each.value : sum), 0n);
    const person = persons.get(user);
    return {
      subaffiliateName: person?.view.name ?? '',
      subaffiliateMail: mailOf(person),
      campaign: ownCodes.find((own) => own.code === code)?.campaign ?? null,
      inviteCode: code,
      activationTime: activatedAt,
      registered: signups.total,
      deposited: deposits.length,
      depositAmount: valueText(deposits.reduce((sum, { value }) => sum + value, 0n)),
      commission: valueText(commission),
    };
  };
  return { ...reportNumbers(total, asked), resultList: await Promise.all(items.map(entry)) };
}
