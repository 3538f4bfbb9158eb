import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { futuresWalletOf } from '#model/account.ts';
import { ClientOrderId } from '#model/client-order-id.ts';
import { bothSides, buySide, type SideCode } from '#engine/book/side-code.ts';
import { priceKey, type Book } from '#engine/book/book.ts';
import type { StateTable } from '#engine/state/state-table.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Every book: counters, then bids and asks, best price first, within a price in the order of arrival. */
export function booksTable(state: EngineState): StateTable {
  return {
    name: 'books',
    version: 1,
    isInDigest: true,
    write: (writer) => writeBooks(writer, state),
    read: (reader) => readBooks(reader, state),
    audit: () => {},
  };
}

/**
 * Closed orders whose client order ids are kept, the earliest closed first. They expire with time, so they are not in
 * the digest.
 */
export function closedOrdersTable(state: EngineState): StateTable {
  return {
    name: 'closedOrders',
    version: 1,
    isInDigest: false,
    write: (writer) => writeClosedOrders(writer, state),
    read: (reader) => readClosedOrders(reader, state),
    audit: () => {},
  };
}

function writeBooks(writer: ByteWriter, state: EngineState): void {
  writer.varint(state.tables.lastOrder);
  for (const book of state.books) {
    writer.varint(book.version);
    writer.varint(book.trades);
    writer.varint(book.lastPrice);
    book.traded.write(writer, state.at);
    for (const side of bothSides) writeSide(writer, state, book, side);
  }
}

/** Reads books into a state that has symbols and balances. Their holds are a table of their own. */
function readBooks(reader: ByteReader, state: EngineState): void {
  const { tables } = state;
  tables.lastOrder = reader.varint();
  const resting: number[] = [];
  for (const book of state.books) {
    book.version = reader.varint();
    book.trades = reader.varint();
    book.lastPrice = reader.varint();
    book.traded.read(reader);
    for (const side of bothSides) {
      for (let orders = reader.varint(); orders > 0; orders -= 1) {
        const slot = readOrder(reader, state, book);
        const price = tables.orders.price(slot);
        tables.enqueue(book, side, slot, book.side(side).lookup(priceKey(side, price)));
        tables.addToIndexes(slot);
        resting.push(tables.orders.number(slot));
      }
    }
  }
  // Sorting numbers is many times faster than sorting slots by their numbers.
  for (const number of Float64Array.from(resting).sort()) {
    const slot = tables.numbers.lookup(number);
    state.accounts.addOpenOrder(tables.orders.account(slot), slot);
  }
}

function writeClosedOrders(writer: ByteWriter, state: EngineState): void {
  const slots = state.tables.closed.kept(state.at);
  writer.varint(slots.length);
  for (const slot of slots) {
    writer.varint(state.tables.orders.symbol(slot));
    writeOrder(writer, state, slot);
  }
}

/** Reads what `writeClosedOrders` wrote into an empty state. */
function readClosedOrders(reader: ByteReader, state: EngineState): void {
  for (let orders = reader.varint(); orders > 0; orders -= 1) {
    const slot = readOrder(reader, state, state.books[reader.varint()]!);
    state.tables.release(slot, false, state.at);
  }
}

function writeSide(writer: ByteWriter, state: EngineState, book: Book, side: SideCode): void {
  const { levels } = state.tables;
  const slots: number[] = [];
  book.side(side).every((level) => levels.queues.every(level, (slot) => slots.push(slot) > 0));
  writer.varint(slots.length);
  for (const slot of slots) writeOrder(writer, state, slot);
}

function writeOrder(writer: ByteWriter, state: EngineState, slot: number): void {
  const { orders } = state.tables;
  orders.write(writer, slot);
  writer.text(orders.clientOrderId(slot) ?? '');
}

function readOrder(reader: ByteReader, state: EngineState, book: Book): number {
  const { tables, ledger } = state;
  const { orders } = tables;
  const { base, quote, isContract } = book;
  const slot = orders.read(reader, book.symbol);
  const account = orders.account(slot);
  const isBuy = orders.side(slot) === buySide;
  if (isContract) {
    const wallet = ledger.balances.row(futuresWalletOf(account), quote);
    orders.setRows(slot, wallet, wallet);
  } else {
    const gives = ledger.balances.row(account, isBuy ? quote : base);
    const gets = ledger.balances.row(account, isBuy ? base : quote);
    orders.setRows(slot, gives, gets);
  }
  const clientOrderId = reader.text();
  if (clientOrderId !== '') tables.clientIds.write(slot, ClientOrderId.of(clientOrderId));
  return slot;
}
