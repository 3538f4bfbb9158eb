interface Printed {
  readonly version: readonly unknown[];
  readonly text: string;
}

const isSame = (first: readonly unknown[], second: readonly unknown[]): boolean =>
  first.length === second.length && first.every((part, index) => Object.is(part, second[index]));

/**
 * Keeps printed texts by key, each for as long as the version of what it shows stays the same: a version consists of
 * everything that the text is made from, or of what changes with it. Bounded: the oldest text is evicted first.
 */
export class PrintedTexts<Key> {
  readonly #charactersMax: number;
  readonly #texts = new Map<Key, Printed>();
  #characters = 0;

  /** `charactersMax`: greatest total length of what is kept. */
  constructor(charactersMax: number) {
    this.#charactersMax = charactersMax;
  }

  get characters(): number {
    return this.#characters;
  }

  /** The text of this version: the one that is kept, or a new one by `print`. */
  of(key: Key, version: readonly unknown[], print: () => string): string {
    const known = this.#texts.get(key);
    if (known !== undefined && isSame(known.version, version)) return known.text;
    const text = print();
    if (known !== undefined) this.#forget(key, known.text);
    this.#texts.set(key, { version, text });
    this.#characters += text.length;
    for (const [oldest, entry] of this.#texts) {
      if (this.#characters <= this.#charactersMax) break;
      this.#forget(oldest, entry.text);
    }
    return text;
  }

  #forget(key: Key, text: string): void {
    this.#texts.delete(key);
    this.#characters -= text.length;
  }
}
