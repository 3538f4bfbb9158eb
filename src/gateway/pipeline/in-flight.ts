/** Requests of each account that are being worked on; an account leaves the table with its last one. */
export class InFlight {
  readonly #max: number;
  readonly #counts = new Map<number, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Counts one in; false: the account has as many as it may, and this one was not counted. */
  enter(account: number): boolean {
    const count = this.#counts.get(account) ?? 0;
    if (count >= this.#max) return false;
    this.#counts.set(account, count + 1);
    return true;
  }

  leave(account: number): void {
    const count = this.#counts.get(account) ?? 0;
    if (count > 1) this.#counts.set(account, count - 1);
    else this.#counts.delete(account);
  }

  countOf(account: number): number {
    return this.#counts.get(account) ?? 0;
  }

  get accounts(): number {
    return this.#counts.size;
  }
}
