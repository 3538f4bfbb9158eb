/** Controls of a clock that stands until it is advanced. */
export interface ClockControls {
  /**
   * Advances the clock by whole milliseconds, above 0; whatever is due on the way is done, each at its time. Resolves
   * to the time that the clock then shows, once all of it is done. Advances wait for each other.
   */
  advance(byMs: number): Promise<number>;
}
