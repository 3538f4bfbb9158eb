import type { Command } from '#model/command.ts';
import type { ContractState, ContractListing } from '#model/contract.ts';
import type { OrderRequest, Side } from '#model/order.ts';
import { deliver } from './naive-delivery.ts';
import type { NaiveBookOrder, NaiveBooks } from './naive-contract-book.ts';
import { endOrder, mostLots, opposingOf, runOrder } from './naive-contract-book.ts';
import type { NaiveFutures } from './naive-contracts.ts';
import {
  addFree,
  crossOf,
  freeOf,
  newFutures,
  openOrder,
  positionOf,
  settingOf,
  transfer,
  worstClosingPrice,
} from './naive-contracts.ts';
import { isWaiting, updatePositions } from './naive-liquidation.ts';
import { naiveTerms, takenLine } from './naive-listing.ts';
import type { NaiveTerms } from './naive-margin.ts';
import { bankruptcyPrice, freeMargin, greater, lesser, magnitude, notional, perTickLot } from './naive-margin.ts';

const million = 1_000_000n;
const safe = BigInt(Number.MAX_SAFE_INTEGER);
/** The house has the ones before. */
const firstAccount = 4;
const missingMs = 60_000;
const snapshotMs = 4 * 3_600_000;

/** A listed contract, and what was told of it. */
interface NaiveMarket {
  rules: ContractListing;
  state: ContractState;
  index: bigint | null;
  indexAt: number;
  /** Of the last snapshot of the fund, or of the listing: whole spans of four hours since 1970. */
  snapshotSpan: number;
}

/** Fair prices and due rates of an update: how they are made is compared elsewhere. */
export interface ToldPrices {
  readonly fair: ReadonlyMap<number, bigint>;
  readonly fundings: ReadonlyMap<number, bigint>;
}

/** Contracts, orders and money as the rules have them, by the commands that a journal has. */
export class NaiveContractExchange implements NaiveBooks {
  readonly state: NaiveFutures = newFutures([]);
  readonly markets = new Map<number, NaiveMarket>();
  readonly lastPrices = new Map<number, bigint>();
  readonly grouped = new Set<number>();
  resting: NaiveBookOrder[] = [];
  lines: string[] = [];
  /** Cases that have come up. */
  readonly met = new Set<string>();
  /** Users in the order of opening; funds are none. */
  readonly users: number[] = [];
  /** Free balances of spot wallets in the settle asset. */
  readonly spot = new Map<number, bigint>();
  readonly #settleScale: bigint;
  #lastOrder = 0;
  #accounts = firstAccount;
  #at = 0;
  #told: ToldPrices = { fair: new Map(), fundings: new Map() };

  constructor(settleScale: number) {
    this.#settleScale = BigInt(settleScale);
  }

  /** Does what a command does, and answers a line for each thing that happened. */
  apply(at: number, command: Command, told: ToldPrices): readonly string[] {
    this.#at = at;
    this.#told = told;
    this.lines = [];
    const act = this.#acts[command.kind] as ((command: Command) => void) | undefined;
    act?.(command);
    return this.lines;
  }

  isListed(contract: number): boolean {
    return this.markets.has(contract);
  }

  /** What concerns contracts; the rest of an opening is of no account to them. */
  readonly #acts: { readonly [Kind in Command['kind']]?: (command: Extract<Command, { kind: Kind }>) => void } = {
    openAccount: () => this.users.push(this.#accounts++),
    createStpGroup: ({ master }) => this.grouped.add(master),
    creditFunds: ({ account, amount }) => this.spot.set(account, (this.spot.get(account) ?? 0n) + amount),
    configureContract: ({ contract }) => this.#configure(contract),
    setContractState: ({ contract, state }) => this.#refuse(this.#setState(contract, state)),
    setLeverage: (command) => this.#refuse(this.#setLeverage(command)),
    fundInsurance: ({ contract, amount }) => {
      addFree(this.state, this.#terms(contract).fund, amount);
      this.state.transferredIn += amount;
    },
    transferFunds: (command) => this.#refuse(this.#transfer(command)),
    updateIndices: (command) => this.#update(command),
    placeOrder: ({ account, order }) => this.#place(account, order, false),
    reducePosition: ({ account, order }) => this.#place(account, order, true),
    placeOrders: ({ account, orders }) => {
      for (const order of orders) this.#place(account, order, false);
    },
    requote: ({ account, symbol, cancel, place }) => {
      for (const id of cancel) this.#cancel(account, symbol, id);
      for (const order of place) this.#place(account, order, false);
    },
    cancelOrder: ({ account, symbol, ref }) => {
      const id = 'order' in ref ? ref.order : -1;
      if (!this.#cancel(account, symbol, id)) this.lines.push(`cancel of ${account} refused`);
    },
    cancelOrders: ({ account, symbols }) => {
      const own = this.resting.filter((order) => order.account === account);
      for (const order of own.filter(({ contract }) => symbols.some((id) => id === contract)))
        endOrder(this, order, 'byUser');
    },
  };

  #refuse(reason: string | null): void {
    if (reason !== null) this.lines.push(`refused ${reason}`);
  }

  #terms(contract: number): NaiveTerms {
    return this.state.terms.get(contract) as NaiveTerms;
  }

  #configure(rules: ContractListing): void {
    const listed = [...this.markets].find(([, market]) => market.rules.name === rules.name)?.[0];
    const id = listed ?? this.markets.size;
    const fund = listed === undefined ? this.#accounts++ : this.#terms(listed).fund;
    this.state.terms.set(id, naiveTerms(rules, { id, fund, settleScale: this.#settleScale }));
    const market = this.markets.get(id);
    if (market !== undefined) market.rules = rules;
    else {
      const snapshotSpan = Math.floor(this.#at / snapshotMs);
      this.markets.set(id, { rules, state: rules.state, index: null, indexAt: this.#at, snapshotSpan });
    }
  }

  #cancel(account: number, contract: number, id: number): boolean {
    const order = this.resting.find((one) => one.id === id && one.account === account && one.contract === contract);
    if (order !== undefined) endOrder(this, order, 'byUser');
    return order !== undefined;
  }

  #place(account: number, request: OrderRequest, reduces: boolean): void {
    const refusal = this.#earlyRefusal(account, request, reduces) ?? this.#accept(account, request, reduces);
    if (refusal !== null) this.lines.push(`order of ${account} refused ${refusal}`);
  }

  #earlyRefusal(account: number, request: OrderRequest, reduces: boolean): string | null {
    const market = this.markets.get(request.symbol);
    const { side, kind } = request;
    if (market === undefined) return reduces ? 'unknownContract' : 'unknownSymbol';
    if (reduces && kind !== 'market' && kind !== 'immediateOrCancel') return 'kindNotAllowed';
    // What only closes is taken in delivery, too. DEC-FUT-57.
    if (market.state !== 'enabled' && !(reduces && market.state === 'delivery')) return 'contractNotTradable';
    if (kind === 'fillOrKill') return 'kindNotAllowed';
    const lots = BigInt(request.quantity ?? 0);
    if (lots < BigInt(Math.max(1, market.rules.minLots))) return 'belowMinimumQuantity';
    const reference =
      request.price ?? this.lastPrices.get(request.symbol) ?? opposingOf(this, request.symbol, side)[0]?.price ?? 0n;
    if (notional(this.#terms(request.symbol), BigInt(reference), lots) > safe) return 'aboveMaximumAmount';
    if (lots > BigInt(market.rules.maxLots)) return 'aboveMaximumAmount';
    if (request.price !== null && this.#isOutsideBand(market, side, BigInt(request.price), request.symbol))
      return 'priceOutsideBand';
    return this.#accountRefusal(account);
  }

  /** Funds take nothing from outside. DEC-FUT-58. */
  #accountRefusal(account: number): string | null {
    if (this.users.includes(account)) return null;
    return account < firstAccount || account >= this.#accounts ? 'unknownAccount' : 'accountNotUsable';
  }

  /** Buys above the index by more than the bid's rate, sells below it by more than the ask's. DEC-FUT-07. */
  #isOutsideBand({ rules, index }: NaiveMarket, side: Side, ticks: bigint, contract: number): boolean {
    if (index === null) return false;
    const price = ticks * 10n ** (8n - this.#terms(contract).priceDecimals) * million;
    return side === 'buy'
      ? price > index * (million + BigInt(rules.bidLimitPpm))
      : price < index * (million - BigInt(rules.askLimitPpm));
  }

  /** Accepts an order and runs it, or answers why not. */
  #accept(account: number, request: OrderRequest, reduces: boolean): string | null {
    const { side, kind, symbol: contract } = request;
    const own = positionOf(this.state, account, contract)?.lots ?? 0n;
    const reducible = side === 'buy' ? greater(0n, -own) : greater(0n, own);
    if (reduces && reducible === 0n) return 'noPosition';
    const wanted = BigInt(request.quantity ?? 0);
    const lots = reduces ? lesser(wanted, reducible) : wanted;
    const best = opposingOf(this, contract, side)[0]?.price;
    const price = request.price === null ? this.#collar(contract, side) : BigInt(request.price);
    if (kind === 'market' && best === undefined) return 'noOpposingOrder';
    const crosses = best !== undefined && (side === 'buy' ? price >= best : price <= best);
    if (kind === 'postOnly' && crosses) return 'wouldTakeLiquidity';
    const id = this.#lastOrder + 1;
    if (!reduces) {
      const bound = side === 'sell' && best !== undefined ? greater(price, best) : price;
      const refusal = openOrder(this.state, { id, account, contract, side, limit: price, bound, lots });
      if (refusal !== null) return refusal;
    }
    this.#lastOrder = id;
    runOrder(this, { id, account, contract, side, kind, price, stp: request.stpMode, reduces, lots });
    return null;
  }

  /** How far a market order may walk from the last price, or from the best one before any trade. */
  #collar(contract: number, side: Side): bigint {
    const reference = this.lastPrices.get(contract) ?? opposingOf(this, contract, side)[0]?.price ?? 0n;
    const share = BigInt(this.markets.get(contract)?.rules.collarPpm ?? 0);
    if (side === 'buy') return (reference * (million + share)) / million;
    return greater(1n, (reference * (million - share) + million - 1n) / million);
  }

  #setLeverage(command: Extract<Command, { kind: 'setLeverage' }>): string | null {
    const { account, contract, mode } = command;
    const leverage = BigInt(command.leverage);
    if (!this.isListed(contract)) return 'unknownContract';
    const refusal = this.#accountRefusal(account);
    if (refusal !== null) return refusal;
    const most = this.#terms(contract).tiers.reduce((all, tier) => greater(all, tier.maxLeverage), 0n);
    if (leverage < 1n || leverage > most) return 'wrongLeverage';
    const isBusy = this.resting.some((order) => order.account === account && order.contract === contract);
    if (isBusy || positionOf(this.state, account, contract) !== undefined) return 'hasPosition';
    this.state.settings.set(`${account}/${contract}`, { mode, leverage });
    return null;
  }

  #transfer(command: Extract<Command, { kind: 'transferFunds' }>): string | null {
    const { account, to, amount } = command;
    const spot = this.spot.get(account) ?? 0n;
    if (this.#accountRefusal(account) === 'unknownAccount') return 'unknownAccount';
    if (amount <= 0n) return 'wrongAmount';
    const refusal = to === 'spot' ? transfer(this.state, account, -amount) : amount > spot ? 'notEnoughFunds' : null;
    if (refusal !== null) return refusal;
    if (to === 'futures') transfer(this.state, account, amount);
    this.spot.set(account, to === 'spot' ? spot + amount : spot - amount);
    return null;
  }

  #setState(contract: number, wanted: ContractState): string | null {
    const market = this.markets.get(contract);
    if (market === undefined) return 'unknownContract';
    if (!nextStates[market.state].includes(wanted)) return 'wrongState';
    if (wanted === 'delivered' || wanted === 'offline') {
      this.#endOrdersOf(contract);
      const before = this.state.transferredIn;
      const isOpen = this.openInterest(contract) > 0n;
      for (const part of deliver(this.state, contract, this.lastPrices.get(contract) ?? 0n))
        this.#take('delivery', { ...part, fee: 0n });
      if (this.state.transferredIn > before) this.met.add('the house gives for a delivery');
      if (isOpen) this.#tellMark(contract);
    }
    this.#move(contract, market, wanted);
    return null;
  }

  #endOrdersOf(contract: number): void {
    for (const side of ['sell', 'buy'] as const)
      for (const order of opposingOf(this, contract, side)) endOrder(this, order, 'byExchange');
  }

  #move(contract: number, market: NaiveMarket, wanted: ContractState): void {
    market.state = wanted;
    if (wanted === 'enabled' || wanted === 'delivery') this.state.paused.delete(contract);
    else this.state.paused.add(contract);
  }

  #update({ prices }: Extract<Command, { kind: 'updateIndices' }>): void {
    for (const [id, market] of this.markets) {
      if (market.state === 'delivered' || market.state === 'offline') continue;
      const price = prices.find(({ contract }) => contract === id)?.price ?? null;
      if (price !== null) {
        market.index = BigInt(price);
        market.indexAt = this.#at;
      }
      if (market.index !== null) this.state.indices.set(id, market.index);
      const fair = this.#told.fair.get(id);
      if (fair !== undefined) this.state.marks.set(id, fair);
    }
    for (const [id, market] of this.markets)
      if (market.state === 'enabled' && this.#at - market.indexAt >= missingMs) this.#move(id, market, 'paused');
    const { takeovers, deleveragings, fundings } = updatePositions(this.state, this.#at, this.#told.fundings, () => {
      this.#dropCancelled();
      for (const id of this.markets.keys()) this.#orderForFund(id);
    });
    for (const { contract, paid, received, unable } of fundings) {
      this.lines.push(`funding of ${contract}: ${paid} paid, ${received} received`);
      if (unable.length > 0) this.met.add('a funding that somebody cannot pay');
    }
    if (this.state.waited > 0) this.met.add('a takeover that waits');
    for (const part of takeovers) this.#take('liquidation', part);
    for (const part of deleveragings) this.#take('deleveraging', { ...part, fee: 0n });
    for (const [id, market] of this.markets) {
      if (market.state === 'delivered' || market.state === 'offline') continue;
      this.#tellMark(id);
      const span = Math.floor(this.#at / snapshotMs);
      if (span === market.snapshotSpan) continue;
      market.snapshotSpan = span;
      this.lines.push(`snapshot of ${id}: ${freeOf(this.state, this.#terms(id).fund)} at ${span * snapshotMs}`);
    }
  }

  #take(reason: string, taken: Parameters<typeof takenLine>[1]): void {
    this.lines.push(takenLine(reason, taken));
    this.met.add(`${reason}, the fund ${taken.fromFund > 0n ? 'pays' : taken.fromFund < 0n ? 'gets' : 'is even'}`);
    const left = positionOf(this.state, taken.account, taken.contract);
    this.met.add(`${reason} of ${left === undefined ? 'all' : 'a part'}`);
    this.met.add(`${reason} of a ${settingOf(this.state, taken.account, taken.contract).mode} position`);
  }

  #tellMark(contract: number): void {
    const fund = freeOf(this.state, this.#terms(contract).fund);
    this.lines.push(`mark of ${contract}: ${this.openInterest(contract)} open, ${fund} in the fund`);
  }

  /** Orders that a liquidation cancelled hold nothing any more: they leave their books. */
  #dropCancelled(): void {
    const held = new Set(this.state.orders.map(({ id }) => id));
    for (const order of this.resting.filter(({ id }) => !held.has(id))) endOrder(this, order, 'byExchange');
  }

  /** The fund closes by an order within the price band and its means, if somebody is there to trade. DEC-FUT-55. */
  #orderForFund(contract: number): void {
    const { fund } = this.#terms(contract);
    const own = positionOf(this.state, fund, contract);
    const market = this.markets.get(contract);
    if (own === undefined || market === undefined || market.index === null || isWaiting(this.state, contract)) return;
    const side = own.lots > 0n ? 'sell' : 'buy';
    const best = opposingOf(this, contract, side)[0]?.price;
    const price = this.#fundLimit(market, contract, side);
    if (best === undefined || (side === 'buy' ? best > price : best < price)) return;
    this.#lastOrder += 1;
    const id = this.#lastOrder;
    const lots = magnitude(own.lots);
    this.met.add('an order of a fund');
    const terms = { account: fund, contract, side, kind: 'immediateOrCancel', stp: 'none', reduces: true } as const;
    runOrder(this, { id, ...terms, price, lots });
  }

  /**
   * The end of the price band, where the fund has lost all it has, or the worse of its mean price and the index: what
   * comes first. DEC-FUT-55, DEC-FUT-104.
   */
  #fundLimit({ index, rules }: NaiveMarket, contract: number, side: Side): bigint {
    const { fund, priceDecimals } = this.#terms(contract);
    const own = positionOf(this.state, fund, contract);
    const worst = worstClosingPrice(this.state, fund, contract) ?? 1n;
    const mean = own === undefined ? 1n : bankruptcyPrice(this.#terms(contract), own.lots, own.cost, 0n);
    const tick = 10n ** (8n - priceDecimals);
    const marks = index ?? 0n;
    if (side === 'buy') {
      const highest = (marks * (million + BigInt(rules.bidLimitPpm))) / (tick * million);
      return greater(1n, lesser(worst, lesser(highest, greater(mean, marks / tick))));
    }
    const lowest = marks * (million - BigInt(rules.askLimitPpm));
    const band = (lowest + tick * million - 1n) / (tick * million);
    return greater(worst, greater(band, lesser(mean, (marks + tick - 1n) / tick)));
  }

  /** What an account can order with or take out. */
  freeMarginOf(account: number): bigint {
    return freeMargin(freeOf(this.state, account), crossOf(this.state, account));
  }

  /** The most contracts that an account's position may have at its leverage. */
  mostLotsOf(account: number, contract: number): bigint {
    return mostLots(this.state, account, contract);
  }

  unitOf(contract: number): bigint {
    return perTickLot(this.#terms(contract));
  }

  openInterest(contract: number): bigint {
    const own = this.state.positions.filter((position) => position.contract === contract);
    return own.reduce((total, { lots }) => total + magnitude(lots), 0n) / 2n;
  }
}

const nextStates: Record<ContractState, readonly ContractState[]> = {
  enabled: ['paused', 'delivery', 'offline'],
  paused: ['enabled', 'offline'],
  delivery: ['delivered', 'offline'],
  delivered: ['offline'],
  offline: [],
};
