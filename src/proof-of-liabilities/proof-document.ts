import { z } from 'zod';
import type { LiabilityProof, Sums, TreeNode } from '#proof-of-liabilities/liability-tree.ts';

/** The root as it is published: everybody must be shown the same one. */
export interface PublishedRoot {
  /** Journal position of the balances, and the exchange's time then. */
  readonly seq: number;
  readonly at: number;
  readonly accounts: number;
  readonly root: TreeNode;
}

const hash = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex characters');
const amounts = z.record(
  z.string().regex(/^[A-Z0-9]{2,12}$/, 'must be an asset code'),
  z.string().regex(/^(0|[1-9]\d{0,38})$/, 'must be an amount in smallest units'),
);
const node = z.strictObject({ hash, sums: amounts });
/** A published root as JSON. */
export const rootDocument = z.strictObject({
  version: z.literal(1),
  seq: z.int().nonnegative(),
  at: z.int().nonnegative(),
  accounts: z.int().positive(),
  root: node,
});
/** The proof of one account as JSON, with the root that it leads to. */
export const proofDocument = rootDocument.extend({
  uid: z.string().regex(/^\d{1,16}$/, 'must be a uid'),
  salt: z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 lower-case hex characters'),
  balances: amounts,
  path: z.array(z.strictObject({ side: z.enum(['left', 'right']), node })).max(64),
});
/** A published root as JSON. */
export type RootDocument = z.infer<typeof rootDocument>;
/** The proof of one account as JSON, with the root that it leads to. */
export type ProofDocument = z.infer<typeof proofDocument>;

const amountsOf = (sums: Sums): Record<string, string> =>
  Object.fromEntries([...sums].map(([code, amount]) => [code, String(amount)]));
const sumsOf = (texts: Readonly<Record<string, string>>): Sums =>
  new Map(Object.entries(texts).map(([code, amount]) => [code, BigInt(amount)]));
const nodeDocument = ({ hash: of, sums }: TreeNode) => ({ hash: of, sums: amountsOf(sums) });
const nodeOf = ({ hash: of, sums }: z.infer<typeof node>): TreeNode => ({ hash: of, sums: sumsOf(sums) });

/** A published root as JSON; amounts are texts in smallest units. */
export const rootDocumentOf = ({ seq, at, accounts, root }: PublishedRoot): RootDocument => ({
  version: 1,
  seq,
  at,
  accounts,
  root: nodeDocument(root),
});

/** The proof of one account as JSON. */
export const proofDocumentOf = (published: PublishedRoot, { liability, path }: LiabilityProof): ProofDocument => ({
  ...rootDocumentOf(published),
  uid: liability.uid,
  salt: liability.salt,
  balances: amountsOf(liability.balances),
  path: path.map((step) => ({ side: step.side, node: nodeDocument(step.node) })),
});

/** A text is no proof, or no root; the message names the member at fault. */
export class MalformedProof extends Error {
  override name = 'MalformedProof';
}

function read<Schema extends z.ZodType>(schema: Schema, text: string, what: string): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new MalformedProof(`this is no ${what}: it is not JSON`, { cause: error });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  throw new MalformedProof(`this is no ${what}: ${path.join('.') || 'it'} ${message}`);
}

/** Reads the proof of one account, with the root that it names. @throws MalformedProof */
export function readProof(text: string): {
  readonly proof: LiabilityProof;
  readonly root: TreeNode;
  readonly at: number;
} {
  const { uid, salt, balances, path, root, at } = read(proofDocument, text, 'proof of liabilities');
  return {
    proof: {
      liability: { uid, salt, balances: sumsOf(balances) },
      path: path.map((step) => ({ side: step.side, node: nodeOf(step.node) })),
    },
    root: nodeOf(root),
    at,
  };
}

/** Reads a published root. @throws MalformedProof */
export const readRoot = (text: string): TreeNode => nodeOf(read(rootDocument, text, 'root of liabilities').root);
