import { describe, expect, test } from 'vitest';
import { ByteReader, ByteWriter, MalformedBytes } from '#base/bytes.ts';
import { constant, integer, list, natural, nullable, omit, oneOf, record, text } from '#model/codec/field-codec.ts';
import type { FieldCodec } from '#model/codec/field-codec.ts';

function bytesOf<Value>(codec: FieldCodec<Value>, value: Value): number[] {
  const writer = new ByteWriter();
  codec.write(writer, value);
  return [...writer.take()];
}

const payment = record({
  kind: constant('payment'),
  status: oneOf(['open', 'paid']),
  amount: natural(),
  memo: nullable(text()),
  lines: list(integer()),
});
const paid = { kind: 'payment', status: 'paid', amount: 3, memo: null, lines: [1, -1] } as const;

describe('a declared record', () => {
  test('is written in the order of its members, and constants take no bytes', () => {
    expect(bytesOf(payment, paid)).toEqual([1, 3, 0, 2, 2, 3]);
    expect(payment.read(new ByteReader(Uint8Array.from([1, 3, 0, 2, 2, 3])))).toEqual(paid);
  });

  test('makes another one without some of its members', () => {
    const rest = record(omit(payment, 'memo', 'lines'));
    expect(Object.keys(rest.members)).toEqual(['kind', 'status', 'amount']);
    expect(bytesOf(rest, paid)).toEqual([1, 3]);
  });

  test('refuses words and numbers that it does not hold, on both sides', () => {
    expect(() => bytesOf(payment, { ...paid, status: 'lost' as 'paid' })).toThrow(MalformedBytes);
    expect(() => bytesOf(payment, { ...paid, amount: -1 })).toThrow(MalformedBytes);
    expect(() => payment.read(new ByteReader(Uint8Array.from([2, 3, 0, 0])))).toThrow(MalformedBytes);
  });

  test('says at run time what it holds', () => {
    expect(payment.content.kind === 'record' && Object.values(payment.members).map(({ content }) => content)).toEqual([
      { kind: 'constant', value: 'payment' },
      { kind: 'oneOf', words: ['open', 'paid'] },
      { kind: 'integer', least: 0 },
      { kind: 'nullable', of: { kind: 'text' } },
      { kind: 'list', of: { kind: 'integer', least: Number.MIN_SAFE_INTEGER } },
    ]);
  });
});
