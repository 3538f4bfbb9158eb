import { formatDecimal } from '#base/decimal.ts';
import type { Invitation, Product } from '#model/rebate.ts';
import { type TimestampMs, as } from '#model/units.ts';
import { commissionStateNumber, productNumber } from '#http/words.ts';
import {
  type AskedReportPage,
  commissionOf,
  moveSums,
  ofCode,
  placeOf,
  type Report,
  reportNumbers,
  sumsBy,
  sumsOfPage,
  tradeSums,
  tradeTotals,
  turnoverOf,
  type UserFilter,
} from '#public-api/rebates/affiliate-parameters.ts';
import { type RebateState, rebateStates } from '#public-api/rebates/rebate-states.ts';
import { earnedSums, rebatePage } from '#public-api/rebates/rebate-sums.ts';
import { namedAs, personsOf, rateScale } from '#public-api/rebates/report-parameters.ts';
import type { RebateRow } from '#history/tables/rebate-tables.ts';
import { amountText, quoteText } from '#market-data/symbol-directory.ts';

interface AskedCommissions extends AskedReportPage {
  readonly inviteCode?: string | undefined;
}

/** Invited users of a page with what they brought, and the totals of all. SPEC-AFF-02, DEC-SUB-65. */
export async function commissionReport(report: Report, asked: AskedCommissions) {
  const { context, account, window, valueText } = report;
  const filter = ofCode(asked.inviteCode);
  const place = { ...filter, from: as<TimestampMs>(0), to: window.to, ...placeOf(asked) };
  const invitees = await context.queries.rebates.invitees(account, place);
  const shown = new Set(invitees.items.map((invitation) => invitation.account));
  const ofPage = [...shown].map((user) => ({ user }));
  const [trades, totals, moves, settledBefore] = await Promise.all([
    sumsOfPage((of: UserFilter) => tradeSums(report, of), filter, ofPage),
    tradeTotals(report, filter),
    sumsOfPage((of: UserFilter) => moveSums(report, account, { ...of, direction: 'deposit' }), filter, ofPage),
    context.queries.rebates.settledBefore(),
  ]);
  const tradesShown = trades.filter(({ source }) => shown.has(source));
  const persons = await personsOf(context, shown);
  const deposits = sumsBy(
    moves,
    (move) => move.account,
    ({ value }) => value,
  );
  const entry = ({ account: user, code, invitedAt, firstDepositAt }: Invitation) => {
    const own = tradesShown.filter(({ source }) => source === user);
    const earned = (product: Product): string => valueText(commissionOf(own.filter((sum) => sum.product === product)));
    return {
      ...namedAs(persons.get(user)),
      inviteCode: code,
      inviteTime: invitedAt,
      spot: earned('spot'),
      etf: earned('etf'),
      futures: earned('futures'),
      total: valueText(commissionOf(own)),
      deposit: valueText(deposits.get(user) ?? 0n),
      firstDepositTime: firstDepositAt === 0 ? null : firstDepositAt,
    };
  };
  return {
    ...reportNumbers(invitees.total, asked),
    resultList: invitees.items.map(entry),
    usdtAmount: valueText(turnoverOf(tradesShown)),
    totalCommissionUsdtAmount: valueText(totals.commission),
    totalTradeUsdtAmount: valueText(totals.turnover),
    finished: window.to < settledBefore,
  };
}

/** A commission with its trade. SPEC-AFF-04, DEC-SUB-25. */
function commissionEntry({ directory, valueText }: Report, row: RebateRow, uid: string, state: RebateState['state']) {
  const symbol = directory.at(row.symbol);
  const asset = directory.asset(row.asset);
  const turnover = quoteText(symbol, row.turnover);
  return {
    type: productNumber[row.product],
    sourceType: row.share === 'referral' ? (1 as const) : (2 as const),
    state: commissionStateNumber[state],
    date: row.at,
    uid,
    rate: formatDecimal(row.ratePpm, rateScale),
    symbol: symbol.rules.name,
    takerAmount: row.isMaker ? '0' : turnover,
    makerAmount: row.isMaker ? turnover : '0',
    amountCurrency: symbol.quote.code,
    usdtAmount: valueText(row.turnoverValue),
    commission: amountText(asset, row.amount),
    currency: asset.code,
  };
}

/** Commissions of all levels, newest first, and their totals. SPEC-AFF-04. */
export async function commissionDetailReport(
  report: Report,
  asked: AskedCommissions & { readonly product: Product | undefined },
) {
  const { context, account, window, valueText } = report;
  const product = asked.product === undefined ? {} : { product: asked.product };
  const filter = { account, kind: 'earned', ...ofCode(asked.inviteCode), ...product } as const;
  const { page = 1, pageSize: limit } = asked;
  const [{ rows, total }, [sum]] = await Promise.all([
    rebatePage(context.history, filter, window, { page, limit }),
    earnedSums(context.history, filter, window, []),
  ]);
  const stateOf = await rebateStates(context, account, rows);
  const sources = rows.map(({ source }) => source);
  const persons = await personsOf(context, sources);
  const uidOf = (row: RebateRow): string => namedAs(persons.get(row.source)).uid;
  return {
    ...reportNumbers(total, asked),
    resultList: rows.map((row) => commissionEntry(report, row, uidOf(row), stateOf(row).state)),
    totalCommissionUsdtAmount: valueText(sum?.value ?? 0n),
    totalTradeUsdtAmount: valueText(sum?.turnoverValue ?? 0n),
  };
}
