import type { z } from 'zod';
import { amountText } from '#operator-api/wallet/amounts.ts';
import type { reconciliationEndpoints } from '#operator-api/money/reconciliation-endpoints.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { reconcile, type ReconciledAsset } from '#custody/settlement/reconcile.ts';

type Endpoints = typeof reconciliationEndpoints;
type Shown = z.input<Endpoints['getReconciliation']['answer']>['items'][number];

function shown(row: ReconciledAsset): Shown {
  const text = (amount: bigint): string => amountText(amount, row.asset);
  return {
    asset: row.asset.code,
    onLedger: text(row.onLedger),
    notCredited: text(row.notCredited),
    onWord: row.onWord.map(({ deposit, network, txId, amount, vouchers }) => ({
      ...{ deposit, network, txId, vouchers: [...vouchers] },
      amount: text(amount),
    })),
    leaving: text(row.leaving),
    expected: text(row.expected),
    inCustody: text(row.inCustody),
    difference: text(row.difference),
    rounding: text(row.rounding),
    isComplete: row.isComplete,
    isExplained: row.isExplained,
    networks: row.networks.map(({ network, amount, remainder }) => ({
      network,
      amount: amount === null ? null : text(amount),
      remainder: String(remainder),
    })),
  };
}

/** Handlers of the reconciliation. */
export const reconciliationHandlers = ({ queries, custody }: OperatorContext): HandlersOf<Endpoints> => ({
  getReconciliation: async () => ({ items: (await reconcile(queries, custody)).map(shown) }),
});
