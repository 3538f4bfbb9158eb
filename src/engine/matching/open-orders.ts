import type { EngineState } from '#engine/state.ts';

/** Enters a resting order at the end of its account's open orders. */
export function linkOpen(state: EngineState, slot: number): void {
  const { orders } = state.tables;
  const { accounts } = state;
  const account = orders.account(slot);
  accounts.countOpen(account, 1);
  accounts.openOrders.append(account, slot);
}

/** Takes an order out of its account's open orders, where it is. */
export function unlinkOpen(state: EngineState, slot: number): void {
  const { orders } = state.tables;
  const { accounts } = state;
  const account = orders.account(slot);
  accounts.openOrders.remove(account, slot);
  accounts.countOpen(account, -1);
}
