import { engineLimits } from '#model/limits.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';
const outside = 64;
const codeOf = new Uint8Array(65_536).fill(outside);
for (let code = 0; code < alphabet.length; code += 1) codeOf[alphabet.charCodeAt(code)] = code;

const bitsPerSymbol = 6;
const symbolsPerWord = 5;

/** Words that so many symbols take: the alphabet has 64, so five fit a word and comparing is comparing numbers. */
export const wordsOf = (length: number): number => ((length + symbolsPerWord - 1) / symbolsPerWord) | 0;

/**
 * A trader's own id of an order, 1 to 32 characters of `[A-Za-z0-9_-]`, packed into numbers, which the engine compares
 * and the journal writes. The API edge converts texts, as it converts prices to ticks. An invalid text is kept, so that
 * the refusal can name it.
 */
export class ClientOrderId {
  /** Symbols; 0 when the text cannot be an id. */
  length = 0;
  /** Five symbols each, the first one lowest; zero behind the last symbol. */
  readonly words = new Int32Array(wordsOf(engineLimits.clientOrderIdLength));
  private unfit = '';

  /** The id of a text, `null` of none. */
  static of(text: string): ClientOrderId;
  static of(text: string | null): ClientOrderId | null;
  static of(text: string | null): ClientOrderId | null {
    return text === null ? null : new ClientOrderId().read(text);
  }

  /** Takes the id of a text. */
  read(text: string): this {
    this.begin();
    for (let index = 0; index < text.length; index += 1) {
      const code = codeOf[text.charCodeAt(index)]!;
      if (code === outside || index === engineLimits.clientOrderIdLength) {
        this.begin();
        this.unfit = text;
        break;
      }
      this.append(code);
    }
    return this;
  }

  /** Starts a new id; call `append` once per symbol afterwards. */
  begin(): void {
    const { words } = this;
    this.length = 0;
    this.unfit = '';
    for (let at = 0; at < words.length; at += 1) words[at] = 0;
  }

  /** Adds a symbol by its place in the alphabet, 0 to 63; the length is not read. */
  append(code: number): void {
    const at = (this.length / symbolsPerWord) | 0;
    const shift = (this.length % symbolsPerWord) * bitsPerSymbol;
    this.words[at]! |= code << shift;
    this.length += 1;
  }

  /** The symbol at an index, as its place in the alphabet. */
  code(index: number): number {
    return codeIn(this.words, 0, index);
  }

  toJSON(): string {
    return this.text;
  }

  /** The text of the id. */
  get text(): string {
    return this.length === 0 ? this.unfit : textOfWords(this.words, 0, this.length);
  }
}

/** The text of an id of this length whose words stand at a place among others. */
export function textOfWords(words: Int32Array, from: number, length: number): string {
  let text = '';
  for (let index = 0; index < length; index += 1) text += alphabet[codeIn(words, from, index)];
  return text;
}

const codeIn = (words: Int32Array, from: number, index: number): number =>
  (words[from + ((index / symbolsPerWord) | 0)]! >>> ((index % symbolsPerWord) * bitsPerSymbol)) & (outside - 1);
