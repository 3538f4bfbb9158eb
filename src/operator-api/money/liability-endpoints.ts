import { z } from 'zod';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';
import { proofDocument, rootDocument } from '#proof-of-liabilities/proof-document.ts';

const exampleRoot = {
  version: 1,
  seq: 5120,
  at: 1_700_000_000_000,
  accounts: 2,
  root: { hash: 'c4'.repeat(32), sums: { USDT: '12500000000' } },
} as const;
const root = rootDocument.meta({ examples: [exampleRoot] });
const proof = proofDocument.meta({
  examples: [
    {
      ...exampleRoot,
      uid: '10000001',
      salt: '5a'.repeat(16),
      balances: { USDT: '2500000000' },
      path: [{ side: 'left', node: { hash: 'b1'.repeat(32), sums: { USDT: '10000000000' } } }],
    },
  ],
});

/** Endpoints of the proof of liabilities. */
export const liabilityEndpoints = {
  makeLiabilityTree: endpoint.post('/v1/liabilities', {
    scope: 'liabilities:write',
    name: 'Make a liability tree',
    summary: 'Makes a Merkle sum tree of what all accounts own now, and answers its root, which is to be published.',
    notes: 'It takes the place of the tree before, whose proofs cannot be had any more. It is gone after a restart.',
    answer: root,
    status: 201,
    problems: ['nothingOwed'],
  }),
  getLiabilities: endpoint.get('/v1/liabilities', {
    scope: 'ledger:read',
    name: 'Root of liabilities',
    summary: 'The root of the newest liability tree: amounts in smallest units.',
    answer: root,
    problems: ['noLiabilityTree'],
  }),
  getLiabilityProof: endpoint.get('/v1/accounts/{uid}/liability-proof', {
    scope: 'ledger:read',
    name: 'Liability proof of an account',
    summary: 'What the owner of an account needs to check that the newest tree counts it.',
    notes: 'For the owner alone: it shows balances, and sums of neighbours. Check it with bourse proof verify.',
    parameters: z.strictObject({ uid: field.uid() }),
    answer: proof,
    problems: ['unknownAccount', 'noLiabilityTree', 'notInLiabilityTree'],
  }),
} as const;
