import { describe, expect, test } from 'vitest';
import { audit } from '#engine/image/audit.ts';
import { restoreEngine } from '#engine/create-engine.ts';
import { ContractCoverage } from '../oracle/contract-coverage.ts';
import { contractAsset, firstTrader, traderCount } from '../oracle/contract-opening.ts';
import { brokenContracts } from '../oracle/contract-invariants.ts';
import { ContractStream } from '../oracle/contract-stream.ts';
import { ContractsSideBySide } from '../oracle/contracts-side-by-side.ts';

/** 4,000 commands by default; more by `BOURSE_TEST_CONTRACTS`, from another seed on by `BOURSE_TEST_SEED`. */
const commands = Number(process.env['BOURSE_TEST_CONTRACTS'] ?? 4_000);
const firstSeed = Number(process.env['BOURSE_TEST_SEED'] ?? 1_000);
const commandsPerExchange = 400;
/** Commands at the end of an exchange by which its contracts are ended. */
const endingCommands = 20;
const coverage = new ContractCoverage();

/** Runs one exchange from its first entry to the end of its contracts, and restores it now and then on the way. */
function runExchange(seed: number): void {
  const stream = new ContractStream(seed, commandsPerExchange - endingCommands);
  const both = new ContractsSideBySide(contractAsset.settle, stream.settleScale);
  stream.watch(both.model);
  for (let step = 1; step <= commandsPerExchange; step += 1) {
    coverage.observe(both.apply(stream.next()), firstTrader + traderCount);
    both.compareStates();
    if (step % 97 === 0) both.engine = restoreEngine(both.engine.snapshot());
  }
  expect([...audit(both.engine.state), ...brokenContracts(both.engine.state)]).toEqual([]);
  coverage.add(both.model.met);
}

describe('contracts of the engine beside a naive model of the rules', () => {
  test('I31, I32, DEC-FUT-20 to DEC-FUT-29, DEC-FUT-46 to DEC-FUT-59: all that happens and all money is the same', {
    timeout: 3_600_000,
  }, () => {
    for (let seed = firstSeed; seed < firstSeed + commands / commandsPerExchange; seed += 1) {
      try {
        runExchange(seed);
      } catch (error) {
        throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
      }
    }
  });

  test('the random commands met every kind of order, refusal and ending, and all that can happen to a position', () => {
    if (commands >= 100_000) expect(coverage.missing()).toEqual([]);
  });
});
