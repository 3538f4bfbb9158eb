import type { PositionView } from '#model/contract.ts';
import type { Trade } from '#model/events.ts';
import type { AccountId, SymbolId, TradeNumber } from '#model/units.ts';
import { as } from '#model/units.ts';

/** What a trade of a contract did to positions. DEC-FUT-11. */
export interface DealFlags {
  readonly symbol: SymbolId;
  readonly trade: TradeNumber;
  /** 1: both sides opened, 2: neither, 3: one of them. */
  readonly openFlag: number;
  readonly isSelfTrade: boolean;
}

/**
 * Tells of each trade of a contract whether its sides opened, from the trade and the positions of taker and maker that
 * are told after it, in this order. What a side held before follows from both, so that nothing is kept of positions.
 */
export class DealFold {
  readonly #isContract: (symbol: SymbolId) => boolean;
  #symbol = as<SymbolId>(0);
  #trade = as<TradeNumber>(0);
  #taker = as<AccountId>(0);
  #maker = as<AccountId>(0);
  /** What the taker's position grew by. */
  #takerChange = 0;
  /** Sides whose position was not told yet. */
  #waiting = 0;
  #opened = 0;

  constructor(isContract: (symbol: SymbolId) => boolean) {
    this.#isContract = isContract;
  }

  /** The flags of a trade of an account with itself, which changes no position; `null` otherwise. */
  trade(trade: Trade): DealFlags | null {
    this.#waiting = 0;
    if (!this.#isContract(trade.symbol)) return null;
    this.#symbol = trade.symbol;
    this.#trade = trade.trade;
    this.#taker = trade.takerAccount;
    this.#maker = trade.makerAccount;
    this.#takerChange = trade.takerSide === 'buy' ? trade.lots : -trade.lots;
    this.#opened = 0;
    if (this.#taker === this.#maker) return this.#flags();
    this.#waiting = 2;
    return null;
  }

  /** The flags of the last trade once both of its sides are told; `null` before, and for a position without a trade. */
  positionChanged({ account, contract, lots }: PositionView): DealFlags | null {
    if (this.#waiting === 0 || contract !== this.#symbol) return null;
    if (account !== (this.#waiting === 2 ? this.#taker : this.#maker)) return null;
    const change = this.#waiting === 2 ? this.#takerChange : -this.#takerChange;
    if (Math.abs(lots) > Math.abs(lots - change)) this.#opened += 1;
    this.#waiting -= 1;
    return this.#waiting > 0 ? null : this.#flags();
  }

  #flags(): DealFlags {
    return {
      symbol: this.#symbol,
      trade: this.#trade,
      openFlag: this.#opened === 2 ? 1 : this.#opened === 0 ? 2 : 3,
      isSelfTrade: this.#taker === this.#maker,
    };
  }
}
