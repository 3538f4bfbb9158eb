/** A change of what the simulated traders take assets to be worth. */
export interface MarketMove {
  /** Tickers. */
  readonly assets: readonly string[];
  /** What the values become multiples of, above 0: 0.7 is a fall of 30 %. */
  readonly factor: number;
  /** Exchange time over which they change evenly. */
  readonly durationMs: number;
}

/** Controls of the simulated market. */
export interface MarketControls {
  /** Assets that move; all others keep their value in dollars. */
  readonly assets: readonly string[];
  /**
   * Begins a move. The makers of every market of the assets quote around the new values, so that prices follow by
   * trades; the traders' own chance goes on. A move takes the place of one that is not over.
   */
  move(move: MarketMove): void;
}
