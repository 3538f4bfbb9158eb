import type { NaiveAccount, NaiveOrder, NaiveState } from './naive-state.ts';

/** What a matching walk needs to know of an order that is not placed yet. */
export interface Taking {
  readonly account: number;
  readonly stpMode: string;
}

/**
 * Whether self-trade prevention keeps these two apart: the taker asked for it, its master has a group, and both sides
 * are one account or share a group. DEC-ORD-20.
 */
export function isPrevented(state: NaiveState, taking: Taking, maker: NaiveOrder): boolean {
  if (taking.stpMode === 'none') return false;
  const { master } = state.accounts[taking.account] as NaiveAccount;
  const groups = state.groups.filter((group) => group.master === master);
  if (groups.length === 0) return false;
  if (maker.account === taking.account) return true;
  return groups.some((group) => group.members.includes(taking.account) && group.members.includes(maker.account));
}

/** Whether the taker's mode takes the resting order away. */
export const removesMaker = (mode: string): boolean => mode === 'cancelMaker' || mode === 'cancelBoth';
/** Whether the taker's mode ends the taker. */
export const removesTaker = (mode: string): boolean => mode === 'cancelTaker' || mode === 'cancelBoth';
