import { assert } from '#base/assert.ts';
import type { SignedTransaction } from '#custody/custody.ts';
import { feeFaultOf, type GasFees } from '#custody/evm/fees.ts';
import { paidBy, readSentTransaction } from '#custody/evm/sent-transaction.ts';
import type { EvmSettings } from '#custody/evm/settings.ts';
import type { Transfer } from '#custody/evm/signing.ts';

/*
 * What must hold whenever money moves from deposit addresses or the gas wallet. Each claim is made twice: of the
 * transaction that is to be signed, and of the bytes that were. A broken one is `InvariantBroken`: the network is not
 * settled any more until the next start, and the exchange goes on. DEC-OPR-294.
 */

/** What sweeps are held against. Addresses are in lower case. */
export interface SweepBounds {
  readonly hotWallet: string;
  /** Tokens that are served. */
  readonly contracts: readonly string[];
  readonly settings: Pick<EvmSettings, 'chainId' | 'feeCaps'>;
  /** Whether an address is a deposit address of the exchange. */
  readonly isDepositAddress: (address: string) => boolean;
}

/** What a transaction of a sweep is for: a sweep, or gas for one. */
export type SweepPurpose = 'sweep' | 'topUp';

/** A transaction before it is signed. */
export interface UnsignedSweep {
  readonly transfer: Transfer;
  /** Whose money it moves. */
  readonly sender: string;
  readonly nonce: number;
  readonly gas: bigint;
  readonly fees: GasFees;
}

/** A sweep pays the hot wallet, in the native coin or a served token; a top-up pays gas to a deposit address. */
export function assertSweepPays(purpose: SweepPurpose, transfer: Transfer, bounds: SweepBounds): void {
  const { hotWallet, contracts, settings, isDepositAddress } = bounds;
  const paid = paidBy(transfer);
  assert(paid !== null && paid.amount > 0n, 'a sweep pays, and does nothing else');
  const receiver = paid.address.toLowerCase();
  if (purpose === 'sweep') {
    const isServed = paid.contract === null || contracts.includes(paid.contract.toLowerCase());
    assert(isServed, 'a sweep moves the native coin or a token that is served');
    assert(receiver === hotWallet, `a sweep pays the own hot wallet, not ${receiver}`);
    return;
  }
  const { gasMax, feePerGasMax } = settings.feeCaps;
  assert(paid.contract === null && isDepositAddress(receiver), `gas goes to a deposit address, not to ${receiver}`);
  assert(paid.amount <= 2n * gasMax * feePerGasMax, 'a deposit address gets the gas of two sweeps at most');
}

/** The signed bytes move what was to be signed, from its sender, and cost no more than the caps. */
export async function assertSweepSigned(
  purpose: SweepPurpose,
  unsigned: UnsignedSweep,
  signed: SignedTransaction,
  bounds: SweepBounds,
): Promise<void> {
  const { transfer, nonce, gas, fees } = unsigned;
  const { chainId, feeCaps } = bounds.settings;
  const read = await readSentTransaction(signed);
  assert(read !== null, 'the bytes of a sweep are the transaction that its id and nonce name');
  assertSweepPays(purpose, read, bounds);
  const isAsked =
    read.to.toLowerCase() === transfer.to.toLowerCase() && read.value === transfer.value && read.data === transfer.data;
  assert(isAsked, 'the bytes of a sweep move what was to be signed');
  assert(read.sender === unsigned.sender.toLowerCase(), 'a sweep is signed by the address that it moves money of');
  assert(read.chainId === chainId && read.nonce === nonce, 'a sweep is for its chain and has its nonce');
  const isFee =
    read.gas === gas &&
    read.maxFeePerGas === fees.maxFeePerGas &&
    read.maxPriorityFeePerGas === fees.maxPriorityFeePerGas &&
    feeFaultOf(read, feeCaps) === null;
  assert(isFee, 'a sweep costs what was to be signed, within the caps');
}
