import type { Prng } from '#base/prng.ts';
import { createPrng } from '#base/prng.ts';
import type { Command, Entry } from '#model/command.ts';
import type { ContractState, ContractListing } from '#model/contract.ts';
import { markDecimals } from '#model/contract.ts';
import type { OrderKind, OrderRequest, Side } from '#model/order.ts';
import { sides, stpModes } from '#model/order.ts';
import type { AccountId, Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import { anyContract, anyTerms, contractAsset, contractOpening, firstTrader, traderCount } from './contract-opening.ts';
import { opposingOf } from './naive-contract-book.ts';
import type { NaiveContractExchange } from './naive-contract-exchange.ts';
import { positionOf, settingOf, termsOf, worstClosingPrice } from './naive-contracts.ts';
import { magnitude, orderHold } from './naive-margin.ts';

const kinds: readonly OrderKind[] = ['limit', 'limit', 'limit', 'limit', 'postOnly', 'immediateOrCancel', 'market'];
const hourMs = 3_600_000;
const start = 1_700_000_000_000;
/** Moves of an index in parts per thousand: mostly small, now and then a fall or a rise of up to 30 %. */
const smallMoves = [0, 0, 1, -1, 2, -2, 5, -5, 10, -10] as const;
const greatMoves = [-300, -200, -150, -100, -50, 50, 100, 150, 200, 300] as const;

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

/**
 * Random commands of a small futures exchange on which accounts own little and stake all of it. It reads the model to
 * find the edges: what a free margin still allows, what closes a position or turns it round, the price at which nothing
 * is left behind it. The same seed gives the same commands while the model stays the same.
 */
export class ContractStream {
  readonly settleScale: number;
  readonly #prng: Prng;
  readonly #contracts: ContractListing[];
  readonly #homes: number[];
  readonly #queue: Command[];
  #model: NaiveContractExchange | null = null;
  #seq = 0;
  #at = start;
  #length = 0;

  /** `length`: commands after which contracts are ended. */
  constructor(seed: number, length: number) {
    this.#prng = createPrng(seed);
    this.settleScale = this.#pick([0, 1, 2, 4]);
    this.#contracts = [0, 1, 2].map((index) => anyContract(this.#prng, index, this.settleScale));
    this.#homes = this.#contracts.map(() => this.#pick([5, 30, 200, 1_000]));
    this.#queue = [...contractOpening(this.settleScale, this.#contracts), this.#indices(false), ...this.#firstMoney()];
    this.#length = length;
  }

  /** Call it once, before the first command. */
  watch(model: NaiveContractExchange): void {
    this.#model = model;
  }

  next(): Entry {
    this.#seq += 1;
    const isEnding = this.#seq > this.#length && this.#queue.length === 0;
    const command = this.#queue.shift() ?? (isEnding ? this.#end() : this.#command());
    this.#at += this.#pick([0, 1, 40, 400, 1_000, 1_000, 2_500]);
    return { seq: as(this.#seq), epoch: as(0), at: as(this.#at), command };
  }

  #chance(share: number): boolean {
    return this.#prng.next() < share;
  }

  #pick<Value>(values: readonly Value[]): Value {
    return values[this.#prng.below(values.length)] as Value;
  }

  /** Hardly ever the account of a fund, or none. */
  #user(): AccountId {
    return as(firstTrader + this.#prng.below(this.#chance(0.01) ? traderCount + 4 : traderCount));
  }

  #contract(): number {
    return this.#prng.below(this.#contracts.length);
  }

  get #known(): NaiveContractExchange {
    return this.#model as NaiveContractExchange;
  }

  #unit(contract: number): number {
    const { size, sizeDecimals, priceDecimals } = this.#contracts[contract] as ContractListing;
    return size * 10 ** (this.settleScale - sizeDecimals - priceDecimals);
  }

  /** Enough for some contracts each, and the last account with next to nothing. */
  #firstMoney(): Command[] {
    const worth = Math.max(...this.#homes.map((home, contract) => home * this.#unit(contract)));
    const users = Array.from({ length: traderCount }, (_, index) => as<AccountId>(firstTrader + index));
    return users.map((account, index) =>
      this.#moveFunds(account, 'futures', index === traderCount - 1 ? 3 : Math.ceil(worth * this.#pick([1, 4, 10]))),
    );
  }

  #moveFunds(account: AccountId, to: 'spot' | 'futures', amount: number | bigint): Command {
    const from = to === 'spot' ? 'futures' : 'spot';
    const terms = { asset: as<never>(contractAsset.settle as never), amount: as<Balance>(BigInt(amount)) };
    return { kind: 'transferFunds', account, from, to, ...terms, clientTranId: null };
  }

  #command(): Command {
    if (this.#chance(0.15) && this.#paused() !== null) return this.#state();
    const roll = this.#prng.next();
    if (roll < 0.6) return this.#place();
    if (roll < 0.65) return this.#reduce();
    if (roll < 0.69) return this.#requote();
    if (roll < 0.73) return this.#cancel();
    if (roll < 0.79) return this.#transfer();
    if (roll < 0.93) return this.#indices(true);
    if (roll < 0.965) return this.#leverage();
    if (roll < 0.975) return this.#fund();
    return roll < 0.99 ? this.#configure() : this.#state();
  }

  /** An order, or the money without which it would be refused. */
  #place(): Command {
    const account = this.#user();
    const order = this.#order(account, this.#contract(), this.#side(account));
    const isPoor = this.#affordable(account, order.symbol, order.price ?? (this.#homes[order.symbol] as number)) === 0;
    return isPoor && this.#chance(0.6) ? this.#bring(account) : { kind: 'placeOrder', account, order };
  }

  /** Towards either end, so that positions grow. */
  #side(account: number): Side {
    return this.#chance(0.4) ? this.#pick(sides) : sides[account % 2]!;
  }

  #order(account: AccountId, contract: number, side: Side): OrderRequest {
    const kind: OrderKind = this.#chance(0.01) ? 'fillOrKill' : this.#pick(kinds);
    const price = this.#price(account, contract, side);
    return {
      symbol: as(contract),
      side,
      kind,
      price: kind === 'market' ? null : as(price),
      quantity: as(this.#lots(account, contract, side, price)),
      budget: null,
      clientOrderId: null,
      stpMode: this.#chance(0.8) ? 'none' : this.#pick(stpModes),
    };
  }

  /** Often at the best of the other side, or where nothing would be left behind a position. */
  #price(account: number, contract: number, side: Side): number {
    const home = this.#homes[contract] as number;
    const best = opposingOf(this.#known, contract, side)[0]?.price;
    const worst = worstClosingPrice(this.#known.state, account, contract);
    const near = home + Math.round(home * (this.#prng.next() - 0.5) * this.#pick([0.02, 0.1, 0.3]));
    const around =
      worst !== null && this.#chance(0.15)
        ? Number(worst)
        : best !== undefined && this.#chance(0.6)
          ? Number(best)
          : near;
    return clamp(around + this.#pick([0, 0, 0, 1, -1]), 1, 1_000_000);
  }

  /** What the free margin allows, what the best order has, what closes or turns a position, or a few. */
  #lots(account: number, contract: number, side: Side, price: number): number {
    const affordable = this.#affordable(account, contract, price);
    const best = opposingOf(this.#known, contract, side)[0]?.lots ?? 1n;
    const own = magnitude(positionOf(this.#known.state, account, contract)?.lots ?? 0n);
    const most = this.#known.mostLotsOf(account, contract);
    const edge = this.#pick([affordable, affordable, Number(best), Number(own), Number(own) * 2, Number(most)]);
    const wanted = this.#chance(0.5) ? edge + this.#pick([0, 0, 1, -1]) : 1 + this.#prng.below(6);
    const isModest = affordable > 0 && wanted > affordable + 1 && this.#chance(0.7);
    const least = this.#chance(0.05) ? 0 : (this.#contracts[contract] as ContractListing).minLots;
    return clamp(isModest ? 1 + this.#prng.below(affordable) : wanted, least, 2_000);
  }

  /** The most contracts that an account can order at a price. */
  #affordable(account: number, contract: number, price: number): number {
    const { state } = this.#known;
    const { leverage } = settingOf(state, account, contract);
    const free = this.#known.freeMarginOf(account);
    const isEnough = (lots: number): boolean =>
      orderHold(termsOf(state, contract), BigInt(price), BigInt(lots), leverage) <= free;
    let least = 0;
    let most = 2_000;
    while (least < most) {
      const middle = Math.ceil((least + most) / 2);
      if (isEnough(middle)) least = middle;
      else most = middle - 1;
    }
    return least;
  }

  #reduce(): Command {
    const positions = this.#known.state.positions.filter(({ account }) => account < firstTrader + traderCount);
    const position = positions.length === 0 || this.#chance(0.1) ? null : this.#pick(positions);
    const account = position === null ? this.#user() : as<AccountId>(position.account);
    const contract = position?.contract ?? this.#contract();
    const side = position === null ? this.#pick(sides) : position.lots > 0n ? 'sell' : 'buy';
    const order = this.#order(account, contract, this.#chance(0.95) ? side : this.#pick(sides));
    const isPriced = order.price !== null && this.#chance(0.9);
    return { kind: 'reducePosition', account, order: isPriced ? { ...order, kind: 'immediateOrCancel' } : order };
  }

  #requote(): Command {
    const account = this.#user();
    const contract = this.#contract();
    const place = Array.from({ length: this.#prng.below(3) }, () =>
      this.#order(account, contract, this.#side(account)),
    );
    if (this.#chance(0.3)) return { kind: 'placeOrders', account, orders: place };
    const own = this.#known.resting.filter((order) => order.account === account && order.contract === contract);
    const cancel = own.filter(() => this.#chance(0.5)).map(({ id }) => as<never>(id as never));
    return { kind: 'requote', account, symbol: as(contract), cancel, place };
  }

  #cancel(): Command {
    const { resting } = this.#known;
    if (resting.length === 0) return this.#transfer();
    const { id, account, contract } = this.#pick(resting);
    if (this.#chance(0.15))
      return { kind: 'cancelOrders', account: as(account), symbols: [as(contract), as(this.#contract())] };
    const owner = this.#chance(0.05) ? this.#user() : as<AccountId>(account);
    return { kind: 'cancelOrder', account: owner, symbol: as(contract), ref: { order: as(id) } };
  }

  /** All that may be taken out, a unit more or less; or money for a few contracts more. */
  #transfer(): Command {
    const account = this.#user();
    if (this.#chance(0.5)) return this.#bring(account);
    const most = this.#known.freeMarginOf(account) + this.#pick([0n, 0n, 1n, -1n]);
    const amount = this.#chance(0.5) ? most : most / 2n;
    return this.#moveFunds(account, 'spot', amount > 0n ? amount : 1n);
  }

  #bring(account: AccountId): Command {
    const contract = this.#contract();
    const worth = (this.#homes[contract] as number) * this.#unit(contract);
    return this.#moveFunds(
      account,
      'futures',
      Math.max(1, Math.round(worth * this.#prng.next() * this.#pick([0.1, 1, 3]))),
    );
  }

  /** Prices of all contracts; `moves`: they may move, be missing, and come hours later. */
  #indices(moves: boolean): Command {
    if (moves && this.#chance(0.08)) this.#leap();
    const isMissing = moves && this.#chance(0.03);
    if (isMissing) this.#at += this.#pick([1_000, 20_000, 59_999, 60_000]);
    const prices = this.#contracts.map((terms, contract) => {
      if (moves && this.#chance(0.5)) this.#move(contract);
      const ticks = (this.#homes[contract] as number) + (this.#chance(0.5) ? this.#prng.next() - 0.5 : 0);
      const price = Math.max(1, Math.round(ticks * 10 ** (markDecimals - terms.priceDecimals)));
      return { contract: as<never>(contract as never), price: isMissing && this.#chance(0.7) ? null : price };
    });
    return { kind: 'updateIndices', prices: this.#chance(0.97) ? prices : prices.slice(1) };
  }

  #move(contract: number): void {
    const home = this.#homes[contract] as number;
    const move = this.#chance(0.12) ? this.#pick(greatMoves) : this.#pick(smallMoves);
    this.#homes[contract] = clamp(Math.round(home * (1 + move / 1_000)), 2, 100_000);
  }

  /** To the next hour at which something may be due, or a moment before or after it; or some hours on. */
  #leap(): void {
    const hours = this.#pick([1, 1, 4, 8, 24]) * hourMs;
    const next = Math.floor(this.#at / hours + 1) * hours;
    this.#at = Math.max(this.#at, next + this.#pick([0, 0, -1, 1, 1_500, 90_000]));
  }

  #leverage(): Command {
    const free = Array.from({ length: 6 }, () => ({ account: this.#user(), contract: this.#contract() }));
    const idle = free.find(
      ({ account, contract }) =>
        positionOf(this.#known.state, account, contract) === undefined &&
        !this.#known.resting.some((order) => order.account === account && order.contract === contract),
    );
    const { account, contract } = idle ?? free[0]!;
    const mode = this.#chance(0.6) ? 'isolated' : 'cross';
    return {
      kind: 'setLeverage',
      account,
      contract: as(contract),
      mode,
      leverage: this.#pick([1, 2, 5, 10, 20, 50, 101]),
    };
  }

  #fund(): Command {
    const contract = this.#contract();
    const worth = (this.#homes[contract] as number) * this.#unit(contract);
    const amount = 1 + Math.round(worth * this.#prng.next() * this.#pick([0.1, 1, 5]));
    return { kind: 'fundInsurance', contract: as(contract), amount: as(BigInt(amount)) };
  }

  #configure(): Command {
    const contract = this.#contract();
    const before = this.#contracts[contract] as ContractListing;
    const { tiers, ...terms } = anyTerms(this.#prng);
    const contractListing = { ...before, ...terms, tiers: this.#chance(0.3) ? tiers : before.tiers };
    this.#contracts[contract] = contractListing;
    return { kind: 'configureContract', contract: contractListing };
  }

  /** A pause, or the end of one; ended contracts stay as they are. */
  #state(): Command {
    const paused = this.#paused();
    if (paused !== null) return { kind: 'setContractState', contract: as(paused), state: 'enabled' };
    const wanted: ContractState = this.#chance(0.9) ? 'paused' : this.#pick(['delivered', 'enabled']);
    return { kind: 'setContractState', contract: as(this.#contract()), state: wanted };
  }

  #paused(): number | null {
    return [...this.#known.markets].find(([, { state }]) => state === 'paused')?.[0] ?? null;
  }

  /** What is left to end: by delivery, or at once. */
  #end(): Command {
    const open = [...this.#known.markets].find(([, { state }]) => state !== 'offline' && state !== 'delivered');
    if (open === undefined) return this.#transfer();
    const [contract, { state }] = open;
    if (state === 'delivery' && this.#chance(0.6)) return this.#chance(0.6) ? this.#reduce() : this.#indices(true);
    const next: ContractState =
      state === 'delivery' ? 'delivered' : state === 'enabled' && this.#chance(0.6) ? 'delivery' : 'offline';
    return { kind: 'setContractState', contract: as(contract), state: next };
  }
}
