import fc from 'fast-check';
import type { Trade } from '#model/events.ts';
import type { EventSink } from '#model/events.ts';
import type { Side } from '#model/order.ts';
import type { SymbolRules } from '#model/symbol.ts';
import { as } from '#model/units.ts';
import type { BookVersion, Lots, PriceTicks, Seq, SymbolId, TimestampMs } from '#model/units.ts';
import type { TradeRow } from '#history/tables/history-tables.ts';
import type { BookImage, Listing } from '#sequencer/queries/exchange-queries.ts';

/** Events of one entry, made up: what a projection may be told, without an engine. */
export interface ScriptEntry {
  readonly seq: Seq;
  readonly at: TimestampMs;
  readonly trades: readonly Trade[];
  readonly levels: readonly ScriptLevel[];
}
export interface ScriptLevel {
  readonly symbol: SymbolId;
  readonly version: BookVersion;
  readonly side: Side;
  readonly price: PriceTicks;
  readonly lots: Lots;
}

export const symbols = [as<SymbolId>(0), as<SymbolId>(1)];
const start = Date.UTC(2024, 1, 27, 22, 58, 59, 500);
const quoteScale = 8;

/** Two pairs whose decimals differ. */
export const listing = {
  assets: [0, 1].map((id) => ({ id, code: `A${id}`, scale: quoteScale })),
  symbols: symbols.map((id) => ({
    id,
    name: `PAIR${id}`,
    base: 0,
    quote: 1,
    priceDecimals: 2 + id,
    quantityDecimals: 4 - id,
  })),
  isTradingOpen: true,
  feeToken: null,
} as unknown as Listing;
/** Smallest quote units of one lot at one tick. */
export const lotTick = (symbol: SymbolId): bigint => {
  const rules = listing.symbols[symbol] as SymbolRules;
  return 10n ** BigInt(quoteScale - rules.priceDecimals - rules.quantityDecimals);
};

const pause = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(0, 1, 7, 500, 999, 1000) },
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 90_000 }) },
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 30_000_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(86_399_000, 86_400_000, 86_401_000, 9 * 86_400_000, 40 * 86_400_000) },
);
const plannedEntry = fc.record({
  pause,
  symbol: fc.constantFrom(...symbols),
  takerSide: fc.constantFrom<Side>('buy', 'sell'),
  fills: fc.array(
    fc.record({
      price: fc.integer({ min: 1, max: 12 }),
      lots: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 2 ** 40, max: 2 ** 44 })),
    }),
    { maxLength: 4 },
  ),
  levels: fc.array(
    fc.record({
      side: fc.constantFrom<Side>('buy', 'sell'),
      price: fc.integer({ min: 1, max: 9 }),
      lots: fc.integer({ min: 0, max: 3 }),
    }),
    { maxLength: 5 },
  ),
});

/** Entries in order, with the numbers that the engine would have given. */
export const script: fc.Arbitrary<readonly ScriptEntry[]> = fc
  .array(plannedEntry, { minLength: 1, maxLength: 50 })
  .map((planned) => {
    const lastTrade = symbols.map(() => 0);
    const lastVersion = symbols.map(() => 0);
    let at = start;
    return planned.map((plan, index): ScriptEntry => {
      at += plan.pause;
      const { symbol } = plan;
      const taker = 2 * index + 2;
      return {
        seq: as<Seq>(index + 1),
        at: as<TimestampMs>(at),
        trades: plan.fills.map(
          (fill, fillIndex) =>
            ({
              symbol,
              trade: (lastTrade[symbol] = (lastTrade[symbol] as number) + 1),
              price: fill.price,
              lots: fill.lots,
              quoteAmount: Number(BigInt(fill.price * fill.lots) * lotTick(symbol)),
              takerSide: plan.takerSide,
              taker,
              maker: taker - 1,
              takerAccount: 4 + (index % 3),
              makerAccount: 5,
              takerClientOrderId: null,
              makerClientOrderId: 'maker',
              fillOfTaker: fillIndex + 1,
              takerFee: 1,
              takerFeeAsset: 0,
              makerFee: 0,
              makerFeeAsset: 1,
            }) as unknown as Trade,
        ),
        levels: plan.levels.map(
          (level) =>
            ({
              symbol,
              version: (lastVersion[symbol] = (lastVersion[symbol] as number) + 1),
              ...level,
            }) as unknown as ScriptLevel,
        ),
      };
    });
  });

export function deliver(sink: EventSink, entries: readonly ScriptEntry[]): void {
  for (const entry of entries) {
    sink.entryBegan(entry.seq, entry.at);
    for (const trade of entry.trades) sink.tradeExecuted(trade);
    for (const level of entry.levels)
      sink.levelChanged(level.symbol, level.version, level.side, level.price, level.lots);
  }
}

/** Public trades of these entries, in order. */
export const tradesOf = (entries: readonly ScriptEntry[], symbol: SymbolId): TradeRow[] =>
  entries.flatMap(({ at, trades }) =>
    trades
      .filter((trade) => trade.symbol === symbol)
      .map(({ trade, price, lots, quoteAmount, takerSide, taker }) => ({
        symbol,
        trade,
        at,
        price,
        lots,
        quoteAmount,
        takerSide,
        taker,
      })),
  );

/** The book after these entries, the slow way. */
export function bookOf(entries: readonly ScriptEntry[], symbol: SymbolId): BookImage {
  const levels = entries.flatMap((entry) => entry.levels).filter((level) => level.symbol === symbol);
  const side = (name: Side, order: number): BookImage['bids'] => {
    const last = new Map<PriceTicks, Lots>();
    for (const level of levels) if (level.side === name) last.set(level.price, level.lots);
    return [...last].filter(([, lots]) => lots !== 0).sort(([left], [right]) => (left - right) * order);
  };
  return { version: levels.at(-1)?.version ?? as<BookVersion>(0), bids: side('buy', -1), asks: side('sell', 1) };
}
