import type { orderQueryEndpoints } from '#public-api/spot/order-endpoints.ts';
import type { OrderRef, OrderView } from '#model/order.ts';
import type { SymbolId } from '#model/units.ts';
import { ApiError } from '#http/errors.ts';
import { wireLimits } from '#http/limits.ts';
import { orderOfId } from '#http/words.ts';
import type { Caller } from '#public-api/pipeline/endpoint-request.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { type HandlersOf, JsonText } from '#public-api/handlers.ts';
import { awaitHistory, windowOf } from '#public-api/history/history-reads.ts';
import { symbolEverListed } from '#public-api/listed-symbols.ts';
import { orderRefOf } from '#public-api/spot/cancel-order.ts';
import { OpenOrderTexts, accountTradeText, orderText } from '#public-api/spot/order-texts.ts';
import type { SymbolDirectory } from '#market-data/symbol-directory.ts';

const { orders: limits } = wireLimits;

/** Finds an order in the engine (open or recently closed), else in history. */
async function findOrder(
  context: GatewayContext,
  caller: Caller,
  symbol: SymbolId,
  ref: OrderRef,
): Promise<OrderView | null> {
  const { account } = caller.account;
  const live = await context.queries.order(account, symbol, ref);
  if (live !== null) return live;
  await awaitHistory(context);
  return context.history.orderOf(account, symbol, ref);
}

/**
 * Closed and open orders together, oldest first, each once; an order that closed between the two queries is shown as
 * closed.
 */
function merge(
  closed: readonly OrderView[],
  open: readonly OrderView[],
  limit: number,
  fromStart: boolean,
): OrderView[] {
  const finished = new Set(closed.map((order) => order.order));
  const all = [...closed, ...open.filter((order) => !finished.has(order.order))];
  all.sort((first, second) => first.acceptedAt - second.acceptedAt || first.order - second.order);
  return fromStart ? all.slice(0, limit) : all.slice(Math.max(0, all.length - limit));
}

/** Handlers that query orders and trades of an account, oldest first: DEC-ORD-27. */
export function orderQueryHandlers(
  context: GatewayContext,
  directory: SymbolDirectory,
): HandlersOf<typeof orderQueryEndpoints> {
  const { queries, history } = context;
  const openTexts = new OpenOrderTexts();
  return {
    order: async (parameters, caller) => {
      const listed = symbolEverListed(directory, parameters.symbol);
      const find = (ref: OrderRef) => findOrder(context, caller, listed.rules.id, ref);
      const found = await find(await orderRefOf(parameters, find));
      if (found === null) throw new ApiError('unknownOrder');
      return new JsonText(orderText(listed, found, true));
    },
    openOrders: async ({ symbol: names }, caller) => {
      const { account } = caller.account;
      const symbols = names?.map((name) => symbolEverListed(directory, name).rules.id);
      const only = symbols?.length === 1 ? (symbols[0] as SymbolId) : null;
      const open = await queries.openOrders(account, only);
      // Orders of contracts are none of the spot account's. DEC-FUT-61.
      const isAsked = ({ symbol }: OrderView): boolean => symbols?.includes(symbol) ?? !directory.contract(symbol);
      const asked = open.filter(isAsked);
      return new JsonText(`[${asked.map((order) => openTexts.of(directory.at(order.symbol), order)).join(',')}]`);
    },
    allOrders: async ({ symbol, startTime, endTime, limit }, caller) => {
      const listed = symbolEverListed(directory, symbol);
      const { id } = listed.rules;
      const { account } = caller.account;
      const open = await queries.openOrders(account, id);
      const now = await awaitHistory(context);
      const { allOrdersWindowDefaultMs: defaultMs, allOrdersWindowMs: reachMs } = limits;
      const window = windowOf({ startTime, endTime, defaultMs, reachMs }, now);
      const fromStart = startTime !== undefined;
      const closed = await history.rows('orders', { account, symbol: id }, window, limit, fromStart);
      const within = open.filter((order) => order.acceptedAt >= window.from && order.acceptedAt <= window.to);
      const rows = merge(closed, within, limit, fromStart);
      return new JsonText(`[${rows.map((order) => orderText(listed, order)).join(',')}]`);
    },
    myTrades: async ({ symbol, orderId, startTime, endTime, limit }, caller) => {
      const listed = symbolEverListed(directory, symbol);
      const order = orderId === undefined ? null : orderOfId(orderId);
      if (orderId !== undefined && order === null) return [];
      const now = await awaitHistory(context);
      const { myTradesWindowMs: reachMs } = limits;
      const window = windowOf({ startTime, endTime, defaultMs: reachMs, reachMs }, now);
      const { account } = caller.account;
      const where = { account, symbol: listed.rules.id, ...(order === null ? {} : { order }) };
      const fills = await history.rows('fills', where, window, limit, startTime !== undefined);
      const texts = fills.map((fill) => accountTradeText(listed, fill, directory.asset(fill.feeAsset)));
      return new JsonText(`[${texts.join(',')}]`);
    },
  };
}
