import { lesserOf } from '#base/whole-numbers.ts';
import type { EvmNode, Head } from '#custody/evm/node.ts';
import type { FeeCaps } from '#custody/evm/settings.ts';

/** What a transaction offers per unit of gas, in wei (EIP-1559). */
export interface GasFees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** Gas that a plain payment to a wallet uses. */
export const plainPaymentGas = 21_000n;

/**
 * Fees that get a transaction into one of the next blocks, also while the base fee doubles; null where that would cost
 * more than the cap.
 */
export async function marketFees(node: EvmNode, head: Head, caps: FeeCaps): Promise<GasFees | null> {
  const { baseFeePerGas } = head;
  if (baseFeePerGas === null) throw node.fault('the chain has no base fee, so nothing can be sent (EIP-1559)');
  const asked = await node.priorityFeePerGas();
  const maxPriorityFeePerGas = lesserOf(asked, caps.priorityFeePerGasMax);
  if (baseFeePerGas + maxPriorityFeePerGas > caps.feePerGasMax) return null;
  const maxFeePerGas = lesserOf(2n * baseFeePerGas + maxPriorityFeePerGas, caps.feePerGasMax);
  return { maxFeePerGas, maxPriorityFeePerGas };
}

/**
 * Fees of a replacement: those of the market, and at least an eighth more than `sent`, below which nodes refuse it;
 * null where that is above the caps.
 */
export function replacementFees(sent: GasFees, market: GasFees, caps: FeeCaps): GasFees | null {
  const maxFeePerGas = greatest(raised(sent.maxFeePerGas), market.maxFeePerGas);
  const maxPriorityFeePerGas = greatest(raised(sent.maxPriorityFeePerGas), market.maxPriorityFeePerGas);
  if (maxFeePerGas > caps.feePerGasMax || maxPriorityFeePerGas > maxFeePerGas) return null;
  return { maxFeePerGas, maxPriorityFeePerGas };
}

/** Why a transaction may cost more than the caps allow; null: it may not. */
export function feeFaultOf(
  { gas, maxFeePerGas, maxPriorityFeePerGas }: GasFees & { readonly gas: bigint },
  caps: FeeCaps,
): string | null {
  if (gas > caps.gasMax) return `it may use ${gas} gas, more than the cap`;
  const isAbove = maxFeePerGas > caps.feePerGasMax || maxPriorityFeePerGas > maxFeePerGas;
  return isAbove ? 'its network fee is above the cap' : null;
}

/** Gas to allow for a call that was estimated to use `estimate`: state may change before it is in a block. */
export const gasLimitOf = (estimate: bigint): bigint =>
  estimate === plainPaymentGas ? estimate : (estimate * 5n) / 4n;

const raised = (fee: bigint): bigint => (fee * 9n) / 8n + 1n;
const greatest = (one: bigint, other: bigint): bigint => (one > other ? one : other);
