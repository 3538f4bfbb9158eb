import type { BookVersion, SymbolId } from '#model/units.ts';

/** Greatest total length of the cached texts, in characters. */
const charactersMax = 16 * 1024 * 1024;
/** Greater than any number of levels a side that may be requested. */
const limitRadix = 8192;

/** A cache of printed books by symbol and limit, each valid for one version; the oldest text is evicted first. */
export class DepthTexts {
  readonly #texts = new Map<number, { readonly version: BookVersion; readonly text: string }>();
  #characters = 0;

  /** The text of this version, from the cache or made by `print`. `limit` is below 8192. */
  of(symbol: SymbolId, limit: number, version: BookVersion, print: () => string): string {
    const key = symbol * limitRadix + limit;
    const known = this.#texts.get(key);
    if (known !== undefined && known.version === version) return known.text;
    const text = print();
    if (known !== undefined) this.#forget(key, known.text);
    this.#texts.set(key, { version, text });
    this.#characters += text.length;
    for (const [oldest, entry] of this.#texts) {
      if (this.#characters <= charactersMax) break;
      this.#forget(oldest, entry.text);
    }
    return text;
  }

  #forget(key: number, text: string): void {
    this.#texts.delete(key);
    this.#characters -= text.length;
  }
}
