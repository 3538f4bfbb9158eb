import { z } from 'zod';

/** Block numbers above this are not believed; they would not fit into the text of a position. */
const blockNumberMax = 9_999_999_999n;

/** `0x` and hexadecimal digits, brought into lower case. */
const hex = (digits: string) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-fA-F]${digits}$`))
    .transform((text) => text.toLowerCase());

/** What nodes answer, as they write it. Every answer goes through one of these before anything is made of it. */
export const hash = hex('{64}');
export const addressText = hex('{40}');
export const bytes = hex('*');
export const quantity = hex('{1,64}').transform((text) => BigInt(text));
export const blockNumber = quantity.refine((value) => value <= blockNumberMax).transform(Number);

/** What a contract answers with one number: 32 bytes. */
export const word = hex('{64}').transform((text) => BigInt(text));

/** A nonce or an index; 2^53 and above is nonsense. */
export const count = quantity.refine((value) => value <= BigInt(Number.MAX_SAFE_INTEGER)).transform(Number);

/** Whether a node has caught up with its peers: else it says how far it is. */
export const hasCaughtUp = z.union([z.boolean(), z.object({})]).transform((syncing) => syncing === false);

const header = z.object({
  number: blockNumber,
  hash,
  parentHash: hash,
  /** In seconds since 1970 UTC. */
  timestamp: count.nullish().transform((seconds) => seconds ?? null),
  baseFeePerGas: quantity.nullish().transform((fee) => fee ?? null),
});

/** A block without its transactions. */
export type BlockHeader = z.output<typeof header>;

/** A block without its transactions; null where there is none. */
export const headerOrNull = header.nullable();

const transaction = z.object({
  hash,
  from: addressText,
  to: addressText.nullish().transform((to) => to ?? null),
  value: quantity,
  nonce: count,
  input: bytes,
});

/** A transaction in a block. */
export type BlockTransaction = z.output<typeof transaction>;

/** A transaction by its hash, in a block or waiting; null where the node does not know it. */
export const transactionOrNull = transaction.nullable();

const block = header.extend({ transactions: z.array(transaction) });

/** A block with its transactions. */
export type Block = z.output<typeof block>;

/** A block with its transactions; null where there is none. */
export const blockOrNull = block.nullable();

const log = z.object({
  address: addressText,
  topics: z.array(hash).max(4),
  data: bytes,
  blockHash: hash,
  transactionHash: hash,
  logIndex: count,
  removed: z.boolean().optional(),
});

/** What a contract said in a transaction. */
export type Log = z.output<typeof log>;

/** Logs of a block. */
export const logs = z.array(log);

const receipt = z.object({
  transactionHash: hash,
  blockHash: hash,
  blockNumber,
  status: z.enum(['0x0', '0x1']),
  gasUsed: quantity,
  effectiveGasPrice: quantity,
  logs,
});

/** What became of a transaction in its block. */
export type Receipt = z.output<typeof receipt>;

/** A receipt; null where the transaction is in no block. */
export const receiptOrNull = receipt.nullable();

/** A transaction by its hash: in which block it is, if any; null where the node does not know it. */
export const knownOrNull = z.object({ hash, blockHash: hash.nullish().transform((found) => found ?? null) }).nullable();
