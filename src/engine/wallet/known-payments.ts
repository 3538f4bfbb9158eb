import type { EngineState } from '#engine/state/state.ts';

/** How a network tells a payment of the hot wallet apart: by its nonce, else by its transaction. */
export interface PaymentName {
  readonly nonce: number | null;
  readonly txId: string | null;
}

/**
 * Whether the journal knows a payment of a hot wallet: it signed one with this nonce, or this transaction, or recorded
 * it as unknown before. A nonce that is free again was signed for nothing. DEC-WAL-120.
 */
export function isKnownPayment(state: EngineState, network: string, { nonce, txId }: PaymentName): boolean {
  if (nonce !== null) {
    const chain = state.chains.get(network);
    return chain !== null && nonce < chain.nextNonce && !state.freeNonces.has(network, nonce);
  }
  if (txId === null) return false;
  return state.signed.has(network, txId) || state.unknownPayments.get(network, txId) !== null;
}

/** Whether withdrawals of a network are held: it has a payment that nobody can tell yet. DEC-WAL-120. */
export const isHeld = (state: EngineState, network: string): boolean => state.unknownPayments.openOf(network) > 0;
