import type { TimestampMs } from '#model/units.ts';
import type { StateMachine } from '#engine/create-engine.ts';
import { isHeld, isKnownPayment, type PaymentName } from '#engine/wallet/known-payments.ts';

/**
 * Questions about what protects the exchange from paying twice, from paying as another one, and from the word of one
 * operator; see `exchangeQueries`.
 */
export function safetyQueries({ state }: StateMachine) {
  const { unknownPayments, paidWithdrawals, operators } = state;
  return {
    /** What this exchange is run for; `null`: no start has recorded it. */
    profile: async () => state.profile.value,
    /** Whether withdrawals of a network are held. */
    isHeld: async (network: string) => isHeld(state, network),
    /** Whether the journal knows a payment of a hot wallet, by nonce, else by transaction. */
    isKnownPayment: async (network: string, payment: PaymentName) => isKnownPayment(state, network, payment),
    /** Payments that the journal did not make: all that wait for a booking, and the newest others. Oldest first. */
    unknownPayments: async () => unknownPayments.all(),
    unknownPayment: async (network: string, payment: string) => unknownPayments.get(network, payment),
    /** Withdrawals of a network that were paid lately, the first paid first. */
    paidWithdrawals: async (network: string, at: TimestampMs) => paidWithdrawals.followedOf(network, at),
    /** Paid withdrawals whose transaction can never be in a block, the first found first. */
    lostPayments: async () => paidWithdrawals.allLost(),
    lostPayment: async (withdrawal: number) => {
      const paid = paidWithdrawals.get(withdrawal);
      return paid === null || paid.lostBy === null ? null : paid;
    },
    /** Whether an operator acted under an idempotency key that is remembered at this time of the exchange. */
    isRepeated: async (actor: string, idempotencyKey: string, now: TimestampMs) =>
      state.operations.find(actor, idempotencyKey, now) !== null,
    /** Whether one operator runs the exchange alone. */
    isAlone: async () => operators.isAlone,
    /** Changes that wait for a second operator, and the newest that did. The first made first. */
    proposals: async () => operators.all(),
    proposal: async (proposal: number) => operators.find(proposal),
    /** Whether the time of an open one is over at `at`. */
    haveProposalsEnded: async (at: TimestampMs) => operators.ended(at).length > 0,
  };
}

/** The query port of safety. */
export type SafetyQueries = Readonly<ReturnType<typeof safetyQueries>>;
