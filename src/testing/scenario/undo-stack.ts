/** What a run takes back at its end, the last thing first; each thing once, as it was before the first step of it. */
export class UndoStack {
  readonly #works = new Map<string, () => Promise<unknown>>();

  /** Notes what takes back `what`, unless it is noted already. */
  push(what: string, work: () => Promise<unknown>): void {
    if (!this.#works.has(what)) this.#works.set(what, work);
  }

  /** Takes back all, and answers what could not be, as text. */
  async undoAll(): Promise<readonly string[]> {
    const failed: string[] = [];
    for (const [what, work] of [...this.#works].reverse()) {
      try {
        await work();
      } catch (error) {
        failed.push(`${what}: ${(error as Error).message}`);
      }
    }
    this.#works.clear();
    return failed;
  }
}
