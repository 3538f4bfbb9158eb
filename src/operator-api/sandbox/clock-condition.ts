import type { z } from 'zod';
import { parseSafeDecimal } from '#base/decimal.ts';
import { candleOpenTime, shiftCandle } from '#model/candle.ts';
import type { OrderStatus, OrderView } from '#model/order.ts';
import type { OrderNumber, SymbolId } from '#model/units.ts';
import { orderOfId } from '#http/words.ts';
import {
  isCrossed,
  outcomeOfStatus,
  type PriceBounds,
  untilFunding,
  untilOrder,
  untilPrice,
  type WatchedCondition,
} from '#sandbox/clock-conditions.ts';
import { listedMarkets } from '#operator-api/sandbox/listed-markets.ts';
import { listedContracts } from '#operator-api/futures/listed-contracts.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { invalidBody, Problem } from '#operator-api/requests/problems.ts';
import type { clockEndpoints } from '#operator-api/sandbox/clock-endpoints.ts';

type Asked = z.output<(typeof clockEndpoints)['advanceClockUntil']['body']>;

/** A condition that a request names. `at`: when it is met by the passing of time alone, `null`: nobody knows. */
export interface AskedCondition extends WatchedCondition {
  readonly at: number | null;
}

const names = ['order', 'price', 'funding', 'candle'] as const;

/**
 * The condition that exactly one member names, watched from now on: whoever asks ends it.
 * @throws Problem naming the member that is at fault, `unknownOrder` for an order that never was
 */
export async function readCondition(context: OperatorContext, asked: Asked): Promise<AskedCondition> {
  const [name, ...others] = names.filter((each) => asked[each] !== undefined);
  if (name === undefined) throw invalidBody('', 'must name one of order, price, funding and candle');
  if (others.length > 0) throw invalidBody(`/${others[0]}`, `must be left out beside ${name}`);
  const { order, price, funding, candle } = asked;
  if (order !== undefined) return orderCondition(context, order);
  if (price !== undefined) return priceCondition(context, price);
  if (funding !== undefined) {
    const { id } = (await listedContracts(context.queries)).ofBody(funding.contract, '/funding/contract');
    return { ...untilFunding(context.feed, id), at: null };
  }
  const { clock } = context;
  const { interval } = candle!;
  const at = shiftCandle(interval, candleOpenTime(interval, clock.now()), 1);
  return { outcome: () => (clock.now() >= at ? 'met' : null), end: () => {}, at };
}

/** How an order stands that is open or was; `null`: there is none of that number. */
async function statusOfOrder(context: OperatorContext, order: OrderNumber): Promise<OrderStatus | null> {
  const { queries, history } = context;
  const live = await queries.accountOfOrder(order);
  if (live === null) await context.awaitHistory((await queries.position()).seq);
  const account = live ?? (await history.ownerOf('orders', order));
  if (account === null) return null;
  const known = (symbol: SymbolId): Promise<OrderView | null> =>
    live === null ? history.orderOf(account, symbol, { order }) : queries.order(account, symbol, { order });
  for (const { id } of await listedMarkets(context)) {
    const found = await known(id);
    if (found !== null) return found.status;
  }
  return null;
}

async function orderCondition(context: OperatorContext, asked: NonNullable<Asked['order']>): Promise<AskedCondition> {
  const order = orderOfId(asked.order);
  if (order === null) throw new Problem('unknownOrder');
  const watched = untilOrder(context.feed, order, asked.is);
  const status = await statusOfOrder(context, order);
  if (status === null) {
    watched.end();
    throw new Problem('unknownOrder');
  }
  const outcome = outcomeOfStatus(status, asked.is);
  return { ...watched, outcome: () => outcome ?? watched.outcome(), at: null };
}

async function priceCondition(context: OperatorContext, asked: NonNullable<Asked['price']>): Promise<AskedCondition> {
  const market = (await listedMarkets(context)).find(({ name }) => name === asked.market);
  if (market === undefined) throw invalidBody('/price/market', 'must be a listed pair or contract');
  if (asked.above === undefined && asked.below === undefined) throw invalidBody('/price', 'must name above or below');
  const ticksOf = (member: 'above' | 'below'): number | null => {
    const text = asked[member];
    if (text === undefined) return null;
    const ticks = parseSafeDecimal(text, market.priceDecimals);
    if (typeof ticks === 'number' && ticks > 0) return ticks;
    throw invalidBody(`/price/${member}`, `must be above 0, with at most ${market.priceDecimals} decimals`);
  };
  const bounds: PriceBounds = { above: ticksOf('above'), below: ticksOf('below') };
  const watched = untilPrice(context.feed, market.id, bounds);
  const last = await context.queries.lastPrice(market.id);
  const isMet = last !== null && isCrossed(bounds, last);
  return { ...watched, outcome: () => (isMet ? 'met' : watched.outcome()), at: null };
}
