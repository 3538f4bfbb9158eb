import { describe, expect, test } from 'vitest';
import { audit } from '#engine/image/audit.ts';
import { restoreEngine } from '#engine/create-engine.ts';
import { levelsOf } from '#engine/queries/engine-queries.ts';
import type { SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { CommandStream } from '../oracle/command-stream.ts';
import { Coverage, wantedCells } from '../oracle/coverage.ts';
import { EventInvariants } from '../oracle/invariants.ts';
import { openingSymbols } from '../oracle/opening.ts';
import { SideBySide } from '../oracle/side-by-side.ts';

/** 50,000 by default; more by `BOURSE_TEST_OPERATIONS`. */
const operations = Number(process.env['BOURSE_TEST_OPERATIONS'] ?? 30_000);
const seeds = Array.from({ length: 8 }, (_, index) => 1000 + index);
const coverage = new Coverage(wantedCells);

/** Runs one seed: every event compared, whole states now and then, the engine restored on the way. */
function runSeed(seed: number, count: number): void {
  const both = new SideBySide();
  const stream = new CommandStream(seed, 0.002);
  const invariants = new EventInvariants();
  for (let step = 1; step <= count; step += 1) {
    const events = both.apply(stream.next());
    stream.observe(events);
    coverage.observe(events, openingSymbols);
    invariants.observe(events);
    if (invariants.faults.length > 0) throw new Error(`seed ${seed}, step ${step}: ${invariants.faults.join('; ')}`);
    if (step % 100 === 0) checkStates(both, invariants);
    if (step % 9973 === 0) both.engine = restoreEngine(both.engine.snapshot());
  }
  both.compareStates();
  coverage.add(both.model.state.met);
}

function checkStates(both: SideBySide, invariants: EventInvariants): void {
  both.compareStates();
  expect(audit(both.engine.state)).toEqual([]);
  for (let symbol = 0; symbol < both.engine.state.books.length; symbol += 1) {
    for (const side of ['buy', 'sell'] as const) {
      expect(levelsOf(both.engine.state, as<SymbolId>(symbol), side)).toEqual(invariants.levels(symbol, side));
    }
  }
}

describe('the engine beside a naive model of the rules', () => {
  test.for(seeds)(
    'I1 to I14, I24, I26: every event and every balance is the same, seed %i',
    { timeout: 3_600_000 },
    (seed) => runSeed(seed, Math.ceil(operations / seeds.length)),
  );

  test('the random commands met every kind, side, prevention mode, refusal, ending and way to pay', () => {
    if (operations >= 200_000) expect(coverage.missing()).toEqual([]);
  });
});
