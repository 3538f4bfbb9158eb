import type { Side } from '#domain/order.ts';
import type { OrderNumber } from '#domain/units.ts';

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

/** Where the levels of a ladder lie. */
export interface LadderShape {
  /** Ticks per cell, whole and at least 1. */
  readonly spacingTicks: number;
  /** Ticks between the best quote and the first cell. */
  readonly gapTicks: number;
  readonly zones: readonly LadderZone[];
  /** Tells the grids of different makers and symbols apart. */
  readonly salt: number;
  /** No level may be farther from the best quote than this part of it. */
  readonly reach: number;
}

/** One wanted level: price in ticks, and how many innermost cells away it lies. */
export interface LadderLevel {
  readonly side: Side;
  readonly price: number;
  readonly distanceCells: number;
}

/** A fixed pseudo-random number in [0, 1) for each cell of each grid. */
export function cellNoise(salt: number, cell: number): number {
  let mixed = Math.imul(cell ^ salt, 0x9e3779b1) ^ (salt >>> 7);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 4294967296;
}

function oneSide(shape: LadderShape, side: Side, best: number, levelsMax: number, into: LadderLevel[]): void {
  const { spacingTicks, salt } = shape;
  const step = side === 'buy' ? -1 : 1;
  const start = best + step * shape.gapTicks;
  const limit = side === 'buy' ? Math.max(1, best * (1 - shape.reach)) : best * (1 + shape.reach);
  let cell = Math.floor(start / spacingTicks);
  let found = 0;
  let distance = 0;
  for (const zone of shape.zones) {
    for (let count = 0; count < zone.cells && found < levelsMax; count += 1, cell += step, distance += 1) {
      if (cell % zone.stride !== 0) continue;
      const price = cell * spacingTicks + Math.floor(cellNoise(salt, cell) * spacingTicks);
      if (side === 'buy' ? price > start : price < start) continue;
      if (side === 'buy' ? price < limit : price > limit) return;
      into.push({ side, price, distanceCells: distance });
      found += 1;
    }
  }
}

/** Levels of both sides around the best quotes, a bid and an ask in turn, nearest first, at most `levelsMax` a side. */
export function ladderLevels(
  shape: LadderShape,
  best: { readonly bid: number; readonly ask: number },
  levelsMax: number,
): readonly LadderLevel[] {
  const bids: LadderLevel[] = [];
  const asks: LadderLevel[] = [];
  oneSide(shape, 'buy', best.bid, levelsMax, bids);
  oneSide(shape, 'sell', best.ask, levelsMax, asks);
  const levels: LadderLevel[] = [];
  for (let index = 0; index < bids.length || index < asks.length; index += 1) {
    const bid = bids[index];
    const ask = asks[index];
    if (bid !== undefined) levels.push(bid);
    if (ask !== undefined) levels.push(ask);
  }
  return levels;
}

/** An order of one's own that rests on the book. */
export interface RestingOrder {
  readonly order: OrderNumber;
  readonly side: Side;
  readonly price: number;
  readonly placedAt: number;
  /** Quantity left, in lots. */
  rest: number;
}

/** An order that ought to rest. */
export interface WantedOrder {
  readonly side: Side;
  readonly price: number;
  readonly lots: number;
}

/** Bids and asks at the same price get different keys. */
export const levelKey = (side: Side, price: number): number => (side === 'buy' ? price : -price);

/** An order filled below this part of what is wanted is placed anew. */
const worn = 0.3;

/**
 * The smallest change from the orders that rest to the orders that are wanted. Cancels first: what is no longer
 * wanted, what is nearly filled, second orders at one price. Then what is missing, nearest first, at most `placeMax`.
 * `wanted` is used up.
 */
export function ladderChange(
  resting: Iterable<RestingOrder>,
  wanted: Map<number, WantedOrder>,
  placeMax: number,
): { readonly cancel: OrderNumber[]; readonly place: WantedOrder[] } {
  const cancel: OrderNumber[] = [];
  for (const order of resting) {
    const key = levelKey(order.side, order.price);
    const match = wanted.get(key);
    if (match === undefined || order.rest < match.lots * worn) cancel.push(order.order);
    else wanted.delete(key);
  }
  const place: WantedOrder[] = [];
  for (const order of wanted.values()) {
    if (place.length >= placeMax) break;
    place.push(order);
  }
  return { cancel, place };
}
