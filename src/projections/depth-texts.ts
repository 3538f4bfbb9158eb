import type { BookVersion, SymbolId } from '#domain/units.ts';

/** Printed books kept at most, in characters of all together. */
const charactersMax = 16 * 1024 * 1024;
/** More than the most levels a side that may be asked for. */
const limitRadix = 8192;

/** Printed books by symbol and limit, each good for one version of its book; the one printed longest ago makes room. */
export class DepthTexts {
  readonly #texts = new Map<number, { readonly version: BookVersion; readonly text: string }>();
  #characters = 0;

  /** The text of this version, made by `print` unless it is here. `limit` is below 8192. */
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
