import type { z } from 'zod';
import { formatDecimal } from '#base/decimal.ts';
import type { AssetRules } from '#model/asset.ts';
import { type ContractRules, markDecimals } from '#model/contract.ts';
import { as, type Seq, type TimestampMs } from '#model/units.ts';
import type { FundingRateRow, FundSnapshotRow, TakeoverRow } from '#history/tables/contract-tables.ts';
import { amountText, listedAssets } from '#operator-api/wallet/listed-assets.ts';
import type { contractHistoryEndpoints } from '#operator-api/futures/contract-history-endpoints.ts';
import { uidOf } from '#operator-api/accounts/find-account.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import { listedContracts } from '#operator-api/futures/listed-contracts.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { numbersOf, pageOfPast, createPast } from '#operator-api/requests/paging.ts';

type Endpoints = typeof contractHistoryEndpoints;
type TakeoverAnswer = z.input<Endpoints['listTakeovers']['answer']>['items'][number];

/** What orders rows of one contract, and names one in cursors. */
const momentNumbers = ({ at, seq }: { readonly at: TimestampMs; readonly seq: Seq }): readonly number[] => [at, seq];
const takeoverNumbers = ({ at, seq, line }: TakeoverRow): readonly number[] => [at, seq, line];

/** The moment behind which a page begins. */
function momentBefore(cursor: string | undefined): { readonly at: TimestampMs } | null {
  const last = numbersOf(cursor, 2);
  return last === null ? null : { at: as<TimestampMs>(last[0]!) };
}

function takeoverBefore(cursor: string | undefined): Pick<TakeoverRow, 'at' | 'seq' | 'line'> | null {
  const last = numbersOf(cursor, 3);
  return last === null ? null : { at: as<TimestampMs>(last[0]!), seq: as<Seq>(last[1]!), line: last[2]! };
}

const shownFunding = ({ at, rate, fair, paid, received }: FundingRateRow, settle: AssetRules) => ({
  at,
  rate: formatDecimal(rate, 8),
  fair: formatDecimal(fair, markDecimals),
  paid: amountText(paid, settle),
  received: amountText(received, settle),
});

/** Handlers of what became of contracts. */
export function contractHistoryHandlers(context: OperatorContext): HandlersOf<Endpoints> {
  const { queries } = context;
  const past = createPast(context);
  const ofPath = async (name: string): Promise<{ rules: ContractRules; settle: AssetRules }> => {
    const rules = (await listedContracts(queries)).ofPath(name);
    return { rules, settle: (await listedAssets(queries)).at(rules.settle) };
  };
  const shownTakeover = async (
    row: TakeoverRow,
    { priceDecimals }: ContractRules,
    settle: AssetRules,
  ): Promise<TakeoverAnswer> => ({
    at: row.at,
    seq: row.seq,
    uid: await uidOf(queries, row.account),
    reason: row.reason,
    lots: row.lots,
    price: formatDecimal(row.price, priceDecimals),
    realised: amountText(row.realised, settle),
    fee: amountText(BigInt(row.fee), settle),
    fromFund: amountText(row.fromFund, settle),
  });
  return {
    listFundings: async ({ path, query }) => {
      const { rules, settle } = await ofPath(path.contract);
      const asked = { limit: query.limit, before: momentBefore(query.cursor) };
      const rows = await past.page('fundingRates', { contract: rules.id }, query, asked);
      const item = (row: FundingRateRow) => shownFunding(row, settle);
      return pageOfPast(rows, query.limit, { item, numbers: momentNumbers });
    },
    getInsuranceFund: async ({ path }) => {
      const { rules, settle } = await ofPath(path.contract);
      const insurer = await queries.contracts.insurer(rules.id);
      const mark = await queries.contracts.mark(rules.id);
      return {
        contract: rules.name,
        asset: settle.code,
        uid: (await uidOf(queries, insurer!)) as number,
        fund: amountText(mark!.fund, settle),
      };
    },
    listFundSnapshots: async ({ path, query }) => {
      const { rules, settle } = await ofPath(path.contract);
      const asked = { limit: query.limit, before: momentBefore(query.cursor) };
      const rows = await past.page('fundSnapshots', { contract: rules.id }, query, asked);
      const item = ({ at, available }: FundSnapshotRow) => ({ at, fund: amountText(available, settle) });
      return pageOfPast(rows, query.limit, { item, numbers: momentNumbers });
    },
    listTakeovers: async ({ path, query }) => {
      const { rules, settle } = await ofPath(path.contract);
      const asked = { limit: query.limit, before: takeoverBefore(query.cursor) };
      const rows = await past.page('takeovers', { contract: rules.id }, query, asked);
      const page = pageOfPast(rows, query.limit, { item: (row) => row, numbers: takeoverNumbers });
      const items = await Promise.all(page.items.map((row) => shownTakeover(row, rules, settle)));
      return { items, nextCursor: page.nextCursor };
    },
  };
}
