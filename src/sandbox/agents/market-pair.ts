import type { OrderKind, OrderRequest, Side } from '#model/order.ts';
import type { SymbolRules } from '#model/symbol.ts';
import type { AssetRules } from '#model/asset.ts';
import type { Lots, PriceTicks, Quanta } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { FairValues } from '#sandbox/agents/fair-values.ts';
import type { PairProfile } from '#sandbox/agents/market-profile.ts';

/** One pair for agents: its rules and profile, and conversions from US dollars to ticks and lots. */
export interface MarketPair {
  readonly rules: SymbolRules;
  readonly base: AssetRules;
  readonly quote: AssetRules;
  readonly profile: PairProfile;
  /** Whether the exchange takes orders of both sides for it now. */
  open: boolean;
  /** Whether buyers may give a budget instead of a quantity. */
  readonly takesBudgets: boolean;
  /** Best quotes of the innermost maker and their middle, in ticks; 0 before its first ladder. */
  quotedBid: number;
  quotedAsk: number;
  quotedMid: number;
  /** Price of the last trade that was heard of, in ticks; 0: none. */
  lastTick: number;
  /** How busy it is, as a multiple of its usual activity. */
  activity: number;
  /** Fair price of the pair, in ticks with fractions. */
  fairTicks(): number;
  /** From the fair price to the best quote as makers want it now, in ticks with fractions: wide in storms. */
  halfSpreadTicks(): number;
  /** Volatility of the moment as a multiple of the usual one. */
  volatility(): number;
  /** The move of the last minutes in current standard deviations: 0 if it stands. */
  momentum(): number;
  /** Usual move of the price over so much time at the volatility of the moment, in ticks. */
  moveTicks(ms: number): number;
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

/** Whether agents trade a symbol with these rules. */
export const isOpen = (rules: SymbolRules): boolean => rules.status === 'online' && rules.tradeSideType === 'all';

/** Fraction of the largest notional that orders use, so that a price move in between does not exceed it. */
const mostOfMaximum = 0.9;

/** Spreads grow with this power of volatility. */
const spreadExponent = 1.4;

/** The pair of `rules`; `values` is shared by all pairs. One lot of a contract is `lotsPerCoin`-th of a coin too. */
export function createMarketPair(
  rules: SymbolRules,
  base: AssetRules,
  quote: AssetRules,
  profile: PairProfile,
  values: FairValues,
  lotsPerCoin: number = 10 ** rules.quantityDecimals,
): MarketPair {
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
  const pair: MarketPair = {
    rules,
    base,
    quote,
    profile,
    open: isOpen(rules),
    takesBudgets: true,
    quotedBid: 0,
    quotedAsk: 0,
    quotedMid: 0,
    lastTick: 0,
    activity: 1,
    notional,
    lotsWorth,
    fairTicks: () => (baseValue.usd / quoteValue.usd) * ticksPerUnit,
    halfSpreadTicks: () => (pair.fairTicks() * profile.halfSpreadBps * values.volatility ** spreadExponent) / 10_000,
    volatility: () => values.volatility,
    moveTicks: (ms) => pair.fairTicks() * ratio.expectedMove(ms),
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
  return pair;
}

/** An order of a participant; terms that a kind does not need are left `null`. */
export function orderOf(
  pair: MarketPair,
  side: Side,
  kind: OrderKind,
  terms: { readonly price?: number; readonly lots?: number; readonly budget?: number },
): OrderRequest {
  return {
    symbol: pair.rules.id,
    side,
    kind,
    price: terms.price === undefined ? null : as<PriceTicks>(terms.price),
    quantity: terms.lots === undefined ? null : as<Lots>(terms.lots),
    budget: terms.budget === undefined ? null : as<Quanta>(terms.budget),
    clientOrderId: null,
    stpMode: 'none',
  };
}
