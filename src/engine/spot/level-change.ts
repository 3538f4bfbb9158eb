import type { BookVersion, Lots, PriceTicks } from '#model/units.ts';
import type { Book } from '#engine/book/book.ts';
import { sideOfCode, type SideCode } from '#engine/book/side-code.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Current state of one price level; `lots` 0: the level is gone. */
export interface LevelNow {
  readonly side: SideCode;
  /** Ticks. */
  readonly price: number;
  readonly lots: number;
}

/** Emits a changed level with the next version of its book. Every change of a book is emitted here. */
export function emitLevelChanged({ emit }: EngineState, book: Book, { side, price, lots }: LevelNow): void {
  book.version += 1;
  emit.levelChanged(book.symbol, book.version as BookVersion, sideOfCode(side), price as PriceTicks, lots as Lots);
}
