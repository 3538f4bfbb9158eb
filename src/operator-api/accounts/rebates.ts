import { startOfDate } from '#base/calendar.ts';
import { isoDate } from '#base/clock.ts';
import { type AccountId, as, type AssetId, type Seq, type TimestampMs } from '#model/units.ts';
import type { RebatePayoutRow, RebateRejectionRow } from '#history/tables/rebate-tables.ts';
import type { PendingRebate } from '#sequencer/queries/rebate-queries.ts';
import { amountText, listedAssets } from '#operator-api/wallet/listed-assets.ts';
import type { rebateEndpoints } from '#operator-api/accounts/rebate-endpoints.ts';
import { accountOfBody, accountOfUid, uidOf } from '#operator-api/accounts/find-account.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import { operatorLimits } from '#operator-api/declaration/limits.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { numbersOf, pageOfPast, createPast } from '#operator-api/requests/paging.ts';
import { Problem } from '#operator-api/requests/problems.ts';

type Endpoints = typeof rebateEndpoints;

/** What orders pending rebates, and names one in cursors. */
const pendingNumbers = ({ day, source, asset }: PendingRebate): readonly number[] => [day, source, asset];

/** Whether a row stands behind the last one of the page before. */
function isAfter(row: PendingRebate, last: readonly number[]): boolean {
  const at = pendingNumbers(row).map((number, index) => number - last[index]!);
  return (at.find((difference) => difference !== 0) ?? 0) > 0;
}

/** Handlers of rebates. */
export function rebateHandlers(context: OperatorContext): HandlersOf<Endpoints> {
  const { queries, clock } = context;
  const { rebates } = queries;
  const past = createPast(context);
  const sourceUid = async (source: AccountId | null) => (source === null ? null : uidOf(queries, source));
  const shownRejection = async ({ day, source, at, seq }: RebateRejectionRow) => ({
    day: isoDate(day),
    sourceUid: await sourceUid(source),
    at,
    seq,
  });
  return {
    getRebateSettlement: async () => {
      const due = await rebates.dueDay(as<TimestampMs>(clock.now()));
      return { settledBefore: isoDate(await rebates.settledBefore()), dueDay: due === null ? null : isoDate(due) };
    },
    listPendingRebates: async ({ path, query }) => {
      const { account } = await accountOfUid(queries, path.uid);
      const assets = await listedAssets(queries);
      const last = numbersOf(query.cursor, 3);
      const all = await rebates.pendingOf(account, Number.MAX_SAFE_INTEGER);
      const rows = last === null ? all : all.filter((row) => isAfter(row, last));
      const page = pageOfPast(rows, query.limit, { item: (row) => row, numbers: pendingNumbers });
      const shown = async ({ day, source, asset: id, amount }: PendingRebate) => {
        const asset = assets.at(id);
        const uid = (await uidOf(queries, source)) as number;
        return { day: isoDate(day), sourceUid: uid, asset: asset.code, amount: amountText(amount, asset) };
      };
      return { items: await Promise.all(page.items.map(shown)), nextCursor: page.nextCursor };
    },
    rejectRebates: async ({ path, body, act }) => {
      const { account: beneficiary } = await accountOfUid(queries, path.uid);
      const { sourceUid: uid } = body;
      const source = uid === null ? null : (await accountOfBody(queries, uid, '/sourceUid')).account;
      const day = as<TimestampMs>(startOfDate(body.day)!);
      await act({ kind: 'rejectRebates', beneficiary, source, day });
      const asked = { limit: operatorLimits.pageItemsMax, before: null };
      const rows = await past.page('rebateRejections', { account: beneficiary }, { from: day, to: day }, asked);
      const row = rows.find((each) => each.source === source);
      if (row === undefined) throw new Problem('historyUnavailable');
      return shownRejection(row);
    },
    listRebateRejections: async ({ path, query }) => {
      const { account } = await accountOfUid(queries, path.uid);
      const last = numbersOf(query.cursor, 2);
      const before = last && { day: as<TimestampMs>(last[0]!), seq: as<Seq>(last[1]!) };
      const rows = await past.page('rebateRejections', { account }, query, { limit: query.limit, before });
      const numbers = ({ day, seq }: RebateRejectionRow): readonly number[] => [day, seq];
      const page = pageOfPast(rows, query.limit, { item: (row) => row, numbers });
      return { items: await Promise.all(page.items.map(shownRejection)), nextCursor: page.nextCursor };
    },
    listRebatePayouts: async ({ path, query }) => {
      const { account } = await accountOfUid(queries, path.uid);
      const assets = await listedAssets(queries);
      const last = numbersOf(query.cursor, 3);
      const [at, seq, asset] = last ?? [];
      const before = last && { at: as<TimestampMs>(at!), seq: as<Seq>(seq!), asset: as<AssetId>(asset!) };
      const rows = await past.page('rebatePayouts', { account }, query, { limit: query.limit, before });
      const item = (row: RebatePayoutRow) => {
        const paid = assets.at(row.asset);
        return {
          at: row.at,
          seq: row.seq,
          day: isoDate(row.day),
          asset: paid.code,
          amount: amountText(row.amount, paid),
        };
      };
      const numbers = (row: RebatePayoutRow): readonly number[] => [row.at, row.seq, row.asset];
      return pageOfPast(rows, query.limit, { item, numbers });
    },
  };
}
