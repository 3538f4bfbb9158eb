import type { cancelEndpoints, orderAliases } from '#public-api/spot/order-endpoints.ts';
import type { OrderRef, OrderView } from '#model/order.ts';
import { engineLimits } from '#model/limits.ts';
import type { AccountId, SymbolId } from '#model/units.ts';
import { ApiError, invalidParameter, refusalError } from '#http/errors.ts';
import { orderOfId } from '#http/words.ts';
import type { Caller, EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { submit } from '#public-api/submit.ts';
import type { HandlersOf } from '#public-api/handlers.ts';
import { JsonText } from '#public-api/handlers.ts';
import { listedSymbol } from '#public-api/listed-symbols.ts';
import { canceledOrderText } from '#public-api/spot/order-texts.ts';
import type { SymbolDirectory } from '#market-data/symbol-directory.ts';
import type { Outcome } from '#sequencer/command-ingress.ts';

/** The two ways in which a request names an order. */
export interface OrderNames {
  readonly orderId?: string | undefined;
  readonly origClientOrderId?: string | undefined;
}

/**
 * The order that a request names. With both ids they must belong to one order.
 * @throws ApiError -2011 if the order does not exist, 33333 if the ids belong to different orders.
 */
export async function orderRefOf(
  names: OrderNames,
  find: (ref: OrderRef) => Promise<OrderView | null>,
): Promise<OrderRef> {
  const { orderId, origClientOrderId } = names;
  if (orderId === undefined) return { clientOrderId: origClientOrderId as string };
  const order = orderOfId(orderId);
  if (order === null) throw new ApiError('unknownOrder');
  if (origClientOrderId === undefined) return { order };
  const found = await find({ order });
  if (found === null) throw new ApiError('unknownOrder');
  if (found.clientOrderId !== origClientOrderId) {
    throw invalidParameter('origClientOrderId', "it is not the id of the order named by 'orderId'");
  }
  return { order };
}

/** Status of a canceled order in the response. */
function statusToAnswer(context: GatewayContext, order: OrderView): OrderView['status'] {
  if (!context.settings.cancelAnswersStatusBefore) return order.status;
  return order.executed === 0 ? 'new' : 'partiallyFilled';
}

/** Which orders are cancelled: the open ones of an account on these symbols. */
interface Meant {
  readonly account: AccountId;
  readonly symbols: readonly SymbolId[];
}

const { cancelledOrdersPerEntry, openOrdersLimitMax } = engineLimits;

/**
 * Cancels in one entry, or in several where an account with a cap of its own has more orders than one should cancel:
 * nobody else's order waits for all of them. Answers them as they are closed. DEC-ORD-30.
 * @throws ApiError as `submit` does; 504 once some are cancelled, because not nothing happened then.
 */
async function cancelAll(context: GatewayContext, request: EndpointRequest, meant: Meant): Promise<OrderView[]> {
  const open = await context.queries.openOrderCount(meant.account);
  if (open <= cancelledOrdersPerEntry)
    return closedBy(await submit(context, request, { kind: 'cancelOrders', ...meant }));
  const closed: OrderView[] = [];
  for (let piece = 0; piece * cancelledOrdersPerEntry <= openOrdersLimitMax; piece += 1) {
    const received = piece === 0 ? request : { receivedMonotonic: context.monotonic.now() };
    const outcome = submit(context, received, { kind: 'cancelSomeOrders', ...meant });
    const orders = closedBy(await (piece === 0 ? outcome : outcome.catch(lostInPart)));
    for (const order of orders) closed.push(order);
    if (orders.length < cancelledOrdersPerEntry) break;
  }
  return closed;
}

const closedBy = ({ events }: Outcome): OrderView[] =>
  events.flatMap((event) => (event.kind === 'orderClosed' ? [event.order] : []));

/** A piece after the first one failed. */
function lostInPart(error: unknown): never {
  throw error instanceof ApiError ? new ApiError('gatewayTimeout') : error;
}

/** Handlers that cancel one order or all: DEC-ORD-29, DEC-ORD-30. */
export function cancelHandlers(
  context: GatewayContext,
  directory: SymbolDirectory,
): HandlersOf<typeof cancelEndpoints & typeof orderAliases> {
  const finderOf = (caller: Caller, symbol: SymbolId) => (ref: OrderRef) =>
    context.queries.order(caller.account.account, symbol, ref);
  const cancelOpenOrders = async (
    { symbol: names }: { readonly symbol: readonly string[] },
    caller: Caller,
    request: EndpointRequest,
  ): Promise<JsonText> => {
    const symbols = names.map((name) => listedSymbol(directory, name).rules.id);
    const { account } = caller.account;
    const entries: string[] = [];
    for (const order of await cancelAll(context, request, { account, symbols })) {
      const fields = { cancelId: null, status: statusToAnswer(context, order), withListId: true };
      entries.push(canceledOrderText(directory.at(order.symbol), order, fields));
    }
    return new JsonText(`[${entries.join(',')}]`);
  };
  return {
    cancelOrder: async (parameters, caller, request) => {
      const listed = listedSymbol(directory, parameters.symbol);
      const symbol = listed.rules.id;
      const { account } = caller.account;
      const ref = await orderRefOf(parameters, finderOf(caller, symbol));
      const { events } = await submit(context, request, { kind: 'cancelOrder', account, symbol, ref });
      for (const event of events) {
        if (event.kind === 'cancelRefused') throw refusalError(event.reason);
        if (event.kind !== 'orderClosed') continue;
        const status = statusToAnswer(context, event.order);
        const fields = { cancelId: parameters.newClientOrderId ?? null, status, withListId: false };
        return new JsonText(canceledOrderText(listed, event.order, fields));
      }
      throw new ApiError('unknownOrder');
    },
    cancelOpenOrders,
    cancelAllOrders: cancelOpenOrders,
  };
}
