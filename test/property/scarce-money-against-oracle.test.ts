import { describe, expect, test } from 'vitest';
import { audit } from '#engine/image/audit.ts';
import { Coverage, scarceCells, vastCells } from '../oracle/coverage.ts';
import { EventInvariants } from '../oracle/invariants.ts';
import { ScarceStream } from '../oracle/scarce-stream.ts';
import { SideBySide } from '../oracle/side-by-side.ts';

/** A case is one order against a random small book. 20,000 by default; more by `BOURSE_TEST_CASES`. */
const cases = Number(process.env['BOURSE_TEST_CASES'] ?? 12_000);
/** Orders of one exchange: few, so that its money stays as scarce as it began. */
const casesPerExchange = 100;
const parts = Array.from({ length: 5 }, (_, index) => index);
const scarce = new Coverage(scarceCells);
const vast = new Coverage(vastCells);

/** Runs one exchange from its first entry: every event and every balance compared after every command. */
function runExchange(seed: number, isVast: boolean): void {
  const coverage = isVast ? vast : scarce;
  const both = new SideBySide();
  const stream = new ScarceStream(seed, both.model.state, isVast);
  const invariants = new EventInvariants();
  while (stream.orders < casesPerExchange) {
    const events = both.apply(stream.next());
    both.compareStates();
    coverage.observe(events, stream.listings);
    invariants.observe(events);
    if (invariants.faults.length > 0) throw new Error(invariants.faults.join('; '));
  }
  coverage.add(both.model.state.met);
  expect(audit(both.engine.state)).toEqual([]);
}

/** Runs exchanges of consecutive seeds; a failure names its own. */
function runExchanges(from: number, count: number, isVast: boolean): void {
  for (let seed = from; seed < from + count; seed += 1) {
    try {
      runExchange(seed, isVast);
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
    }
  }
}

describe('the engine beside a naive model of the rules, with scarce money', () => {
  const exchanges = Math.ceil(cases / casesPerExchange / parts.length);

  test.for(parts)(
    'I1 to I9, I24, I26: every event and every balance is the same after every command, part %i',
    { timeout: 3_600_000 },
    (part) => runExchanges(1_000_000 * (part + 1), exchanges, false),
  );

  test('I1 to I9, I24, I26: so it is with amounts around 2^53', { timeout: 3_600_000 }, () =>
    runExchanges(10_000_000, exchanges, true),
  );

  test('the random orders met every kind, side and prevention mode, and every edge of funds and token fees', () => {
    if (cases >= 100_000) expect(scarce.missing()).toEqual([]);
  });

  test('the random orders met every bound of an amount', () => {
    if (cases >= 100_000) expect(vast.missing()).toEqual([]);
  });
});
