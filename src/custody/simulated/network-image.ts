import type { Network } from '#custody/addresses/networks.ts';

/** Where a transaction goes and how much it moves. Amounts are decimal text: JSON has no exact large numbers. */
export interface RecordedPayment {
  readonly txId: string;
  readonly address: string;
  readonly memo: string | null;
  readonly contract: string | null;
  readonly amount: string;
}

/** A transaction as the file keeps it. Amounts are decimal text. */
export interface TransactionImage extends RecordedPayment {
  readonly sentAt: number;
  readonly sentHeight: number;
  readonly minedHeight: number;
  readonly outgoing: { readonly nonce: number | null; readonly fee: string } | null;
}

/** Everything about a simulated network, as the file keeps it. */
export interface NetworkImage {
  readonly network: Network;
  readonly anchorAt: number;
  readonly anchorHeight: number;
  readonly delayBlocks: number;
  readonly depositCount: number;
  readonly nextNonce: number;
  readonly foldedNonces: number;
  readonly foldedHeight: number;
  readonly removed: readonly string[];
  readonly forks: readonly number[];
  readonly forkCount: number;
  readonly limits: readonly (readonly [string, string])[];
  readonly sums: readonly (readonly [string, string])[];
  readonly transactions: readonly TransactionImage[];
}
