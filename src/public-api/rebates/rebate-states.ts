import { rebateDayMs, rebateDayOf } from '#model/rebate.ts';
import { type AccountId, type TimestampMs, as } from '#model/units.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import type { RebateRow } from '#history/tables/rebate-tables.ts';

/** What became of a rebate, and when; `at` of a pending one is its trade. DEC-SUB-25, DEC-SUB-63. */
export interface RebateState {
  readonly state: 'pending' | 'paid' | 'rejected';
  readonly at: TimestampMs;
}

const endOfTime = as<TimestampMs>(Number.MAX_SAFE_INTEGER);

/** Tells the states of rebates of an account: of the rows given, which are few. */
export async function rebateStates(
  { queries, history }: GatewayContext,
  account: AccountId,
  rows: readonly RebateRow[],
): Promise<(row: RebateRow) => RebateState> {
  const settledBefore = await queries.rebates.settledBefore();
  const keyOf = (row: RebateRow): string => `${rebateDayOf(row.at)}/${row.asset}`;
  const paid = rows.filter((row) => row.at < settledBefore && row.rejectedAt === null);
  const paidAt = new Map<string, TimestampMs>();
  for (const [key, { at, asset }] of new Map(paid.map((row) => [keyOf(row), row]))) {
    const day = rebateDayOf(at);
    const dayEnd = as<TimestampMs>(day + rebateDayMs);
    const later = { from: dayEnd, to: endOfTime };
    const [payout] = await history.rows('rebatePayouts', { account, asset, day }, later, 1);
    paidAt.set(key, payout?.at ?? dayEnd);
  }
  return (row) => {
    if (row.rejectedAt !== null) return { state: 'rejected', at: row.rejectedAt };
    const at = paidAt.get(keyOf(row));
    return at === undefined || row.at >= settledBefore ? { state: 'pending', at: row.at } : { state: 'paid', at };
  };
}
