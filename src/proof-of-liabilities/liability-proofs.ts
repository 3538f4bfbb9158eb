import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { LiabilityTree, type Sums } from '#proof-of-liabilities/liability-tree.ts';
import {
  type ProofDocument,
  proofDocumentOf,
  type PublishedRoot,
  type RootDocument,
  rootDocumentOf,
} from '#proof-of-liabilities/proof-document.ts';

/** Bytes of a salt: nobody can try them all. */
const saltBytes = 16;

/** What the exchange owes at one entry of the journal. */
export interface OwedToAccounts {
  readonly seq: number;
  readonly at: number;
  readonly accounts: readonly { readonly uid: number; readonly balances: Sums }[];
}

/** The newest tree of a running exchange. It is in memory only: a restart forgets it. DEC-WAL-88. */
export interface LiabilityProofs {
  /**
   * Makes a tree of what is owed now, under new salts, and forgets the one before; `null` if nobody owns anything.
   * Whoever asks while one is being made gets that one.
   */
  make(): Promise<RootDocument | null>;
  /** The root of the newest tree; `null`: none was made since the start. */
  root(): RootDocument | null;
  /** The proof of an account in the newest tree; `null` without a tree, or if the account owned nothing then. */
  proofOf(uid: number): ProofDocument | null;
}

/** Creates the service over what tells the liabilities. */
export function createLiabilityProofs(owed: () => Promise<OwedToAccounts>): LiabilityProofs {
  let newest: { readonly published: PublishedRoot; readonly tree: LiabilityTree } | null = null;
  let making: Promise<RootDocument | null> | null = null;
  const make = async (): Promise<RootDocument | null> => {
    const { seq, at, accounts } = await owed();
    if (accounts.length === 0) return null;
    const salts = randomBytes(saltBytes * accounts.length).toString('hex');
    const saltOf = (index: number): string => salts.slice(2 * saltBytes * index, 2 * saltBytes * (index + 1));
    const liabilities = accounts.map(({ uid, balances }, index) => ({
      uid: String(uid),
      salt: saltOf(index),
      balances,
    }));
    const tree = await LiabilityTree.over(liabilities, setImmediate);
    newest = { published: { seq, at, accounts: tree.size, root: tree.root }, tree };
    return rootDocumentOf(newest.published);
  };
  return {
    make: () => {
      making ??= make().finally(() => {
        making = null;
      });
      return making;
    },
    root: () => newest && rootDocumentOf(newest.published),
    proofOf: (uid) => {
      const proof = newest?.tree.proofOf(String(uid)) ?? null;
      return newest && proof && proofDocumentOf(newest.published, proof);
    },
  };
}
