import { houseAccountCount } from '#model/account.ts';
import { ClientOrderId } from '#model/client-order-id.ts';
import type { Command, Entry } from '#model/command.ts';
import { noopSink } from '#model/event-record.ts';
import type { EventSink } from '#model/events.ts';
import type { OrderRequest } from '#model/order.ts';
import type { SymbolListing } from '#model/symbol.ts';
import type { AccountId, Balance, SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { StateMachine } from '#engine/create-engine.ts';
import { createEngine } from '#engine/create-engine.ts';
import { timed } from './harness.ts';
import { listingOf } from './permissive-listing.ts';
import { w1Operation } from './w1-workload.ts';
import type { Workload } from './workload.ts';
import { clientIdOf, quotesOfWide } from './workload.ts';

type Mutable<Value> = { -readonly [Name in keyof Value]: Value[Name] };

const began = 1_700_000_000_000;
const fundsOfEach = 50_000_000_000_000n;

/** Every rule that an order passes is on: fees, percent-price filter, collar, minimums and maximums. */
const listing = (symbol: number, base: number, quote: number): SymbolListing =>
  listingOf({
    name: `S${symbol}`,
    base: as(base),
    quote: as(quote),
    bidMultiplierUpPpm: 1_200_000,
    askMultiplierDownPpm: 800_000,
  });

/** Assets of a symbol: base assets first, then the quotes they share. */
function assetsOf(workload: Workload, symbol: number): { base: number; quote: number } {
  const perBase = Math.min(workload.symbols, quotesOfWide);
  const bases = Math.ceil(workload.symbols / perBase);
  return { base: Math.floor(symbol / perBase), quote: bases + (symbol % perBase) };
}

/** Commands that list the symbols, open the accounts, give each a prevention group, and fund what they will need. */
export function* setUpCommands(workload: Workload): Generator<Command> {
  const { symbols, accounts } = workload;
  const last = assetsOf(workload, symbols - 1);
  const assetCount = Math.max(last.base, assetsOf(workload, Math.min(symbols, quotesOfWide) - 1).quote) + 1;
  for (let id = 0; id < assetCount; id += 1) {
    const rules = { code: `A${id}`, fullName: '', scale: 8, cap: as<Balance>(2n ** 62n - 1n), coinId: '0'.repeat(32) };
    yield { kind: 'configureAsset', asset: rules };
  }
  for (let id = 0; id < symbols; id += 1) {
    const { base, quote } = assetsOf(workload, id);
    yield { kind: 'configureSymbol', symbol: listing(id, base, quote) };
  }
  for (let index = 0; index < accounts; index += 1) {
    const account = as<AccountId>(houseAccountCount + index);
    yield {
      kind: 'openAccount',
      uid: as(10_000_000 + index),
      name: '',
      master: null,
      class: 'user',
      kycLevel: 1,
      simulated: false,
    };
    yield { kind: 'createStpGroup', master: account, name: 'own' };
    yield { kind: 'addToStpGroup', master: account, group: index + 1, members: [account] };
  }
  const funded = new Set<number>();
  for (let at = 0; at < workload.count; at += 1) {
    const { base, quote } = assetsOf(workload, workload.symbol[at]!);
    const asset = workload.side[at] === 0 ? quote : base;
    const account = workload.account[at]!;
    const key = account * assetCount + asset;
    if (workload.operation[at] === w1Operation.cancel || funded.has(key)) continue;
    funded.add(key);
    yield { kind: 'creditFunds', account: as(account), asset: as(asset), amount: as(fundsOfEach) };
  }
}

/** So many entries are made at a time. */
const piece = 256;

/** Feeds a workload to an engine, in pieces of entries whose objects are used again, as from a journal's reader. */
export class WorkloadFeed {
  readonly #slots: readonly EntrySlot[];
  readonly #entries: readonly Entry[];

  constructor(workload: Workload) {
    this.#slots = Array.from({ length: piece }, () => new EntrySlot(workload));
    this.#entries = this.#slots.map((slot) => slot.entry);
  }

  /** The entry of one operation, to be used before anything else is asked for. */
  entry(index: number, seq: number): Entry {
    return this.#slots[0]!.write(index, seq);
  }

  /** Applies the operations from `from` to before `to`; answers the seconds it took, without making the entries. */
  run(engine: StateMachine, sink: EventSink, from: number, to: number): number {
    let seconds = 0;
    for (let first = from; first < to; first += piece) {
      const count = Math.min(piece, to - first);
      const seq = engine.seq + 1;
      for (let index = 0; index < count; index += 1) this.#slots[index]!.write(first + index, seq + index);
      seconds += timed(() => this.#apply(engine, sink, count));
    }
    return seconds;
  }

  #apply(engine: StateMachine, sink: EventSink, count: number): void {
    const entries = this.#entries;
    for (let index = 0; index < count; index += 1) engine.apply(entries[index]!, sink);
  }
}

/** An entry that is written over and over, with every command that it may have. */
class EntrySlot {
  readonly entry: Mutable<Entry>;
  readonly #workload: Workload;
  readonly #id = new ClientOrderId();
  readonly #order: Mutable<OrderRequest>;
  readonly #place: Mutable<Extract<Command, { kind: 'placeOrder' }>>;
  readonly #cancel: Mutable<Extract<Command, { kind: 'cancelOrder' }>>;

  constructor(workload: Workload) {
    this.#workload = workload;
    this.#order = {
      symbol: as(0),
      side: 'buy',
      kind: 'limit',
      price: null,
      quantity: null,
      budget: null,
      clientOrderId: null,
      stpMode: workload.selfTrades === true ? 'none' : 'cancelTaker',
    };
    this.#place = { kind: 'placeOrder', account: as(0), order: this.#order };
    this.#cancel = { kind: 'cancelOrder', account: as(0), symbol: as(0), ref: { order: as(0) } };
    this.entry = { seq: as(0), epoch: as(0), at: as(0), command: this.#place };
  }

  /** Makes it the entry of an operation. One operation a millisecond. */
  write(index: number, seq: number): Entry {
    const workload = this.#workload;
    const { entry } = this;
    entry.seq = as(seq);
    entry.at = as(began + index);
    if (workload.operation[index] === w1Operation.cancel) {
      const cancel = this.#cancel;
      cancel.account = as(workload.account[index]!);
      cancel.symbol = as(workload.symbol[index]!);
      (cancel.ref as { order: number }).order = workload.order[index]!;
      entry.command = cancel;
      return entry;
    }
    const isMarket = workload.operation[index] === w1Operation.market;
    const order = this.#order;
    order.symbol = as(workload.symbol[index]!);
    order.side = workload.side[index] === 0 ? 'buy' : 'sell';
    order.kind = isMarket ? 'market' : 'limit';
    order.price = isMarket ? null : as(workload.price[index]!);
    order.quantity = as(workload.quantity[index]!);
    order.clientOrderId = this.#id.read(clientIdOf(workload, index));
    this.#place.account = as(workload.account[index]!);
    entry.command = this.#place;
    return entry;
  }
}

function ownOperation(workload: Workload, index: number): Command {
  const account = as<AccountId>(workload.account[index]!);
  const symbol = as<SymbolId>(workload.symbol[index]!);
  if (workload.operation[index] === w1Operation.cancel)
    return { kind: 'cancelOrder', account, symbol, ref: { order: as(workload.order[index]!) } };
  const isMarket = workload.operation[index] === w1Operation.market;
  return {
    kind: 'placeOrder',
    account,
    order: {
      symbol,
      side: workload.side[index] === 0 ? 'buy' : 'sell',
      kind: isMarket ? 'market' : 'limit',
      price: isMarket ? null : as(workload.price[index]!),
      quantity: as(workload.quantity[index]!),
      budget: null,
      clientOrderId: ClientOrderId.of(clientIdOf(workload, index)),
      stpMode: 'cancelTaker',
    },
  };
}

const setUps = new WeakMap<Workload, readonly Command[]>();

function setUpOf(workload: Workload): readonly Command[] {
  let setUp = setUps.get(workload);
  if (setUp === undefined) setUps.set(workload, (setUp = [...setUpCommands(workload)]));
  return setUp;
}

/**
 * A command of its own that may be kept, as a gateway makes it, of the set-up and the workload behind it; `at` counts
 * from the first set-up command.
 */
export function ownCommand(workload: Workload, at: number): Command {
  const setUp = setUpOf(workload);
  return setUp[at] ?? ownOperation(workload, at - setUp.length);
}

/** Entries of those commands, from `from` to before `to`, as a sequencer makes them; `first` is the first position. */
export function ownEntries(workload: Workload, from: number, to: number, first = from + 1): Entry[] {
  const setUp = setUpOf(workload).length;
  const entries: Entry[] = [];
  for (let at = from; at < to; at += 1) {
    const time = began + Math.max(0, at - setUp);
    entries.push({ seq: as(first + at - from), epoch: as(0), at: as(time), command: ownCommand(workload, at) });
  }
  return entries;
}

/** An engine with every rule and account of the workload, and empty books. */
export const emptyExchange = (workload: Workload): StateMachine => exchangeOf(setUpCommands(workload));

/** An engine that applied these commands, none of which it may refuse. */
export function exchangeOf(commands: Iterable<Command>): StateMachine {
  const engine = createEngine();
  const sink: EventSink = {
    ...noopSink,
    fact: (fact) => {
      if (fact.kind === 'commandRefused') throw new Error(`the set-up was refused: ${fact.reason}`);
    },
  };
  for (const command of commands) {
    engine.apply({ seq: as(engine.seq + 1), epoch: as(0), at: as(began), command }, sink);
  }
  return engine;
}
