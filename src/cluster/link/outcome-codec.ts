import { deserialize, serialize } from 'node:v8';
import { type ByteReader, type ByteWriter, MalformedBytes } from '#base/bytes.ts';
import {
  constant,
  type FieldCodec,
  integer,
  nullable,
  oneOf,
  readCount,
  record,
  text,
} from '#model/codec/field-codec.ts';
import type { Fact } from '#model/events.ts';
import { closeReasons, orderKinds, orderStatuses, type OrderView, sides, stpModes } from '#model/order.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { Seq, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { Outcome, OutcomeEvent } from '#sequencer/command-ingress.ts';

const orderView = record({
  order: integer(),
  account: integer(),
  symbol: integer(),
  side: oneOf(sides),
  kind: oneOf(orderKinds),
  status: oneOf(orderStatuses),
  price: integer(),
  quantity: integer(),
  budget: nullable(integer()),
  executed: integer(),
  executedQuote: integer(),
  stpMode: oneOf(stpModes),
  clientOrderId: nullable(text()),
  closeReason: nullable(oneOf(closeReasons)),
  acceptedAt: integer(),
  updatedAt: integer(),
} satisfies Record<keyof OrderView, FieldCodec<unknown>>);

type OrderEvent = Exclude<OutcomeEvent, Fact>;
type OrderEventKind = OrderEvent['kind'];

/** Events of orders come by the thousands, so their forms are short: the first byte is the place here, from 1. */
const orderEventKinds = [
  'orderAccepted',
  'orderRepeated',
  'orderRefused',
  'cancelRefused',
  'orderClosed',
] as const satisfies readonly OrderEventKind[];
const orderEvents: { readonly [Kind in OrderEventKind]: FieldCodec<unknown> } = {
  orderAccepted: record({ kind: constant('orderAccepted'), order: orderView }),
  orderRepeated: record({ kind: constant('orderRepeated'), order: orderView }),
  orderRefused: record({
    kind: constant('orderRefused'),
    account: integer(),
    symbol: integer(),
    reason: text<RejectReason>(),
    clientOrderId: nullable(text()),
  }),
  cancelRefused: record({
    kind: constant('cancelRefused'),
    account: integer(),
    symbol: integer(),
    reason: text<RejectReason>(),
  }),
  orderClosed: record({ kind: constant('orderClosed'), order: orderView }),
};
const numberOf: Readonly<Record<string, number>> = Object.fromEntries(
  orderEventKinds.map((kind, index) => [kind, index + 1]),
);
/** First byte of any other event, behind which it stands as the runtime clones values. */
const factNumber = 0;

function writeEvent(writer: ByteWriter, event: OutcomeEvent): void {
  const number = numberOf[event.kind] ?? factNumber;
  writer.u8(number);
  if (number !== factNumber) {
    orderEvents[event.kind as OrderEventKind].write(writer, event);
    return;
  }
  const bytes = serialize(event);
  writer.varint(bytes.length);
  writer.raw(bytes);
}

function readEvent(reader: ByteReader): OutcomeEvent {
  const number = reader.u8();
  if (number === factNumber) return readFact(reader.raw(reader.varint()));
  const kind = orderEventKinds[number - 1];
  if (kind === undefined) throw new MalformedBytes(`no event of number ${number}`);
  return orderEvents[kind].read(reader) as OrderEvent;
}

function readFact(bytes: Uint8Array): Fact {
  try {
    return deserialize(bytes) as Fact;
  } catch (error) {
    throw new MalformedBytes(`no event: ${(error as Error).message}`);
  }
}

/** Writes an outcome so that the other node reads an equal one. @throws MalformedBytes for an unsafe number. */
export function writeOutcome(writer: ByteWriter, { seq, at, events }: Outcome): void {
  writer.varint(seq);
  writer.signedVarint(at);
  writer.varint(events.length);
  for (const event of events) writeEvent(writer, event);
}

/** Reads what a node that has proven itself wrote. @throws MalformedBytes */
export function readOutcome(reader: ByteReader): Outcome {
  const seq = as<Seq>(reader.varint());
  const at = as<TimestampMs>(reader.signedVarint());
  const events: OutcomeEvent[] = [];
  for (let left = readCount(reader); left > 0; left -= 1) events.push(readEvent(reader));
  reader.finish();
  return { seq, at, events };
}
