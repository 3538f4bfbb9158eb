import { formatDecimal } from '#base/decimal.ts';
import type { AccountId, AssetId } from '#model/units.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import type { WebhookEventRow } from '#history/tables/webhook-tables.ts';

/** What every content may have of the engine's units. */
interface Content extends Readonly<Record<string, unknown>> {
  readonly account?: AccountId;
  readonly asset?: AssetId;
  readonly amount?: string;
  readonly fee?: string;
}

/** The name of an event, the same for every webhook and each attempt. */
export const eventIdOf = ({ seq, line }: WebhookEventRow): string => `${seq}-${line}`;

/** The event as it is sent: uids, tickers and amounts in whole coins instead of the engine's units. DEC-OPR-241. */
export async function eventBody(
  queries: Pick<ExchangeQueries, 'account' | 'listing'>,
  row: WebhookEventRow,
): Promise<string> {
  const { account, asset, amount, fee, ...content } = JSON.parse(row.content) as Content;
  const rules = asset === undefined ? undefined : (await queries.listing()).assets[asset];
  const inCoins = (units: string): string => formatDecimal(BigInt(units), rules?.scale ?? 0);
  const data = {
    ...(account === undefined ? {} : { uid: (await queries.account(account))?.uid ?? null }),
    ...(asset === undefined ? {} : { asset: rules?.code ?? null }),
    ...(amount === undefined ? {} : { amount: inCoins(amount) }),
    ...(fee === undefined ? {} : { fee: inCoins(fee) }),
    ...content,
  };
  return JSON.stringify({ id: eventIdOf(row), kind: row.event, at: row.at, data });
}
