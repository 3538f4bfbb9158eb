import { describe, expect, test } from 'vitest';
import { FuzzCoverage, wantedCells } from './fuzz-coverage.ts';
import { countOf, runSeed } from './fuzz-run.ts';

/** 1 by default, of 70,000 commands each; more by `BOURSE_TEST_FUZZ_GROUPS`. */
const groupCount = Number(process.env['BOURSE_TEST_FUZZ_GROUPS'] ?? 1);
/** So many meet everything. */
const groupsForAll = 5;
const groups = Array.from({ length: groupCount }, (_, index) => index);
const commandsWanted = groupCount * 70_000;
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

  test('meet the kinds of commands and orders, refusals, endings and both ways to pay', () => {
    expect(commands).toBeGreaterThanOrEqual(commandsWanted);
    const missing = coverage.missing();
    if (groupCount >= groupsForAll) expect(missing).toEqual([]);
    else expect(missing.length, missing.join()).toBeLessThan(wantedCells.length / 10);
  });
});
