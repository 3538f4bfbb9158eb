import type { EngineState } from '#engine/state/state.ts';

/** Appends a resting order to the open orders of its account, and counts it for the open-order cap. */
export function linkOpen(state: EngineState, slot: number): void {
  const { orders } = state.tables;
  const { accounts } = state;
  const account = orders.account(slot);
  accounts.countOpen(account, 1);
  accounts.openOrders.append(account, slot);
}

/** Removes an order from the open orders of its account, and from the count for the open-order cap. */
export function unlinkOpen(state: EngineState, slot: number): void {
  const { orders } = state.tables;
  const { accounts } = state;
  const account = orders.account(slot);
  accounts.openOrders.remove(account, slot);
  accounts.countOpen(account, -1);
}
