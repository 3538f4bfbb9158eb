/**
 * Public ids of the wallet: 32 lower-case hex characters that the edge prints for the kind and the running number that
 * the engine gave, under the key of the installation: nobody guesses the next, and no two installations print the same.
 * The engine knows numbers only. DEC-WAL-04, DEC-WAL-170.
 */
export const walletIdKinds = ['withdrawal', 'transfer', 'send', 'conversion', 'universalTransfer'] as const;
export type WalletIdKind = (typeof walletIdKinds)[number];

/** Prints public ids of the wallet and reads them back. */
export interface WalletIds {
  /** `number` is a safe integer from 1. */
  text(kind: WalletIdKind, number: number): string;
  /** The number behind an id; `null` for a text that names nothing of this kind. */
  numberOf(kind: WalletIdKind, id: string): number | null;
}

const insidePattern = /^inside ([1-9]\d*)$/;

/** What names the payment of a withdrawal that another account of this exchange gets. No chain writes such a name. */
export const insideTxId = (withdrawal: number): string => `inside ${withdrawal}`;

/** A transaction as it is shown: of a payment from inside it is the id of the withdrawal. DEC-WAL-25. */
export function shownTxId(ids: WalletIds, txId: string): string {
  const withdrawal = insidePattern.exec(txId)?.[1];
  return withdrawal === undefined ? txId : ids.text('withdrawal', Number.parseInt(withdrawal, 10));
}
