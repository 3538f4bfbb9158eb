import type { liabilityEndpoints } from '#operator-api/money/liability-endpoints.ts';
import { accountOfUid } from '#operator-api/accounts/find-account.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { Problem } from '#operator-api/requests/problems.ts';
import { createRequestMemory } from '#operator-api/requests/act.ts';
import { createLiabilityProofs } from '#proof-of-liabilities/liability-proofs.ts';

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
