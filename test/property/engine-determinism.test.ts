import { describe, expect, test } from 'vitest';
import type { Entry } from '#model/command.ts';
import { createEventRecorder, noopSink } from '#model/event-record.ts';
import { createEngine, restoreEngine } from '#engine/create-engine.ts';
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
