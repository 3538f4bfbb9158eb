import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { textOfRecord } from '#engine/book/client-id-text.ts';
import {
  doublesShift,
  idLengthOfFlags,
  orderDouble,
  orderWord,
  withIdLength,
  wordsShift,
} from '#engine/book/order-table.ts';
import { linkOpen, notLinked } from '#engine/matching/close-order.ts';
import { priceKey, type Book } from '#engine/book/book.ts';
import type { EngineState } from '#engine/state.ts';

/** Every book: counters, then bids and asks, the best price first and in each price the first to arrive. */
export function writeBooks(writer: ByteWriter, state: EngineState): void {
  writer.varint(state.tables.lastOrder);
  for (const book of state.books) {
    writer.varint(book.version);
    writer.varint(book.trades);
    writer.varint(book.lastPrice);
    writeSide(writer, state, book, 0);
    writeSide(writer, state, book, 1);
  }
}

/** Reads books into a state that has their listing and balances; holds are opened, balances stay as they are. */
export function readBooks(reader: ByteReader, state: EngineState): void {
  const { tables } = state;
  tables.lastOrder = reader.varint();
  const slots: number[] = [];
  for (const book of state.books) {
    book.version = reader.varint();
    book.trades = reader.varint();
    book.lastPrice = reader.varint();
    for (const side of [0, 1]) {
      for (let orders = reader.varint(); orders > 0; orders -= 1) {
        const slot = readOrder(reader, state, book);
        const price = tables.orders.doubles[(slot << doublesShift) + orderDouble.price]!;
        tables.enqueue(book, side, slot, book.side(side).find(priceKey(side, price)));
        slots.push(slot);
      }
    }
  }
  const numberOf = (slot: number): number => tables.orders.doubles[slot << doublesShift]!;
  slots.sort((first, second) => numberOf(first) - numberOf(second));
  for (const slot of slots) linkOpen(state, slot);
}

/** Closed orders whose client ids are kept, the earliest closed first. */
export function writeClosedOrders(writer: ByteWriter, state: EngineState): void {
  const { words } = state.tables.orders;
  const slots: number[] = [];
  for (let slot = state.tables.closedHead; slot >= 0; slot = words[(slot << wordsShift) + orderWord.next]!)
    slots.push(slot);
  writer.varint(slots.length);
  for (const slot of slots) {
    writer.varint(words[(slot << wordsShift) + orderWord.symbol]!);
    writeOrder(writer, state, slot);
  }
}

/** Reads what `writeClosedOrders` wrote into an empty state. */
export function readClosedOrders(reader: ByteReader, state: EngineState): void {
  for (let orders = reader.varint(); orders > 0; orders -= 1) {
    const slot = readOrder(reader, state, state.books[reader.varint()]!);
    state.tables.keepClosed(slot, false);
  }
}

function writeSide(writer: ByteWriter, state: EngineState, book: Book, side: number): void {
  const { levels, orders } = state.tables;
  const slots: number[] = [];
  book.side(side).walk((level) => {
    for (let slot = levels.head(level); slot >= 0; slot = orders.words[(slot << wordsShift) + orderWord.next]!)
      slots.push(slot);
    return true;
  });
  writer.varint(slots.length);
  for (const slot of slots) writeOrder(writer, state, slot);
}

function writeOrder(writer: ByteWriter, state: EngineState, slot: number): void {
  const { tables, ledger } = state;
  const { doubles, words } = tables.orders;
  const double = slot << doublesShift;
  const word = slot << wordsShift;
  for (let field = orderDouble.number; field <= orderDouble.updatedAt; field += 1)
    writer.varint(doubles[double + field]!);
  writer.varint(words[word + orderWord.account]!);
  writer.varint(withIdLength(words[word + orderWord.flags]!, 0));
  const hold = words[word + orderWord.hold]!;
  writer.varint(hold < 0 ? 0 : ledger.holds.amount(hold) + 1);
  const length = idLengthOfFlags(words[word + orderWord.flags]!);
  writer.text(textOfRecord(words, word + orderWord.clientId, length));
}

function readOrder(reader: ByteReader, state: EngineState, book: Book): number {
  const { tables, ledger } = state;
  const slot = tables.orders.take();
  const { doubles, words } = tables.orders;
  const double = slot << doublesShift;
  const word = slot << wordsShift;
  for (let field = orderDouble.number; field <= orderDouble.updatedAt; field += 1)
    doubles[double + field] = reader.varint();
  const account = reader.varint();
  const flags = reader.varint();
  const isBuy = (flags & 1) === 0;
  words[word + orderWord.account] = account;
  words[word + orderWord.symbol] = book.rules.id;
  words[word + orderWord.flags] = flags;
  words[word + orderWord.level] = -1;
  words[word + orderWord.previousOfAccount] = notLinked;
  words[word + orderWord.gives] = ledger.balances.row(account, isBuy ? book.rules.quote : book.rules.base);
  words[word + orderWord.gets] = ledger.balances.row(account, isBuy ? book.rules.base : book.rules.quote);
  const held = reader.varint();
  words[word + orderWord.hold] = held === 0 ? -1 : ledger.holds.open(words[word + orderWord.gives]!, held - 1);
  const clientOrderId = reader.text();
  if (clientOrderId !== '') tables.clientIds.write(slot, clientOrderId);
  return slot;
}
