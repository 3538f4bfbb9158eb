import fc from 'fast-check';
import { deepStrictEqual } from 'node:assert/strict';
import { describe, expect, test } from 'vitest';
import { ByteReader, ByteWriter, MalformedBytes } from '#base/bytes.ts';
import { linkVersion } from '#cluster/link/hello.ts';
import { readOutcome, writeOutcome } from '#cluster/link/outcome-codec.ts';
import { createEngine } from '#engine/create-engine.ts';
import { createEventRecorder, type Event } from '#model/event-record.ts';
import { closeReasons, orderKinds, orderStatuses, sides, stpModes } from '#model/order.ts';
import { rejectReasons } from '#model/rejection.ts';
import { as } from '#model/units.ts';
import type { Outcome, OutcomeEvent } from '#sequencer/command-ingress.ts';
import { CommandMaker } from '../fuzz/command-maker.ts';

const seeds = 8;
const commandsOfEach = 2000;

function written(outcome: Outcome): Uint8Array {
  const writer = new ByteWriter(16);
  writeOutcome(writer, outcome);
  return writer.take();
}
const readBack = (bytes: Uint8Array): Outcome => readOutcome(new ByteReader(bytes));
const outcomeOf = (events: readonly OutcomeEvent[], seq = 1): Outcome => ({
  seq: as(seq),
  at: as(1_700_000_000_000),
  events,
});

/** The events that are no part of answers. */
const fedOnly = new Set(['tradeExecuted', 'rebateAccrued', 'positionChanged', 'orderFilled', 'levelChanged', 'posted']);
const isAnswered = (event: Event): event is OutcomeEvent => !fedOnly.has(event.kind);

const integer = fc.oneof(fc.nat(200), fc.integer(), fc.maxSafeInteger()).map((value) => value + 0 || 0);
const words = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('', '\ud800', '€'));
const plain = <Shape>(members: { [Name in keyof Shape]: fc.Arbitrary<Shape[Name]> }) =>
  fc.record(members, { noNullPrototype: true });
const orNull = <Value>(of: fc.Arbitrary<Value>) => fc.option(of, { nil: null });
const order = plain({
  order: integer,
  account: integer,
  symbol: integer,
  side: fc.constantFrom(...sides),
  kind: fc.constantFrom(...orderKinds),
  status: fc.constantFrom(...orderStatuses),
  price: integer,
  quantity: integer,
  budget: orNull(integer),
  executed: integer,
  executedQuote: integer,
  stpMode: fc.constantFrom(...stpModes),
  clientOrderId: orNull(words),
  closeReason: orNull(fc.constantFrom(...closeReasons)),
  acceptedAt: integer,
  updatedAt: integer,
});
const refusal = { account: integer, symbol: integer, reason: fc.constantFrom(...rejectReasons) };
/** Members of facts, of any plain content. */
const content = fc.anything({
  maxDepth: 4,
  withBigInt: true,
  withTypedArray: true,
  withUnicodeString: true,
  withNullPrototype: false,
});
const anyEvent = fc.oneof(
  plain({ kind: fc.constantFrom('orderAccepted', 'orderRepeated', 'orderClosed'), order }),
  plain({ kind: fc.constant('orderRefused'), ...refusal, clientOrderId: orNull(words) }),
  plain({ kind: fc.constant('cancelRefused'), ...refusal }),
  plain({ kind: fc.constantFrom('accountOpened', 'commandRefused'), view: content }),
) as fc.Arbitrary<unknown> as fc.Arbitrary<OutcomeEvent>;

describe('outcomes on the link', () => {
  test('every event that an engine makes of commands of every kind comes back strictly equal', () => {
    const met = new Set<string>();
    for (let seed = 1; seed <= seeds; seed += 1) {
      const engine = createEngine();
      const maker = new CommandMaker(seed);
      for (let count = 0; count < commandsOfEach; count += 1) {
        const { at, command } = maker.next(engine.state);
        const recorder = createEventRecorder();
        engine.apply({ seq: as(engine.seq + 1), epoch: as(0), at: as(at), command }, recorder);
        const events = recorder.events.filter(isAnswered);
        for (const { kind } of events) met.add(kind);
        const outcome = { seq: engine.seq, at: engine.at, events };
        deepStrictEqual(readBack(written(outcome)), outcome);
      }
    }
    // Orders, and facts of the listing, accounts, keys, the wallet, contracts, rebates and operators.
    const some = ['orderAccepted', 'orderRepeated', 'orderRefused', 'cancelRefused', 'orderClosed', 'commandRefused'];
    expect([...met]).toEqual(expect.arrayContaining(some));
    expect(met.size).toBeGreaterThan(60);
  }, 120_000);

  test('events of any content come back strictly equal', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 5 }), fc.maxSafeNat(), (events, seq) => {
        const outcome = outcomeOf(events, seq);
        deepStrictEqual(readBack(written(outcome)), outcome);
      }),
      { numRuns: 1000 },
    );
  });

  test('of damaged outcomes nothing is thrown but that they are malformed', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { minLength: 1, maxLength: 3 }), fc.nat(), fc.nat(255), (events, place, byte) => {
        const bytes = written(outcomeOf(events));
        const at = place % bytes.length;
        expect(() => readBack(bytes.subarray(0, at))).toThrow(MalformedBytes);
        bytes[at] = byte;
        try {
          readBack(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedBytes);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('the bytes of events of orders are those of this version of the link', () => {
    const one = {
      ...{ order: 300, account: 7, symbol: 1, side: 'sell', kind: 'market', status: 'canceled', price: 5, quantity: 6 },
      ...{
        budget: null,
        executed: 1,
        executedQuote: 2,
        stpMode: 'cancelBoth',
        clientOrderId: 'me',
        closeReason: 'stp',
      },
      ...{ acceptedAt: 1, updatedAt: 2 },
    };
    const events = [
      { kind: 'orderAccepted', order: one },
      { kind: 'orderRefused', account: 7, symbol: 1, reason: 'unknownSymbol', clientOrderId: null },
      { kind: 'cancelRefused', account: 7, symbol: 1, reason: 'unknownOrder' },
    ] as unknown as OutcomeEvent[];
    const bytes = Buffer.from(written(outcomeOf(events))).toString('hex');
    const expected = [
      '0180a0abfef96203',
      '01d8040e020104030a0c0002040301026d6501020204',
      '030e020d756e6b6e6f776e53796d626f6c00',
      '040e020c756e6b6e6f776e4f72646572',
    ];
    expect({ linkVersion, bytes }).toEqual({ linkVersion: 5, bytes: expected.join('') });
  });
});
