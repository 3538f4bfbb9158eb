/** Timers of a client, which all end with it. */
export class Pauses {
  readonly #ends = new Set<() => void>();
  #isOver = false;

  /** The client was closed. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Resolves after `ms`, or when the client is closed. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.after(ms, resolve);
      if (this.#isOver) {
        cancel();
        resolve();
      }
    });
  }

  /** Calls `run` once, after `ms` or when the client is closed, unless the returned function is called first. */
  after(ms: number, run: () => void): () => void {
    const end = (): void => {
      cancel();
      run();
    };
    const timer = setTimeout(end, ms);
    const cancel = (): void => {
      clearTimeout(timer);
      this.#ends.delete(end);
    };
    this.#ends.add(end);
    return cancel;
  }

  /** Ends all. */
  close(): void {
    this.#isOver = true;
    for (const end of [...this.#ends]) end();
  }
}
