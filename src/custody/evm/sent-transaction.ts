import type { TransactionSerializedEIP1559 } from 'viem';
import { keccak256, parseTransaction, recoverTransactionAddress } from 'viem';
import type { SignedTransaction } from '#custody/custody.ts';
import { asHex } from '#custody/evm/erc20.ts';
import type { GasFees } from '#custody/evm/fees.ts';
import type { Transfer } from '#custody/evm/signing.ts';

/** What a signed transaction says. */
export interface SentTransaction extends Transfer, GasFees {
  readonly txId: string;
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
    const { to, gas, maxFeePerGas, maxPriorityFeePerGas = 0n, value = 0n, data = '0x' } = read;
    if (read.type !== 'eip1559' || !to || !gas || !maxFeePerGas) return null;
    if (keccak256(serialized) !== txId || (read.nonce ?? 0) !== nonce) return null;
    const sender = await recoverTransactionAddress({
      serializedTransaction: serialized as TransactionSerializedEIP1559,
    });
    return { txId, to, gas, nonce, maxFeePerGas, maxPriorityFeePerGas, value, data, sender: sender.toLowerCase() };
  } catch {
    // The decoder throws at whatever is no transaction; the caller only needs to know that it did.
    return null;
  }
}
