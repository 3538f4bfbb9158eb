import { as } from '#model/units.ts';
import type { PaidWithdrawal } from '#model/safety.ts';
import { paymentOf, sendApproved } from '#custody/settlement/approved-payment.ts';
import { type NetworkListing, settle, type SettlementParts } from '#custody/settlement/network-settlement.ts';
import type { HotWalletWatch } from '#custody/settlement/watch-hot-wallet.ts';

/** Withdrawals that one poll asks about, and how long each is left alone then. */
const askedAtOnce = 20;
const askedEveryMs = 30_000;

/**
 * Follows withdrawals for a day after they were paid. What a reorganisation drops is sent again as it was signed; one
 * whose nonce another transaction used up, or that failed on its new chain, can never be paid by it: operators are told
 * and book it. DEC-WAL-126, DEC-WAL-127.
 */
export class PaidFollower {
  private readonly parts: SettlementParts;
  private readonly wallet: HotWalletWatch;
  /** By withdrawal: when it was asked about, by the monotonic clock. */
  private asked = new Map<number, number>();

  constructor(parts: SettlementParts, wallet: HotWalletWatch) {
    this.parts = parts;
    this.wallet = wallet;
  }

  /** Asks about those that were left alone longest. */
  async run(listing: NetworkListing): Promise<void> {
    const { queries, custody, clock, monotonic } = this.parts;
    const followed = await queries.safety.paidWithdrawals(custody.network, as(clock.now()));
    const now = monotonic.now();
    const due = followed
      .map((paid) => ({ paid, askedAt: this.asked.get(paid.withdrawal) ?? Number.NEGATIVE_INFINITY }))
      .filter(({ askedAt }) => now - askedAt >= askedEveryMs)
      .sort((one, other) => (one.askedAt === other.askedAt ? 0 : one.askedAt - other.askedAt))
      .slice(0, askedAtOnce);
    const kept = followed.flatMap(({ withdrawal }): [number, number][] => {
      const askedAt = this.asked.get(withdrawal);
      return askedAt === undefined ? [] : [[withdrawal, askedAt]];
    });
    this.asked = new Map(kept);
    for (const { paid } of due) {
      await this.poll(paid, listing);
      this.asked.set(paid.withdrawal, now);
    }
  }

  private async poll({ withdrawal, asset, transaction }: PaidWithdrawal, listing: NetworkListing): Promise<void> {
    const { custody, queries, notice } = this.parts;
    const fate = await custody.fateOf(transaction);
    if (fate.kind === 'unknown') {
      const view = await queries.wallet.withdrawal(withdrawal);
      if (view === null || (await this.wallet.isHeld())) return;
      await sendApproved(this.parts, paymentOf(view, listing), transaction);
      return;
    }
    if (fate.kind === 'waiting' || fate.kind === 'included') return;
    const { minConfirm } = listing.networks.find((each) => each.asset === asset) ?? { minConfirm: 1 };
    if (fate.confirmations < minConfirm) return;
    const by = fate.kind === 'displaced' ? fate.by : fate.txId;
    await settle(this.parts, { kind: 'recordLostPayment', withdrawal, by });
    notice(
      `Withdrawal ${withdrawal} on ${custody.network} was paid, and a reorganisation dropped its payment for good: ` +
        `${by} took its place. GET /v1/safety on the operator port tells what to do.`,
    );
    if (fate.kind === 'displaced') await this.wallet.recordTaker({ nonce: transaction.nonce, txId: by }, listing);
  }
}
