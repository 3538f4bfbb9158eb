import { createHash } from 'node:crypto';

/**
 * Proof of liabilities: a Merkle sum tree over what every account owns. The root commits to the sum of all balances per
 * asset; a path shows one account that its own balances are among them, and nobody else's. Who verifies trusts the
 * published root, and no server. DEC-WAL-80.
 *
 * A leaf is an account under a random salt, so that hashes tell nothing about who owns what. A node's hash covers the
 * hashes and sums of both children, so a sum cannot be made smaller anywhere below it. Sums are never negative: a
 * negative one could hide a liability.
 */

/** Amounts by asset code, in smallest units; assets with nothing are left out. */
export type Sums = ReadonlyMap<string, bigint>;

/** What one account owns. */
export interface Liability {
  readonly uid: string;
  /** 32 lower-case hex characters, chosen at random for each tree and account. */
  readonly salt: string;
  readonly balances: Sums;
}

/** A node as its neighbours see it. */
export interface TreeNode {
  /** SHA-256, 64 lower-case hex characters. */
  readonly hash: string;
  readonly sums: Sums;
}

/** A neighbour on the way to the root. */
export interface PathStep {
  /** On which side of the way the neighbour stands. */
  readonly side: 'left' | 'right';
  readonly node: TreeNode;
}

/** What one account needs to check the root. */
export interface LiabilityProof {
  readonly liability: Liability;
  /** From the leaf to the root. */
  readonly path: readonly PathStep[];
}

const amountsBelow = 1n << 128n;
/** Nodes that are made without a pause; even. */
const sliceSize = 512;

const digest = (parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n'), 'utf8').digest('hex');

/** Sums as one text: asset codes in order, so that equal sums have equal texts. */
const sumsText = (sums: Sums): string =>
  [...sums]
    .filter(([, amount]) => amount !== 0n)
    .sort(([first], [second]) => (first < second ? -1 : 1))
    .map(([code, amount]) => `${code}=${amount}`)
    .join(',');

/** The leaf of an account. */
export const leafOf = ({ uid, salt, balances }: Liability): TreeNode => ({
  hash: digest(['bourse liability leaf 1', salt, uid, sumsText(balances)]),
  sums: balances,
});

/** The node above two others. */
export const parentOf = (left: TreeNode, right: TreeNode): TreeNode => ({
  hash: digest(['bourse liability node 1', left.hash, sumsText(left.sums), right.hash, sumsText(right.sums)]),
  sums: added(left.sums, right.sums),
});

function added(first: Sums, second: Sums): Sums {
  const sums = new Map(first);
  for (const [code, amount] of second) sums.set(code, (sums.get(code) ?? 0n) + amount);
  return sums;
}

/** The tree over all accounts: the root, and the proof of each. */
export class LiabilityTree {
  /** From the leaves to the root; a node without a neighbour stands on the next level as it is. */
  private readonly levels: TreeNode[][] = [];
  private readonly places = new Map<string, number>();
  private readonly liabilities = new Map<string, Liability>();

  private constructor() {}

  /**
   * The tree over at least one account; uids are unique, and amounts not below zero. `pause` is awaited between slices
   * of the work, so that others of the same thread come in between. @throws RangeError
   */
  static async over(liabilities: readonly Liability[], pause: () => Promise<unknown>): Promise<LiabilityTree> {
    if (liabilities.length === 0) throw new RangeError('a proof of liabilities is over at least one account');
    const tree = new LiabilityTree();
    // By hash: the order of the leaves tells nothing about the accounts.
    const buckets = Array.from({ length: 256 }, (): { readonly uid: string; readonly leaf: TreeNode }[] => []);
    for (const [index, liability] of liabilities.entries()) {
      if (index % sliceSize === 0) await pause();
      const leaf = tree.add(liability);
      buckets[Number.parseInt(leaf.hash.slice(0, 2), 16)]!.push({ uid: liability.uid, leaf });
    }
    let level: TreeNode[] = [];
    for (const bucket of buckets) {
      await pause();
      bucket.sort((first, second) => (first.leaf.hash < second.leaf.hash ? -1 : 1));
      for (const { uid, leaf } of bucket) {
        tree.places.set(uid, level.length);
        level.push(leaf);
      }
    }
    tree.levels.push(level);
    while (level.length > 1) {
      level = await above(level, pause);
      tree.levels.push(level);
    }
    return tree;
  }

  get root(): TreeNode {
    return this.levels.at(-1)![0]!;
  }

  private add(liability: Liability): TreeNode {
    const { uid, balances } = liability;
    if (this.liabilities.has(uid)) throw new RangeError(`account ${uid} is there twice`);
    if ([...balances.values()].some((amount) => amount < 0n))
      throw new RangeError(`account ${uid} owes: a proof has no negative balances`);
    this.liabilities.set(uid, liability);
    return leafOf(liability);
  }

  /** Number of accounts. */
  get size(): number {
    return this.places.size;
  }

  /** The proof of one account; `null` if it is not in the tree. */
  proofOf(uid: string): LiabilityProof | null {
    const liability = this.liabilities.get(uid);
    if (liability === undefined) return null;
    const path: PathStep[] = [];
    let place = this.places.get(uid)!;
    for (const level of this.levels.slice(0, -1)) {
      const node = level[place ^ 1];
      if (node !== undefined) path.push({ side: place % 2 === 0 ? 'right' : 'left', node });
      place >>= 1;
    }
    return { liability, path };
  }
}

async function above(level: readonly TreeNode[], pause: () => Promise<unknown>): Promise<TreeNode[]> {
  const next: TreeNode[] = [];
  for (let at = 0; at < level.length; at += 2) {
    if (at % sliceSize === 0) await pause();
    const [left, right] = [level[at]!, level[at + 1]];
    next.push(right === undefined ? left : parentOf(left, right));
  }
  return next;
}

/**
 * Why a proof does not show that the account's balances are among those of the root; `null`: it does. Needs nothing but
 * the proof and the published root.
 */
export function proofFault({ liability, path }: LiabilityProof, root: TreeNode): string | null {
  let node = leafOf(liability);
  const nodes = [node, root, ...path.map((step) => step.node)];
  for (const { sums } of nodes) {
    for (const [code, amount] of sums) {
      if (amount < 0n || amount >= amountsBelow) return `an amount of ${code} is out of bounds`;
    }
  }
  for (const step of path) node = step.side === 'left' ? parentOf(step.node, node) : parentOf(node, step.node);
  if (node.hash !== root.hash) return 'the path does not lead to the root';
  if (sumsText(node.sums) !== sumsText(root.sums)) return 'the sums do not lead to those of the root';
  return null;
}
