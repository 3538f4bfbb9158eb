import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createEventRecorder } from '#domain/event-record.ts';
import { createEngine } from '#engine/create-engine.ts';
import { CommandStream } from '../oracle/command-stream.ts';
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

/** Random commands of a busy small exchange; written once, then only replayed. */
function recordBusyHour(): GoldenEntry[] {
  const engine = createEngine();
  const stream = new CommandStream(20_240_229);
  return Array.from({ length: 2000 }, () => {
    const entry = stream.next();
    const recorder = createEventRecorder();
    engine.apply(entry, recorder);
    stream.observe(recorder.events);
    return { at: entry.at, command: entry.command };
  });
}

if (isRecording) {
  const busy = join(folder, 'rules-1', 'busy-hour.jsonl');
  if (!existsSync(busy)) writeGolden(busy, recordBusyHour());
  for (const journal of journals) {
    const expectation = replayGolden(readGolden(join(folder, journal)));
    writeFileSync(
      join(folder, journal.replace('.jsonl', '.expected.json')),
      `${JSON.stringify(expectation, null, 2)}\n`,
    );
  }
}

describe('golden journals', () => {
  test('there is at least one journal for every rules version', () => {
    expect(versions.filter((version) => !journals.some((journal) => journal.startsWith(version)))).toEqual([]);
    expect(journals.length).toBeGreaterThan(0);
  });

  test.for(journals)('%s gives the events it gave when it was recorded', (journal) => {
    const text = readFileSync(join(folder, journal.replace('.jsonl', '.expected.json')), 'utf8');
    expect(replayGolden(readGolden(join(folder, journal)))).toEqual(JSON.parse(text) as GoldenExpectation);
  });
});
