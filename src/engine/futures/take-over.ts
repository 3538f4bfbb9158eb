import { futuresWalletOf } from '#model/account.ts';
import type { Takeover, TakeoverReason } from '#model/contract.ts';
import type { AccountId, Balance, PriceTicks, Quanta } from '#model/units.ts';
import { as, toAmount } from '#model/units.ts';
import { bankruptcyPrice, greatestTicks } from '#engine/futures/bankruptcy-price.ts';
import { canClear, costMost } from '#engine/futures/can-settle.ts';
import {
  closedBy,
  closePart,
  openPart,
  partOf,
  profitOfClosing,
  emitPosition,
} from '#engine/futures/change-position.ts';
import { backingOf } from '#engine/futures/equity.ts';
import { absolute, bigMillion, dividedUp, lesserOf } from '#base/whole-numbers.ts';
import { marksPerTick } from '#engine/state/futures/mark-price.ts';
import { positionFor } from '#engine/futures/position-margin.ts';
import type { Position } from '#engine/state/futures/positions.ts';
import { freeOf } from '#engine/money/free-balance.ts';
import type { EngineState } from '#engine/state/state.ts';

/** What the fund is about to take. */
interface TakeoverPlan {
  /** With the sign of the position. */
  readonly lots: number;
  readonly ticks: bigint;
  readonly fee: bigint;
}

/**
 * The insurance fund takes so many lots of a position over: the account pays the liquidation fee, and loses the rest of
 * what is behind them. Returns whether it did; if not, the fund could not pay for what it closes by that, or could not
 * count so many lots, and the position waits for the next update. DEC-FUT-48.
 */
export function takeOver(state: EngineState, position: Position, taken: number): boolean {
  const { account, contract } = position;
  const { insurer, rules } = state.contracts.at(contract);
  const plan = planTakeover(state, position, taken);
  if (plan === null || !canFundTakeOver(state, position, plan)) return false;
  const { lots, fee, ticks } = plan;
  const book = state.books[contract]!;
  const unit = Number(ticks) * book.quotePerTickLot;
  const fundBefore = freeOf(state, futuresWalletOf(insurer), rules.settle);
  const realisedBefore = position.realised;
  const row = state.ledger.balances.row(futuresWalletOf(account), rules.settle);
  closePart(state, position, { book, account, row, lots: -lots, unit, order: null });
  if (fee > 0n)
    state.ledger.move(
      futuresWalletOf(account),
      futuresWalletOf(insurer),
      rules.settle,
      toAmount(fee),
      'liquidationFee',
    );
  addToFund(state, position, insurer, { lots, unit });
  emitTakeover(state, position, {
    reason: 'liquidation',
    lots,
    price: Number(ticks),
    realised: position.realised - realisedBefore,
    fee: Number(fee),
    fromFund: fundBefore - freeOf(state, futuresWalletOf(insurer), rules.settle),
  });
  emitPosition(state, insurer, contract);
  return true;
}

/** What is taken from an account, and why. */
export interface Taken {
  readonly reason: TakeoverReason;
  /** With the sign of the position that they were of. */
  readonly lots: number;
  /** In ticks. */
  readonly price: number;
  readonly realised: bigint;
  readonly fee: number;
  /** What the wallet of the fund lost by it. */
  readonly fromFund: bigint;
}

/** Tells that lots were taken from a position, and the position as it is now. */
export function emitTakeover(state: EngineState, { account, contract }: Position, taken: Taken): void {
  const takeover: Takeover = {
    reason: taken.reason,
    contract,
    account,
    lots: taken.lots,
    price: as<PriceTicks>(taken.price),
    realised: as<Balance>(taken.realised),
    fee: as<Quanta>(taken.fee),
    fromFund: as<Balance>(taken.fromFund),
    at: state.at,
  };
  state.emit.fact({ kind: 'positionTaken', takeover });
  emitPosition(state, account, contract);
}

/** Price and fee of a takeover; `null`: a lot would be worth more than can be counted. */
function planTakeover(state: EngineState, position: Position, taken: number): TakeoverPlan | null {
  const { contract } = position;
  const { quotePerTickLot } = state.books[contract]!;
  const all = Math.abs(position.lots);
  const behind = partOf(backingOf(state, position), taken, all);
  const fee = lesserOf(behind, liquidationFee(state, position, taken));
  const lots = Math.sign(position.lots) * taken;
  const ticks = bankruptcyPrice({ lots, cost: partOf(position.cost, taken, all), quotePerTickLot }, behind - fee);
  const most = greatestTicks(quotePerTickLot);
  // A short one may have more behind it than any price takes: it keeps the rest.
  if (ticks <= most) return { lots, ticks, fee };
  return lots < 0 ? { lots, ticks: most, fee } : null;
}

/** Counted at the fair price and rounded up; a safe integer. DEC-FUT-48. */
function liquidationFee(state: EngineState, { contract }: Position, taken: number): bigint {
  const { rules } = state.contracts.at(contract);
  const worth = BigInt(taken) * BigInt(state.books[contract]!.quotePerTickLot) * BigInt(state.marks.of(rules).fair);
  const fee = dividedUp(worth * BigInt(rules.liquidationFeePpm), marksPerTick(rules.priceDecimals) * bigMillion);
  return lesserOf(fee, BigInt(Number.MAX_SAFE_INTEGER));
}

/**
 * Whether the fund can pay for what it closes of an opposite position, with the fee, and can count what it opens.
 * DEC-FUT-48, DEC-FUT-58.
 */
function canFundTakeOver(state: EngineState, { contract }: Position, { lots, ticks, fee }: TakeoverPlan): boolean {
  const { insurer, rules } = state.contracts.at(contract);
  const book = state.books[contract]!;
  const unit = Number(ticks) * book.quotePerTickLot;
  const own = state.positions.find(insurer, contract);
  const closed = own === null ? 0 : closedBy(lots, own);
  if (own !== null && closed > 0) {
    const free = freeOf(state, futuresWalletOf(insurer), rules.settle);
    const profit = profitOfClosing(own, closed, unit);
    if (free + fee + profit < 0n || !canClear(state, book, profit)) return false;
  }
  const kept = own === null || closed > 0 ? 0n : absolute(own.cost);
  const after = (own?.lots ?? 0) + lots;
  const opened = BigInt(Math.abs(lots) - closed) * BigInt(unit);
  return Number.isSafeInteger(after) && kept + opened <= costMost;
}

/** The fund gets the lots: it closes what it can of an opposite position, and keeps the rest without margin. */
function addToFund(
  state: EngineState,
  { contract }: Position,
  insurer: AccountId,
  { lots, unit }: { readonly lots: number; readonly unit: number },
): void {
  const book = state.books[contract]!;
  const own = positionFor(state, insurer, contract);
  const row = state.ledger.balances.row(futuresWalletOf(insurer), book.quote);
  const opened = lots - Math.sign(lots) * closedBy(lots, own);
  closePart(state, own, { book, account: insurer, row, lots, unit, order: null });
  openPart(state, own, 0n, { book, account: insurer, row, lots: opened, unit, order: null });
}
