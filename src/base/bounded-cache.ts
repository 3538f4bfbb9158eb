/**
 * The one cache: a map that remembers its last `entriesKept` entries, and holds at most twice as many. With `keepMs`
 * an entry is also forgotten once it is old: it lives at least that long after it was set, at most twice as long.
 *
 * It consists of two generations. When the young one is full or its time is over it becomes the old one, and the old
 * one is dropped as a whole. Removing the oldest entry one by one would cost more: a Map walks over every gap at its
 * front to find its first key. Reading renews nothing; who wants that sets the entry again.
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

  /** `now`: milliseconds on one clock that does not go back; only needed with `keepMs`. */
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
    if (now - this.#turnsAt >= this.#keepMs) this.#young = new Map();
    this.#dropOld(now);
  }

  #dropOld(now: number): void {
    this.#old = this.#young;
    this.#young = new Map();
    this.#turnsAt = now + this.#keepMs;
  }
}
