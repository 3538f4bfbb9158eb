import type { Prng } from '#base/prng.ts';
import { createPrng } from '#base/prng.ts';
import { ClientOrderId } from '#model/client-order-id.ts';
import type { Command, Entry } from '#model/command.ts';
import type { Event } from '#model/event-record.ts';
import type { OrderRequest } from '#model/order.ts';
import { orderKinds, sides, stpModes } from '#model/order.ts';
import { rebateDayOf } from '#model/rebate.ts';
import type { SymbolListing } from '#model/symbol.ts';
import { settableStatuses, tradeSideTypes } from '#model/symbol.ts';
import type { OrderNumber, SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { asset, firstUser, master, openingCommands, openingSymbols, userCount } from './opening.ts';
import { anyRebateCommand } from './rebate-commands.ts';

type PlaceOrder = Extract<Command, { kind: 'placeOrder' }>;

interface LiveOrder {
  readonly order: OrderNumber;
  readonly account: number;
  readonly symbol: SymbolId;
  readonly clientOrderId: string | null;
}

const mids = [5000, 2000, 3000, 1000] as const;

/**
 * Random commands of a small busy exchange: few accounts, few prices, every kind of order, every rule changed now and
 * then, so that all branches meet within some ten thousand commands. The same seed gives the same commands.
 */
export class CommandStream {
  readonly #prng: Prng;
  readonly #live = new Map<number, LiveOrder>();
  readonly #groups: number[] = [];
  readonly #dayShare: number;
  #queue: Command[];
  #sent: PlaceOrder[] = [];
  #seq = 0;
  /** The oldest day with an accrual that no settlement has paid. */
  #oldestDay: number | null = null;
  #at = 1_700_000_000_000;

  /** `dayShare`: how often time jumps by a day, so that there is something to settle. */
  constructor(seed: number, dayShare = 0) {
    this.#prng = createPrng(seed);
    this.#dayShare = dayShare;
    this.#queue = openingCommands({ base: 300_000_000n, quote: 60_000_000n });
  }

  /** The next entry; give its events to `observe` before asking again. */
  next(): Entry {
    const command = this.#queue.shift() ?? this.#command();
    this.#seq += 1;
    this.#at += this.#pick([0, 0, 0, 1, 7, 60, 400, 3000]);
    if (this.#chance(0.002)) this.#at += this.#pick([59_999, 60_000, 60_001, 61_000]);
    if (this.#chance(this.#dayShare)) this.#at += this.#pick([1, 1, 3]) * 86_400_000;
    return { seq: as(this.#seq), epoch: as(0), at: as(this.#at), command };
  }

  observe(events: readonly Event[]): void {
    for (const event of events) {
      if (event.kind === 'orderAccepted') this.#live.set(event.order.order, event.order);
      if (event.kind === 'orderClosed') this.#live.delete(event.order.order);
      if (event.kind === 'rebateAccrued') this.#oldestDay ??= rebateDayOf(as(this.#at));
      if (event.kind === 'rebatesSettled' && event.isDone && this.#oldestDay === event.day) this.#oldestDay = null;
      if (event.kind === 'stpGroupChanged' && !this.#groups.includes(event.group.group))
        this.#groups.push(event.group.group);
      if (event.kind === 'stpGroupDeleted') this.#groups.splice(this.#groups.indexOf(event.group), 1);
    }
  }

  #chance(share: number): boolean {
    return this.#prng.next() < share;
  }

  #pick<Value>(values: readonly Value[]): Value {
    return values[this.#prng.below(values.length)] as Value;
  }

  #account(): number {
    return this.#chance(0.001) ? this.#pick([0, 1, firstUser + userCount]) : firstUser + this.#prng.below(userCount);
  }

  #command(): Command {
    const roll = this.#prng.next();
    if (roll < 0.72) return this.#place();
    if (roll < 0.92) return this.#cancel();
    if (roll < 0.955) return this.#several();
    if (roll < 0.96) return { kind: 'cancelOrders', account: as(this.#account()), symbols: this.#someSymbols() };
    if (roll < 0.98) return this.#fund();
    return this.#configuration();
  }

  /** A new order, or one of the last with a client id once more. */
  #place(): Command {
    if (this.#sent.length > 0 && this.#chance(0.05)) return this.#pick(this.#sent);
    const account = as<PlaceOrder['account']>(this.#account());
    const command: PlaceOrder = { kind: 'placeOrder', account, order: this.#order(this.#symbol()) };
    if (command.order.clientOrderId !== null) this.#sent = [...this.#sent.slice(-7), command];
    return command;
  }

  #symbol(): SymbolId {
    return as(this.#chance(0.001) ? openingSymbols.length : this.#prng.below(openingSymbols.length));
  }

  #someSymbols(): SymbolId[] {
    return openingSymbols.map((_, id) => as<SymbolId>(id)).filter(() => this.#chance(0.5));
  }

  /** Prices crowd around a fixed middle, so that books stay small and orders meet. */
  #price(symbol: number, side: string): number {
    const mid = mids[symbol] ?? 1000;
    if (this.#chance(0.02)) return Math.max(1, mid + this.#pick([-400, 400, -60, 60, -mid, 1 - mid]));
    const away = this.#prng.below(9) - 3;
    return side === 'buy' ? mid - away : mid + away;
  }

  #order(symbol: SymbolId): OrderRequest {
    const side = this.#pick(sides);
    const kind = this.#chance(0.5) ? 'limit' : this.#pick(orderKinds);
    const quantity = this.#chance(0.02)
      ? this.#pick([0, 1, 2, 3, 1_000_000, 2 ** 40, 2 ** 52])
      : 1 + this.#prng.below(60);
    const stpMode = this.#chance(0.5) ? 'none' : this.#pick(stpModes);
    const clientOrderId = this.#chance(0.3) ? ClientOrderId.of(`id-${this.#prng.below(40)}`) : null;
    const terms = { symbol, side, kind, clientOrderId, stpMode };
    if (kind !== 'market') {
      return { ...terms, price: as(this.#price(symbol, side)), quantity: as(quantity), budget: null };
    }
    const worth = (mids[symbol] ?? 1000) * quantity * this.#pick([1, 100, 1000]);
    const budget = Math.max(1, Math.min(2 ** 53 - 1, worth + this.#prng.below(1000) - 500));
    const shape = this.#chance(0.01) ? this.#pick(['both', 'none']) : this.#pick(['quantity', 'budget']);
    return {
      ...terms,
      price: null,
      quantity: shape === 'quantity' || shape === 'both' ? as(quantity) : null,
      budget: shape === 'budget' || shape === 'both' ? as(budget) : null,
    };
  }

  #liveOrder(): LiveOrder | null {
    const skip = this.#prng.below(Math.max(1, Math.min(this.#live.size, 24)));
    let index = 0;
    for (const order of this.#live.values()) if (index++ === skip) return order;
    return null;
  }

  #cancel(): Command {
    const live = this.#liveOrder();
    const isStray = live === null || this.#chance(0.05);
    const account = isStray ? this.#account() : live.account;
    const symbol = isStray || live === null ? this.#symbol() : live.symbol;
    const order = live?.order ?? as<OrderNumber>(1 + this.#prng.below(50));
    const byId = live !== null && live.clientOrderId !== null && this.#chance(0.5);
    return {
      kind: 'cancelOrder',
      account: as(account),
      symbol: as(symbol),
      ref: byId ? { clientOrderId: live.clientOrderId as string } : { order },
    };
  }

  #several(): Command {
    const symbol = as<SymbolId>(this.#prng.below(openingSymbols.length));
    const account = this.#account();
    const orders = Array.from({ length: 1 + this.#prng.below(5) }, () => this.#order(symbol));
    if (this.#chance(0.5)) return { kind: 'placeOrders', account: as(account), orders };
    const cancel = [...this.#live.values()]
      .filter((order) => order.account === account && order.symbol === symbol)
      .slice(0, 4)
      .map(({ order }) => order);
    if (this.#chance(0.2)) cancel.push(as(999_999_999));
    return { kind: 'requote', account: as(account), symbol, cancel, place: orders };
  }

  #fund(): Command {
    const id = this.#prng.below(Object.keys(asset).length);
    const amount = BigInt(1 + this.#prng.below(2_000_000)) * (this.#chance(0.3) ? 1000n : 1n);
    return {
      kind: 'creditFunds',
      account: as(firstUser + this.#prng.below(userCount)),
      asset: as(id),
      amount: as(amount),
    };
  }

  #rebates(): Command {
    const people = { inviters: [0, 1, 2, 3, 4], users: userCount, oldestDay: this.#oldestDay };
    return anyRebateCommand(this.#prng, this.#at, people);
  }

  #configuration(): Command {
    const account = as<Extract<Command, { kind: 'setFeeDeduction' }>['account']>(
      firstUser + this.#prng.below(userCount),
    );
    if (this.#chance(0.3)) return this.#rebates();
    if (this.#chance(0.1)) return this.#chance(0.5) ? this.#reference() : this.#deepen();
    const roll = this.#prng.below(10);
    if (roll < 3) return this.#relist();
    if (roll === 3) {
      if (this.#chance(0.5)) return this.#switch(account);
      return { kind: 'setAccountStatus', account, status: this.#chance(0.9) ? 'normal' : 'frozen' };
    }
    if (roll === 4) {
      return {
        kind: 'setTradingRules',
        account,
        makerFeePpm: this.#pick([null, 0, 1, 250_000]),
        takerFeePpm: this.#pick([null, 0, 3, 999]),
        openOrdersMax: this.#pick([2, 5, 500]),
      };
    }
    if (roll < 7) return { kind: 'setFeeDeduction', account, enabled: this.#chance(0.6) };
    return this.#regroup();
  }

  #switch(account: Extract<Command, { kind: 'setAccountSwitches' }>['account']): Command {
    const trade = this.#chance(0.8);
    const switches = { trade, withdraw: this.#chance(0.9), api: this.#chance(0.9) };
    return { kind: 'setAccountSwitches', account, switches, cancelOrders: !trade && this.#chance(0.5) };
  }

  /** Depth around the middle of the token's book, while prices are looked at; then it is gone. */
  #deepen(): Command {
    const account = as<PlaceOrder['account']>(firstUser + this.#prng.below(userCount));
    const symbol = as<SymbolId>(1);
    const quantity = 60_000;
    const shape = { symbol, kind: 'postOnly', quantity: as<never>(quantity as never), budget: null } as const;
    const orders = (['buy', 'sell'] as const).map((side): OrderRequest => {
      const price = as<never>((side === 'buy' ? 1990 : 2010) as never);
      return { ...shape, side, price, stpMode: 'none', clientOrderId: ClientOrderId.of(`deep-${side}`) };
    });
    this.#queue.push(
      { kind: 'creditFunds', account, asset: as(asset.token), amount: as(BigInt(quantity) * 100n) },
      { kind: 'placeOrders', account, orders },
      this.#reference(),
      ...['deep-buy', 'deep-sell'].map((clientOrderId): Command => {
        return { kind: 'cancelOrder', account, symbol, ref: { clientOrderId } };
      }),
    );
    return { kind: 'creditFunds', account, asset: as(asset.usdt), amount: as(BigInt(quantity) * 20_000n) };
  }

  /** An operator's price of the token or of bitcoin, for some minutes, or no longer. */
  #reference(): Command {
    const id = as<Extract<Command, { kind: 'removeReferencePrice' }>['asset']>(this.#pick([asset.token, asset.btc]));
    if (this.#chance(0.5)) return { kind: 'removeReferencePrice', asset: id, reason: 'stream' };
    const digits = BigInt(1500 + this.#prng.below(1000));
    const validMs = this.#pick([1, 60_000, 120_000]);
    return { kind: 'setReferencePrice', asset: id, digits: as(digits), decimals: 3, validMs, reason: 'stream' };
  }

  /** Changes the rules of a pair; half of the time back to the permissive ones. */
  #relist(): Command {
    const symbol = this.#pick(openingSymbols);
    if (this.#chance(0.65)) return { kind: 'configureSymbol', symbol };
    if (this.#chance(0.2))
      return { kind: 'setTrading', state: this.#chance(0.8) ? 'open' : 'halted', reason: 'stream' };
    const unit = 10 ** 6;
    const choices: Partial<SymbolListing>[] = [
      { status: this.#pick(settableStatuses) },
      { tradeSideType: this.#pick(tradeSideTypes) },
      { apiTradingAllowed: false },
      { orderKinds: [...new Set([this.#pick(orderKinds), ...orderKinds.filter(() => this.#chance(0.6))])] },
      { minLots: as(20) },
      { minNotional: as(unit), minNotionalMarket: as(unit / 2) },
      { maxNotional: as(20 * unit), maxNotionalMarket: as(10 * unit) },
      { bidMultiplierUpPpm: 1_001_000, askMultiplierDownPpm: 999_000 },
      { collarPpm: this.#pick([0, 300, 1000]) },
      { makerFeePpm: this.#pick([0, 1, 100_000]), takerFeePpm: this.#pick([0, 1, 100_000]) },
    ];
    return { kind: 'configureSymbol', symbol: { ...symbol, ...this.#pick(choices) } };
  }

  #regroup(): Command {
    const members = [master, firstUser + userCount - 2, firstUser + userCount - 1]
      .filter(() => this.#chance(0.7))
      .map((id) => as<typeof master>(id));
    const group = this.#groups.length > 0 ? this.#pick(this.#groups) : null;
    if (group === null || (this.#groups.length < 4 && this.#chance(0.3))) {
      return { kind: 'createStpGroup', master, name: `group-${this.#prng.below(1_000_000_000)}` };
    }
    if (this.#chance(0.15)) return { kind: 'deleteStpGroup', master, group };
    return this.#chance(0.7)
      ? { kind: 'addToStpGroup', master, group, members }
      : { kind: 'removeFromStpGroup', master, group, members };
  }
}
