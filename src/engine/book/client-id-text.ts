const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';
const outside = 64;
const codeOf = new Uint8Array(65_536).fill(outside);
for (let code = 0; code < alphabet.length; code += 1) codeOf[alphabet.charCodeAt(code)] = code;

const charactersPerWord = 5;
const lengthMax = 32;

/** Words that so many characters take: the alphabet has 64, so five fit a word and comparing is comparing numbers. */
export const wordsOf = (length: number): number => ((length + charactersPerWord - 1) / charactersPerWord) | 0;

/** A client order id as numbers, with its owner. One serves every order in turn. */
export class PackedId {
  /** Characters; 0 when the text cannot be an id. */
  length = 0;
  account = 0;
  /** What was packed. */
  text = '';
  hash = 0;
  /** As many as its characters take; what stands behind them means nothing. */
  readonly words = new Int32Array(wordsOf(lengthMax));

  /** Packs 1 to 32 characters of `[A-Za-z0-9_-]`; answers whether the text is such an id. */
  pack(account: number, text: string): boolean {
    const { words } = this;
    const length = text.length;
    this.length = 0;
    this.account = account;
    this.text = text;
    if (length === 0 || length > lengthMax) return false;
    let hash = startOfHash(account, length);
    let at = 0;
    let index = 0;
    // Whole words are written out: a loop over five characters costs as much again as reading them.
    for (; index <= length - charactersPerWord; index += charactersPerWord, at += 1) {
      const first = codeOf[text.charCodeAt(index)]!;
      const second = codeOf[text.charCodeAt(index + 1)]!;
      const third = codeOf[text.charCodeAt(index + 2)]!;
      const fourth = codeOf[text.charCodeAt(index + 3)]!;
      const fifth = codeOf[text.charCodeAt(index + 4)]!;
      if ((first | second | third | fourth | fifth) >= outside) return false;
      words[at] = first | (second << 6) | (third << 12) | (fourth << 18) | (fifth << 24);
      hash = mixed(hash, words[at]!);
    }
    if (index < length) {
      let word = 0;
      for (let shift = 0; index < length; index += 1, shift += 6) {
        const code = codeOf[text.charCodeAt(index)]!;
        if (code === outside) return false;
        word |= code << shift;
      }
      words[at] = word;
      hash = mixed(hash, word);
    }
    this.length = length;
    this.hash = hash;
    return true;
  }
}

/** The id that is packed in a record, as its owner wrote it. */
export function textOfRecord(words: Int32Array, at: number, length: number): string {
  let text = '';
  for (let index = 0; index < length; index += 1) {
    const word = words[at + Math.floor(index / charactersPerWord)]!;
    text += alphabet[(word >>> ((index % charactersPerWord) * 6)) & 63];
  }
  return text;
}

const startOfHash = (account: number, length: number): number => Math.imul(account, 0x9e3779b1) ^ length;

function mixed(hash: number, word: number): number {
  const product = Math.imul(hash ^ word, 0x85ebca6b);
  return product ^ (product >>> 15);
}
