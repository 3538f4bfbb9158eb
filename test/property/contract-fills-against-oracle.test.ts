import { describe, expect, test } from 'vitest';
import { createPrng, type Prng } from '#base/prng.ts';
import { house, innerHouse } from '#model/account.ts';
import type { ContractListing, MarginMode } from '#model/contract.ts';
import type { Event } from '#model/event-record.ts';
import type { OrderKind, OrderView, Side } from '#model/order.ts';
import type { SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { buySide, sellSide } from '#engine/book/side-code.ts';
import type { Book } from '#engine/book/book.ts';
import type { NaiveFutures } from '../oracle/naive-contracts.ts';
import {
  brokenInvariants,
  canFill,
  closeOrder,
  freeOf,
  newFutures,
  openOrder,
  positionOf,
  restOrder,
  settleFill,
  transfer,
} from '../oracle/naive-contracts.ts';
import { keepsMaintenance } from '../oracle/naive-maintenance.ts';
import type { NaiveTerms } from '../oracle/naive-margin.ts';
import { magnitude } from '../oracle/naive-margin.ts';
import { contract as first, ContractDesk, orderOf, terms } from '../scenario/contract-desk.ts';
import { assets, people } from '../scenario/wallet-harness.ts';

const second = as<SymbolId>(4);
const accounts = [people.alice, people.bob, people.carol] as const;
const listings: readonly ContractListing[] = [terms, { ...terms, name: 'TKN_USDT', base: assets.TKN }];

const naiveTerms = (listing: ContractListing, id: number): NaiveTerms => ({
  id,
  size: BigInt(listing.size),
  sizeDecimals: BigInt(listing.sizeDecimals),
  priceDecimals: BigInt(listing.priceDecimals),
  settleScale: 4n,
  makerFeePpm: listing.makerFeePpm,
  takerFeePpm: listing.takerFeePpm,
  liquidationFeePpm: 0,
  fairLimitPpm: listing.fairLimitPpm,
  minFunding: 0n,
  maxFunding: 0n,
  fundingHours: 8n,
  tiers: listing.tiers.map(({ maxLots, maxLeverage, ...rates }) => ({
    ...rates,
    maxLots: BigInt(maxLots),
    maxLeverage: BigInt(maxLeverage),
  })),
  fund: -1,
});

/** One side of a fill. */
interface FillSide {
  readonly account: number;
  readonly order: number | null;
}

/** The engine and the model, which get the same orders; who trades with whom comes from the engine. */
class Pair {
  readonly desk: ContractDesk;
  readonly model: NaiveFutures;
  readonly seen = new Map<string, number>();
  readonly #chance: Prng;

  constructor(seed: number) {
    this.#chance = createPrng(seed);
    const money = { alice: 60_000n, bob: 400_000n, carol: 2_000_000n };
    this.desk = new ContractDesk(money);
    this.desk.say({ kind: 'configureContract', contract: listings[1]! });
    this.model = newFutures(listings.map((listing, index) => naiveTerms(listing, first + index)));
    for (const [index, amount] of Object.values(money).entries()) transfer(this.model, accounts[index]!, amount);
    for (const id of [first, second]) {
      this.#move(id, 1000);
      this.#set(id, people.alice, 'isolated', 50);
      this.#set(id, people.bob, 'cross', 50);
      this.#set(id, people.carol, 'isolated', 20);
    }
  }

  #pick<T>(of: readonly T[]): T {
    return of[this.#chance.below(of.length)]!;
  }

  #note(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
  }

  /** Sets index and fair price without what follows from an update of them. */
  #move(id: SymbolId, ticks: number): void {
    const { state } = this.desk.engine;
    const mark = state.marks.opened(state.contracts.at(id).rules);
    mark.fair = ticks * 1_000_000 + this.#chance.below(1_000_000);
    mark.index = Math.round((mark.fair * (990 + this.#chance.below(21))) / 1000);
    this.model.marks.set(id, BigInt(mark.fair));
    this.model.indices.set(id, BigInt(mark.index));
  }

  /** Another price, at which nobody's orders rest yet. */
  #jump(id: SymbolId): void {
    for (const account of accounts) this.#cancel(id, account);
    this.#move(id, 800 + this.#chance.below(400));
  }

  step(): void {
    const id = this.#pick([first, second]);
    const account = this.#pick(accounts);
    const dice = this.#chance.below(100);
    if (dice < 60) this.#order(id, account);
    else if (dice < 75) this.#reduce(id, account);
    else if (dice < 82) this.#jump(id);
    else if (dice < 88) this.#transfer(account);
    else if (dice < 92) this.#cancel(id, account);
    else if (dice < 97) this.#set(id, account, this.#pick(['isolated', 'cross']), this.#pick([3, 7, 20, 50]));
    else this.#relist(id);
    this.#compare();
  }

  /** A price near the index, seldom beyond the band. */
  #price(id: SymbolId): number {
    const ticks = Math.round(Number(this.model.marks.get(id)) / 1e6);
    const share = this.#chance.below(8) === 0 ? 850 + this.#chance.below(300) : 970 + this.#chance.below(60);
    return Math.round((ticks * share) / 1000);
  }

  #lots(): number {
    return 1 + this.#chance.below(this.#pick([3, 12, 40]));
  }

  #isOutsideBand(id: SymbolId, side: Side, price: number): boolean {
    const [worth, index] = [BigInt(price) * 10n ** 6n, this.model.indices.get(id)!];
    return side === 'buy' ? worth * 10n > index * 11n : worth * 10n < index * 9n;
  }

  #order(id: SymbolId, account: (typeof accounts)[number]): void {
    const [side, price, lots] = [this.#pick(['buy', 'sell'] as const), this.#price(id), this.#lots()];
    const kind: OrderKind = this.#pick(['limit', 'limit', 'limit', 'immediateOrCancel']);
    const book = this.desk.engine.state.books[id]!;
    const bid = book.best(buySide) < 0 ? 0 : book.bestPrice(buySide);
    const bound = BigInt(side === 'sell' ? Math.max(price, bid) : price);
    const order = { ...orderOf(side, lots, price, kind), symbol: id };
    const events = this.desk.run({ kind: 'placeOrder', account, order });
    const [event] = events;
    const number = event?.kind === 'orderAccepted' ? event.order.order : -1;
    const naive = { id: number, account, contract: id, side, limit: BigInt(price), bound, lots: BigInt(lots) };
    const refusal = this.#isOutsideBand(id, side, price) ? 'priceOutsideBand' : openOrder(this.model, naive);
    this.#note(refusal ?? 'accepted');
    expect(event?.kind === 'orderRefused' ? event.reason : null).toBe(refusal);
    if (refusal !== null) return;
    this.#follow(book, events, number);
    if (this.model.orders.some((one) => one.id === number)) restOrder(this.model, number, BigInt(price));
  }

  #reduce(id: SymbolId, account: (typeof accounts)[number]): void {
    const [side, price, lots] = [this.#pick(['buy', 'sell'] as const), this.#price(id), this.#lots()];
    const order = { ...orderOf(side, lots, price, 'immediateOrCancel'), symbol: id };
    const events = this.desk.run({ kind: 'reducePosition', account, order });
    const [event] = events;
    const held = positionOf(this.model, account, id)?.lots ?? 0n;
    const most = side === 'buy' ? -held : held;
    const refusal = this.#isOutsideBand(id, side, price) ? 'priceOutsideBand' : most <= 0n ? 'noPosition' : null;
    expect(event?.kind === 'orderRefused' ? event.reason : null).toBe(refusal);
    if (event?.kind !== 'orderAccepted') return;
    this.#note('reduced');
    expect(event.order.quantity).toBe(Math.min(lots, Number(most)));
    this.#follow(this.desk.engine.state.books[id]!, events, null);
  }

  /** Gives the model the trades of an order, and asks it about those that did not happen. */
  #follow(book: Book, events: readonly Event[], own: number | null): void {
    const accepted = events.find((event) => event.kind === 'orderAccepted')!;
    const taker = accepted.kind === 'orderAccepted' ? accepted.order : null;
    let left = taker!.quantity as number;
    for (const event of events) {
      if (event.kind === 'tradeExecuted') {
        const { trade } = event;
        left -= trade.lots;
        const sides = {
          taker: { account: trade.takerAccount, order: own },
          maker: { account: trade.makerAccount, order: trade.maker },
        };
        const [ticks, lots] = [BigInt(trade.price), BigInt(trade.lots)];
        if (trade.takerAccount === trade.makerAccount) this.#note('self');
        expect(this.#fits(book, sides, trade.takerSide, { ticks, lots })).toEqual([true, true]);
        settleFill(this.model, { contract: book.symbol, ticks, lots, takerSide: trade.takerSide, ...sides });
      }
      if (event.kind === 'orderClosed') this.#closed(book, event.order, taker!, left);
    }
  }

  /** Whether taker and maker may fill. */
  #fits(
    book: Book,
    { taker, maker }: { taker: FillSide; maker: FillSide },
    takerSide: Side,
    { ticks, lots }: { ticks: bigint; lots: bigint },
  ): readonly boolean[] {
    const { takerFeePpm, makerFeePpm } = this.model.terms.get(book.symbol)!;
    const signed = takerSide === 'buy' ? lots : -lots;
    const isSelf = taker.account === maker.account;
    const fits = ({ account, order }: FillSide, own: bigint, feePpm: number): boolean => {
      const held = this.model.orders.some(({ id }) => id === order) ? order : null;
      const fill = { account, contract: book.symbol, lots: own, ticks, feePpm, order: held };
      const canPay = isSelf || canFill(this.model, account, book.symbol, own, ticks);
      return canPay && keepsMaintenance(this.model, fill, isSelf);
    };
    return [fits(taker, signed, takerFeePpm), fits(maker, -signed, makerFeePpm)];
  }

  #closed(book: Book, order: OrderView, taker: OrderView, left: number): void {
    if (order.closeReason === 'byExchange') {
      const isMaker = order.order !== taker.order;
      const { levels, orders } = this.desk.engine.state.tables;
      const opposing = taker.side === 'buy' ? sellSide : buySide;
      const facing = levels.queues.first(isMaker ? -1 : book.best(opposing));
      const maker = isMaker ? order.account : orders.account(facing);
      const rest = isMaker ? order.quantity - order.executed : orders.remaining(facing);
      const ticks = BigInt(isMaker ? order.price : book.bestPrice(opposing));
      const fill = { ticks, lots: BigInt(Math.min(left, rest)) };
      const resting = isMaker ? order.order : orders.number(facing);
      const fits = this.#fits(book, { taker, maker: { account: maker, order: resting } }, taker.side, fill);
      if (isMaker) expect(fits).toEqual([true, false]);
      else expect(fits[0]).toBe(false);
      this.#note(isMaker ? 'makerStopped' : 'takerStopped');
    }
    closeOrder(this.model, order.order);
  }

  #transfer(account: (typeof accounts)[number]): void {
    const amount = BigInt(1 + this.#chance.below(30_000));
    if (this.#chance.below(2) === 0) {
      this.desk.fund(account, amount);
      transfer(this.model, account, amount);
      return;
    }
    const refusal = transfer(this.model, account, -amount);
    this.#note(refusal ?? 'takenOut');
    expect(this.desk.takeOut(account, amount)).toBe(refusal ?? 'fundsTransferred');
  }

  #cancel(id: SymbolId, account: (typeof accounts)[number]): void {
    for (const event of this.desk.run({ kind: 'cancelOrders', account, symbols: [id] }))
      if (event.kind === 'orderClosed') closeOrder(this.model, event.order.order);
  }

  #set(id: SymbolId, account: (typeof accounts)[number], mode: MarginMode, leverage: number): void {
    const isBusy =
      this.model.orders.some((one) => one.account === account && one.contract === id) ||
      positionOf(this.model, account, id) !== undefined;
    const said = this.desk.say({ kind: 'setLeverage', account, contract: id, mode, leverage });
    expect(said).toBe(isBusy ? 'hasPosition' : 'positionChanged');
    if (!isBusy) this.model.settings.set(`${account}/${id}`, { mode, leverage: BigInt(leverage) });
  }

  /** Other fees and tiers, while orders rest and positions are open. */
  #relist(id: SymbolId): void {
    const lots = this.#pick([20, 100]);
    const [low, high] = terms.tiers;
    const changed = {
      ...listings[id - first]!,
      makerFeePpm: this.#pick([0, 100, 5_000]),
      takerFeePpm: this.#pick([400, 20_000]),
      tiers: [
        { ...low!, maxLots: as<never>(lots as never) },
        { ...high!, maxLots: as<never>((2 * lots) as never) },
      ],
    };
    expect(this.desk.say({ kind: 'configureContract', contract: changed })).toBe('contractConfigured');
    this.model.terms.set(id, naiveTerms(changed, id));
  }

  #compare(): void {
    const { model, desk } = this;
    expect(brokenInvariants(model)).toEqual([]);
    const { state } = desk.engine;
    for (const account of accounts) {
      const orders = model.orders.filter((one) => one.account === account).map(({ held }) => held);
      const positions = model.positions.filter((one) => one.account === account);
      const held = [...orders, ...positions.map(({ margin }) => margin)].reduce((sum, one) => sum + one, 0n);
      expect(desk.wallet(account)).toEqual([freeOf(model, account), held]);
      expect(state.positions.of(account).map(({ contract, lots, cost }) => [contract, BigInt(lots), cost])).toEqual(
        positions.sort((a, b) => a.contract - b.contract).map(({ contract, lots, cost }) => [contract, lots, cost]),
      );
      for (const { hold, contract, realised, lots } of state.positions.of(account)) {
        const position = positionOf(model, account, contract)!;
        expect([BigInt(state.holds.amount(hold)), realised]).toEqual([position.margin, position.realised]);
        expect(magnitude(position.lots)).toBe(BigInt(Math.abs(lots)));
      }
    }
    expect(desk.houseHas(innerHouse.clearing)).toBe(model.clearing);
    expect(desk.houseHas(house.fees)).toBe(model.fees);
  }
}

/** What must have happened at times, or the test says little. */
const happenings = [
  'accepted',
  'reduced',
  'self',
  'takenOut',
  'priceOutsideBand',
  'aboveRiskLimit',
  'notEnoughMargin',
  'notEnoughFunds',
  'makerStopped',
  'takerStopped',
];

describe('fills of contracts', () => {
  test('DEC-FUT-46, DEC-FUT-49: refusals, holds, margins and profits are those of the naive model', () => {
    const total = new Map<string, number>();
    for (let seed = 1; seed <= 8; seed += 1) {
      const pair = new Pair(seed);
      for (let left = 140; left > 0; left -= 1) pair.step();
      for (const [what, times] of pair.seen) total.set(what, (total.get(what) ?? 0) + times);
    }
    for (const what of happenings) expect(total.get(what) ?? 0, what).toBeGreaterThan(2);
  });
});
