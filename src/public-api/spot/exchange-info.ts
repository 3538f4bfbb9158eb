import type { accountEndpoints } from '#public-api/accounts/account-endpoints.ts';
import type { marketEndpoints } from '#public-api/spot/market-endpoints.ts';
import { formatDecimal } from '#base/decimal.ts';
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

/** Handlers of listed symbols. The JSON of a symbol is cached until the listing changes. */
export function exchangeInfoHandlers(
  context: GatewayContext,
  directory: SymbolDirectory,
): HandlersOf<ListingEndpoints> {
  let printedVersion = -1;
  const printed = new Map<string, string>();
  const entryText = (symbol: ListedSymbol): string => {
    if (printedVersion !== directory.version) printed.clear();
    printedVersion = directory.version;
    const { name } = symbol.rules;
    const text = printed.get(name) ?? JSON.stringify(symbolEntry(symbol));
    printed.set(name, text);
    return text;
  };
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
      const listed = symbol === undefined ? listedSymbols(directory, symbols) : [listedSymbol(directory, symbol)];
      const entries = listed.map(entryText);
      const serverTime = context.clock.now();
      const head = headFor(request);
      return new JsonText(`{"timezone":"UTC","serverTime":${serverTime},${head},"symbols":[${entries.join(',')}]}`);
    },
    defaultSymbols: tradable,
    selfSymbols: tradable,
  };
}
