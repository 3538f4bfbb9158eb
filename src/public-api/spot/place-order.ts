import { assert } from '#base/assert.ts';
import type { OutcomeEvent } from '#sequencer/command-ingress.ts';
import type { OrderRequest, OrderView } from '#model/order.ts';
import type { RejectReason } from '#model/rejection.ts';
import { ApiError, errorBody, invalidParameter } from '#http/errors.ts';
import { draftOrder } from '#public-api/spot/order-draft.ts';
import { parseRequest } from '#public-api/declaration/request.ts';
import { placingEndpoints } from '#public-api/spot/order-endpoints.ts';
import type { EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { submit } from '#public-api/submit.ts';
import type { HandlersOf } from '#public-api/handlers.ts';
import { JsonText } from '#public-api/handlers.ts';
import type { PreparedOrder } from '#public-api/spot/order-request.ts';
import { prepareOrder, refusedOrder } from '#public-api/spot/order-request.ts';
import { placedEntryText, placedOrderText } from '#public-api/spot/order-texts.ts';
import type { RequestParameters } from '#public-api/pipeline/parameters.ts';
import type { SymbolDirectory } from '#market-data/symbol-directory.ts';

/** Result of one order of a command: its state after the command, or why it was refused. */
type Placed = OrderView | RejectReason;

/**
 * Results of the orders of a command, in order. Each order has one event that begins it; a later close has its final
 * state.
 */
function placedOrders(events: readonly OutcomeEvent[]): Placed[] {
  const placed: Placed[] = [];
  const positions = new Map<number, number>();
  for (const event of events) {
    if (event.kind === 'orderAccepted' || event.kind === 'orderRepeated') {
      if (event.kind === 'orderAccepted') positions.set(event.order.order, placed.length);
      placed.push(event.order);
    } else if (event.kind === 'orderRefused') {
      placed.push(event.reason);
    } else if (event.kind === 'orderClosed') {
      const position = positions.get(event.order.order);
      if (position !== undefined) placed[position] = event.order;
    }
  }
  return placed;
}

/** As `placedOrders`, for the usual command with one order. */
function placedOrder(events: readonly OutcomeEvent[]): Placed {
  let placed: Placed | undefined;
  for (const event of events) {
    if (event.kind === 'orderAccepted' || event.kind === 'orderRepeated') placed = event.order;
    else if (event.kind === 'orderRefused') return event.reason;
    else if (event.kind === 'orderClosed' && typeof placed === 'object' && placed.order === event.order.order) {
      placed = event.order;
    }
  }
  assert(placed !== undefined, 'a command to place an order has an event with its result');
  return placed;
}

const parametersOf = (request: EndpointRequest): RequestParameters['values'] =>
  (request.parameters as RequestParameters).values;

/** The fields of an order that the text of a refusal depends on. */
const termsOf = ({ kind, quantity }: OrderRequest) => ({ kind, lots: quantity });

/** Handlers of order entry; refusals in the order of DEC-ORD-04, DEC-ORD-28, DEC-ORD-40, DEC-ORD-42. */
export function placingHandlers(
  context: GatewayContext,
  directory: SymbolDirectory,
): HandlersOf<typeof placingEndpoints> {
  return {
    placeOrder: async (_parameters, caller, request) => {
      const prepared = prepareOrder(directory, draftOrder(parametersOf(request)));
      if (prepared instanceof ApiError) throw prepared;
      const { symbol, order } = prepared;
      const { account } = caller.account;
      const { events } = await submit(context, request, { kind: 'placeOrder', account, order });
      const placed = placedOrder(events);
      if (typeof placed === 'string') throw refusedOrder(placed, symbol, termsOf(order));
      return new JsonText(placedOrderText(symbol, placed));
    },
    testOrder: async (_parameters, caller, request) => {
      const prepared = prepareOrder(directory, draftOrder(parametersOf(request)));
      if (prepared instanceof ApiError) throw prepared;
      const { symbol, order } = prepared;
      const reason = await context.queries.orderRefusal(caller.account.account, order);
      if (reason !== null) throw refusedOrder(reason, symbol, termsOf(order));
      return {};
    },
    placeOrders: async (_parameters, caller, request) => {
      const { batchOrders } = parseRequest(placingEndpoints.placeOrders, parametersOf(request));
      // An item without a symbol fails alone: it does not name another symbol.
      const names = new Set(batchOrders.map((item) => item['symbol'] ?? '').filter((name) => name !== ''));
      if (names.size > 1) throw invalidParameter('batchOrders', 'must hold orders of one symbol');
      const prepared = batchOrders.map((item) => prepareOrder(directory, draftOrder(item)));
      const orders = prepared.flatMap((entry) => (entry instanceof ApiError ? [] : [entry.order]));
      const { account } = caller.account;
      const placed =
        orders.length === 0
          ? []
          : placedOrders((await submit(context, request, { kind: 'placeOrders', account, orders })).events);
      assert(placed.length === orders.length, 'a batch has a result for each order');
      let next = 0;
      const entries = prepared.map((entry, index) => {
        const clientOrderId = batchOrders[index]?.['newClientOrderId'] ?? null;
        return entry instanceof ApiError
          ? failedEntryText(clientOrderId, entry)
          : entryText(entry, placed[next++] as Placed, clientOrderId);
      });
      return new JsonText(`[${entries.join(',')}]`);
    },
  };
}

function failedEntryText(clientOrderId: string | null, error: ApiError): string {
  const { code, msg } = errorBody(error);
  return JSON.stringify({ newClientOrderId: clientOrderId, msg, code });
}

function entryText(entry: Exclude<PreparedOrder, ApiError>, placed: Placed, clientOrderId: string | null): string {
  if (typeof placed === 'object') return placedEntryText(entry.symbol, placed);
  return failedEntryText(clientOrderId, refusedOrder(placed, entry.symbol, termsOf(entry.order)));
}
