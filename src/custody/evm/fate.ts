import type { Fate } from '#custody/custody.ts';
import { readTransfer, readTransferCall } from '#custody/evm/erc20.ts';
import type { EvmNode, Head } from '#custody/evm/node.ts';
import type { SentTransaction } from '#custody/evm/sent-transaction.ts';
import type { BlockTransaction, Receipt } from '#custody/evm/wire.ts';

/** Blocks back to which the transaction that took a nonce is searched. Common nodes keep the state of 128. */
const searchDepthMax = 1 << 17;

/**
 * What became of a transaction, by its receipt, by the nonces of its sender, and by what the node has in its pool.
 * Where another transaction took the nonce and makes the same payment, one replaced the other, and the payment's fate
 * is that one's.
 */
export async function fateOf(node: EvmNode, head: Head, sent: SentTransaction): Promise<Fate> {
  const { txId, nonce, sender } = sent;
  const fate = await minedFate(node, head, sent);
  if (fate !== null) return fate;
  const [count] = await node.counts([sender], head.number);
  if (count! <= nonce) {
    const place = await node.placeOf(txId);
    if (place === 'block') throw node.fault(`transaction ${txId} is in a block, but has no receipt`);
    return { kind: place === null ? 'unknown' : 'waiting' };
  }
  const { by, block } = await takerOf(node, head, sent);
  const { hash, to, value, input } = by;
  const isSamePayment = to === sent.to.toLowerCase() && value === sent.value && input === sent.data.toLowerCase();
  if (!isSamePayment) return { kind: 'displaced', by: hash, confirmations: head.number - block + 1 };
  const replaced = await minedFate(node, head, { ...sent, txId: hash });
  if (replaced === null) throw node.fault(`transaction ${hash} is in a block, but has no receipt`);
  return replaced;
}

/** The fate of a transaction that has a receipt; null: it has none. */
async function minedFate(node: EvmNode, head: Head, sent: SentTransaction): Promise<Fate | null> {
  const { txId } = sent;
  const [receipt] = await node.canonicalReceipts([txId], head);
  if (!receipt) return null;
  const confirmations = head.number - receipt.blockNumber + 1;
  const networkFee = receipt.gasUsed * receipt.effectiveGasPrice;
  return { kind: hasPaid(receipt, sent) ? 'included' : 'reverted', txId, confirmations, networkFee };
}

/** A token may fail to move without an error: its transfer counts only if the contract says that it took place. */
function hasPaid(receipt: Receipt, { to, data, sender }: SentTransaction): boolean {
  if (receipt.status !== '0x1') return false;
  if (data === '0x') return true;
  const receiver = readTransferCall(data)?.to;
  return receipt.logs.some((log) => {
    const transfer = readTransfer(log);
    const isAsked = transfer?.contract === to.toLowerCase() && transfer.to === receiver;
    return isAsked && transfer.from === sender && transfer.amount > 0n;
  });
}

/** The transaction that took the nonce. It was seen in a block, or the node is not believed. */
async function takerOf(
  node: EvmNode,
  head: Head,
  { txId, nonce, sender }: SentTransaction,
): Promise<{ readonly by: BlockTransaction; readonly block: number }> {
  const isTaken = async (number: number) => (await node.counts([sender], number))[0]! > nonce;
  let [before, taken] = [-1, head.number];
  for (let depth = 1; before < 0 && taken > 0; depth *= 2) {
    if (depth > searchDepthMax) throw node.fault(`what took nonce ${nonce} is too far back`);
    const number = Math.max(0, head.number - depth);
    if (await isTaken(number)) taken = number;
    else before = number;
  }
  while (taken - before > 1) {
    const middle = Math.floor((before + taken) / 2);
    if (await isTaken(middle)) taken = middle;
    else before = middle;
  }
  const [block] = await node.blocks(taken, taken);
  const by = block!.transactions.find((sent) => sent.from === sender && sent.nonce === nonce);
  if (by === undefined || by.hash === txId)
    throw node.fault(`nonce ${nonce} was taken in block ${taken}, but not by another transaction`);
  return { by, block: taken };
}
