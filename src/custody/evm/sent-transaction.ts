import type { TransactionSerializedEIP1559 } from 'viem';
import { keccak256, parseTransaction, recoverTransactionAddress } from 'viem';
import type { SignedContent, SignedTransaction } from '#custody/custody.ts';
import { asHex, readTransferCall } from '#custody/evm/erc20.ts';
import { feeFaultOf, type GasFees } from '#custody/evm/fees.ts';
import { readAddress } from '#custody/evm/keys.ts';
import type { EvmSettings } from '#custody/evm/settings.ts';
import type { Transfer } from '#custody/evm/signing.ts';

/** What a signed transaction says. */
export interface SentTransaction extends Transfer, GasFees {
  readonly txId: string;
  readonly chainId: number;
  readonly nonce: number;
  readonly gas: bigint;
  /** In lower case. */
  readonly sender: string;
}

/** Reads a signed transaction, as it was journaled; null where it is none that this adapter makes. */
export async function readSentTransaction({ raw, txId, nonce }: SignedTransaction): Promise<SentTransaction | null> {
  try {
    const serialized = asHex(raw);
    const read = parseTransaction(serialized);
    const {
      to,
      gas,
      maxFeePerGas,
      maxPriorityFeePerGas = 0n,
      value = 0n,
      data = '0x',
      chainId,
      accessList = [],
    } = read;
    if (read.type !== 'eip1559' || !to || !gas || !maxFeePerGas || accessList.length > 0) return null;
    if (keccak256(serialized) !== txId || (read.nonce ?? 0) !== nonce) return null;
    const sender = await recoverTransactionAddress({
      serializedTransaction: serialized as TransactionSerializedEIP1559,
    });
    const fees = { gas, maxFeePerGas, maxPriorityFeePerGas };
    return { txId, chainId: chainId!, to, nonce, ...fees, value, data, sender: sender.toLowerCase() };
  } catch {
    // The decoder throws at whatever is no transaction; the caller only needs to know that it did.
    return null;
  }
}

/** What a transaction pays, where it pays one coin to one receiver and does nothing else; addresses are canonical. */
export function paidBy({ to, value, data }: Transfer): Pick<SignedContent, 'contract' | 'address' | 'amount'> | null {
  if (data === '0x') return { contract: null, address: readAddress(to), amount: value };
  const call = readTransferCall(data);
  if (call === null || value !== 0n) return null;
  return { contract: readAddress(to), address: readAddress(call.to), amount: call.amount };
}

/** What a signed transaction of the hot wallet says, as `readSigned` of the port. `wallet` is in lower case. */
export async function readPayment(
  transaction: SignedTransaction,
  { chainId, feeCaps, wallet }: Pick<EvmSettings, 'chainId' | 'feeCaps'> & { readonly wallet: string },
): Promise<SignedContent | { readonly fault: string }> {
  const sent = await readSentTransaction(transaction);
  if (sent === null) return { fault: 'is not the transaction that its id and nonce name' };
  if (sent.chainId !== chainId) return { fault: `is for chain ${sent.chainId}, not for ${chainId}` };
  if (sent.sender !== wallet) return { fault: `is signed by ${sent.sender}, which is not the hot wallet` };
  const paid = paidBy(sent);
  if (paid === null) return { fault: 'does something else than to pay' };
  return { ...paid, memo: null, feeFault: feeFaultOf(sent, feeCaps) };
}
