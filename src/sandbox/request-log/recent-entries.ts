/** What a ring keeps of each entry besides what it is. */
interface Sized {
  readonly id: number;
  /** What it takes about, in bytes. */
  readonly bytes: number;
}

/** The last entries, bounded in number and bytes: the oldest go first. The newest is kept whatever its size. */
export class RecentEntries<Entry extends Sized> {
  readonly #bytesMax: number;
  #entries: Entry[] = [];
  /** Where the oldest entry stands: what is before it is dropped when it is worth it. */
  #first = 0;
  #bytes = 0;
  #countMax: number;

  constructor(countMax: number, bytesMax: number) {
    this.#countMax = countMax;
    this.#bytesMax = bytesMax;
  }

  get size(): number {
    return this.#entries.length - this.#first;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(entry: Entry): void {
    this.#entries.push(entry);
    this.#bytes += entry.bytes;
    this.#trim();
  }

  /** Changes how many are kept. */
  keep(countMax: number): void {
    this.#countMax = countMax;
    this.#trim();
  }

  clear(): void {
    this.#entries = [];
    this.#first = 0;
    this.#bytes = 0;
  }

  /** Oldest first. */
  oldestFirst(): readonly Entry[] {
    return this.#entries.slice(this.#first);
  }

  #trim(): void {
    const entries = this.#entries as (Entry | undefined)[];
    while (this.size > this.#countMax || (this.#bytes > this.#bytesMax && this.size > 1)) {
      this.#bytes -= entries[this.#first]?.bytes ?? 0;
      // What is gone must not be kept in memory.
      entries[this.#first] = undefined;
      this.#first += 1;
    }
    if (this.#first < this.#countMax) return;
    this.#entries = this.#entries.slice(this.#first);
    this.#first = 0;
  }
}
