import type { Book } from '#engine/book/book.ts';
import { bothSides, buySide, sellSide } from '#engine/book/side-code.ts';
import type { EngineState } from '#engine/state/state.ts';

/**
 * Audits that books, holds and lists of open orders agree, recomputed from the records: holds of orders against
 * remaining quantity (I4), uncrossed books (I5), levels against their orders (I14), and the same orders in every index
 * (I13).
 */
export function auditBooks(state: EngineState, faults: string[]): void {
  for (const book of state.books) auditBook(state, book, faults);
  auditAccounts(state, faults);
}

function auditBook(state: EngineState, book: Book, faults: string[]): void {
  const { levels, orders } = state.tables;
  const name = book.rules.name;
  for (const side of bothSides) {
    let before = side === buySide ? Number.POSITIVE_INFINITY : 0;
    book.side(side).every((level) => {
      const price = levels.price(level);
      if (side === buySide ? price >= before : price <= before)
        faults.push(`${name}: levels are out of order at ${price}`);
      before = price;
      let lots = 0;
      for (const slot of levels.queues.all(level)) {
        lots += orders.remaining(slot);
        auditRestingOrder(state, book, slot, price, faults);
      }
      if (lots !== levels.lots(level))
        faults.push(`${name}: level ${price} says ${levels.lots(level)} lots and has ${lots}`);
      return true;
    });
  }
  const bid = book.best(buySide);
  const ask = book.best(sellSide);
  if (bid >= 0 && ask >= 0 && levels.price(bid) >= levels.price(ask)) faults.push(`${name}: the book is crossed`);
}

function auditRestingOrder(state: EngineState, book: Book, slot: number, price: number, faults: string[]): void {
  const { orders, numbers } = state.tables;
  const number = orders.number(slot);
  const remaining = orders.remaining(slot);
  const isBuy = orders.side(slot) === buySide;
  const needed = isBuy ? price * remaining * book.quotePerTickLot : remaining * book.basePerLot;
  if (remaining <= 0 || remaining > orders.quantity(slot))
    faults.push(`order ${number} has ${remaining} lots remaining`);
  // What a contract's order holds follows from the rates of its time.
  if (!isHeldFor(state, slot, book.isContract ? null : needed)) faults.push(`order ${number} does not hold ${needed}`);
  if (numbers.lookup(number) !== slot) faults.push(`order ${number} is not found by its number`);
}

/** Whether the order has its own hold of exactly this amount; `null`: of any. */
function isHeldFor({ holds, tables }: EngineState, slot: number, needed: number | null): boolean {
  const hold = tables.orders.hold(slot);
  if (!holds.isOpen(hold) || holds.order(hold) !== tables.orders.number(slot)) return false;
  return needed === null || holds.amount(hold) === needed;
}

function auditAccounts(state: EngineState, faults: string[]): void {
  const { orders } = state.tables;
  let resting = 0;
  for (const book of state.books) {
    for (const side of bothSides) {
      book.side(side).every((level) => {
        resting += state.tables.levels.queues.all(level).length;
        return true;
      });
    }
  }
  let listed = 0;
  for (const account of state.accounts.records) {
    let count = 0;
    let before = 0;
    for (const slot of state.accounts.openOrders.all(account.account)) {
      const number = orders.number(slot);
      if (number <= before) faults.push(`open orders of account ${account.account} are out of order at ${number}`);
      before = number;
      count += 1;
    }
    if (count !== state.accounts.openCount(account.account))
      faults.push(`account ${account.account} counts its open orders wrong`);
    listed += count;
  }
  if (listed !== resting) faults.push(`${resting} orders rest in books, ${listed} stand with their accounts`);
}
