import { describe, expect, test } from 'vitest';
import { audit } from '#engine/audit.ts';
import { restoreEngine } from '#engine/create-engine.ts';
import { contractAsset } from '../oracle/contract-opening.ts';
import { ContractStream } from '../oracle/contract-stream.ts';
import { ContractsSideBySide } from '../oracle/contracts-side-by-side.ts';

/** 8,000 commands by default; more by `BOURSE_TEST_CONTRACTS`. */
const commands = Number(process.env['BOURSE_TEST_CONTRACTS'] ?? 8_000);
const commandsPerExchange = 400;
const first = Number(process.env['BOURSE_TEST_SEED'] ?? 5_000);

/** Runs one exchange from its first entry to the end of its contracts. */
function runExchange(seed: number): void {
  const stream = new ContractStream(seed, commandsPerExchange - (process.env['NOLIQ'] ? 0 : 10));
  const both = new ContractsSideBySide(contractAsset.settle, stream.settleScale);
  stream.watch(both.model);
  for (let step = 1; step <= commandsPerExchange; step += 1) {
    both.apply(stream.next());
    both.compareStates();
    if (step % 97 === 0) both.engine = restoreEngine(both.engine.snapshot());
  }
  expect(audit(both.engine.state)).toEqual([]);
}

describe('contracts of the engine beside a naive model of the rules', () => {
  test('DEC-FUT-19 to DEC-FUT-29, DEC-FUT-46 to DEC-FUT-50: all that happens and all money is the same', {
    timeout: 3_600_000,
  }, () => {
    for (let seed = first; seed < first + commands / commandsPerExchange; seed += 1) {
      try {
        runExchange(seed);
      } catch (error) {
        throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
      }
    }
  });
});
