import type { Side } from '#model/order.ts';

// Sides as numbers in the tables of the engine. Matching uses these codes; commands and events use the names.

/** Bids. */
export const buySide = 0;
/** Asks. */
export const sellSide = 1;
/** A side in a table. */
export type SideCode = typeof buySide | typeof sellSide;

/** Bids, then asks. */
export const bothSides: readonly SideCode[] = [buySide, sellSide];

/** The code of a side. */
export const codeOfSide = (side: Side): SideCode => (side === 'buy' ? buySide : sellSide);

/** The side of a code. */
export const sideOfCode = (code: SideCode): Side => (code === buySide ? 'buy' : 'sell');

/** The side whose orders an order of this side trades with. */
export const opposite = (code: SideCode): SideCode => (code === buySide ? sellSide : buySide);

/** Whether an order of this side may trade at a price, given the worst one it accepts. */
export const isWithinLimit = (code: SideCode, price: number, limit: number): boolean =>
  code === buySide ? price <= limit : price >= limit;
