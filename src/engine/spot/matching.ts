import type { OrderRequest } from '#model/order.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { AccountId } from '#model/units.ts';
import { noOrder } from '#engine/book/order-table.ts';
import { createCancelling, type Cancelling } from '#engine/spot/cancel-order.ts';
import { createClosing } from '#engine/spot/close-order.ts';
import { createExecuteFill } from '#engine/spot/fill.ts';
import { createMatch } from '#engine/spot/match.ts';
import { createSimulateOrder } from '#engine/spot/simulate-order.ts';
import { createPlaceOrder, isSameOrder, type Placing } from '#engine/spot/place-order.ts';
import { createRefusals } from '#engine/spot/refusal.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Places and cancels orders. */
export interface Matching extends Cancelling, Placing {
  /**
   * The first reason for which this order would be refused now, `null` if it would not. An idempotent retry by client
   * order id is not refused. Changes nothing.
   */
  orderRefusal(account: AccountId, order: OrderRequest): RejectReason | null;
}

/**
 * Creates matching over one state. All parts are closures over that state and created once: in a process with one
 * engine V8 treats the captured variables as constants (docs/decisions/0012).
 */
export function createMatching(state: EngineState): Matching {
  const { closeIncoming, closeResting, removeResting } = createClosing(state);
  const executeFill = createExecuteFill(state, closeResting);
  const match = createMatch(state, removeResting, executeFill);
  const simulateOrder = createSimulateOrder(state);
  const refusals = createRefusals(state, simulateOrder);
  const placing = createPlaceOrder(state, { refusals, simulateOrder, match, closeIncoming });

  function orderRefusal(account: AccountId, order: OrderRequest): RejectReason | null {
    const { clientOrderId } = order;
    const known = clientOrderId === null ? noOrder : state.tables.clientIds.lookup(account, clientOrderId, state.at);
    if (known !== noOrder && isSameOrder(state.tables.viewOf(known), order)) return null;
    return refusals.earlyRefusal(account, order) ?? refusals.lateRefusal(account, order, known !== noOrder);
  }

  return { ...placing, orderRefusal, ...createCancelling(state, removeResting) };
}
