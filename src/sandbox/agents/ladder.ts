import type { Side } from '#model/order.ts';
import type { OrderNumber } from '#model/units.ts';
import type { RestingOrders } from '#sandbox/agents/resting-orders.ts';

/*
 * A ladder is the set of prices at which a market maker wants orders to rest. Its levels sit on a grid that never
 * moves: each cell of `spacing` ticks has one level at a fixed place inside it, so when the fair price moves a little
 * nearly all orders stay where they are, keep their queue priority, and only the ends of the ladder change.
 * Beyond the first zone only every nth cell carries a level; n grows with the distance.
 */

/** Cells of the grid from the inside out; a level in each cell whose number is a multiple of `stride`. */
export interface LadderZone {
  readonly cells: number;
  readonly stride: number;
}

/** Prices of the levels of a ladder. */
export interface LadderShape {
  /** Whether the best quotes themselves are levels. */
  readonly hasBest: boolean;
  /** Ticks per cell, whole and at least 1. */
  readonly spacingTicks: number;
  /** Ticks between the best quote and the first cell. */
  readonly gapTicks: number;
  readonly zones: readonly LadderZone[];
  /** Makes the grids of makers and symbols different. */
  readonly salt: number;
  /** Greatest distance of a level from the best quote, as a fraction of it. */
  readonly reach: number;
}

/** Best quotes, in ticks. */
export interface BestQuotes {
  readonly bid: number;
  readonly ask: number;
}

/** A fixed pseudo-random number in [0, 1) for each cell of each grid. */
export function cellNoise(salt: number, cell: number): number {
  let mixed = Math.imul(cell ^ salt, 0x9e3779b1) ^ (salt >>> 7);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 4294967296;
}

/** Part of the levels at a multiple of ten ticks, where their cell has one: people like round prices. */
const roundPart = 0.6;
const roundTicks = 10;

/** Price of the level in a cell, in ticks. */
function levelPrice(salt: number, cell: number, spacingTicks: number): number {
  const first = cell * spacingTicks;
  const price = first + Math.floor(cellNoise(salt, cell) * spacingTicks);
  if (cellNoise(salt + 1, cell) >= roundPart) return price;
  const round = Math.ceil(first / roundTicks) * roundTicks;
  if (round >= first + spacingTicks) return price;
  return Math.max(round, price - (price % roundTicks));
}

/** An order that should rest. */
export interface WantedOrder {
  readonly side: Side;
  readonly price: number;
  readonly lots: number;
}

/** Target quantity in lots at a price and a distance in cells from the best quote; 0: no order. */
export type LotsAt = (price: number, distanceCells: number) => number;

/** Cancels and placements that turn the resting orders into the ladder. */
export interface LadderChange {
  readonly cancel: OrderNumber[];
  /** A bid and an ask in turn, nearest first. */
  readonly place: WantedOrder[];
}

/** An order whose remaining quantity is below this fraction of its target is replaced. */
const worn = 0.3;
const noLevel = -1;

/** The levels of one side, nearest first. Computed hundreds of times a second, without allocations. */
class LadderSide {
  readonly side: Side;
  count = 0;
  readonly #shape: LadderShape;
  readonly #step: number;
  readonly #prices: Float64Array;
  readonly #distances: Float64Array;
  /** Whether an order rests there already. */
  readonly #taken: Uint8Array;
  /** Level in each cell, counted from the innermost one. */
  readonly #levelAt: Int16Array;
  #best = 0;
  #levelsMax = 0;
  #firstCell = 0;

  constructor(shape: LadderShape, side: Side) {
    const cells = shape.zones.reduce((sum, zone) => sum + zone.cells, 0);
    this.side = side;
    this.#shape = shape;
    this.#step = side === 'buy' ? -1 : 1;
    this.#prices = new Float64Array(cells + 1);
    this.#distances = new Float64Array(cells + 1);
    this.#taken = new Uint8Array(cells + 1);
    this.#levelAt = new Int16Array(cells);
  }

  /** Computes the levels around a best quote, without orders. */
  lay(best: number, levelsMax: number): void {
    this.#taken.fill(0);
    if (best === this.#best && levelsMax === this.#levelsMax) return;
    this.#best = best;
    this.#levelsMax = levelsMax;
    this.#levelAt.fill(noLevel);
    this.count = 0;
    if (this.#shape.hasBest) this.#add(best, 0);
    this.#layGrid(levelsMax + this.count);
  }

  #layGrid(countMax: number): void {
    const { spacingTicks, salt, gapTicks, reach, zones } = this.#shape;
    const step = this.#step;
    const start = this.#best + step * gapTicks;
    const limit = step < 0 ? Math.max(1, this.#best * (1 - reach)) : this.#best * (1 + reach);
    this.#firstCell = Math.floor(start / spacingTicks);
    let zoneEnd = 0;
    for (const { cells, stride } of zones) {
      const past = (this.#firstCell + step * zoneEnd) % stride;
      let distance = zoneEnd + (step < 0 || past === 0 ? past : stride - past);
      zoneEnd += cells;
      for (; distance < zoneEnd && this.count < countMax; distance += stride) {
        const cell = this.#firstCell + step * distance;
        const price = levelPrice(salt, cell, spacingTicks);
        if (step * (price - start) < 0) continue;
        if (step * (price - limit) > 0) return;
        this.#levelAt[distance] = this.count;
        this.#add(price, distance);
      }
    }
  }

  #add(price: number, distance: number): void {
    this.#prices[this.count] = price;
    this.#distances[this.count] = distance;
    this.count += 1;
  }

  /** The level at a price that has no order yet, or `noLevel`. */
  freeLevel(price: number): number {
    const level = this.#shape.hasBest && price === this.#best ? 0 : this.#gridLevel(price);
    return level === noLevel || this.#taken[level] === 1 ? noLevel : level;
  }

  #gridLevel(price: number): number {
    const distance = this.#step * (Math.floor(price / this.#shape.spacingTicks) - this.#firstCell);
    if (distance < 0 || distance >= this.#levelAt.length) return noLevel;
    const level = this.#levelAt[distance] as number;
    return level !== noLevel && this.#prices[level] === price ? level : noLevel;
  }

  take(level: number): void {
    this.#taken[level] = 1;
  }

  lots(level: number, lotsAt: LotsAt): number {
    return lotsAt(this.#prices[level] as number, this.#distances[level] as number);
  }

  /** The missing order of a level, or `null`. */
  missing(level: number, lotsAt: LotsAt): WantedOrder | null {
    if (level >= this.count || this.#taken[level] === 1) return null;
    const lots = this.lots(level, lotsAt);
    return lots > 0 ? { side: this.side, price: this.#prices[level] as number, lots } : null;
  }
}

/** Both sides of a ladder of one shape. */
export class Ladder {
  readonly #bids: LadderSide;
  readonly #asks: LadderSide;

  constructor(shape: LadderShape) {
    this.#bids = new LadderSide(shape, 'buy');
    this.#asks = new LadderSide(shape, 'sell');
  }

  /**
   * The smallest change from the orders that rest to a ladder around the best quotes, with at most `levelsMax` levels a
   * side besides those. Cancels first: what is no longer wanted, what is nearly filled, second orders at one price.
   * Then what is missing, nearest first, at most `placeMax`.
   */
  change(
    best: BestQuotes,
    resting: RestingOrders,
    { lotsAt, levelsMax, placeMax }: { readonly lotsAt: LotsAt; readonly levelsMax: number; readonly placeMax: number },
  ): LadderChange {
    const bids = this.#bids;
    const asks = this.#asks;
    bids.lay(best.bid, levelsMax);
    asks.lay(best.ask, levelsMax);
    const cancel: OrderNumber[] = [];
    for (let row = 0; row < resting.rows; row += 1) {
      const order = resting.orderAt(row);
      if (order === null) continue;
      const side = resting.isBidAt(row) ? bids : asks;
      const level = side.freeLevel(resting.priceAt(row));
      const lots = level === noLevel ? 0 : side.lots(level, lotsAt);
      if (lots === 0 || resting.restAt(row) < lots * worn) cancel.push(order);
      else side.take(level);
    }
    const place: WantedOrder[] = [];
    for (let level = 0; level < bids.count || level < asks.count; level += 1) {
      for (const side of [bids, asks]) {
        const missing = place.length < placeMax ? side.missing(level, lotsAt) : null;
        if (missing !== null) place.push(missing);
      }
    }
    return { cancel, place };
  }
}
