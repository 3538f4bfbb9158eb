import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createEventRecorder, noopSink } from '#model/event-record.ts';
import { newestRules } from '#model/rules.ts';
import { as } from '#model/units.ts';
import { createEngine } from '#engine/create-engine.ts';
import { contractAsset } from '../oracle/contract-opening.ts';
import { ContractStream } from '../oracle/contract-stream.ts';
import { ContractsSideBySide } from '../oracle/contracts-side-by-side.ts';
import { CommandStream } from '../oracle/command-stream.ts';
import { NaiveExchange } from '../oracle/naive-exchange.ts';
import { ScarceStream } from '../oracle/scarce-stream.ts';
import { CommandMaker } from '../fuzz/command-maker.ts';
import type { GoldenEntry, GoldenExpectation } from './golden-journal.ts';
import { readGolden, replayGolden, writeGolden } from './golden-journal.ts';

/**
 * Journals of every rules version with the events they gave when they were recorded. A difference means that an old
 * journal would replay differently: it needs a new rules version, or, before the first release, a reason in the commit
 * that records them again (`BOURSE_RECORD_GOLDEN=1 npx vitest run test/golden`).
 */
const folder = import.meta.dirname;
const isRecording = process.env['BOURSE_RECORD_GOLDEN'] === '1';
const versions = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const journals = versions.flatMap((version) =>
  readdirSync(join(folder, version))
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => `${version}/${name}`),
);

/** Random commands of a busy small exchange. */
function recordBusyHour(): GoldenEntry[] {
  const engine = createEngine();
  const stream = new CommandStream(20_240_229, 0.01);
  return Array.from({ length: 340 }, () => {
    const entry = stream.next();
    const recorder = createEventRecorder();
    engine.apply(entry, recorder);
    stream.observe(recorder.events);
    return { at: entry.at, command: entry.command };
  });
}

/** Random commands of an exchange where nobody owns more than a few units, or of one with amounts around 2^53. */
function recordScarceMoney(isVast: boolean): GoldenEntry[] {
  const model = new NaiveExchange();
  const stream = new ScarceStream(20_261_122, model.state, isVast);
  return Array.from({ length: 150 }, () => {
    const entry = stream.next();
    model.apply(entry);
    return { at: entry.at, command: entry.command };
  });
}

/** Contracts with staked money, from their listing to their end; of this seed almost all that can happen does. */
function recordContracts(): GoldenEntry[] {
  const length = 400;
  const stream = new ContractStream(38, length - 40);
  const both = new ContractsSideBySide(contractAsset.settle, stream.settleScale);
  stream.watch(both.model);
  return Array.from({ length }, () => {
    const entry = stream.next();
    both.apply(entry);
    return { at: entry.at, command: entry.command };
  });
}

/** Commands of every kind, at the ends of what is allowed; most of such ones are refused. */
function recordEveryKind(): GoldenEntry[] {
  const engine = createEngine();
  const maker = new CommandMaker(11);
  return Array.from({ length: 500 }, () => {
    const step = maker.next(engine.state);
    engine.apply({ seq: as(engine.seq + 1), epoch: as(0), at: as(step.at), command: step.command }, noopSink);
    return step;
  });
}

/** Journals of the newest rules, each written once and then only replayed. */
const recorded: Readonly<Record<string, () => GoldenEntry[]>> = {
  'busy-hour': recordBusyHour,
  'scarce-money': () => recordScarceMoney(false),
  'great-amounts': () => recordScarceMoney(true),
  contracts: recordContracts,
  'every-kind': recordEveryKind,
};

if (isRecording) {
  const version = `rules-${newestRules}`;
  mkdirSync(join(folder, version), { recursive: true });
  for (const [name, record] of Object.entries(recorded)) {
    const path = join(folder, version, `${name}.jsonl`);
    if (!existsSync(path)) writeGolden(path, record());
    if (!journals.includes(`${version}/${name}.jsonl`)) journals.push(`${version}/${name}.jsonl`);
  }
  for (const journal of journals) {
    const path = join(folder, journal.replace('.jsonl', '.expected.json'));
    writeFileSync(path, `${JSON.stringify(replayGolden(readGolden(join(folder, journal))), null, 2)}\n`);
  }
}

describe('DEC-ORD-36: golden journals', () => {
  test('there is at least one journal for every rules version', () => {
    const known = Array.from({ length: newestRules }, (_, index) => `rules-${index + 1}`);
    expect([...versions].sort()).toEqual(known);
    expect(versions.filter((version) => !journals.some((journal) => journal.startsWith(version)))).toEqual([]);
    expect(journals.length).toBeGreaterThan(0);
  });

  test.for(journals)('%s gives the events it gave when it was recorded', (journal) => {
    const text = readFileSync(join(folder, journal.replace('.jsonl', '.expected.json')), 'utf8');
    expect(replayGolden(readGolden(join(folder, journal)))).toEqual(JSON.parse(text) as GoldenExpectation);
  });

  test('contracts give the same events after every restore from an image', () => {
    const path = join(folder, `rules-${newestRules}`, 'contracts');
    const expected = JSON.parse(readFileSync(`${path}.expected.json`, 'utf8')) as GoldenExpectation;
    expect(replayGolden(readGolden(`${path}.jsonl`), 50)).toEqual(expected);
  });
});
