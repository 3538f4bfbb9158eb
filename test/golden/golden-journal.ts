import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { ClientOrderId } from '#model/client-order-id.ts';
import type { Command, Entry } from '#model/command.ts';
import { createEventRecorder } from '#model/event-record.ts';
import { as } from '#model/units.ts';
import { createEngine, restoreEngine } from '#engine/create-engine.ts';
import { canonicalText } from '#base/checksum.ts';

/** A journal that people can read: one entry a line, big integers as text that ends in `n`. */
export interface GoldenEntry {
  readonly at: number;
  readonly command: Command;
}

/** What a journal must give again on every machine and after every change of code. */
export interface GoldenExpectation {
  /** Number of events by kind, so that a difference can be understood. */
  readonly counts: Readonly<Record<string, number>>;
  /** Entries between two digests. */
  readonly every: number;
  /** The engine's rolling event digest after every `every` entries and after the last: journals carry it. */
  readonly digests: readonly string[];
  /** SHA-256 of the text of all events so far at the same places: tells changed events from a changed digest. */
  readonly texts: readonly string[];
}

const every = 100;
const asText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value);
/** Ids of references stay texts; those of orders to be placed, which say what kind of order, do not. */
function fromText(this: object, name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (name === 'clientOrderId' && 'kind' in this) return ClientOrderId.of(value);
  return /^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value;
}

export function readGolden(path: string): GoldenEntry[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line, fromText) as GoldenEntry);
}

export function writeGolden(path: string, entries: readonly GoldenEntry[]): void {
  writeFileSync(path, `${entries.map((entry) => JSON.stringify(entry, asText)).join('\n')}\n`);
}

/** Runs a journal on a fresh engine; with `restoreEvery` it goes on in one restored from its image each time. */
export function replayGolden(entries: readonly GoldenEntry[], restoreEvery = Infinity): GoldenExpectation {
  let engine = createEngine();
  const counts = new Map<string, number>();
  const digests: string[] = [];
  const texts: string[] = [];
  const hash = createHash('sha256');
  entries.forEach(({ at, command }, index) => {
    if (index > 0 && index % restoreEvery === 0) engine = restoreEngine(engine.snapshot(), engine.digest());
    const entry: Entry = { seq: as(index + 1), epoch: as(0), at: as(at), command };
    const recorder = createEventRecorder();
    engine.apply(entry, recorder);
    const { events } = recorder;
    hash.update(canonicalText(events));
    for (const { kind } of events) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if ((index + 1) % every === 0 || index + 1 === entries.length) {
      digests.push(engine.eventDigest());
      texts.push(hash.copy().digest('hex').slice(0, 32));
    }
  });
  return {
    counts: Object.fromEntries([...counts].sort(([first], [second]) => (first < second ? -1 : 1))),
    every,
    digests,
    texts,
  };
}
