import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSeeds } from './kept-seeds.ts';
import { runSteps } from './fuzz-run.ts';
import { paceOf } from './shrink.ts';

const kept = readSeeds(join(import.meta.dirname, '..', 'seeds'));

describe('commands that once broke something', () => {
  test('are kept, each with its cause', () => {
    expect(kept.length).toBeGreaterThan(0);
    for (const { name, kept: seed } of kept) {
      expect(name).toBe(`${seed.seed}.json`);
      expect(seed.cause).not.toBe('not known yet');
    }
  });

  test.each(kept)('break nothing any more: $name, $kept.cause', async ({ kept: { seed, steps } }) => {
    const finding = await runSteps(seed, steps, paceOf(steps.length));
    expect(finding === null ? null : `${finding.during}: ${finding.message}`).toBeNull();
  });
});
