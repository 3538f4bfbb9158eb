import * as field from '#operator-api/declaration/fields.ts';
import { accountOfUid } from '#operator-api/accounts/find-account.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { Problem } from '#operator-api/requests/problems.ts';
import { createRequestMemory } from '#operator-api/requests/act.ts';
import { createLiabilityProofs } from '#proof-of-liabilities/liability-proofs.ts';
import { z } from 'zod';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
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
    command: 'liabilities make',
    summary: 'Makes a Merkle sum tree of what all accounts own now, and answers its root, which is to be published.',
    notes: 'It takes the place of the tree before, whose proofs cannot be had any more. It is gone after a restart.',
    answer: root,
    status: 201,
    problems: ['nothingOwed'],
  }),
  getLiabilities: endpoint.get('/v1/liabilities', {
    scope: 'ledger:read',
    name: 'Root of liabilities',
    command: 'liabilities root',
    summary: 'The root of the newest liability tree: amounts in smallest units.',
    answer: root,
    problems: ['noLiabilityTree'],
  }),
  getLiabilityProof: endpoint.get('/v1/accounts/{uid}/liability-proof', {
    scope: 'ledger:read',
    name: 'Liability proof of an account',
    command: 'liabilities proof',
    summary: 'What the owner of an account needs to check that the newest tree counts it.',
    notes: 'For the owner alone: it shows balances, and sums of neighbours. Check it with bourse proof verify.',
    parameters: z.strictObject({ uid: field.uid() }),
    answer: proof,
    problems: ['unknownAccount', 'noLiabilityTree', 'notInLiabilityTree'],
  }),
} as const;

/** Handlers of the proof of liabilities. The newest tree is in memory. */
export function liabilityHandlers(context: OperatorContext): HandlersOf<typeof liabilityEndpoints> {
  const { queries } = context;
  const proofs = createLiabilityProofs(() => queries.wallet.liabilities());
  const once = createRequestMemory(context);
  return {
    makeLiabilityTree: (request) =>
      once('makeLiabilityTree', request, async () => {
        const root = await proofs.make();
        if (root === null) throw new Problem('nothingOwed');
        return root;
      }),
    getLiabilities: () => {
      const root = proofs.root();
      if (root === null) throw new Problem('noLiabilityTree');
      return root;
    },
    getLiabilityProof: async ({ path }) => {
      await accountOfUid(queries, path.uid);
      if (proofs.root() === null) throw new Problem('noLiabilityTree');
      const proof = proofs.proofOf(path.uid);
      if (proof === null) throw new Problem('notInLiabilityTree');
      return proof;
    },
  };
}
