import { ClientOrderId } from '#model/client-order-id.ts';
import type { OrderRequest } from '#model/order.ts';
import type { AccountId, Lots, PriceTicks } from '#model/units.ts';
import { as } from '#model/units.ts';
import { codeOfSide, isWithinLimit, opposite } from '#engine/book/side-code.ts';
import { bankruptcyPrice, greatestTicks } from '#engine/futures/bankruptcy-price.ts';
import type { Contract } from '#engine/state/futures/contracts.ts';
import { backingOf } from '#engine/futures/equity.ts';
import { bigMillion, clamped, dividedUp, lesserOf } from '#base/whole-numbers.ts';
import { marksPerTick } from '#engine/state/futures/mark-price.ts';
import type { Position } from '#engine/state/futures/positions.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Places an order of the exchange itself, which is not checked and holds nothing. */
export type PlaceForExchange = (account: AccountId, order: OrderRequest) => void;

/**
 * Lets an insurance fund close its position by an immediate-or-cancel order, within the price band, what the fund can
 * pay, and where it loses nothing but what the index has moved; without an opposing order there it places none.
 * DEC-FUT-55, DEC-FUT-104.
 */
export function placeFundOrder(state: EngineState, { rules, insurer }: Contract, place: PlaceForExchange): void {
  const own = state.positions.find(insurer, rules.id);
  if (own === null || own.lots === 0) return;
  const side = own.lots > 0 ? 'sell' : 'buy';
  const book = state.books[rules.id]!;
  const opposing = opposite(codeOfSide(side));
  const limit = fundLimit(state, own);
  if (book.best(opposing) < 0 || !isWithinLimit(codeOfSide(side), book.bestPrice(opposing), limit)) return;
  place(insurer, {
    symbol: rules.id,
    side,
    kind: 'immediateOrCancel',
    price: as<PriceTicks>(limit),
    quantity: as<Lots>(Math.abs(own.lots)),
    budget: null,
    clientOrderId: ClientOrderId.of(null),
    stpMode: 'none',
  });
}

/**
 * The worst price at which the fund closes: its mean price, or the index where that is worse, so that nobody buys from
 * it below both; the end of the price band; or what loses all its money.
 */
function fundLimit(state: EngineState, own: Position): number {
  const { rules } = state.contracts.at(own.contract);
  const { quotePerTickLot } = state.books[own.contract]!;
  const { index } = state.marks.of(rules);
  const perTick = marksPerTick(rules.priceDecimals) * bigMillion;
  const { lots, cost } = own;
  const affordable = bankruptcyPrice({ lots, cost, quotePerTickLot }, backingOf(state, own));
  const even = bankruptcyPrice({ lots, cost, quotePerTickLot }, 0n);
  const most = greatestTicks(quotePerTickLot);
  if (lots > 0) {
    const lowest = dividedUp(BigInt(index) * (bigMillion - BigInt(rules.askLimitPpm)), perTick);
    const meanOrIndex = lesserOf(even, dividedUp(BigInt(index) * bigMillion, perTick));
    return Number(clamped(greatest(lowest, meanOrIndex), affordable, most));
  }
  const highest = (BigInt(index) * (bigMillion + BigInt(rules.bidLimitPpm))) / perTick;
  const meanOrIndex = greatest(even, (BigInt(index) * bigMillion) / perTick);
  return Number(clamped(lesserOf(highest, meanOrIndex), 1n, lesserOf(affordable, most)));
}

const greatest = (one: bigint, other: bigint): bigint => (one > other ? one : other);
