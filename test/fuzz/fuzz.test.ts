import { describe, expect, test } from 'vitest';
import { FuzzCoverage } from './fuzz-coverage.ts';
import { countOf, runSeed } from './fuzz-run.ts';

const commandsWanted = 350_000;
const groups = [0, 1, 2, 3, 4] as const;
const seedsOfGroup = Array.from({ length: 28 }, (_, index) => index);
const coverage = new FuzzCoverage();
let commands = 0;

describe('random commands at the ends of what is allowed', () => {
  test.each(groups)(
    'break nothing and are told alike by all who listen (seeds of group %i)',
    async (group) => {
      for (const index of seedsOfGroup) {
        const seed = 200_000 + group * seedsOfGroup.length + index;
        const finding = await runSeed(seed, countOf(seed), coverage);
        expect(finding === null ? null : `seed ${seed}, ${finding.during}: ${finding.message}`).toBeNull();
        commands += countOf(seed);
      }
    },
    600_000,
  );

  test('meet every kind of command and order, every refusal, every ending and both ways to pay', () => {
    expect(commands).toBeGreaterThanOrEqual(commandsWanted);
    expect(coverage.missing()).toEqual([]);
  });
});
