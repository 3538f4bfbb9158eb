/**
 * Values by key that count for a limited time, in bounded memory: two generations of one lifetime each. An entry lives
 * at least `keepMs` after it was last put, unless more than `entriesMax` others came since: a generation that is full
 * grows old at once, and the one before it makes room as a whole. Letting go of single entries would be dearer: a Map
 * walks over every gap at its front to find its oldest key.
 */
export class RecentTable<Value> {
  readonly #keepMs: number;
  readonly #entriesMax: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();
  #turnsAt = Number.NEGATIVE_INFINITY;
  #evicted = 0;

  /** At most twice `entriesMax` entries exist at a time. `keepMs` on whatever clock `now` comes from. */
  constructor({ keepMs, entriesMax }: { readonly keepMs: number; readonly entriesMax: number }) {
    this.#keepMs = keepMs;
    this.#entriesMax = entriesMax;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** Entries that made room before their time. */
  get evicted(): number {
    return this.#evicted;
  }

  /** The value put last, if it may still count; whether it does is the caller's question. */
  get(key: string, now: number): Value | undefined {
    this.#turn(now);
    return this.#young.get(key) ?? this.#old.get(key);
  }

  put(key: string, value: Value, now: number): void {
    this.#turn(now);
    if (this.#young.size >= this.#entriesMax && !this.#young.has(key)) {
      this.#evicted += this.#old.size;
      this.#growOld(now);
    }
    this.#young.set(key, value);
  }

  delete(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  #turn(now: number): void {
    if (now < this.#turnsAt) return;
    // After a pause of two lifetimes the young generation is as dead as the old one.
    if (now >= this.#turnsAt + this.#keepMs) this.#young = new Map();
    this.#growOld(now);
  }

  #growOld(now: number): void {
    this.#old = this.#young;
    this.#young = new Map();
    this.#turnsAt = now + this.#keepMs;
  }
}
