import type { Prng } from '#base/prng.ts';
import { createPrng } from '#base/prng.ts';
import type { Command, Entry } from '#model/command.ts';
import type { OrderKind, OrderRequest, Side } from '#model/order.ts';
import { orderKinds, sides, stpModes } from '#model/order.ts';
import type { SymbolListing } from '#model/symbol.ts';
import type { AccountId, OrderNumber } from '#model/units.ts';
import { as } from '#model/units.ts';
import { opposing } from './naive-collar.ts';
import type { NaiveState, NaiveSymbol } from './naive-state.ts';
import { baseUnit, openLots, quoteUnit } from './naive-state.ts';
import { firstUser } from './opening.ts';
import { anyRebateCommand } from './rebate-commands.ts';
import {
  scarceAsset,
  scarceFeeToken,
  scarceOpening,
  scarcePriceMax,
  scarceReference,
  scarceRates,
  scarceSymbols,
  scarceUsers,
} from './scarce-opening.ts';

const assets = Object.values(scarceAsset);
const safeMax = Number.MAX_SAFE_INTEGER;
/** Prices and quantities whose products and sums lie around 2^53. */
const vastNumbers = [1, 2, 3, 2 ** 26, 2 ** 27 - 1, 2 ** 51, 2 ** 52, safeMax - 1, safeMax] as const;
const vastCredits = [1, 5, 2 ** 26, 2 ** 52, safeMax, 4 * safeMax] as const;
/** A whole number that an order may carry, the nearest to a wanted one. */
const bounded = (wanted: number): number => Math.max(1, Math.min(safeMax, wanted));

/**
 * Random commands of a poor exchange: accounts own next to nothing and spend it to the last unit, and orders ask for
 * what an account has, what a level takes, or a hair more or less. It reads the model's state to find these edges. The
 * same seed gives the same commands while the model stays the same. A vast exchange is the same with numbers at the
 * other end: amounts of orders, levels and fees lie around 2^53.
 */
export class ScarceStream {
  /** Orders sent so far. */
  orders = 0;
  readonly listings: readonly SymbolListing[];
  readonly #prng: Prng;
  readonly #state: NaiveState;
  readonly #isVast: boolean;
  readonly #queue: Command[];
  #seq = 0;
  #days = 0;

  constructor(seed: number, state: NaiveState, isVast = false) {
    this.#prng = createPrng(seed);
    this.#state = state;
    this.#isVast = isVast;
    const scales = assets.map(() => (isVast ? 0 : this.#pick([0, 0, 1, 2])));
    const listings = scarceSymbols(this.#prng, scales);
    this.listings = isVast ? listings.map((listing) => ({ ...listing, collarPpm: 1_000_000 })) : listings;
    this.#queue = scarceOpening(this.#prng, scales, this.listings);
  }

  next(): Entry {
    const command = this.#queue.shift() ?? this.#command();
    this.#seq += 1;
    return { seq: as(this.#seq), epoch: as(0), at: as(this.#at()), command };
  }

  #at(): number {
    return 1_700_000_000_000 + this.#seq + this.#days * 86_400_000;
  }

  #chance(share: number): boolean {
    return this.#prng.next() < share;
  }

  #pick<Value>(values: readonly Value[]): Value {
    return values[this.#prng.below(values.length)] as Value;
  }

  #user(): AccountId {
    return as(firstUser + this.#prng.below(scarceUsers));
  }

  #command(): Command {
    const roll = this.#prng.next();
    if (roll < 0.72) return this.#place();
    if (roll < 0.82) return this.#several();
    if (roll < 0.87) return this.#cancel();
    return roll < 0.95 ? this.#fund() : this.#configure();
  }

  /** An order, or the funds without which it would be refused. */
  #place(): Command {
    const { account, symbol, side } = this.#trader();
    const { base, quote } = symbol.listing;
    const order = this.#order(account, symbol, side);
    const isPoor = this.#affordable(account, symbol, side, order.price ?? 1) === 0;
    if (isPoor && this.#chance(0.5)) return this.#credit(account, side === 'buy' ? quote : base);
    this.orders += 1;
    return { kind: 'placeOrder', account, order };
  }

  #symbol(): NaiveSymbol {
    return this.#pick(this.#state.symbols);
  }

  /** Somebody who can most likely afford something where somebody else waits. */
  #trader(): { account: AccountId; symbol: NaiveSymbol; side: Side } {
    let trader = { account: this.#user(), symbol: this.#symbol(), side: this.#pick(sides) };
    for (let tries = 0; tries < 4; tries += 1) {
      const best = opposing(trader.symbol, trader.side)[0]?.price;
      const isAble = this.#affordable(trader.account, trader.symbol, trader.side, best ?? 1) > 0;
      if (isAble && (best !== undefined || tries > 1)) break;
      trader = { account: this.#user(), symbol: this.#symbol(), side: this.#pick(sides) };
    }
    return trader;
  }

  /** Lots and quote amount of the best levels of a side, so many of them. */
  #top(symbol: NaiveSymbol, side: Side): { lots: number; quote: number; nextPrice: number } {
    const makers = opposing(symbol, side);
    const prices = [...new Set(makers.map(({ price }) => price))];
    const count = 1 + this.#prng.below(3);
    let lots = 0;
    let quote = 0;
    for (const maker of makers) {
      if (prices.indexOf(maker.price) >= count) break;
      lots += openLots(maker);
      quote += openLots(maker) * maker.price * Number(quoteUnit(this.#state, symbol));
    }
    return { lots, quote, nextPrice: prices[count] ?? 1 };
  }

  #order(account: AccountId, symbol: NaiveSymbol, side: Side): OrderRequest {
    const isAlone = opposing(symbol, side).length === 0;
    const kind: OrderKind = this.#chance(isAlone ? 0.9 : 0.15) ? 'limit' : this.#pick(orderKinds);
    const stpMode = this.#chance(0.5) ? 'none' : this.#pick(stpModes);
    const terms = { symbol: as<OrderRequest['symbol']>(symbol.id), side, kind, clientOrderId: null, stpMode };
    if (kind !== 'market') {
      const price = this.#price(symbol, side);
      return { ...terms, price: as(price), quantity: as(this.#lots(account, symbol, side, price)), budget: null };
    }
    if (this.#chance(0.6)) {
      return { ...terms, price: null, quantity: null, budget: as(this.#budget(account, symbol, side)) };
    }
    const best = opposing(symbol, side)[0]?.price ?? 1;
    return { ...terms, price: null, quantity: as(this.#lots(account, symbol, side, best)), budget: null };
  }

  /** Often at or beside the best price of the other side. */
  #price(symbol: NaiveSymbol, side: Side): number {
    const best = opposing(symbol, side)[0]?.price;
    const isAnywhere = best === undefined || this.#chance(0.4);
    // A sale that goes through many rich bids: only so can what a taker has traded pass 2^53.
    if (this.#isVast && side === 'sell' && this.#chance(0.3)) return 1;
    if (this.#isVast) return isAnywhere ? this.#pick(vastNumbers) : bounded(best + this.#pick([-1, 0, 0, 0, 1]));
    if (isAnywhere) return 1 + this.#prng.below(scarcePriceMax);
    return Math.min(scarcePriceMax, Math.max(1, best + this.#pick([-1, 0, 0, 1, 2])));
  }

  /** What the account can afford, what the best levels take, one more or less, or a few. */
  #lots(account: AccountId, symbol: NaiveSymbol, side: Side, price: number): number {
    const affordable = this.#affordable(account, symbol, side, price);
    const { lots } = this.#top(symbol, side);
    const wanted = this.#pick([affordable, affordable + 1, lots, lots - 1, lots + 1, 1, this.#few()]);
    if (this.#isVast && this.#chance(0.2)) return bounded(Math.floor(safeMax / price) + this.#pick([0, 1, 2, -1]));
    const isModest = wanted > affordable + 1 && this.#chance(0.7);
    return bounded(isModest ? 1 + this.#prng.below(bounded(affordable)) : wanted);
  }

  #few(): number {
    return this.#isVast ? this.#pick(vastNumbers) : 1 + this.#prng.below(5);
  }

  #affordable(account: AccountId, symbol: NaiveSymbol, side: Side, price: number): number {
    const { base, quote } = symbol.listing;
    if (side === 'sell') return Number(this.#state.freeOf(account, base) / baseUnit(this.#state, symbol));
    return Number(this.#state.freeOf(account, quote) / (BigInt(price) * quoteUnit(this.#state, symbol)));
  }

  /** What the account has, what the best levels take, a hair or a lot of the next level more or less, or a little. */
  #budget(account: AccountId, symbol: NaiveSymbol, side: Side): number {
    const unit = Number(quoteUnit(this.#state, symbol));
    const { quote, nextPrice } = this.#top(symbol, side);
    const free = Number(this.#state.freeOf(account, symbol.listing.quote));
    const lot = nextPrice * unit;
    const hair = this.#pick([-1, 0, 0, 1, lot - 1, lot, lot + 1, -lot]);
    const around = this.#pick([quote, quote, quote, free, unit * this.#few() * this.#pick([1, 1, 2, 3])]);
    const wanted = around + (around === free ? this.#pick([0, 1, -1]) : hair);
    return bounded(side === 'buy' && wanted > free + 1 && this.#chance(0.7) ? free : wanted);
  }

  #several(): Command {
    const account = this.#user();
    const symbol = this.#symbol();
    const orders = Array.from({ length: 1 + this.#prng.below(3) }, () =>
      this.#order(account, symbol, this.#pick(sides)),
    );
    this.orders += orders.length;
    if (this.#chance(0.5)) return { kind: 'placeOrders', account, orders };
    const cancel = [...symbol.bids, ...symbol.asks]
      .filter((order) => order.account === account && this.#chance(0.5))
      .map((order) => as<OrderNumber>(order.number));
    return { kind: 'requote', account, symbol: as(symbol.id), cancel, place: orders };
  }

  #cancel(): Command {
    const symbol = this.#symbol();
    const resting = [...symbol.bids, ...symbol.asks];
    if (resting.length === 0) return this.#fund();
    const order = this.#pick(resting);
    const account = as<AccountId>(order.account);
    if (this.#chance(0.1)) return { kind: 'cancelOrders', account, symbols: [as(symbol.id)] };
    return { kind: 'cancelOrder', account, symbol: as(symbol.id), ref: { order: as(order.number) } };
  }

  /** A few units, or a few whole ones and a hair, for whoever has the least of three. */
  #fund(): Command {
    const purses = Array.from({ length: 3 }, () => ({ account: this.#user(), asset: this.#pick(assets) }));
    const free = (purse: { account: AccountId; asset: number }): bigint =>
      this.#state.freeOf(purse.account, purse.asset);
    const poorest = purses.reduce((first, second) => (free(second) < free(first) ? second : first));
    return this.#credit(poorest.account, poorest.asset);
  }

  #credit(account: AccountId, asset: number): Command {
    const one = 10 ** (this.#state.scales[asset] ?? 0);
    const few = this.#few();
    const little = this.#chance(0.5) ? few : Math.max(1, one * few + this.#pick([0, 0, 1, -1]));
    const amount = this.#isVast ? this.#pick(vastCredits) : little;
    return { kind: 'creditFunds', account, asset: as(asset), amount: as(BigInt(amount)) };
  }

  /** Mostly on the day after, so that there is something to settle. */
  #rebates(): Command {
    if (this.#chance(0.6)) this.#days += 1;
    const oldestDay = this.#state.pending[0]?.day ?? null;
    return anyRebateCommand(this.#prng, this.#at(), { inviters: [0, 2, 3], users: scarceUsers, oldestDay });
  }

  #reference(): Command {
    const asset = this.#pick(assets);
    if (this.#chance(0.8)) return scarceReference(this.#prng, asset);
    return { kind: 'removeReferencePrice', asset: as(asset), reason: 'stream' };
  }

  #configure(): Command {
    if (this.#chance(0.25)) return this.#rebates();
    const roll = this.#prng.next();
    if (roll < 0.2) return scarceFeeToken(this.#prng);
    if (roll < 0.25) return this.#reference();
    if (roll < 0.6) return { kind: 'setFeeDeduction', account: this.#user(), enabled: this.#chance(0.7) };
    const makerFeePpm = this.#pick(scarceRates);
    const takerFeePpm = this.#pick(scarceRates);
    if (roll < 0.85) {
      return {
        kind: 'setTradingRules',
        account: this.#user(),
        makerFeePpm: this.#chance(0.5) ? null : makerFeePpm,
        takerFeePpm: this.#chance(0.5) ? null : takerFeePpm,
        openOrdersMax: 500,
      };
    }
    return { kind: 'configureSymbol', symbol: { ...this.#pick(this.listings), makerFeePpm, takerFeePpm } };
  }
}
