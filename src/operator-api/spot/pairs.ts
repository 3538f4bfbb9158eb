import type { z } from 'zod';
import { formatDecimal } from '#base/decimal.ts';
import type { SymbolListing, SymbolRules } from '#model/symbol.ts';
import { symbolFault } from '#model/symbol-fault.ts';
import { cancelOfflineOrders } from '#jobs/keep-pairs.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { pageByNumber } from '#operator-api/requests/paging.ts';
import { brokenRule, invalidBody, Problem } from '#operator-api/requests/problems.ts';
import type { pairEndpoints } from '#operator-api/spot/pair-endpoints.ts';
import { type ListedAssets, listedAssets, readPositiveSafe } from '#operator-api/wallet/listed-assets.ts';

type Endpoints = typeof pairEndpoints;
type PairAnswer = z.input<Endpoints['getPair']['answer']>;
type PairChanges = z.output<Endpoints['changePair']['body']>;

/** Members that the engine calls otherwise, and counts in units of the quote asset. */
const amounts = {
  minAmount: 'minNotional',
  minAmountMarket: 'minNotionalMarket',
  maxAmount: 'maxNotional',
  maxAmountMarket: 'maxNotionalMarket',
} as const satisfies Partial<Record<keyof PairAnswer, keyof SymbolListing>>;
const amountMembers = Object.keys(amounts) as (keyof typeof amounts)[];

/** What the API calls a member of the engine's rules. */
const pointers: Partial<Record<keyof SymbolListing, string>> = {
  ...Object.fromEntries(amountMembers.map((name) => [amounts[name], `/${name}`])),
  minLots: '/minQuantity',
  tradeSideType: '/sideType',
};

function shownPair(rules: SymbolRules, assets: ListedAssets): PairAnswer {
  const { id: _id, name, base, quote, minLots, tradeSideType, ...rest } = rules;
  const { minNotional, minNotionalMarket, maxNotional, maxNotionalMarket, ...plain } = rest;
  const quoteAsset = assets.at(quote);
  const inQuote = (amount: number): string => formatDecimal(amount, quoteAsset.scale);
  return {
    ...plain,
    pair: name,
    base: assets.at(base).code,
    quote: quoteAsset.code,
    minQuantity: formatDecimal(minLots, rules.quantityDecimals),
    minAmount: inQuote(minNotional),
    minAmountMarket: inQuote(minNotionalMarket),
    maxAmount: inQuote(maxNotional),
    maxAmountMarket: inQuote(maxNotionalMarket),
    orderKinds: [...rules.orderKinds],
    sideType: tradeSideType,
  };
}

/** The rules that a request names, in units of the engine; what it does not name is not there. */
function readRules(
  body: PairChanges,
  quote: Parameters<typeof readPositiveSafe>[1],
  quantityDecimals: number,
): Partial<SymbolListing> {
  const { minQuantity, sideType, minAmount, minAmountMarket, maxAmount, maxAmountMarket, ...plain } = body;
  const texts = { minAmount, minAmountMarket, maxAmount, maxAmountMarket };
  const read = amountMembers.flatMap((name) => {
    const text = texts[name];
    return text === undefined ? [] : [[amounts[name], readPositiveSafe(text, quote, `/${name}`)] as const];
  });
  const step = { code: 'the quantity', scale: quantityDecimals };
  const lots = minQuantity === undefined ? {} : { minLots: readPositiveSafe(minQuantity, step, '/minQuantity') };
  const sides = sideType === undefined ? {} : { tradeSideType: sideType };
  return { ...plain, ...Object.fromEntries(read), ...lots, ...sides } as Partial<SymbolListing>;
}

/** Handlers of pairs. */
export function pairHandlers(context: OperatorContext): HandlersOf<Endpoints> {
  const { queries, ingress } = context;
  const pairs = async (): Promise<readonly SymbolRules[]> => (await queries.listing()).symbols;
  const find = async (name: string): Promise<SymbolRules | null> =>
    (await pairs()).find((rules) => rules.name === name) ?? null;
  const ofPath = async (name: string): Promise<SymbolRules> => {
    const rules = await find(name);
    if (rules === null) throw new Problem('unknownPair');
    return rules;
  };
  const answer = async (name: string): Promise<PairAnswer> =>
    shownPair(await ofPath(name), await listedAssets(queries));
  /** @throws Problem that names what the engine would refuse. */
  const requireSound = async (symbol: SymbolListing, listed: SymbolRules | null): Promise<void> => {
    // The engine refuses whatever is changed of it.
    if (listed?.status === 'delisted') return;
    const assets = await listedAssets(queries);
    const fault = symbolFault(symbol, { listed, base: assets.at(symbol.base), quote: assets.at(symbol.quote) });
    if (fault !== null) throw brokenRule(pointers[fault.member] ?? `/${fault.member}`, fault.detail);
    const isTaken = ({ base, quote, name, status }: SymbolRules): boolean =>
      base === symbol.base && quote === symbol.quote && name !== symbol.name && status !== 'delisted';
    if ((await pairs()).some(isTaken)) throw brokenRule('/quote', 'must not make a pair of assets that is listed');
  };
  return {
    listPairs: async ({ query }) => {
      const assets = await listedAssets(queries);
      return pageByNumber(await pairs(), query, { item: (rules) => shownPair(rules, assets), number: ({ id }) => id });
    },
    getPair: ({ path }) => answer(path.pair),
    putPair: async ({ path, body, act }) => {
      const assets = await listedAssets(queries);
      const { base: baseCode, quote: quoteCode, priceDecimals, quantityDecimals, ...changing } = body;
      const [base, quote] = [assets.ofBody(baseCode, '/base'), assets.ofBody(quoteCode, '/quote')];
      const listed = await find(path.pair);
      const { status, openAt } = listed ?? { status: 'paused', openAt: null };
      // At its own scale, so that a changed one is named as the fault.
      const rules = readRules(changing, quote, listed?.quantityDecimals ?? quantityDecimals);
      const placement = { name: path.pair, base: base.id, quote: quote.id, priceDecimals, quantityDecimals };
      const symbol = { ...rules, ...placement, status, openAt } as SymbolListing;
      await requireSound(symbol, listed);
      await act({ kind: 'configureSymbol', symbol });
      return answer(path.pair);
    },
    changePair: async ({ path, body, act }) => {
      if (Object.keys(body).length === 0) throw invalidBody('', 'must name at least one member to change');
      const listed = await ofPath(path.pair);
      const { id: _id, ...known } = listed;
      const quote = (await listedAssets(queries)).at(listed.quote);
      const opening = body.status === 'online' && body.openAt === undefined ? { openAt: null } : {};
      const symbol = { ...known, ...opening, ...readRules(body, quote, listed.quantityDecimals) };
      await requireSound(symbol, listed);
      await act({ kind: 'configureSymbol', symbol });
      await cancelOfflineOrders(ingress, queries);
      return answer(path.pair);
    },
    delistPair: async ({ path, act }) => {
      const { id } = await ofPath(path.pair);
      await act({ kind: 'delistSymbol', symbol: id });
      return answer(path.pair);
    },
  };
}
