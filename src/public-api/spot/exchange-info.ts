import type { accountEndpoints } from '#public-api/accounts/account-endpoints.ts';
import type { marketEndpoints } from '#public-api/spot/market-endpoints.ts';
import { formatDecimal } from '#base/decimal.ts';
import { PrintedTexts } from '#base/printed-texts.ts';
import type { SymbolId } from '#model/units.ts';
import { engineLimits } from '#model/limits.ts';
import { wireLimits } from '#http/limits.ts';
import { orderKindWord, symbolStatusWord, tradeSideTypeWord } from '#http/words.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import type { EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import type { HandlersOf } from '#public-api/handlers.ts';
import { JsonText } from '#public-api/handlers.ts';
import { listedSymbol, listedSymbols } from '#public-api/listed-symbols.ts';
import type { ListedSymbol, SymbolDirectory } from '#market-data/symbol-directory.ts';
import { lotsText, mostLots, quoteText } from '#market-data/symbol-directory.ts';

/** Rates are parts per million. */
const rateDecimals = 6;
const rateText = (ppm: number): string => formatDecimal(ppm, rateDecimals);

/** Percent price filter (PERCENT_PRICE_BY_SIDE); a side whose filter is off shows a bound that no price reaches. */
function filtersOf({ rules }: ListedSymbol) {
  const { bidMultiplierUpPpm: up, askMultiplierDownPpm: down } = rules;
  if (up === null && down === null) return [];
  const unreachable = 1_000_000_000_000;
  return [
    {
      filterType: 'PERCENT_PRICE_BY_SIDE' as const,
      bidMultiplierUp: rateText(up ?? unreachable),
      askMultiplierDown: rateText(down ?? 0),
    },
  ];
}

/** Rules of one symbol as the API shows them. SPEC-MKT-05. */
export function symbolEntry(symbol: ListedSymbol) {
  const { rules, base, quote } = symbol;
  return {
    symbol: rules.name,
    status: symbolStatusWord[rules.status],
    baseAsset: base.code,
    baseAssetPrecision: rules.quantityDecimals,
    quoteAsset: quote.code,
    quotePrecision: rules.priceDecimals,
    quoteAssetPrecision: rules.priceDecimals,
    baseCommissionPrecision: base.scale,
    quoteCommissionPrecision: quote.scale,
    orderTypes: rules.orderKinds.map((kind) => orderKindWord[kind]),
    isSpotTradingAllowed: rules.apiTradingAllowed,
    isMarginTradingAllowed: false,
    permissions: ['SPOT'],
    filters: filtersOf(symbol),
    maxQuoteAmount: quoteText(symbol, rules.maxNotional),
    makerCommission: rateText(rules.makerFeePpm),
    takerCommission: rateText(rules.takerFeePpm),
    quoteAmountPrecision: quoteText(symbol, rules.minNotional),
    baseSizePrecision: lotsText(symbol, rules.minLots),
    maxQuantity: lotsText(symbol, mostLots(symbol)),
    quoteAmountPrecisionMarket: quoteText(symbol, rules.minNotionalMarket),
    maxQuoteAmountMarket: quoteText(symbol, rules.maxNotionalMarket),
    fullName: rules.fullName,
    tradeSideType: tradeSideTypeWord[rules.tradeSideType],
    contractAddress: rules.contractAddress,
    st: rules.specialTreatment,
  };
}

const second = 1000;
const limitEvery = (rateLimitType: 'REQUEST_WEIGHT' | 'UID_WEIGHT', limit: number, windowMs: number) => ({
  rateLimitType,
  interval: 'SECOND' as const,
  intervalNum: windowMs / second,
  limit,
});

const { weightPerWindow, windowMs } = wireLimits.rate;
/** Per endpoint and address or account; `ofAddress`: of that which asks. DEC-MKT-08, DEC-MKT-10, DEC-MKT-15. */
const enforcedLimits = (ofAddress: number) => [
  limitEvery('REQUEST_WEIGHT', ofAddress, windowMs),
  limitEvery('UID_WEIGHT', weightPerWindow, windowMs),
];
const exchangeFilters = [{ filterType: 'EXCHANGE_MAX_NUM_ORDERS', maxNumOrders: engineLimits.openOrdersPerAccount }];

/** Whether the symbol accepts orders by API. */
const isTradable = ({ rules }: ListedSymbol): boolean => rules.status === 'online' && rules.apiTradingAllowed;

type ListingEndpoints = Pick<typeof marketEndpoints, 'exchangeInfo' | 'defaultSymbols'> &
  Pick<typeof accountEndpoints, 'selfSymbols'>;

/** Greatest total length of the symbols' JSON that is kept. */
const charactersMax = 8 * 1024 * 1024;

/** Handlers of listed symbols. The JSON of a symbol is kept until it changes, that of all until the listing does. */
export function exchangeInfoHandlers(
  context: GatewayContext,
  directory: SymbolDirectory,
): HandlersOf<ListingEndpoints> {
  const entries = new PrintedTexts<SymbolId>(charactersMax);
  const lists = new PrintedTexts<'all'>(charactersMax);
  const entryText = (symbol: ListedSymbol): string =>
    entries.of(symbol.rules.id, [symbol], () => JSON.stringify(symbolEntry(symbol)));
  const allTexts = (): string => lists.of('all', [directory.version], () => directory.symbols.map(entryText).join(','));
  const tradable = (): string[] => directory.symbols.filter(isTradable).map((symbol) => symbol.rules.name);
  const headText = (rateLimits: object[]): string => JSON.stringify({ rateLimits, exchangeFilters }).slice(1, -1);
  const headOfAll = headText(context.settings.rateLimits ? enforcedLimits(weightPerWindow) : []);
  /** An address with a limit of its own sees that, in an answer that no cache keeps for others. DEC-OPR-171. */
  const headFor = (request: EndpointRequest): string => {
    const ofAddress = request.addressCharge?.limit ?? weightPerWindow;
    if (ofAddress === weightPerWindow) return headOfAll;
    request.isCacheable = false;
    return headText(enforcedLimits(ofAddress));
  };
  return {
    exchangeInfo: ({ symbol, symbols }, _caller, request) => {
      const listed = (): string => {
        if (symbol !== undefined) return entryText(listedSymbol(directory, symbol));
        return symbols === undefined ? allTexts() : listedSymbols(directory, symbols).map(entryText).join(',');
      };
      const text = listed();
      const serverTime = context.clock.now();
      const head = headFor(request);
      return new JsonText(`{"timezone":"UTC","serverTime":${serverTime},${head},"symbols":[${text}]}`);
    },
    defaultSymbols: tradable,
    selfSymbols: tradable,
  };
}
