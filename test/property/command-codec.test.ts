import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteReader, ByteWriter, MalformedBytes } from '#base/bytes.ts';
import { ClientOrderId } from '#model/client-order-id.ts';
import { commandNumbers, createCommandDecoder, decodeCommand, encodeCommand } from '#model/command-codec.ts';
import type { Command } from '#model/command.ts';
import type { AccountId, Lots, OrderNumber, PriceTicks, SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { arbitraryCommand, arbitraryCommandOf, arbitraryOrder, commandKinds } from './arbitrary-commands.ts';

function encoded(command: Command): Uint8Array {
  const writer = new ByteWriter(16);
  encodeCommand(writer, command);
  return writer.take();
}

function decoded(bytes: Uint8Array): Command {
  const reader = new ByteReader(bytes);
  const command = decodeCommand(reader);
  reader.finish();
  return command;
}

/** Minus zero and zero are one number to the exchange. */
const plain = (command: Command): Command => structuredClone(command);

describe('command codec', () => {
  test.each(commandKinds)('%s comes back as it was written', (kind) => {
    fc.assert(
      fc.property(arbitraryCommandOf(kind), (command) => {
        expect(decoded(encoded(command))).toEqual(plain(command));
      }),
      { numRuns: 300 },
    );
  });

  test('no two kinds share a number', () => {
    const numbers = Object.values(commandNumbers);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(Object.keys(commandNumbers).sort()).toEqual([...commandKinds].sort());
  });

  test('a decoder that reuses its objects reads a sequence of commands like a fresh one for each', () => {
    const decoder = createCommandDecoder();
    fc.assert(
      fc.property(fc.array(arbitraryCommand, { maxLength: 10 }), (commands) => {
        const writer = new ByteWriter(16);
        for (const command of commands) encodeCommand(writer, command);
        const reader = new ByteReader(writer.take());
        for (const command of commands) expect(decoder.decode(reader)).toEqual(plain(command));
        reader.finish();
      }),
      { numRuns: 300 },
    );
  });

  test('a command that is cut short is refused', () => {
    fc.assert(
      fc.property(arbitraryCommand, fc.nat(), (command, cut) => {
        const bytes = encoded(command);
        expect(() => decoded(bytes.subarray(0, cut % bytes.length))).toThrow(MalformedBytes);
      }),
      { numRuns: 1000 },
    );
  });

  test('changed bytes are refused or are themselves the one form of the command that they give', () => {
    fc.assert(
      fc.property(
        arbitraryCommand,
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 }),
        (command, changes) => {
          const bytes = encoded(command);
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          let other: Command;
          try {
            other = decoded(bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(MalformedBytes);
            return;
          }
          expect(encoded(other)).toEqual(bytes);
        },
      ),
      { numRuns: 5000 },
    );
  });

  test('numbers without an exact form are refused', () => {
    fc.assert(
      fc.property(arbitraryOrder, fc.constantFrom(-1, 0.5, Number.NaN, 2 ** 53), (order, quantity) => {
        const command: Command = { kind: 'placeOrder', account: as(7), order: { ...order, quantity: as(quantity) } };
        expect(() => encoded(command)).toThrow(MalformedBytes);
      }),
      { numRuns: 20 },
    );
  });

  test('prices and order numbers that cannot be read are not written, whatever stands before them', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const order = { side: 'buy', kind: 'limit', quantity: as<Lots>(1), budget: null, clientOrderId: null } as const;
    for (const number of [-1, most + 1]) {
      const place = [most, number].map((price) => ({
        ...order,
        symbol: as<SymbolId>(0),
        price: as<PriceTicks>(price),
        stpMode: 'none' as const,
      }));
      const head = { kind: 'requote', account: as<AccountId>(7), symbol: as<SymbolId>(0) } as const;
      const cancel = [most, number].map((order) => as<OrderNumber>(order));
      expect(() => encoded({ ...head, cancel: [], place })).toThrow(MalformedBytes);
      expect(() => encoded({ ...head, cancel, place: [] })).toThrow(MalformedBytes);
    }
  });

  test('an order with a client id takes about twenty bytes, an order of a ladder about five', () => {
    const order = {
      symbol: as<SymbolId>(3),
      side: 'buy',
      kind: 'limit',
      price: as<PriceTicks>(6_512_345),
      quantity: as<Lots>(1200),
      budget: null,
      clientOrderId: ClientOrderId.of('abcdefghij'),
      stpMode: 'none',
    } as const;
    expect(encoded({ kind: 'placeOrder', account: as(1234), order }).length).toBeLessThanOrEqual(20);
    const place = Array.from({ length: 100 }, (_, index) => ({
      ...order,
      clientOrderId: null,
      price: as<PriceTicks>(6_512_345 - 10 * index),
    }));
    const cancel = Array.from({ length: 100 }, (_, index) => as<OrderNumber>(1_000_000 + 3 * index));
    expect(encoded({ kind: 'requote', account: as(1234), symbol: as(3), cancel, place }).length).toBeLessThanOrEqual(
      20 + 100 * 6,
    );
  });
});
