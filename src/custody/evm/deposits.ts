import type { ChainPayment, PaymentTerms } from '#custody/custody.ts';
import type { DepositAddresses } from '#custody/evm/deposit-addresses.ts';
import { readTransfer } from '#custody/evm/erc20.ts';
import { readAddress } from '#custody/evm/keys.ts';
import type { EvmNode, Head } from '#custody/evm/node.ts';
import type { Block, BlockTransaction, Log, Receipt } from '#custody/evm/wire.ts';

/** Output of a payment in the native coin: what the transaction itself moves. */
export const nativeOutput = 0;
/**
 * Output of a token payment: the place of its log among those of its transaction, from 1. A log's place in the block
 * would change when a reorganisation moves the transaction, and the payment would look like another one. DEC-WAL-45.
 */
export const logOutput = (place: number): number => place + 1;

/** Who owns what, to tell deposits from the exchange's own movements. */
export interface Ownership {
  readonly deposits: DepositAddresses;
  readonly addressCount: number;
  /** Wallets of the exchange that are no deposit addresses, in lower case. */
  readonly ownWallets: readonly string[];
  /** Tokens that are served, in lower case. */
  readonly contracts: readonly string[];
}

/** A movement to a deposit address that may be a deposit, and the transaction to ask for. */
type Candidate =
  | { readonly kind: 'native'; readonly block: Block; readonly transaction: BlockTransaction }
  | { readonly kind: 'token'; readonly block: Block; readonly log: Log };

/**
 * Deposits in blocks: transactions that pay the native coin to a deposit address, and token transfers to one, each with
 * a successful receipt from the same block. Nothing that an address of the exchange itself sends is a deposit, such as
 * gas for a sweep (DEC-WAL-45), and no internal call is seen (DEC-WAL-20).
 */
export async function depositsIn(
  node: EvmNode,
  { blocks, head }: { readonly blocks: readonly Block[]; readonly head: Head },
  ownership: Ownership,
): Promise<readonly ChainPayment[]> {
  const candidates = [...nativeCandidates(blocks, ownership), ...(await tokenCandidates(node, blocks, ownership))];
  const txIds = [...new Set(candidates.map(txIdOf))];
  const receipts = new Map((await node.receipts(txIds)).map((receipt, index) => [txIds[index]!, receipt]));
  return candidates.flatMap((candidate) => {
    const txId = txIdOf(candidate);
    const { block } = candidate;
    const receipt = receipts.get(txId);
    if (receipt === undefined || receipt === null || receipt.blockHash !== block.hash)
      throw node.fault(`transaction ${txId} of block ${block.number} has no receipt there`);
    const place = { block: { height: block.number, hash: block.hash }, confirmations: head.number - block.number + 1 };
    const payment = candidate.kind === 'native' ? nativePayment(candidate, receipt) : tokenPayment(candidate, receipt);
    if (payment === 'missing') throw node.fault(`the receipt of ${txId} lacks a log that block ${block.number} has`);
    return payment === null ? [] : [{ ...payment, txId, memo: null, ...place }];
  });
}

/** Whether the part of a transaction that `output` names took place. */
export function isPaid(receipt: Receipt, output: number): boolean {
  if (receipt.status !== '0x1') return false;
  const log = receipt.logs[output - 1];
  return output === nativeOutput || (log !== undefined && readTransfer(log) !== null);
}

/** What a token payment says; `null` for the native coin, whose receiver a receipt does not name. */
export function tokenTerms(receipt: Receipt, output: number): PaymentTerms | null {
  const log = output === nativeOutput ? undefined : receipt.logs[output - 1];
  const transfer = log === undefined ? null : readTransfer(log);
  if (transfer === null) return null;
  const { to, contract, amount } = transfer;
  return { address: readAddress(to), memo: null, contract: readAddress(contract), amount };
}

const txIdOf = (candidate: Candidate): string =>
  candidate.kind === 'native' ? candidate.transaction.hash : candidate.log.transactionHash;

const isOwn = ({ deposits, addressCount, ownWallets }: Ownership, address: string): boolean =>
  ownWallets.includes(address) || deposits.has(address, addressCount);

function nativeCandidates(blocks: readonly Block[], ownership: Ownership): readonly Candidate[] {
  const { deposits, addressCount } = ownership;
  return blocks.flatMap((block) =>
    block.transactions
      .filter(
        ({ from, to, value }) => to !== null && value > 0n && deposits.has(to, addressCount) && !isOwn(ownership, from),
      )
      .map((transaction) => ({ kind: 'native' as const, block, transaction })),
  );
}

async function tokenCandidates(
  node: EvmNode,
  blocks: readonly Block[],
  ownership: Ownership,
): Promise<readonly Candidate[]> {
  const { deposits, addressCount, contracts } = ownership;
  if (contracts.length === 0) return [];
  const busy = blocks.filter(({ transactions }) => transactions.length > 0);
  const logs = await node.transferLogs(busy, contracts);
  return busy.flatMap((block, index) =>
    logs[index]!.filter((log) => {
      const transfer = readTransfer(log);
      if (transfer === null || transfer.amount === 0n) return false;
      return deposits.has(transfer.to, addressCount) && !isOwn(ownership, transfer.from);
    }).map((log) => ({ kind: 'token' as const, block, log })),
  );
}

type Payment = Pick<ChainPayment, 'output' | 'address' | 'contract' | 'amount'>;

function nativePayment({ transaction }: Candidate & { readonly kind: 'native' }, receipt: Receipt): Payment | null {
  if (receipt.status !== '0x1') return null;
  const { to, value } = transaction;
  return { output: nativeOutput, address: readAddress(to!), contract: null, amount: value };
}

function tokenPayment({ log }: Candidate & { readonly kind: 'token' }, receipt: Receipt): Payment | 'missing' {
  const place = receipt.logs.findIndex(({ logIndex }) => logIndex === log.logIndex);
  const transfer = readTransfer(log)!;
  const inReceipt = place < 0 ? null : readTransfer(receipt.logs[place]!);
  const isSame =
    inReceipt !== null &&
    receipt.status === '0x1' &&
    inReceipt.contract === transfer.contract &&
    inReceipt.to === transfer.to &&
    inReceipt.amount === transfer.amount;
  if (!isSame) return 'missing';
  const { to, contract, amount } = transfer;
  return { output: logOutput(place), address: readAddress(to), contract: readAddress(contract), amount };
}
