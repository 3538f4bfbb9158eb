import type { marketAliases, marketEndpoints } from '#public-api/spot/market-endpoints.ts';
import { formatDecimal } from '#base/decimal.ts';
import { PrintedTexts } from '#base/printed-texts.ts';
import type { Candle } from '#model/candle.ts';
import type { AggregatedTrade } from '#model/aggregated-trade.ts';
import { type PriceTicks, type TimestampMs, as } from '#model/units.ts';
import { wireLimits } from '#http/limits.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { tradeCandles } from '#public-api/spot/candle-sources.ts';
import type { HistoryAccess } from '#public-api/pipeline/endpoint-limits.ts';
import { type HandlersOf, JsonText } from '#public-api/handlers.ts';
import { listedSymbol, listedSymbols, symbolEverListed } from '#public-api/listed-symbols.ts';
import {
  type ListedSymbol,
  type SymbolDirectory,
  lotsText,
  priceText,
  quoteText,
} from '#market-data/symbol-directory.ts';
import type { TradeRow } from '#history/tables/history-tables.ts';
import type { DepthLevel } from '#market-data/depth-book.ts';

/** Decimals of ratios. DEC-MKT-06. */
const ratioDecimals = 4;

const asTime = (at: number | undefined): TimestampMs | null => (at === undefined ? null : as<TimestampMs>(at));

/** "0" before the first trade, because clients parse the price as a number. */
const priceOrZero = (symbol: ListedSymbol, ticks: PriceTicks | null): string =>
  ticks === null ? '0' : priceText(symbol, ticks);

/** Best price and quantity; empty texts if that side of the book is empty. */
function bestText(symbol: ListedSymbol, level: DepthLevel | null): readonly [string, string] {
  return level === null ? ['', ''] : [priceText(symbol, level.price), lotsText(symbol, level.lots)];
}

function bestPrices(context: GatewayContext, symbol: ListedSymbol) {
  const { bid, ask } = context.market.bestPrices(symbol.rules.id);
  const [bidPrice, bidQty] = bestText(symbol, bid);
  const [askPrice, askQty] = bestText(symbol, ask);
  return { bidPrice, bidQty, askPrice, askQty };
}

function dayTicker(context: GatewayContext, symbol: ListedSymbol) {
  const ticker = context.market.ticker(symbol.rules.id, as<TimestampMs>(context.clock.now()));
  const openPrice = priceOrZero(symbol, ticker.open);
  return {
    symbol: symbol.rules.name,
    priceChange: priceText(symbol, ticker.change),
    priceChangePercent: formatDecimal(ticker.changeBps, ratioDecimals),
    prevClosePrice: openPrice,
    lastPrice: priceOrZero(symbol, ticker.last),
    lastQty: ticker.lastLots === null ? '' : lotsText(symbol, ticker.lastLots),
    ...bestPrices(context, symbol),
    openPrice,
    highPrice: priceOrZero(symbol, ticker.high),
    lowPrice: priceOrZero(symbol, ticker.low),
    volume: lotsText(symbol, ticker.lots),
    quoteVolume: quoteText(symbol, ticker.quoteAmount),
    openTime: ticker.openTime,
    closeTime: ticker.closeTime,
    count: ticker.trades,
  };
}

/** A public trade. The taker's side says whether the buyer was the maker. */
const tradeText = (symbol: ListedSymbol, trade: TradeRow): string =>
  `{"id":${trade.trade},"price":"${priceText(symbol, trade.price)}","qty":"${lotsText(symbol, trade.lots)}",` +
  `"quoteQty":"${quoteText(symbol, trade.quoteAmount)}","time":${trade.at},` +
  `"isBuyerMaker":${trade.takerSide === 'sell'},"isBestMatch":true}`;

const mergedText = (symbol: ListedSymbol, trade: AggregatedTrade): string =>
  `{"a":${trade.first},"f":${trade.first},"l":${trade.last},"p":"${priceText(symbol, trade.price)}",` +
  `"q":"${lotsText(symbol, trade.lots)}","T":${trade.at},"m":${trade.takerSide === 'sell'},"M":true}`;

const candleText = (symbol: ListedSymbol, candle: Candle): string =>
  candle.trades === 0 ? quietText(candle, priceText(symbol, candle.close)) : tradedText(symbol, candle);

/** A window without trades: one price, nothing traded. */
const quietText = ({ openTime, closeTime }: Candle, price: string): string =>
  `[${openTime},"${price}","${price}","${price}","${price}","0",${closeTime},"0"]`;

const tradedText = (symbol: ListedSymbol, candle: Candle): string =>
  `[${candle.openTime},"${priceText(symbol, candle.open)}","${priceText(symbol, candle.high)}",` +
  `"${priceText(symbol, candle.low)}","${priceText(symbol, candle.close)}","${lotsText(symbol, candle.lots)}",` +
  `${candle.closeTime},"${quoteText(symbol, candle.quoteAmount)}"]`;

const listText = <Row>(rows: readonly Row[], text: (row: Row) => string): string => `[${rows.map(text).join(',')}]`;

/** Greatest total length of the lists of trades that are kept. */
const charactersMax = 8 * 1024 * 1024;

interface OneOrSeveral {
  readonly symbol?: string | undefined;
  readonly symbols?: readonly string[] | undefined;
}

/** One row for `symbol`, a list for `symbols`, or a list of all symbols without either. */
const oneOrSeveral =
  <Row>(directory: SymbolDirectory, row: (symbol: ListedSymbol) => Row) =>
  ({ symbol, symbols }: OneOrSeveral): Row | Row[] =>
    symbol === undefined ? listedSymbols(directory, symbols).map(row) : row(listedSymbol(directory, symbol));

/** Handlers of public spot market data. DEC-MKT-07, DEC-MKT-14. */
export function marketHandlers(
  context: GatewayContext,
  directory: SymbolDirectory,
  { reads, pages }: HistoryAccess,
): HandlersOf<Omit<typeof marketEndpoints, 'exchangeInfo' | 'defaultSymbols'> & typeof marketAliases> {
  const { market, clock } = context;
  const printed = new PrintedTexts<string>(charactersMax);
  const trades = ({ symbol, limit }: { readonly symbol: string; readonly limit: number }): JsonText => {
    const listed = symbolEverListed(directory, symbol);
    const { id } = listed.rules;
    const text = printed.of(`${id} ${limit}`, [listed, market.lastTrade(id)], () =>
      listText(market.trades(id, limit), (trade) => tradeText(listed, trade)),
    );
    return new JsonText(text);
  };
  const price = (symbol: ListedSymbol) => ({
    symbol: symbol.rules.name,
    price: priceOrZero(symbol, market.lastPrice(symbol.rules.id)),
  });
  const best = (symbol: ListedSymbol) => ({ symbol: symbol.rules.name, ...bestPrices(context, symbol) });
  return {
    ping: () => ({}),
    serverTime: () => ({ serverTime: clock.now() }),
    depth: ({ symbol, limit }) => new JsonText(market.depthText(listedSymbol(directory, symbol).rules.id, limit)),
    trades,
    historicalTrades: trades,
    aggregatedTrades: async ({ symbol, startTime, endTime, limit }, _caller, request) => {
      const listed = symbolEverListed(directory, symbol);
      const window =
        startTime === undefined || endTime === undefined
          ? null
          : { from: as<TimestampMs>(startTime), to: as<TimestampMs>(endTime) };
      const ask = () => market.aggregatedTrades(listed.rules.id, window, limit);
      const merged = await (window === null ? ask() : reads.run(request, ask));
      return new JsonText(listText(merged, (trade) => mergedText(listed, trade)));
    },
    candles: async ({ symbol, interval, startTime, endTime, limit }, _caller, request) => {
      const listed = symbolEverListed(directory, symbol);
      const range = { from: asTime(startTime), to: asTime(endTime), limit };
      const source = tradeCandles(context, listed, interval, {
        isContinued: false,
        print: (candle) => [candleText(listed, candle)],
      });
      const [texts = ''] = (await pages.columns(source, range, request)) ?? [];
      return new JsonText(`[${texts}]`);
    },
    averagePrice: ({ symbol }) => {
      const listed = listedSymbol(directory, symbol);
      const average = market.averagePrice(listed.rules.id, as<TimestampMs>(clock.now()));
      return { mins: wireLimits.market.averagePriceMinutes, price: priceOrZero(listed, average) };
    },
    ticker24h: oneOrSeveral(directory, (listed) => dayTicker(context, listed)),
    priceTicker: oneOrSeveral(directory, price),
    bookTicker: oneOrSeveral(directory, best),
  };
}
