import { powersOfTen } from '#base/decimal.ts';
import { type SymbolRules, symbolRules } from '#model/symbol.ts';
import type { AssetId } from '#model/units.ts';
import type { Book, BookTables } from '#engine/book/book.ts';
import type { Assets } from '#engine/state/spot/assets.ts';
import { PairOpenings } from '#engine/state/spot/pair-openings.ts';
import { RecordTable } from '#engine/state/state-table.ts';

/** Rules of symbols, and their books by name and by assets. */
export class Symbols extends RecordTable<SymbolRules> {
  readonly name = 'symbols';
  readonly openings = new PairOpenings();
  private readonly assets: Assets;
  private readonly tables: BookTables;
  private readonly byName = new Map<string, Book>();
  private readonly byAssets = new Map<string, Book>();
  private readonly byBase = new Map<AssetId, Book[]>();

  /** Each symbol has a book among `tables`. */
  constructor(assets: Assets, tables: BookTables) {
    super(symbolRules);
    this.assets = assets;
    this.tables = tables;
  }

  /** Also one that was delisted. */
  find(name: string): Book | null {
    return this.byName.get(name) ?? null;
  }

  /** The book of a listed pair in which a base is traded for a quote, to value one in the other. */
  ofAssets(base: AssetId, quote: AssetId): Book | null {
    return this.byAssets.get(`${base}/${quote}`) ?? null;
  }

  /** Books of listed pairs in which an asset is the base, in the order of listing. */
  ofBase(base: AssetId): readonly Book[] {
    return this.byBase.get(base) ?? [];
  }

  /** In the order of listing; delisted ones too. */
  all(): readonly SymbolRules[] {
    return this.tables.books.filter((book) => !book.isContract).map((book) => book.rules);
  }

  /** Lists a symbol whose rules were checked, or replaces the rules of a listed one. */
  put(rules: SymbolRules): void {
    const book = this.tables.books[rules.id];
    if (book === undefined) this.list(rules);
    else book.setRules(rules);
    this.openings.put(rules);
    if (rules.status === 'delisted') this.delist(rules);
  }

  /** Its name stays taken; its assets are free for another pair. */
  private delist({ id, base, quote }: SymbolRules): void {
    const own = this.tables.books[id]!;
    if (this.ofAssets(base, quote) === own) this.byAssets.delete(`${base}/${quote}`);
    this.byBase.set(
      base,
      this.ofBase(base).filter((book) => book !== own),
    );
  }

  private list(rules: SymbolRules): void {
    const base = this.assets.at(rules.base);
    const quote = this.assets.at(rules.quote);
    const quotePerTickLot = Number(powersOfTen[quote.scale - rules.priceDecimals - rules.quantityDecimals]!);
    const basePerLot = Number(powersOfTen[base.scale - rules.quantityDecimals]!);
    const book = this.tables.open(rules, quotePerTickLot, basePerLot);
    this.byName.set(rules.name, book);
    this.byAssets.set(`${rules.base}/${rules.quote}`, book);
    this.byBase.set(rules.base, [...this.ofBase(rules.base), book]);
  }
}
