/** Requests in flight by account; an account without any has no entry. */
export class InFlight {
  readonly #max: number;
  readonly #counts = new Map<number, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Adds a request; false: the account has its maximum in flight, and the request was not added. */
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
