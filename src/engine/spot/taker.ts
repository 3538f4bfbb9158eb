import { stpModes } from '#model/order.ts';
import type { AccountId } from '#model/units.ts';
import { noHold } from '#engine/ledger/hold-table.ts';
import { buySide, type SideCode } from '#engine/book/side-code.ts';
import type { EngineState } from '#engine/state/state.ts';

/** The incoming order while it is matched, unpacked from its record. */
export class Taker {
  private readonly state: EngineState;
  slot = 0;
  account = 0 as AccountId;
  side: SideCode = buySide;
  /** Worst price it may trade at. */
  limit = 0;
  /** Lots not filled yet; `Infinity` for an order by quote amount. */
  remaining = 0;
  byBudget = false;
  /** Quote units not spent or received yet; `Infinity` for an order by quantity. */
  remainingBudget = 0;
  /** The hold it pays from; `noHold`: it pays from free balance. */
  hold = noHold;
  /** Price in ticks at which the hold of an order for a contract is counted; set when that is opened. */
  heldAt = 0;
  /** Balance row it gives from. */
  givesRow = 0;
  /** Free balance that its further fills will take, where a token fee could take it first; else 0. */
  neededByFills = 0;
  /** Active self-trade prevention, an index into `stpModes`; 0: none. */
  stp = 0;
  executed = 0;
  executedQuote = 0;
  fills = 0;
  lastFillPrice = 0;

  constructor(state: EngineState) {
    this.state = state;
  }

  /** Starts with the order of a new record. `limit`: the price of the order, or the market collar. */
  start(slot: number, limit: number, hold: number): this {
    const { orders } = this.state.tables;
    this.slot = slot;
    this.account = orders.account(slot);
    this.side = orders.side(slot);
    this.limit = limit;
    this.byBudget = orders.isByBudget(slot);
    this.remaining = this.byBudget ? Number.POSITIVE_INFINITY : orders.quantity(slot);
    this.remainingBudget = this.byBudget ? orders.budget(slot) : Number.POSITIVE_INFINITY;
    this.hold = hold;
    this.givesRow = orders.gives(slot);
    this.neededByFills = 0;
    this.stp = activeStp(this.state, this.account, orders.stp(slot));
    this.executed = 0;
    this.executedQuote = 0;
    this.fills = 0;
    this.lastFillPrice = 0;
    return this;
  }

  /** Self-trade prevention: whether a fill with this maker must be prevented. DEC-ORD-20. */
  isSelfTrade(maker: AccountId): boolean {
    return this.stp !== 0 && isSameTrader(this.state, this.account, maker);
  }
}

/**
 * Self-trade prevention applies if the order asks for it and the master of its account has a group (without one it is
 * off: SPEC-STP-01); returns the index of the mode, or 0.
 */
export function activeStp(state: EngineState, account: AccountId, stp: number): number {
  return stp !== 0 && state.stpGroups.hasAny(state.accounts.master(account)) ? stp : 0;
}

/** Whether self-trade prevention treats two accounts as one trader: the same account, or two of one group. */
export const isSameTrader = (state: EngineState, taker: AccountId, maker: AccountId): boolean =>
  taker === maker || state.stpGroups.together(taker, maker);

/** Whether this mode of self-trade prevention cancels the resting order. */
export const cancelsMaker = (stp: number): boolean => stpModes[stp] === 'cancelMaker' || stpModes[stp] === 'cancelBoth';
/** Whether this mode of self-trade prevention cancels the incoming order. */
export const cancelsTaker = (stp: number): boolean => stpModes[stp] === 'cancelTaker' || stpModes[stp] === 'cancelBoth';
