const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';
const codes = new Int8Array(128).fill(-1);
for (let code = 0; code < alphabet.length; code += 1) codes[alphabet.charCodeAt(code)] = code;

const charactersPerWord = 5;
const textWords = 7;
/** Seven words of text, then length, account and order slot. */
const stride = 10;
const lengthAt = 7;
const accountAt = 8;
const slotAt = 9;

/**
 * Client order ids in use, by account: of open orders, and of closed ones as long as a retry may come. The alphabet of
 * `[A-Za-z0-9_-]` has 64 characters, so five fit a word and comparing is comparing numbers.
 */
export class ClientIdTable {
  count = 0;
  private records = new Int32Array(1024 * stride);
  private index = new Int32Array(4096);
  private mask = 4095;
  private used = 0;
  private freeHead = -1;
  private readonly wanted = new Int32Array(stride);

  /** Whether the text could be an id at all: 1 to 32 characters of the alphabet. */
  static isWellFormed(text: string): boolean {
    if (text.length === 0 || text.length > 32) return false;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code > 127 || codes[code]! < 0) return false;
    }
    return true;
  }

  /** The record of an account's id, -1 if it is not in use. */
  find(account: number, text: string): number {
    this.pack(account, text);
    for (let probe = this.home(this.wanted, 0); ; probe = (probe + 1) & this.mask) {
      const record = this.index[probe]! - 1;
      if (record < 0 || this.equalsWanted(record)) return record;
    }
  }

  /** Enters an id that is not in use; answers its record. */
  add(account: number, text: string, slot: number): number {
    if ((this.count + 1) * 2 > this.mask) this.growIndex();
    this.pack(account, text);
    let record = this.freeHead;
    if (record >= 0) {
      this.freeHead = this.records[record * stride + slotAt]!;
    } else {
      if ((this.used + 1) * stride > this.records.length) this.growRecords();
      record = this.used++;
    }
    this.count += 1;
    this.wanted[slotAt] = slot;
    const at = record * stride;
    for (let word = 0; word < stride; word += 1) this.records[at + word] = this.wanted[word]!;
    this.enter(record);
    return record;
  }

  remove(record: number): void {
    let hole = this.home(this.records, record * stride);
    while (this.index[hole] !== record + 1) hole = (hole + 1) & this.mask;
    for (let probe = (hole + 1) & this.mask; this.index[probe] !== 0; probe = (probe + 1) & this.mask) {
      const home = this.home(this.records, (this.index[probe]! - 1) * stride);
      if (((probe - home) & this.mask) >= ((probe - hole) & this.mask)) {
        this.index[hole] = this.index[probe]!;
        hole = probe;
      }
    }
    this.index[hole] = 0;
    this.count -= 1;
    this.records[record * stride + slotAt] = this.freeHead;
    this.freeHead = record;
  }

  /** Slot of the order that a record belongs to. */
  slot(record: number): number {
    return this.records[record * stride + slotAt]!;
  }

  /** The id as its owner wrote it. */
  text(record: number): string {
    const at = record * stride;
    const length = this.records[at + lengthAt]!;
    let text = '';
    for (let index = 0; index < length; index += 1) {
      const word = this.records[at + Math.floor(index / charactersPerWord)]!;
      text += alphabet[(word >>> ((index % charactersPerWord) * 6)) & 63];
    }
    return text;
  }

  private pack(account: number, text: string): void {
    const wanted = this.wanted;
    let word = 0;
    let shift = 0;
    let at = 0;
    for (let index = 0; index < text.length; index += 1) {
      word |= codes[text.charCodeAt(index)]! << shift;
      shift += 6;
      if (shift === 30) {
        wanted[at++] = word;
        word = 0;
        shift = 0;
      }
    }
    if (shift > 0) wanted[at++] = word;
    while (at < textWords) wanted[at++] = 0;
    wanted[lengthAt] = text.length;
    wanted[accountAt] = account;
  }

  private equalsWanted(record: number): boolean {
    const at = record * stride;
    for (let word = 0; word <= accountAt; word += 1) {
      if (this.records[at + word] !== this.wanted[word]) return false;
    }
    return true;
  }

  private home(words: Int32Array, at: number): number {
    let hash = Math.imul(words[at + accountAt]!, 0x9e3779b1) ^ words[at + lengthAt]!;
    for (let word = 0; word < textWords; word += 1) {
      hash = Math.imul(hash ^ words[at + word]!, 0x85ebca6b);
      hash ^= hash >>> 13;
    }
    return hash & this.mask;
  }

  private enter(record: number): void {
    let probe = this.home(this.records, record * stride);
    while (this.index[probe] !== 0) probe = (probe + 1) & this.mask;
    this.index[probe] = record + 1;
  }

  private growRecords(): void {
    const records = new Int32Array(this.records.length * 2);
    records.set(this.records);
    this.records = records;
  }

  private growIndex(): void {
    const { index } = this;
    this.index = new Int32Array(index.length * 2);
    this.mask = this.index.length - 1;
    for (const entry of index) if (entry !== 0) this.enter(entry - 1);
  }
}
