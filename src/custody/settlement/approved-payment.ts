import { canonicalAddress, networkWithCode } from '#custody/addresses/addresses.ts';
import type { OutgoingPayment, SignedContent, SignedTransaction } from '#custody/custody.ts';
import type { WithdrawalView } from '#model/wallet.ts';
import { toChain } from '#custody/settlement/chain-amounts.ts';
import type { NetworkListing, SettlementParts } from '#custody/settlement/network-settlement.ts';
import { assertApproved, assertFeeWithin, assertPays } from '#custody/settlement/payment-claims.ts';

/*
 * What was approved and what was signed for it, held against each other: before a signature is journaled, and each time
 * before it is sent, also after a restart. The bytes themselves are read, not what the signer says of them.
 * DEC-OPR-293.
 */

/** The payment of a withdrawal as its chain counts it; `null` if it cannot. */
export function paymentOf(view: WithdrawalView, { networks, assets }: NetworkListing): OutgoingPayment | null {
  const listed = networks.find(({ asset }) => asset === view.asset);
  if (listed === undefined) return null;
  const [chainScale, ledgerScale] = [listed.scale, assets[view.asset]!.scale];
  const amount = toChain(view.amount - view.fee, chainScale, ledgerScale);
  if (amount === null) return null;
  assertApproved(view, amount, { chainScale, ledgerScale });
  const { address, memo, withdrawal } = view;
  return { reference: String(withdrawal), address, memo, contract: listed.contract, amount };
}

/** Before a signature is journaled: it pays what was approved, for no more than the settings let it cost. */
export async function assertMayBeJournaled(
  parts: Pick<SettlementParts, 'custody'>,
  payment: OutgoingPayment,
  transaction: SignedTransaction,
): Promise<void> {
  const content = await readApproved(parts, payment, transaction);
  assertFeeWithin(payment.reference, content);
}

/**
 * Sends what was signed for a withdrawal if it pays what was approved; answers why it was not sent, `null`: it was.
 * The settings may have lowered a cap since it was signed: then it waits.
 */
export async function sendApproved(
  parts: Pick<SettlementParts, 'custody'>,
  payment: OutgoingPayment | null,
  transaction: SignedTransaction,
): Promise<string | null> {
  // Operators paid it by hand: nothing was signed here. DEC-WAL-98.
  if (transaction.raw === '') return null;
  if (payment === null) return 'its network does not list it any more';
  const { feeFault } = await readApproved(parts, payment, transaction);
  if (feeFault !== null) return feeFault;
  await parts.custody.send(transaction);
  return null;
}

async function readApproved(
  { custody }: Pick<SettlementParts, 'custody'>,
  payment: OutgoingPayment,
  transaction: SignedTransaction,
): Promise<SignedContent> {
  const content = await custody.readSigned(transaction);
  assertPays(payment, content, (address) => canonicalOn(custody.network, address));
  return content;
}

/** Networks whose texts are unknown keep theirs. */
function canonicalOn(code: string, address: string): string {
  const network = networkWithCode(code);
  return (network === null ? null : canonicalAddress(network, address)) ?? address;
}
