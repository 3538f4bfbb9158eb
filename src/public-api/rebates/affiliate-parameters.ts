import type { AccountId } from '#model/units.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { earnedSums, rebateSums } from '#public-api/rebates/rebate-sums.ts';
import { type AskedTimes, reportWindow, valueTexts } from '#public-api/rebates/report-parameters.ts';
import { groupsMax, type Window } from '#history/history-store.ts';
import type { RebateDayRow } from '#history/tables/rebate-tables.ts';
import type { SymbolDirectory } from '#market-data/symbol-directory.ts';

/** What every report of an affiliate is made from. */
export interface Report {
  readonly context: GatewayContext;
  readonly directory: SymbolDirectory;
  readonly account: AccountId;
  readonly window: Window;
  /** Prints an amount of what the wallet is valued in. */
  readonly valueText: (value: bigint) => string;
}

/** Begins a report of `account`. */
export async function reportOf(
  context: GatewayContext,
  directory: SymbolDirectory,
  account: AccountId,
  times: AskedTimes,
): Promise<Report> {
  const window = await reportWindow(context, times);
  return { context, directory, account, window, valueText: await valueTexts(context, directory) };
}

/** Pages of affiliates as they are asked for: the page is the first unless sent. */
export interface AskedReportPage {
  readonly page?: number | undefined;
  readonly pageSize: number;
}

/** The rows before a page, and how many it has. */
export const placeOf = ({ page = 1, pageSize }: AskedReportPage) => ({
  offset: (page - 1) * pageSize,
  limit: pageSize,
});

/** Numbers of a page of `total` rows. SPEC-AFF-01. */
export const reportNumbers = (total: number, { page = 1, pageSize }: AskedReportPage) => ({
  pageSize,
  totalCount: total,
  totalPage: Math.ceil(total / pageSize),
  currentPage: page,
});

/** A code to filter by, as filters name it. */
export const ofCode = (code: string | undefined): { readonly code?: string } => (code === undefined ? {} : { code });

/** What an inviter got of somebody's trades, and their worth. */
export interface TradeSum extends Pick<RebateDayRow, 'source' | 'code' | 'product'> {
  readonly commission: bigint;
  readonly turnover: bigint;
}

/** Of whose trades or deposits a sum is. */
export interface UserFilter {
  readonly code?: string;
  readonly user?: AccountId;
}

/** Trades of users whom the account invited itself; trades without a commission count too. */
async function tradesBy<By extends 'source' | 'code' | 'product'>(
  { context: { history }, account, window }: Report,
  { user, ...filter }: UserFilter,
  by: readonly By[],
) {
  const ofUser = user === undefined ? {} : { source: user };
  const of = { account, share: 'referral', ...filter, ...ofUser } as const;
  const [earned, others] = await Promise.all([
    earnedSums(history, { ...of, kind: 'earned' }, window, by),
    rebateSums(history, { ...of, kind: 'turnover' }, window, by),
  ]);
  return [...earned, ...others].map(({ value: commission, turnoverValue: turnover, ...sum }) => ({
    ...sum,
    commission,
    turnover,
  }));
}

/** Trades of users whom the account invited itself, by user and product. */
export const tradeSums = (report: Report, filter: UserFilter): Promise<readonly TradeSum[]> =>
  tradesBy(report, filter, ['source', 'code', 'product']);

/** The same of all of them together. */
export async function tradeTotals(report: Report, filter: UserFilter) {
  const sums = await tradesBy(report, filter, []);
  return { commission: commissionOf(sums), turnover: turnoverOf(sums) };
}

/** Deposits and withdrawals of users whom an inviter invited itself, in the window, by user. */
export const moveSums = (
  { context, window }: Report,
  inviter: AccountId,
  { user, ...filter }: UserFilter & { readonly direction?: 'deposit' },
) => {
  const where = { inviter, ...filter, ...(user === undefined ? {} : { account: user }) };
  return context.history.grouped('inviteeMoves', where, window, {
    by: ['account', 'code', 'direction'],
    sum: ['value'],
  });
};

/**
 * Sums by user. Where there are more than history tells at once, those that a page needs are asked for one by one.
 * DEC-SUB-46.
 */
export async function sumsOfPage<Filter, Sum>(
  ask: (filter: Filter) => Promise<readonly Sum[]>,
  filter: Filter,
  ofPage: readonly Filter[],
): Promise<readonly Sum[]> {
  const sums = await ask(filter);
  return sums.length < groupsMax ? sums : (await Promise.all(ofPage.map(ask))).flat();
}

/** Commissions of trades together. */
export const commissionOf = (sums: readonly Pick<TradeSum, 'commission'>[]): bigint =>
  sums.reduce((sum, { commission }) => sum + commission, 0n);
/** Turnover of trades together. */
export const turnoverOf = (sums: readonly Pick<TradeSum, 'turnover'>[]): bigint =>
  sums.reduce((sum, { turnover }) => sum + turnover, 0n);

/** Sums by the value of a key. */
export function sumsBy<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
  of: (item: Item) => bigint,
): ReadonlyMap<Key, bigint> {
  const sums = new Map<Key, bigint>();
  for (const item of items) sums.set(keyOf(item), (sums.get(keyOf(item)) ?? 0n) + of(item));
  return sums;
}
