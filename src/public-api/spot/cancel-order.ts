import type { cancelEndpoints, orderAliases } from '#public-api/spot/order-endpoints.ts';
import type { OrderRef, OrderView } from '#model/order.ts';
import type { SymbolId } from '#model/units.ts';
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
    const { events } = await submit(context, request, { kind: 'cancelOrders', account, symbols });
    const entries: string[] = [];
    for (const event of events) {
      if (event.kind !== 'orderClosed') continue;
      const { order } = event;
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
