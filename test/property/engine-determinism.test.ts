import { describe, expect, test } from 'vitest';
import type { Command, Entry } from '#domain/command.ts';
import { createEventRecorder, noopSink } from '#domain/event-record.ts';
import type { AccountId, Seq } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import { createEngine, restoreEngine } from '#engine/create-engine.ts';
import { balancesWorthIt } from '#engine/look-ahead.ts';
import { CommandStream } from '../oracle/command-stream.ts';

/** Entries of a random run; the stream needs the events to know what it may cancel. */
function recordEntries(seed: number, count: number): Entry[] {
  const engine = createEngine();
  const stream = new CommandStream(seed);
  const recorder = createEventRecorder();
  return Array.from({ length: count }, () => {
    const entry = stream.next();
    recorder.events = [];
    engine.apply(entry, recorder);
    stream.observe(recorder.events);
    return entry;
  });
}

/** The same entries, with so many accounts opened and funded on the way that looking ahead begins. */
function amongManyBalances(entries: readonly Entry[], place: number): Entry[] {
  const { at, epoch } = entries[place - 1]!;
  const engine = createEngine();
  for (const entry of entries.slice(0, place)) engine.apply(entry, noopSink);
  const first = engine.state.accounts.size;
  const crowd: Command[] = [];
  for (let index = 0; index < balancesWorthIt / 2; index += 1) {
    const account = as<AccountId>(first + index);
    crowd.push({ kind: 'openAccount', uid: as(90_000_000 + index), name: '', master: null, ...plainTerms });
    for (const asset of [0, 1, 2]) crowd.push({ kind: 'creditFunds', account, asset: as(asset), amount: as(1000n) });
  }
  const added = crowd.map((command) => ({ seq: as<Seq>(0), epoch, at, command }));
  return [...entries.slice(0, place), ...added, ...entries.slice(place)].map((entry, index) => ({
    ...entry,
    seq: as<Seq>(index + 1),
  }));
}
const plainTerms = { class: 'user', kycLevel: 1, simulated: false } as const;

const digestsOf = (entries: readonly Entry[]) => {
  const engine = createEngine();
  for (const entry of entries) engine.apply(entry, noopSink);
  return { state: engine.digest(), events: engine.eventDigest() };
};

/** Runs `work` while the machine's time and chance throw. */
function withoutMachine<Answer>(work: () => Answer): Answer {
  const { Date: realDate, performance: realPerformance } = globalThis;
  const realRandom = Math.random;
  const poison = (): never => {
    throw new Error('the engine asked the machine');
  };
  const poisoned = new Proxy(realDate, { construct: poison, apply: poison, get: poison });
  Object.assign(globalThis, { Date: poisoned });
  Object.defineProperty(globalThis, 'performance', {
    configurable: true,
    writable: true,
    value: new Proxy({}, { get: poison }),
  });
  Math.random = poison;
  try {
    return work();
  } finally {
    Object.assign(globalThis, { Date: realDate });
    Object.defineProperty(globalThis, 'performance', { configurable: true, writable: true, value: realPerformance });
    Math.random = realRandom;
  }
}

describe('the engine is a function of its entries', () => {
  test('I20, I25: the same entries give the same digests, with time and chance taken away', () => {
    const entries = recordEntries(7, 20_000);
    const first = digestsOf(entries);
    expect(withoutMachine(() => digestsOf(entries))).toEqual(first);
  });

  test('looking ahead changes nothing, wherever a batch ends', () => {
    const entries = amongManyBalances(recordEntries(11, 20_000), 4_000);
    const engine = createEngine();
    for (let from = 0, size = 1; from < entries.length; from += size, size = (size * 7 + 3) % 151) {
      const batch = entries.slice(from, from + size);
      batch.forEach((entry, index) => {
        engine.lookAhead(batch, index);
        engine.apply(entry, noopSink);
      });
    }
    expect(engine.state.ledger.balances.count).toBeGreaterThan(balancesWorthIt);
    expect({ state: engine.digest(), events: engine.eventDigest() }).toEqual(digestsOf(entries));
  });

  test('I21: restoring a snapshot at a random point and going on equals never having stopped', () => {
    const entries = recordEntries(8, 12_000);
    const whole = createEngine();
    const images: { at: number; image: Uint8Array }[] = [];
    entries.forEach((entry, index) => {
      whole.apply(entry, noopSink);
      if (index % 997 === 500) images.push({ at: index + 1, image: whole.snapshot() });
    });
    for (const { at, image } of images) {
      const restored = restoreEngine(image);
      for (const entry of entries.slice(at)) restored.apply(entry, noopSink);
      expect({ at, state: restored.digest(), events: restored.eventDigest() }).toEqual({
        at,
        state: whole.digest(),
        events: whole.eventDigest(),
      });
    }
  });

  test('I21: a snapshot of a restored engine is the same image, byte for byte', () => {
    const engine = createEngine();
    for (const entry of recordEntries(9, 6_000)) engine.apply(entry, noopSink);
    const image = engine.snapshot();
    expect(Buffer.compare(restoreEngine(image).snapshot(), image)).toBe(0);
  });

  test('a digest tells states apart that differ in one lot', () => {
    const entries = recordEntries(10, 3_000);
    const index = entries.findLastIndex(({ command }) => command.kind === 'creditFunds');
    const changed = entries.map((entry, at) => {
      if (at !== index || entry.command.kind !== 'creditFunds') return entry;
      return {
        ...entry,
        command: { ...entry.command, amount: (entry.command.amount + 1n) as typeof entry.command.amount },
      };
    });
    expect(digestsOf(changed).state).not.toBe(digestsOf(entries).state);
  });
});
