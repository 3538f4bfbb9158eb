import { stpModes } from '#domain/order.ts';
import type { AccountId } from '#domain/units.ts';
import { noHold } from '#engine/ledger/hold-table.ts';
import type { EngineState } from '#engine/state.ts';

/**
 * The order that is being matched, unpacked. One object serves every order of an engine in turn: the match loop
 * allocates nothing.
 */
export class Taker {
  private readonly state: EngineState;
  slot = 0;
  account = 0 as AccountId;
  /** 0 buys, 1 sells. */
  side = 0;
  /** Worst price it may trade at. */
  limit = 0;
  /** Lots still wanted; `Infinity` by budget. */
  open = 0;
  byBudget = false;
  /** Quote still to spend or to receive; `Infinity` by quantity. */
  budget = 0;
  /** The hold that it pays from; `noHold`: it pays from free balance. */
  hold = noHold;
  /** Balance row it gives from. */
  givesRow = 0;
  /** What its later fills will take from free balance, where a token fee could take it first; else 0. */
  toGive = 0;
  /** Index into `stpModes`; 0 when prevention is not active for it. */
  stp = 0;
  executed = 0;
  executedQuote = 0;
  fills = 0;
  lastFillPrice = 0;

  constructor(state: EngineState) {
    this.state = state;
  }

  /** Points at a fresh record. `limit` may be looser than the order's own price only for market orders. */
  start(slot: number, limit: number, hold: number): void {
    const { orders } = this.state.tables;
    this.slot = slot;
    this.account = orders.account(slot);
    this.side = orders.side(slot);
    this.limit = limit;
    this.byBudget = orders.isByBudget(slot);
    this.open = this.byBudget ? Number.POSITIVE_INFINITY : orders.quantity(slot);
    this.budget = this.byBudget ? orders.budget(slot) : Number.POSITIVE_INFINITY;
    this.hold = hold;
    this.givesRow = orders.gives(slot);
    this.toGive = 0;
    this.stp = activeStp(this.state, this.account, orders.stp(slot));
    this.executed = 0;
    this.executedQuote = 0;
    this.fills = 0;
    this.lastFillPrice = 0;
  }

  /** Whether prevention keeps this order from trading with `maker`. DEC-ORD-20. */
  avoids(maker: AccountId): boolean {
    return this.stp !== 0 && isSamePerson(this.state, this.account, maker);
  }
}

/** Prevention is active when asked for and the account's master has a group; answers the mode's index or 0. */
export function activeStp(state: EngineState, account: AccountId, stp: number): number {
  return stp !== 0 && state.stpGroups.hasAny(state.accounts.master(account)) ? stp : 0;
}

/** Whether two accounts are one person for self-trade prevention: the same, or in one group. */
export const isSamePerson = (state: EngineState, taker: AccountId, maker: AccountId): boolean =>
  taker === maker || state.stpGroups.together(taker, maker);

/** Whether the mode takes the resting order away. */
export const cancelsMaker = (stp: number): boolean => stpModes[stp] === 'cancelMaker' || stpModes[stp] === 'cancelBoth';
/** Whether the mode ends the incoming order. */
export const cancelsTaker = (stp: number): boolean => stpModes[stp] === 'cancelTaker' || stpModes[stp] === 'cancelBoth';
