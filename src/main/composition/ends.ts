/** What ends something that was opened. */
type End = () => unknown;

/** How everything that was opened is closed. */
export interface Closing {
  /** Another exchange takes its place: requests of operators are not waited for, one of which asked for it. */
  readonly isReplaced: boolean;
}

/** Ends of what was opened, the last one first. */
export class Ends {
  readonly #ends: End[] = [];
  #isReplaced = false;

  /** As the call of `close` that is at work said. */
  get isReplaced(): boolean {
    return this.#isReplaced;
  }

  push(...ends: readonly End[]): void {
    this.#ends.push(...ends);
  }

  /** @throws what the first one throws that fails; those before it stay open */
  async close({ isReplaced }: Closing = { isReplaced: false }): Promise<void> {
    this.#isReplaced = isReplaced;
    for (const end of this.#ends.splice(0).reverse()) await end();
  }

  /** Closes as much as can be closed, for an opening that failed: why it failed is to be told, not what fails then. */
  async abandon(): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) {
      try {
        await end();
      } catch {
        // Told by nobody.
      }
    }
  }
}
