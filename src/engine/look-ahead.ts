import type { Command, Entry } from '#domain/command.ts';
import { priceKey } from '#engine/book/book.ts';
import type { EngineState } from '#engine/state.ts';

/** So many commands are looked at together. */
const groupSize = 64;
/** With fewer live orders and fewer balances all that commands touch stays at hand anyway, but for client ids. */
const ordersWorthIt = 1 << 15;
export const balancesWorthIt = 1 << 14;
/** With fewer client ids in use these stay at hand as well. */
const idsWorthIt = 1 << 14;

/**
 * Reads where the next commands will work, so that all of it is on its way from memory at the same time, instead of
 * each command waiting for its own. It goes step by step, not command by command: what one step reads tells where the
 * next one has to, and the reads of one step do not wait for each other. Each step first notes places and then reads
 * them in loops that do nothing else (`Room.readNoted`). Changes nothing, and nothing depends on whether it was done.
 */
export class LookAhead {
  private readonly state: EngineState;
  /** Of the orders to be placed: who, where, which side, the key of the price, and how many lots. */
  private readonly accounts = new Int32Array(groupSize);
  private readonly symbols = new Int32Array(groupSize);
  private readonly sides = new Int32Array(groupSize);
  private readonly keys = new Float64Array(groupSize);
  private readonly lots = new Float64Array(groupSize);
  private placing = 0;
  /** Levels that they meet first, -1 where they will only rest. */
  private readonly met = new Int32Array(groupSize);
  /** Where they may rest, -1 where there is no such level yet. */
  private readonly levels = new Int32Array(groupSize);
  /** The orders that they meet after the first. */
  private readonly seconds = new Int32Array(groupSize);
  private secondCount = 0;
  /** Numbers of the orders to be cancelled, and their slots. */
  private readonly cancelled = new Float64Array(groupSize);
  private readonly slots = new Int32Array(groupSize);
  private cancelling = 0;
  /** Nobody reads it; writing it is what keeps the reads before it. */
  onItsWay = 0;

  constructor(state: EngineState) {
    this.state = state;
  }

  /** To be called for every entry before it is applied; looks at the next few when it is their turn. */
  at(entries: readonly Entry[], index: number): void {
    if (index % groupSize !== 0) return;
    const { tables, ledger } = this.state;
    const isMuch = tables.liveCount >= ordersWorthIt || ledger.balances.count >= balancesWorthIt;
    if (!isMuch && tables.clientIds.count < idsWorthIt) return;
    const end = Math.min(index + groupSize, entries.length);
    this.readIds(entries, index, end);
    if (isMuch) this.readAll(entries, index, end);
  }

  /** What client ids need: those that are forgotten, whose orders' slots the next orders take, and those that come. */
  private readIds(entries: readonly Entry[], from: number, to: number): void {
    const { closed, clientIds, numbers, orders } = this.state.tables;
    const then = entries[to - 1]!.at;
    closed.note(to - from);
    this.onItsWay = orders.readNoted();
    for (let turn = closed.earliest; turn < closed.earliest + to - from && closed.isOver(turn, then); turn += 1) {
      const slot = closed.slot(turn);
      clientIds.noteOf(slot);
      numbers.note(orders.number(slot));
    }
    for (let next = from; next < to; next += 1) {
      const { command } = entries[next]!;
      if (command.kind === 'placeOrder' && command.order.clientOrderId !== null)
        clientIds.note(command.account, command.order.clientOrderId);
    }
    this.onItsWay ^= clientIds.readNoted() ^ numbers.readNoted();
  }

  /** What else the commands touch, step by step. */
  private readAll(entries: readonly Entry[], from: number, to: number): void {
    this.placing = 0;
    this.cancelling = 0;
    for (let next = from; next < to; next += 1) this.gather(entries[next]!.command);
    this.readNoted();
    this.noteIndexes();
    this.readNoted();
    this.noteLevels();
    this.readNoted();
    this.noteQueues();
    this.readNoted();
    this.noteMakers();
    this.readNoted();
    this.noteSeconds();
    this.readNoted();
  }

  /** What a command names itself. */
  private gather(command: Command): void {
    const { state } = this;
    const { tables } = state;
    if (command.kind === 'placeOrder') {
      const { account, order } = command;
      if (state.books[order.symbol] === undefined || !state.accounts.isUser(account)) return;
      const { placing } = this;
      const side = order.side === 'buy' ? 0 : 1;
      this.accounts[placing] = account;
      this.symbols[placing] = order.symbol;
      this.sides[placing] = side;
      this.keys[placing] = order.price === null ? Number.POSITIVE_INFINITY : priceKey(side, order.price);
      this.lots[placing] = order.quantity ?? Number.POSITIVE_INFINITY;
      this.placing = placing + 1;
      state.accounts.note(account);
      tables.records.note(order.symbol);
    } else if (command.kind === 'cancelOrder') {
      const { account, symbol, ref } = command;
      if (!('order' in ref) || !state.accounts.isUser(account) || state.books[symbol] === undefined) return;
      this.cancelled[this.cancelling] = ref.order;
      this.cancelling += 1;
      tables.numbers.note(ref.order);
      tables.records.note(symbol);
    }
  }

  /** Where rows of balances and prices are looked for, the accounts' open orders, and orders to be cancelled. */
  private noteIndexes(): void {
    const { state, accounts, symbols, sides, keys, cancelled, slots, placing, cancelling } = this;
    const { tables, ledger } = state;
    let sum = 0;
    for (let at = 0; at < placing; at += 1) sum ^= state.books[symbols[at]!]!.touch();
    this.onItsWay = sum;
    for (let at = 0; at < placing; at += 1) {
      const book = state.books[symbols[at]!]!;
      const account = accounts[at]!;
      ledger.balances.noteIndex(account, book.base);
      ledger.balances.noteIndex(account, book.quote);
      const opposing = sides[at]! ^ 1;
      const meets = book.bestKey(opposing) + keys[at]! >= 0;
      this.met[at] = meets ? book.best(opposing) : -1;
      if (meets) {
        tables.levels.note(this.met[at]!);
      } else {
        book.side(sides[at]!).note(keys[at]!);
        state.accounts.openOrders.noteEnd(account);
      }
    }
    for (let at = 0; at < cancelling; at += 1) {
      const slot = tables.numbers.lateAt(cancelled[at]!);
      slots[at] = slot;
      if (slot >= 0) tables.orders.note(slot);
    }
  }

  /** Rows of balances, levels to rest at, queues that are met, and all that cancelled orders are bound up with. */
  private noteLevels(): void {
    const { state, accounts, symbols, sides, keys, met, levels, slots, placing, cancelling } = this;
    const { tables, ledger } = state;
    for (let at = 0; at < placing; at += 1) {
      const book = state.books[symbols[at]!]!;
      const account = accounts[at]!;
      ledger.balances.noteRow(account, book.base);
      ledger.balances.noteRow(account, book.quote);
      if (met[at]! >= 0) {
        tables.levels.queues.noteStart(met[at]!);
      } else {
        levels[at] = book.side(sides[at]!).find(keys[at]!);
        tables.levels.note(levels[at]!);
      }
    }
    for (let at = 0; at < cancelling; at += 1) if (slots[at]! >= 0) this.notePlaces(slots[at]!);
  }

  /** The first orders that are met, and queues to stand in. */
  private noteQueues(): void {
    const { tables } = this.state;
    const { met, levels, placing } = this;
    for (let at = 0; at < placing; at += 1) {
      if (met[at]! >= 0) {
        tables.orders.note(tables.levels.queues.first(met[at]!));
      } else if (levels[at]! >= 0) {
        tables.levels.queues.noteEnd(levels[at]!);
      }
    }
  }

  /** What the first orders that are met are bound up with, and the orders behind them. */
  private noteMakers(): void {
    const { tables } = this.state;
    const { met, lots, seconds, placing } = this;
    this.secondCount = 0;
    for (let at = 0; at < placing; at += 1) {
      if (met[at]! < 0) continue;
      const maker = tables.levels.queues.first(met[at]!);
      this.noteMaker(maker);
      if (lots[at]! <= tables.orders.remaining(maker)) continue;
      const second = tables.levels.queues.second(met[at]!);
      if (second < 0) continue;
      seconds[this.secondCount] = second;
      this.secondCount += 1;
      tables.orders.note(second);
    }
  }

  /** What those behind are bound up with. */
  private noteSeconds(): void {
    for (let at = 0; at < this.secondCount; at += 1) this.noteMaker(this.seconds[at]!);
  }

  /** Notes what a fill of a resting order changes; its level and queue were read before. */
  private noteMaker(slot: number): void {
    this.noteOwn(slot);
    const { tables, ledger } = this.state;
    ledger.balances.note(tables.orders.gets(slot));
  }

  /** Notes what a live order is bound up with, however it ends. */
  private notePlaces(slot: number): void {
    this.noteOwn(slot);
    const { tables } = this.state;
    tables.levels.note(tables.orders.level(slot));
    tables.levels.queues.note(tables.orders.levelLine(slot));
  }

  /** Notes what of its owner's an order changes. */
  private noteOwn(slot: number): void {
    const { tables, accounts, ledger } = this.state;
    const { orders } = tables;
    accounts.note(orders.account(slot));
    accounts.openOrders.note(orders.accountLine(slot));
    ledger.balances.note(orders.gives(slot));
  }

  private readNoted(): void {
    const { tables, accounts, ledger } = this.state;
    this.onItsWay ^=
      accounts.readNoted() ^
      accounts.openOrders.readNoted() ^
      tables.records.readNoted() ^
      tables.numbers.readNoted() ^
      tables.orders.readNoted() ^
      tables.levels.readNoted() ^
      tables.levels.queues.readNoted() ^
      tables.blocks.readNoted() ^
      ledger.balances.readNoted();
  }
}
