import type { AssetRules } from '#model/asset.ts';
import { marketOf } from '#model/contract-market.ts';
import type { ContractRules, MarkView } from '#model/contract.ts';
import type { OrderKind, OrderRequest, Side } from '#model/order.ts';
import type { SymbolRules } from '#model/symbol.ts';
import type { Lots, PriceTicks, Quanta } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { Listing } from '#sequencer/queries/exchange-queries.ts';
import type { FairValues } from '#sandbox/agents/fair-values.ts';
import { type MarketCondition, usualCondition } from '#sandbox/agents/market-conditions.ts';
import type { MarketProfiles } from '#sandbox/agents/added-markets.ts';
import type { MarketProfile } from '#sandbox/agents/market-profile.ts';

/** A pair or a contract for agents: its rules and profile, and conversions from US dollars to ticks and lots. */
export interface TradedMarket {
  readonly kind: 'pair' | 'contract';
  readonly rules: SymbolRules;
  readonly base: AssetRules;
  /** Of a contract its settle asset. */
  readonly quote: AssetRules;
  readonly profile: MarketProfile;
  /** Whether the exchange takes orders of both sides for it now. */
  isOnline: boolean;
  /** Whether agents act in it: it is online, and they are not told to stand aside. */
  readonly open: boolean;
  /** What agents are told to do in it. */
  condition: MarketCondition;
  /** Whether makers build their ladders anew in this step: their orders were cancelled. */
  isLaidAnew: boolean;
  /** Whether a recording is replayed in it: nobody trades at random then. */
  isReplayed: boolean;
  /** Whether a path or a recording leads the value of its base or quote. */
  isLed: boolean;
  /** Best quotes of the innermost maker and their middle, in ticks; 0 before its first ladder. */
  quotedBid: number;
  quotedAsk: number;
  quotedMid: number;
  /** Price of the last trade that was heard of, in ticks; 0: none. Of pairs only. */
  lastTick: number;
  /** How busy it is, as a multiple of its usual activity. */
  activity: number;
  /** What the crowd wants of it, from -1 (sell) to 1 (buy); 0 where there is no crowd. */
  wish: number;
  /** Fair price of the market, in ticks with fractions. */
  fairTicks(): number;
  /** What the fair price is while base and quote have their initial values. */
  readonly initialTicks: number;
  /** From the fair price to the best quote as makers want it now, in ticks with fractions: wide in storms. */
  halfSpreadTicks(): number;
  /** Volatility of the moment as a multiple of the usual one. */
  volatility(): number;
  /** The move of the last minutes in current standard deviations: 0 if it stands. */
  momentum(): number;
  /** Usual move of the price over so much time at the volatility of the moment, in ticks. */
  moveTicks(ms: number): number;
  /** Lots of one whole coin of the base asset, with fractions. */
  readonly lotsPerCoin: number;
  /** Worth of a number of lots at the fair price, in US dollars. */
  usdOfLots(lots: number): number;
  /** Worth of an amount of the base asset's smallest unit, in US dollars. */
  usdOfBase(quanta: number): number;
  /** Lots worth about `usd` that the rules allow at this price; 0 when they allow none. */
  lotsWorth(usd: number, price: number): number;
  /** Budget of a market order worth about `usd`, inside the rules. */
  budgetWorth(usd: number): number;
  /** Quote amount of an order, in smallest units. */
  notional(price: number, lots: number): number;
}

/** A contract for agents: its price follows the exchange's fair price of it. */
export interface TradedContract extends TradedMarket {
  contractRules: ContractRules;
  /** The pair of its base and settle asset; `null`: there is none. */
  readonly spot: TradedMarket | null;
  /** Takes up prices that the exchange computed. `isLive`: just now. */
  heed(mark: MarkView, isLive: boolean): void;
}

/** What agents trade; in the order of listing. */
export interface TradedMarkets {
  readonly pairs: readonly TradedMarket[];
  readonly contracts: readonly TradedContract[];
}

/** Whether agents trade a market with these rules. */
export const isOpen = (rules: SymbolRules): boolean => rules.status === 'online' && rules.tradeSideType === 'all';

/** Fraction of the largest notional that orders use, so that a price move in between does not exceed it. */
const mostOfMaximum = 0.9;

/** Spreads grow with this power of volatility. */
const spreadExponent = 1.4;

/** What agents take over of the difference between fair price and index: with all of it, it would feed on itself. */
const premiumKept = 0.5;
/** The greatest difference that they take over. */
const premiumMost = 0.02;
/** Digits of a price in steps of 10^-markDecimals. */
const markSteps = 1e8;

/** What a market consists of for agents; `values` is shared by all of them. */
export interface MarketParts {
  readonly rules: SymbolRules;
  readonly base: AssetRules;
  readonly quote: AssetRules;
  readonly profile: MarketProfile;
  readonly values: FairValues;
}

/** The pair of `rules`. */
export const createTradedPair = (parts: MarketParts): TradedMarket =>
  createMarket('pair', parts, 10 ** parts.rules.quantityDecimals);

/**
 * A contract that is quoted around the index as the exchange last told it, moved on by what agents know since, and
 * half way from there to the fair price; around the fair value of its base while no index is known.
 */
export function createTradedContract(
  contractRules: ContractRules,
  parts: MarketParts,
  spot: TradedMarket | null,
): TradedContract {
  const market = createMarket('contract', parts, 10 ** contractRules.sizeDecimals / contractRules.size);
  const baseValue = parts.values.of(parts.base.code);
  const valueTicks = market.fairTicks;
  /** Logarithm of the last index over the fair value at that moment, and the part of the premium that is quoted. */
  let indexGap = 0;
  let premium = 0;
  return Object.assign(market, {
    contractRules,
    spot,
    fairTicks: () => valueTicks() * Math.exp(indexGap) * (1 + premium),
    heed: ({ index, fair }: MarkView, isLive: boolean) => {
      if (index === 0) return;
      // Late news of a history would put the price of then beside the value of now.
      indexGap = isLive ? Math.log(index / markSteps / baseValue.usd) : 0;
      premium = Math.max(-premiumMost, Math.min(premiumMost, premiumKept * (fair / index - 1)));
    },
  });
}

function createMarket(kind: TradedMarket['kind'], parts: MarketParts, lotsPerCoin: number): TradedMarket {
  const { rules, base, quote, profile, values } = parts;
  const baseValue = values.of(base.code);
  const quoteValue = values.of(quote.code);
  const ratio = values.ratio(base.code, quote.code);
  const ticksPerUnit = 10 ** rules.priceDecimals;
  const quantaPerCoin = 10 ** base.scale;
  const quoteQuantaPerCoin = 10 ** quote.scale;
  const quantaPerTickLot = 10 ** (quote.scale - rules.priceDecimals) / lotsPerCoin;
  const mostNotional = Math.min(rules.maxNotional, rules.maxNotionalMarket) * mostOfMaximum;
  const notional = (price: number, lots: number): number => price * lots * quantaPerTickLot;
  const lotsWorth = (usd: number, price: number): number => {
    const asked = Math.round((usd / baseValue.usd) * lotsPerCoin);
    const amount = notional(price, asked);
    if (asked >= rules.minLots && amount >= rules.minNotional && amount <= mostNotional) return asked;
    const most = Math.floor(mostNotional / notional(price, 1));
    const least = Math.max(rules.minLots, Math.ceil(rules.minNotional / notional(price, 1)));
    const lots = Math.min(most, asked);
    return lots < least ? (most >= least && lots * 2 >= least ? least : 0) : lots;
  };
  const market: TradedMarket = {
    kind,
    rules,
    base,
    quote,
    profile,
    isOnline: isOpen(rules),
    get open() {
      return market.isOnline && market.condition.agents === 'on';
    },
    condition: usualCondition,
    isLaidAnew: false,
    isReplayed: false,
    isLed: false,
    lotsPerCoin,
    quotedBid: 0,
    quotedAsk: 0,
    quotedMid: 0,
    lastTick: 0,
    activity: 1,
    wish: 0,
    notional,
    lotsWorth,
    fairTicks: () => (baseValue.usd / quoteValue.usd) * ticksPerUnit,
    initialTicks: (baseValue.profile.initialUsd / quoteValue.profile.initialUsd) * ticksPerUnit,
    halfSpreadTicks: () =>
      (market.fairTicks() * profile.halfSpreadBps * values.volatility ** spreadExponent * market.condition.spread) /
      10_000,
    volatility: () => values.volatility,
    moveTicks: (ms) => market.fairTicks() * ratio.expectedMove(ms),
    momentum: () => ratio.momentum(),
    usdOfLots: (lots) => (lots / lotsPerCoin) * baseValue.usd,
    usdOfBase: (quanta) => (quanta / quantaPerCoin) * baseValue.usd,
    budgetWorth: (usd) => {
      const asked = Math.round((usd / quoteValue.usd) * quoteQuantaPerCoin);
      return Math.max(
        rules.minNotionalMarket * 2,
        Math.min(asked, Math.floor(rules.maxNotionalMarket * mostOfMaximum)),
      );
    },
  };
  return market;
}

/** The listed pairs and contracts that have a profile. */
export function tradedMarkets(
  listing: Listing,
  values: FairValues,
  profiles: Pick<MarketProfiles, 'of'>,
): TradedMarkets {
  const assetOf = new Map(listing.assets.map((asset) => [asset.id, asset]));
  const partsOf = (kind: TradedMarket['kind'], rules: SymbolRules): MarketParts | null => {
    const base = assetOf.get(rules.base);
    const quote = assetOf.get(rules.quote);
    if (base === undefined || quote === undefined || rules.status === 'delisted') return null;
    const profile = profiles.of({ kind, id: rules.id, name: rules.name, base: base.code, quote: quote.code });
    return profile === undefined ? null : { rules, base, quote, profile, values };
  };
  const pairs = listing.symbols.flatMap((rules) => {
    const parts = partsOf('pair', rules);
    return parts === null ? [] : [createTradedPair(parts)];
  });
  const contracts = (listing.contracts ?? []).flatMap((contract) => {
    const parts = partsOf('contract', marketOf(contract));
    const spot = pairs.find(({ rules }) => rules.base === contract.base && rules.quote === contract.settle) ?? null;
    return parts === null ? [] : [createTradedContract(contract, parts, spot)];
  });
  return { pairs, contracts };
}

/** An order of a participant; terms that a kind does not need are left `null`. */
export function orderOf(
  market: TradedMarket,
  side: Side,
  kind: OrderKind,
  terms: { readonly price?: number; readonly lots?: number; readonly budget?: number },
): OrderRequest {
  return {
    symbol: market.rules.id,
    side,
    kind,
    price: terms.price === undefined ? null : as<PriceTicks>(terms.price),
    quantity: terms.lots === undefined ? null : as<Lots>(terms.lots),
    budget: terms.budget === undefined ? null : as<Quanta>(terms.budget),
    clientOrderId: null,
    stpMode: 'none',
  };
}

/** The worst price of an order that may trade this fraction away from `price`. */
export const worstPrice = (price: number, side: Side, slippage: number): number =>
  Math.max(1, Math.round(price * (side === 'buy' ? 1 + slippage : 1 - slippage)));

/** An order for about `usd` that trades at once, at most this far from the middle of the quotes; `null`: none can. */
export function takingOrder(market: TradedMarket, side: Side, usd: number, slippage: number): OrderRequest | null {
  const price = worstPrice(market.quotedMid, side, slippage);
  const lots = market.lotsWorth(usd, price);
  return lots === 0 ? null : orderOf(market, side, 'immediateOrCancel', { price, lots });
}
