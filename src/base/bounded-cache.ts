/**
 * A bounded cache: it keeps at least the last `entriesKept` entries set and holds at most twice as many. With `keepMs`
 * an entry also expires: it lives at least that long after it was set and at most twice as long.
 *
 * Entries live in two generations. When the young one is full or its time is over, it becomes the old one, and the
 * previous old one is dropped as a whole. Evicting single entries would cost more, because a Map scans past deleted
 * entries to find its first key. Reading an entry does not renew it; set it again to keep it.
 */
export class BoundedCache<Key, Value> {
  readonly #entriesKept: number;
  readonly #keepMs: number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();
  /** When the young generation becomes the old one. */
  #turnsAt = Number.NEGATIVE_INFINITY;

  constructor({ entriesKept, keepMs }: { readonly entriesKept: number; readonly keepMs?: number }) {
    this.#entriesKept = entriesKept;
    this.#keepMs = keepMs ?? Number.POSITIVE_INFINITY;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** `now`: milliseconds on a monotonic clock; needed only with `keepMs`. */
  get(key: Key, now = 0): Value | undefined {
    this.#turn(now);
    return this.#young.get(key) ?? this.#old.get(key);
  }

  /** `now` as for `get`. */
  set(key: Key, value: Value, now = 0): void {
    this.#turn(now);
    if (this.#young.size >= this.#entriesKept && !this.#young.has(key)) this.#dropOld(now);
    this.#young.set(key, value);
  }

  delete(key: Key): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  #turn(now: number): void {
    if (now < this.#turnsAt) return;
    // After a pause of two lifetimes the young generation is as old as the old one.
    const isPaused = now - this.#turnsAt >= this.#keepMs;
    if (isPaused) this.#young = new Map();
    // The old one is as old as if it had turned in time.
    this.#dropOld(isPaused ? now : this.#turnsAt);
  }

  /** `since`: when the young generation became the old one. */
  #dropOld(since: number): void {
    this.#old = this.#young;
    this.#young = new Map();
    this.#turnsAt = since + this.#keepMs;
  }
}
