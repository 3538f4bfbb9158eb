import { type ByteReader, type ByteWriter, MalformedBytes } from '#base/bytes.ts';
import { type FieldCodec, constant, readCount, record } from '#model/codec/field-codec.ts';
import {
  type OrderContext,
  type ReusedOrder,
  newReusedOrder,
  newReusedOrderRef,
  readOrder,
  readOrderRef,
  writeOrder,
  writeOrderRef,
} from '#model/codec/order-codec.ts';
import {
  acting,
  type Command,
  type CommandKind,
  type CommandOf,
  type PlainKind,
  plainCommands,
} from '#model/command.ts';
import type { OrderRequest } from '#model/order.ts';
import type { AccountId, OrderNumber, SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';

/**
 * Version of the byte format below; it stands in the header of each journal segment. Each earlier one is read by one
 * build alone: `buildsOfFormats` in `#journal/segment-format.ts`.
 */
export const commandFormatVersion = 5;

const operateNumber = 115;
const plainKinds = Object.keys(plainCommands) as PlainKind[];

/** First byte of a command. A number once given keeps its kind and layout for ever. */
export const commandNumbers = {
  operate: operateNumber,
  ...Object.fromEntries(plainKinds.map((kind) => [kind, plainCommands[kind].number])),
} as Readonly<Record<CommandKind, number>>;

/** What stands behind the number of each kind; orders have a form of their own below, with the same content. */
export const codecOfKind = Object.fromEntries(
  plainKinds.map((kind) => [kind, record({ kind: constant(kind), ...plainCommands[kind].members })]),
) as unknown as { readonly [Kind in PlainKind]: FieldCodec<CommandOf<Kind>> };

const codecOfNumber: readonly (FieldCodec<Command> | undefined)[] = (() => {
  const codecs: (FieldCodec<Command> | undefined)[] = [];
  for (const kind of plainKinds) codecs[commandNumbers[kind]] = codecOfKind[kind] as FieldCodec<Command>;
  return codecs;
})();

/** No symbol and no price before the first order of a command. */
const startOf = (symbol: number): OrderContext => ({ symbol, price: 0 });
const encoding: OrderContext = startOf(-1);

function writeOrders(writer: ByteWriter, orders: readonly OrderRequest[], symbol: number): void {
  encoding.symbol = symbol;
  encoding.price = 0;
  writer.varint(orders.length);
  for (let index = 0; index < orders.length; index += 1) writeOrder(writer, orders[index] as OrderRequest, encoding);
}

function writeRequote(writer: ByteWriter, command: CommandOf<'requote'>): void {
  writer.varint(command.account);
  writer.varint(command.symbol);
  writer.varint(command.cancel.length);
  let before = 0;
  for (let index = 0; index < command.cancel.length; index += 1) {
    const order = command.cancel[index] as OrderNumber;
    if (order < 0 || !Number.isSafeInteger(order)) throw new MalformedBytes(`order number out of range: ${order}`);
    writer.signedVarint(order - before);
    before = order;
  }
  writeOrders(writer, command.place, command.symbol);
}

/**
 * Writes a command in its one canonical form: equal commands give equal bytes. About 20 bytes for an order with a
 * client id, 5 per order of a ladder.
 * @throws MalformedBytes for a number or text that has no exact form; what was written before it must be dropped.
 */
export function encodeCommand(writer: ByteWriter, command: Command): void {
  writer.u8(commandNumbers[command.kind]);
  switch (command.kind) {
    case 'placeOrder':
      writer.varint(command.account);
      encoding.symbol = -1;
      encoding.price = 0;
      writeOrder(writer, command.order, encoding);
      break;
    case 'placeOrders':
      writer.varint(command.account);
      writeOrders(writer, command.orders, -1);
      break;
    case 'requote':
      writeRequote(writer, command);
      break;
    case 'cancelOrder':
      writer.varint(command.account);
      writer.varint(command.symbol);
      writeOrderRef(writer, command.ref);
      break;
    case 'cancelOrders':
      writer.varint(command.account);
      writer.varint(command.symbols.length);
      for (const symbol of command.symbols) writer.varint(symbol);
      break;
    case 'operate':
      acting.write(writer, command);
      encodeCommand(writer, command.command);
      break;
    default:
      (codecOfKind[command.kind] as FieldCodec<Command>).write(writer, command);
  }
}

/** Decodes command after command into the same objects: what it answers is valid until the next call. */
export interface CommandDecoder {
  /** Reads exactly one command. @throws MalformedBytes for anything that `encodeCommand` does not write. */
  decode(reader: ByteReader): Command;
}

type Reused<Shape> = { -readonly [Name in keyof Shape]: Shape[Name] };

/** A list that grows and shrinks with each command, over orders that stay. */
class OrderPool {
  readonly orders: OrderRequest[] = [];
  private readonly kept: ReusedOrder[] = [];

  read(reader: ByteReader, context: OrderContext): void {
    const count = readCount(reader);
    const { orders, kept } = this;
    for (let index = 0; index < count; index += 1) {
      const reused = kept[index] ?? newReusedOrder();
      if (index === kept.length) kept.push(reused);
      readOrder(reader, reused, context);
      if (orders[index] !== reused.order) orders[index] = reused.order;
    }
    orders.length = count;
  }
}

function readCancels(reader: ByteReader, cancel: OrderNumber[]): void {
  const count = readCount(reader);
  let before = 0;
  for (let index = 0; index < count; index += 1) {
    before += reader.signedVarint();
    if (before < 0 || !Number.isSafeInteger(before)) throw new MalformedBytes('order number out of range');
    cancel[index] = as<OrderNumber>(before);
  }
  cancel.length = count;
}

/** A decoder for replay: frequent kinds are decoded without allocating anything but the text of an id
 * that names an order. */
export function createCommandDecoder(): CommandDecoder {
  const account = as<AccountId>(0);
  const symbol = as<SymbolId>(0);
  const context = startOf(-1);
  const reused = newReusedOrder();
  const ref = newReusedOrderRef();
  const batch = new OrderPool();
  const ladder = new OrderPool();
  const cancel: OrderNumber[] = [];
  const symbols: SymbolId[] = [];
  const placeOrder: Reused<CommandOf<'placeOrder'>> = { kind: 'placeOrder', account, order: reused.order };
  const placeOrders: Reused<CommandOf<'placeOrders'>> = { kind: 'placeOrders', account, orders: batch.orders };
  const requote: Reused<CommandOf<'requote'>> = { kind: 'requote', account, symbol, cancel, place: ladder.orders };
  const cancelOrder: Reused<CommandOf<'cancelOrder'>> = { kind: 'cancelOrder', account, symbol, ref: ref.byNumber };
  const cancelOrders: Reused<CommandOf<'cancelOrders'>> = { kind: 'cancelOrders', account, symbols };

  const start = (first: number): OrderContext => {
    context.symbol = first;
    context.price = 0;
    return context;
  };

  const readSymbols = (reader: ByteReader): void => {
    const count = readCount(reader);
    for (let index = 0; index < count; index += 1) symbols[index] = as<SymbolId>(reader.varint());
    symbols.length = count;
  };

  const readRequote = (reader: ByteReader): CommandOf<'requote'> => {
    requote.account = as<AccountId>(reader.varint());
    requote.symbol = as<SymbolId>(reader.varint());
    readCancels(reader, cancel);
    ladder.read(reader, start(requote.symbol));
    return requote;
  };

  const decode = (reader: ByteReader): Command => {
    const number = reader.u8();
    return number === operateNumber ? readOperate(reader) : readCommand(reader, number);
  };

  const readOperate = (reader: ByteReader): Command => ({
    kind: 'operate',
    ...acting.read(reader),
    // Not nested: the number of `operate` is no known kind here.
    command: readCommand(reader, reader.u8()),
  });

  const readCommand = (reader: ByteReader, number: number): Exclude<Command, { kind: 'operate' }> => {
    switch (number) {
      case commandNumbers.placeOrder:
        placeOrder.account = as<AccountId>(reader.varint());
        readOrder(reader, reused, start(-1));
        return placeOrder;
      case commandNumbers.placeOrders:
        placeOrders.account = as<AccountId>(reader.varint());
        batch.read(reader, start(-1));
        return placeOrders;
      case commandNumbers.requote:
        return readRequote(reader);
      case commandNumbers.cancelOrder:
        cancelOrder.account = as<AccountId>(reader.varint());
        cancelOrder.symbol = as<SymbolId>(reader.varint());
        cancelOrder.ref = readOrderRef(reader, ref);
        return cancelOrder;
      case commandNumbers.cancelOrders:
        cancelOrders.account = as<AccountId>(reader.varint());
        readSymbols(reader);
        return cancelOrders;
      default: {
        const codec = codecOfNumber[number];
        if (codec === undefined) throw new MalformedBytes(`command of no known kind: ${number}`);
        return codec.read(reader) as Exclude<Command, { kind: 'operate' }>;
      }
    }
  };
  return { decode };
}

/** As `CommandDecoder.decode`, into an object of its own that may be kept. */
export const decodeCommand = (reader: ByteReader): Command => createCommandDecoder().decode(reader);
