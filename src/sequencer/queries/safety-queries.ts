import type { Profile } from '#model/profile.ts';
import type { Proposal } from '#model/proposal.ts';
import type { PaidWithdrawal, UnknownPayment } from '#model/safety.ts';
import type { TimestampMs } from '#model/units.ts';

/**
 * Questions about what protects the exchange from paying twice, from paying as another one, and from the word of one
 * operator.
 */
export interface SafetyQueries {
  /** What this exchange is run for; `null`: no start has recorded it. */
  profile(): Promise<Profile | null>;
  /** Whether withdrawals of a network are held. */
  isHeld(network: string): Promise<boolean>;
  /** Whether the journal knows a payment of a hot wallet, by nonce, else by transaction. */
  isKnownPayment(
    network: string,
    payment: { readonly nonce: number | null; readonly txId: string | null },
  ): Promise<boolean>;
  /** Payments that the journal did not make: all that wait for a booking, and the newest others. Oldest first. */
  unknownPayments(): Promise<readonly UnknownPayment[]>;
  unknownPayment(network: string, payment: string): Promise<UnknownPayment | null>;
  /** Withdrawals of a network that were paid lately, the first paid first. */
  paidWithdrawals(network: string, at: TimestampMs): Promise<readonly PaidWithdrawal[]>;
  /** Paid withdrawals whose transaction can never be in a block, the first found first. */
  lostPayments(): Promise<readonly PaidWithdrawal[]>;
  lostPayment(withdrawal: number): Promise<PaidWithdrawal | null>;
  /** Whether one operator runs the exchange alone. */
  isAlone(): Promise<boolean>;
  /** Changes that wait for a second operator, and the newest that did. The first made first. */
  proposals(): Promise<readonly Proposal[]>;
  proposal(proposal: number): Promise<Proposal | null>;
  /** Whether the time of an open one is over at `at`. */
  haveProposalsEnded(at: TimestampMs): Promise<boolean>;
}
