import { expect, it } from 'vitest';
import { toChain, toChainAtLeast } from '#custody/settlement/chain-amounts.ts';

it('DEC-WAL-48: what counts towards a limit is never less on the chain than on the ledger', () => {
  expect([0n, 1n, 15n].map((amount) => toChainAtLeast(amount, 18, 8))).toEqual([0n, 10n ** 10n, 15n * 10n ** 10n]);
  expect([0n, 1n, 100n, 101n].map((amount) => toChainAtLeast(amount, 6, 8))).toEqual([0n, 1n, 1n, 2n]);
  expect([100n, 101n].map((amount) => toChain(amount, 6, 8))).toEqual([1n, null]);
});
