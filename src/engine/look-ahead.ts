import type { Command, Entry } from '#domain/command.ts';
import { accountShift, accountWord } from '#engine/accounts/account-table.ts';
import { priceKey } from '#engine/book/book.ts';
import { idsAtOnce } from '#engine/book/client-ids.ts';
import { slotOf } from '#engine/book/order-reference.ts';
import { orderWord, wordsShift } from '#engine/book/order-table.ts';
import type { EngineState } from '#engine/state.ts';

/** So many commands are looked at together: about as many reads as a processor can wait for at a time. */
const groupSize = idsAtOnce;
/** With fewer live orders all that commands touch stays at hand anyway. */
const ordersWorthIt = 1 << 15;

/**
 * Reads where the next commands will work, so that all of it is on its way from memory at the same time, instead of
 * each command waiting for its own. It goes step by step, not command by command: what one step reads tells where the
 * next one has to, and the reads of one step do not wait for each other. Changes nothing, and nothing depends on
 * whether it was done.
 */
export class LookAhead {
  private readonly state: EngineState;
  /** Of the orders to be placed: who, where, which side, the key of the price, and the level met first. */
  private readonly accounts = new Int32Array(groupSize);
  private readonly symbols = new Int32Array(groupSize);
  private readonly sides = new Int32Array(groupSize);
  private readonly keys = new Float64Array(groupSize);
  private readonly levels = new Int32Array(groupSize);
  /** Records of the orders that they meet first. */
  private readonly makers = new Int32Array(groupSize);
  private placing = 0;
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
    const { clientIds, orders } = this.state.tables;
    clientIds.expectNone();
    if (orders.count < ordersWorthIt) return;
    this.placing = 0;
    this.cancelling = 0;
    const end = Math.min(index + groupSize, entries.length);
    for (let next = index; next < end; next += 1) this.gather(entries[next]!.command);
    this.touchOrders();
    this.touchCancels();
  }

  private gather(command: Command): void {
    const { state } = this;
    if (command.kind === 'placeOrder') {
      const { account, order } = command;
      if (state.books[order.symbol] === undefined || !state.accounts.isUser(account)) return;
      const { placing } = this;
      this.accounts[placing] = account;
      this.symbols[placing] = order.symbol;
      this.sides[placing] = order.side === 'buy' ? 0 : 1;
      this.keys[placing] =
        order.price === null ? Number.POSITIVE_INFINITY : priceKey(this.sides[placing]!, order.price);
      this.placing = placing + 1;
      if (order.clientOrderId !== null) state.tables.clientIds.expect(account, order.clientOrderId);
    } else if (command.kind === 'cancelOrder') {
      const { account, ref } = command;
      if (!('order' in ref) || !state.accounts.isUser(account)) return;
      this.cancelled[this.cancelling] = ref.order;
      this.cancelling += 1;
    }
  }

  private touchOrders(): void {
    const { state, accounts, symbols, sides, keys, levels, makers, placing } = this;
    const { tables } = state;
    const { balances } = state.ledger;
    const { words } = state.accounts;
    let sum = state.tables.clientIds.touchExpected();
    for (let at = 0; at < placing; at += 1) {
      const book = state.books[symbols[at]!]!;
      sum ^= words[accounts[at]! << accountShift]! ^ book.touch();
    }
    for (let at = 0; at < placing; at += 1) {
      const { base, quote } = state.books[symbols[at]!]!;
      sum ^= balances.touchIndex(accounts[at]!, base) ^ balances.touchIndex(accounts[at]!, quote);
    }
    for (let at = 0; at < placing; at += 1) {
      const side = sides[at]!;
      sum ^= state.books[symbols[at]!]!.side(side).touch(keys[at]!);
    }
    for (let at = 0; at < placing; at += 1) {
      const { base, quote } = state.books[symbols[at]!]!;
      sum ^= balances.touchRow(accounts[at]!, base) ^ balances.touchRow(accounts[at]!, quote);
      sum ^= tables.openOrders.touchEnd(words[(accounts[at]! << accountShift) | accountWord.openOrders]!);
    }
    for (let at = 0; at < placing; at += 1) levels[at] = this.levelMet(at);
    for (let at = 0; at < placing; at += 1) sum ^= tables.levels.touch(levels[at]!);
    for (let at = 0; at < placing; at += 1) {
      sum ^= levels[at]! < 0 ? 0 : tables.queues.touch(tables.levels.queue(levels[at]!));
    }
    let met = 0;
    for (let at = 0; at < placing; at += 1) {
      if (levels[at]! < 0) continue;
      const maker = tables.queues.first(tables.levels.queue(levels[at]!)) << wordsShift;
      makers[met] = maker;
      met += 1;
      sum ^= tables.orders.words[maker]! ^ tables.orders.words[maker | orderWord.hold]!;
    }
    for (let at = 0; at < met; at += 1) sum ^= this.touchPlaces(makers[at]!);
    this.onItsWay = sum;
  }

  /** The level that an order would meet first, -1 if it would only rest. */
  private levelMet(at: number): number {
    const book = this.state.books[this.symbols[at]!]!;
    const opposing = this.sides[at]! ^ 1;
    return book.bestKey(opposing) + this.keys[at]! >= 0 ? book.best(opposing) : -1;
  }

  /** Reads what a live order is bound up with. */
  private touchPlaces(word: number): number {
    const { tables, accounts, ledger } = this.state;
    const { words } = tables.orders;
    return (
      accounts.words[words[word | orderWord.account]! << accountShift]! ^
      tables.levels.touch(words[word | orderWord.level]!) ^
      tables.queues.touch(words[word | orderWord.levelLine]!) ^
      tables.openOrders.touch(words[word | orderWord.accountLine]!) ^
      ledger.holds.touch(words[word | orderWord.hold]!) ^
      ledger.balances.touch(words[word | orderWord.gives]!) ^
      ledger.balances.touch(words[word | orderWord.gets]!)
    );
  }

  private touchCancels(): void {
    const { cancelled, slots, cancelling } = this;
    const { tables } = this.state;
    const { words } = tables.orders;
    let sum = 0;
    for (let at = 0; at < cancelling; at += 1) sum ^= tables.numbers.touch(cancelled[at]!);
    for (let at = 0; at < cancelling; at += 1) {
      const slot = slotOf(tables.numbers.find(cancelled[at]!));
      slots[at] = slot;
      if (slot >= 0) sum ^= words[slot << wordsShift]! ^ words[(slot << wordsShift) | orderWord.hold]!;
    }
    for (let at = 0; at < cancelling; at += 1) {
      if (slots[at]! >= 0) sum ^= this.touchPlaces(slots[at]! << wordsShift);
    }
    this.onItsWay = sum;
  }
}
