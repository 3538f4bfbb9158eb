/*
 * Reads pushes of the websocket: protobuf, one message a frame. The numbers are those of /proto/push.proto; a field
 * that is not named here is passed over.
 */

/** A field by its number: its name, and what it is. */
type Fields = Readonly<Record<number, readonly [name: string, type: 'text' | 'number' | 'flag' | Message]>>;

/** A message: its fields, and the names of those that repeat. */
interface Message {
  readonly fields: Fields;
  readonly lists: readonly string[];
}

const message = (fields: Fields, lists: readonly string[] = []): Message => ({ fields, lists });

const level = message({ 1: ['price', 'text'], 2: ['quantity', 'text'] });
const deal = message({
  1: ['price', 'text'],
  2: ['quantity', 'text'],
  3: ['tradeType', 'number'],
  4: ['time', 'number'],
  5: ['tradeId', 'text'],
});
const miniTicker = message({
  1: ['symbol', 'text'],
  2: ['price', 'text'],
  4: ['zonedRate', 'text'],
  5: ['high', 'text'],
  6: ['low', 'text'],
  7: ['volume', 'text'],
  8: ['quantity', 'text'],
});
const order = message({
  1: ['id', 'text'],
  2: ['clientId', 'text'],
  3: ['price', 'text'],
  4: ['quantity', 'text'],
  5: ['amount', 'text'],
  6: ['avgPrice', 'text'],
  7: ['orderType', 'number'],
  8: ['tradeType', 'number'],
  13: ['cumulativeQuantity', 'text'],
  14: ['cumulativeAmount', 'text'],
  15: ['status', 'number'],
  16: ['createTime', 'number'],
});
const ownDeal = message({
  1: ['price', 'text'],
  2: ['quantity', 'text'],
  3: ['amount', 'text'],
  4: ['tradeType', 'number'],
  5: ['isMaker', 'flag'],
  7: ['tradeId', 'text'],
  9: ['orderId', 'text'],
  10: ['feeAmount', 'text'],
  11: ['feeCurrency', 'text'],
  12: ['time', 'number'],
});
const account = message({
  1: ['asset', 'text'],
  3: ['free', 'text'],
  5: ['held', 'text'],
  7: ['type', 'text'],
  8: ['time', 'number'],
});
const candle = message({
  1: ['interval', 'text'],
  2: ['windowStart', 'number'],
  3: ['open', 'text'],
  4: ['close', 'text'],
  5: ['high', 'text'],
  6: ['low', 'text'],
  7: ['volume', 'text'],
  8: ['amount', 'text'],
});
const depth = message(
  { 1: ['asks', level], 2: ['bids', level], 4: ['fromVersion', 'text'], 5: ['toVersion', 'text'] },
  ['asks', 'bids'],
);
const wrapper = message({
  1: ['channel', 'text'],
  3: ['symbol', 'text'],
  5: ['createTime', 'number'],
  304: ['order', order],
  306: ['ownDeal', ownDeal],
  307: ['account', account],
  308: ['candle', candle],
  309: ['miniTicker', miniTicker],
  310: ['miniTickers', message({ 1: ['items', miniTicker] }, ['items'])],
  313: ['depth', depth],
  314: ['deals', message({ 1: ['items', deal] }, ['items'])],
});

const decoder = new TextDecoder();

/** A place in the bytes of a frame. */
interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
}

/** A whole number of up to 53 bits. */
function varint(cursor: Cursor): number {
  let value = 0;
  for (let unit = 1; ; unit *= 128) {
    const byte = cursor.bytes[cursor.at];
    if (byte === undefined) throw new RangeError('a frame ends within a number');
    cursor.at += 1;
    value += (byte & 127) * unit;
    if (byte < 128) return value;
  }
}

const emptyOf = { text: '', number: 0, flag: false } as const;

function empty({ fields, lists }: Message): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const [name, type] of Object.values(fields)) {
    if (lists.includes(name)) value[name] = [];
    else if (typeof type === 'string') value[name] = emptyOf[type];
  }
  return value;
}

function read(cursor: Cursor, end: number, of: Message): Record<string, unknown> {
  const value = empty(of);
  while (cursor.at < end) {
    const tag = varint(cursor);
    const field = of.fields[Math.floor(tag / 8)];
    const content = readField(cursor, tag % 8, field?.[1]);
    if (field === undefined) continue;
    const [name] = field;
    if (of.lists.includes(name)) (value[name] as unknown[]).push(content);
    else value[name] = content;
  }
  return value;
}

function readField(cursor: Cursor, wireType: number, type: Fields[number][1] | undefined): unknown {
  if (wireType === 0) {
    const value = varint(cursor);
    return type === 'flag' ? value !== 0 : value;
  }
  if (wireType !== 2) throw new RangeError(`a frame has a field of wire type ${wireType}`);
  const length = varint(cursor);
  const end = cursor.at + length;
  if (end > cursor.bytes.length) throw new RangeError('a frame ends within a field');
  const value =
    type !== undefined && typeof type !== 'string'
      ? read(cursor, end, type)
      : decoder.decode(cursor.bytes.subarray(cursor.at, end));
  cursor.at = end;
  return value;
}

/**
 * The push in a frame.
 * @throws RangeError when the bytes are no push
 */
export function readPush(bytes: Uint8Array): Record<string, unknown> {
  return read({ bytes, at: 0 }, bytes.length, wrapper);
}
