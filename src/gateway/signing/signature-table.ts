/** Whole 32-bit words of a signature that are kept: 64 bits tell it from every other one that is remembered. */
const digitsOfWord = 8;

/** Value of a hexadecimal digit that is known to be one. */
const digitOf = (code: number): number => (code & 0xf) + (code >> 6) * 9;

function wordOf(signature: string, from: number): number {
  let word = 0;
  for (let at = from; at < from + digitsOfWord; at += 1) word = (word << 4) | digitOf(signature.charCodeAt(at));
  return word;
}

/** Signatures of one lifetime in open addressing: two words and a small number each, nothing for the collector. */
class Generation {
  readonly #mask: number;
  readonly #words: Int32Array;
  /** 0 where a slot is free. */
  readonly #marks: Uint8Array;
  size = 0;

  constructor(slots: number) {
    this.#mask = slots - 1;
    this.#words = new Int32Array(2 * slots);
    this.#marks = new Uint8Array(slots);
  }

  get(first: number, second: number): number {
    return this.#marks[this.#slotOf(first, second)] as number;
  }

  put(first: number, second: number, mark: number): void {
    const slot = this.#slotOf(first, second);
    if (this.#marks[slot] === 0) this.size += 1;
    this.#marks[slot] = mark;
    this.#words[2 * slot] = first;
    this.#words[2 * slot + 1] = second;
  }

  clear(): void {
    this.#marks.fill(0);
    this.size = 0;
  }

  /** Where the signature is, or would be. A signature is as good as its own hash. */
  #slotOf(first: number, second: number): number {
    let slot = first & this.#mask;
    while (this.#marks[slot] !== 0 && (this.#words[2 * slot] !== first || this.#words[2 * slot + 1] !== second)) {
      slot = (slot + 1) & this.#mask;
    }
    return slot;
  }
}

/**
 * Remembers a small number beside each of the last signatures, as `RecentTable` remembers values: at least `keepMs`,
 * unless more than `entriesMax` others came since. Every order passes here, so it allocates nothing.
 */
export class SignatureTable {
  readonly #keepMs: number;
  readonly #entriesMax: number;
  #young: Generation;
  #old: Generation;
  #turnsAt = Number.NEGATIVE_INFINITY;

  /** At most twice `entriesMax` signatures are remembered at a time. */
  constructor({ keepMs, entriesMax }: { readonly keepMs: number; readonly entriesMax: number }) {
    this.#keepMs = keepMs;
    this.#entriesMax = entriesMax;
    const slots = 2 ** Math.ceil(Math.log2(2 * entriesMax));
    this.#young = new Generation(slots);
    this.#old = new Generation(slots);
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /**
   * The mark that a signature was first noted with, 0 if it was not remembered; then it is noted with `mark`, 1 to 255.
   * `signature`: at least 16 hexadecimal digits of either case.
   */
  note(signature: string, mark: number, now: number): number {
    this.#turn(now);
    const first = wordOf(signature, 0);
    const second = wordOf(signature, digitsOfWord);
    const known = this.#young.get(first, second) || this.#old.get(first, second);
    if (known !== 0) return known;
    if (this.#young.size >= this.#entriesMax) this.#growOld(now);
    this.#young.put(first, second, mark);
    return 0;
  }

  #turn(now: number): void {
    if (now < this.#turnsAt) return;
    if (now >= this.#turnsAt + this.#keepMs) this.#young.clear();
    this.#growOld(now);
  }

  #growOld(now: number): void {
    const free = this.#old;
    free.clear();
    this.#old = this.#young;
    this.#young = free;
    this.#turnsAt = now + this.#keepMs;
  }
}
