import { type ByteReader, type ByteWriter, MalformedBytes } from '#base/bytes.ts';
import { ClientOrderId } from '#model/client-order-id.ts';
import { clientIdMark, readClientId, writeClientId } from '#model/codec/client-id-codec.ts';
import { packed, natural, record, text, type FieldCodec } from '#model/codec/field-codec.ts';
import {
  type OrderRef,
  type OrderRequest,
  type Side,
  type StpMode,
  orderKinds,
  orderMembers,
  sides,
  stpModes,
} from '#model/order.ts';
import type { Lots, OrderNumber, PriceTicks, Quanta, SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';

/** What decoding fills in again and again; handed out as the readonly shape. */
type Reused<Shape> = { -readonly [Name in keyof Shape]: Shape[Name] };
/** An order that a reader fills again and again, with the id that it may have, so that replay allocates nothing. */
export interface ReusedOrder {
  readonly order: Reused<OrderRequest>;
  readonly id: ClientOrderId;
}
/** A reference that a reader fills again and again. */
export type ReusedOrderRef = {
  readonly byNumber: { order: OrderNumber };
  readonly byClientId: { clientOrderId: string };
  readonly id: ClientOrderId;
};

/** An empty one to fill. */
export const newReusedOrder = (): ReusedOrder => ({
  order: {
    symbol: as<SymbolId>(0),
    side: 'buy',
    kind: 'limit',
    price: null,
    quantity: null,
    budget: null,
    clientOrderId: null,
    stpMode: 'none',
  },
  id: new ClientOrderId(),
});
/** An empty one to fill. */
export const newReusedOrderRef = (): ReusedOrderRef => ({
  byNumber: { order: as<OrderNumber>(0) },
  byClientId: { clientOrderId: '' },
  id: new ClientOrderId(),
});

// Numbers of sides, kinds and modes are their places in the lists of `order.ts`.
// First byte: bit 0 side, 1 to 3 kind, 4 and 5 self-trade prevention, 6 price follows, 7 quantity follows.
const hasPrice = 0x40;
const hasQuantity = 0x80;
// Second byte: bits 0 to 5 mark of the client id, 6 budget follows, 7 symbol follows (else that of the order before).
const hasBudget = 0x40;
const hasSymbol = 0x80;

/** Prices travel as differences and symbols only when they change: `before` holds those of the order before. */
export interface OrderContext {
  symbol: number;
  price: number;
}

/**
 * Writes the request and leaves its symbol and price in `before`. @throws MalformedBytes for numbers that `readOrder`
 * refuses.
 */
export function writeOrder(writer: ByteWriter, order: OrderRequest, before: OrderContext): void {
  const { price, quantity, budget, clientOrderId } = order;
  const mark = clientIdMark(clientOrderId);
  writer.u8(
    sides.indexOf(order.side) |
      (orderKinds.indexOf(order.kind) << 1) |
      (stpModes.indexOf(order.stpMode) << 4) |
      (price === null ? 0 : hasPrice) |
      (quantity === null ? 0 : hasQuantity),
  );
  writer.u8(mark | (budget === null ? 0 : hasBudget) | (order.symbol === before.symbol ? 0 : hasSymbol));
  if (order.symbol !== before.symbol) writer.varint(order.symbol);
  if (price !== null) {
    // The difference may have a form where the price itself has none.
    if (price < 0 || !Number.isSafeInteger(price)) throw new MalformedBytes(`price out of range: ${price}`);
    writer.signedVarint(price - before.price);
    before.price = price;
  }
  if (quantity !== null) writer.varint(quantity);
  if (budget !== null) writer.varint(budget);
  writeClientId(writer, clientOrderId);
  before.symbol = order.symbol;
}

/** Reads into `reused` what `writeOrder` wrote after the same orders. @throws MalformedBytes for anything else. */
export function readOrder(reader: ByteReader, reused: ReusedOrder, before: OrderContext): void {
  const { order, id } = reused;
  const first = reader.u8();
  const second = reader.u8();
  const kind = orderKinds[(first >>> 1) & 7];
  if (kind === undefined) throw new MalformedBytes('order of no known kind');
  order.kind = kind;
  order.side = sides[first & 1] as Side;
  order.stpMode = stpModes[(first >>> 4) & 3] as StpMode;
  if ((second & hasSymbol) !== 0) {
    const symbol = reader.varint();
    if (symbol === before.symbol) throw new MalformedBytes('symbol written twice');
    before.symbol = symbol;
  }
  if (before.symbol < 0) throw new MalformedBytes('order without a symbol');
  order.symbol = as<SymbolId>(before.symbol);
  order.price = null;
  if ((first & hasPrice) !== 0) {
    before.price += reader.signedVarint();
    if (before.price < 0 || !Number.isSafeInteger(before.price)) throw new MalformedBytes('price out of range');
    order.price = as<PriceTicks>(before.price);
  }
  order.quantity = (first & hasQuantity) === 0 ? null : as<Lots>(reader.varint());
  order.budget = (second & hasBudget) === 0 ? null : as<Quanta>(reader.varint());
  order.clientOrderId = readClientId(reader, second & 0x3f, id) ? id : null;
}

/** One byte: 0 and a number follows, else the mark of a client id. */
export function writeOrderRef(writer: ByteWriter, ref: OrderRef): void {
  if ('order' in ref) {
    writer.u8(0);
    writer.varint(ref.order);
    return;
  }
  const id = ClientOrderId.of(ref.clientOrderId);
  writer.u8(clientIdMark(id));
  writeClientId(writer, id);
}

/** Reads what `writeOrderRef` wrote, into one of the two shapes of `scratch`. */
export function readOrderRef(reader: ByteReader, scratch: ReusedOrderRef): OrderRef {
  if (!readClientId(reader, reader.u8(), scratch.id)) {
    scratch.byNumber.order = as<OrderNumber>(reader.varint());
    return scratch.byNumber;
  }
  scratch.byClientId.clientOrderId = scratch.id.text;
  return scratch.byClientId;
}

/** An order by itself, without one before it. */
export const orderRequest = packed(orderMembers, {
  write: (writer, order) => writeOrder(writer, order, { symbol: -1, price: 0 }),
  read: (reader) => {
    const reused = newReusedOrder();
    readOrder(reader, reused, { symbol: -1, price: 0 });
    return reused.order;
  },
});

/** What names an order. */
export const orderRef: FieldCodec<OrderRef> = {
  content: {
    kind: 'either',
    of: [record({ order: natural<OrderNumber>() }), record({ clientOrderId: text() })].map(({ content }) => content),
  },
  write: writeOrderRef,
  read: (reader) => readOrderRef(reader, newReusedOrderRef()),
};
