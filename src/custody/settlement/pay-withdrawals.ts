import type { Fate, SignedTransaction, Signing } from '#custody/custody.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { CommandOf } from '#model/command.ts';
import type { WithdrawalTransaction, WithdrawalView } from '#model/wallet.ts';
import { areDepositsThere } from '#custody/settlement/account-credits.ts';
import { assertMayBeJournaled, paymentOf, sendApproved } from '#custody/settlement/approved-payment.ts';
import { feeToLedger, toChainAtLeast } from '#custody/settlement/chain-amounts.ts';
import { type NetworkListing, settle, type SettlementParts } from '#custody/settlement/network-settlement.ts';
import { assertNewNonce, assertReplaces, assertUnsigned } from '#custody/settlement/payment-claims.ts';
import { WaitingPayments } from '#custody/settlement/waiting-payments.ts';
import type { HotWalletWatch } from '#custody/settlement/watch-hot-wallet.ts';

type Step = Partial<Pick<CommandOf<'advanceWithdrawal'>, 'transaction' | 'confirmations' | 'networkFee'>>;

/**
 * Takes each withdrawal of a network one step further. What was signed is durable before it is sent, so a crash between
 * any two steps neither loses nor doubles a payment. DEC-WAL-23.
 */
export class WithdrawalPayer {
  private readonly parts: SettlementParts;
  private readonly wallet: HotWalletWatch;
  /** Those that are not paid now. */
  readonly waiting: WaitingPayments;

  constructor(parts: SettlementParts, wallet: HotWalletWatch) {
    this.parts = parts;
    this.wallet = wallet;
    this.waiting = new WaitingPayments(parts);
  }

  /** Takes every withdrawal one step further, the oldest first. */
  async run(listing: NetworkListing): Promise<void> {
    const { queries, custody } = this.parts;
    const open = await queries.wallet.openWithdrawals(custody.network);
    const inProgress = open.filter(({ isInside }) => !isInside);
    this.waiting.begin(listing, new Set(inProgress.map(({ withdrawal }) => withdrawal)));
    for (const { withdrawal } of inProgress) {
      // What happened while the others were looked at counts: a cancel, for example.
      const current = await queries.wallet.withdrawal(withdrawal);
      if (current !== null) await this.step(current, listing);
    }
    // While the wallet is held nobody asks what it lacks.
    if (!(await this.wallet.isHeld())) this.waiting.end();
  }

  private async step(view: WithdrawalView, listing: NetworkListing): Promise<void> {
    switch (view.status) {
      case 'apply':
      case 'auditing':
        await this.advance(view, 'assess');
        return;
      case 'wait':
        await this.begin(view, listing);
        return;
      case 'processing':
        await this.goOn(view, listing);
        return;
      case 'packaging':
        if (await this.wallet.isHeld()) return;
        // It may have been sent before a crash, so of what holds releases only a doubt keeps it.
        if ((await this.parts.queries.wallet.refusalOfRelease(view.withdrawal)) === 'notYet') return;
        if (await this.send(view, listing)) await this.advance(view, 'broadcast');
        return;
      case 'confirming':
        await this.follow(view, listing);
        return;
    }
  }

  /** Whether money may leave: nothing is in doubt, and the chains have what it is paid from. DEC-WAL-105. */
  private async isReleasable(view: WithdrawalView): Promise<boolean> {
    const { wallet } = this.parts.queries;
    return (await wallet.refusalOfRelease(view.withdrawal)) === null && areDepositsThere(this.parts, view);
  }

  /**
   * Takes up a withdrawal that custody can sign now; until then it waits, and its account can cancel it. Where custody
   * signs nothing, operators take it from there. DEC-WAL-98, DEC-WAL-128.
   */
  private async begin(view: WithdrawalView, listing: NetworkListing): Promise<void> {
    const { queries, custody, clock } = this.parts;
    // What the engine would refuse now is not submitted: nothing of it needs to be in the journal.
    if ((await queries.wallet.refusalOfBegin(view.withdrawal, as(clock.now()))) !== null) {
      this.waiting.note(view.withdrawal, null);
      return;
    }
    if (!(await this.isReleasable(view))) return;
    if (!custody.isPaying) {
      await this.advance(view, 'begin');
      return;
    }
    const signing = await this.sign(view, listing);
    if (signing.kind === 'refused' && signing.until === 'later') return;
    // A cancel that came meanwhile has precedence: what was signed is forgotten, for nobody has it.
    if (await this.advance(view, 'begin')) await this.finishSigning(view, signing);
  }

  /** A withdrawal that was taken up, and whose process ended before it was signed. */
  private async goOn(view: WithdrawalView, listing: NetworkListing): Promise<void> {
    if (!this.parts.custody.isPaying || !(await this.isReleasable(view))) return;
    const signing = await this.sign(view, listing);
    if (signing.kind === 'refused' && signing.until === 'later') await this.advance(view, 'postpone');
    else await this.finishSigning(view, signing);
  }

  private async finishSigning(view: WithdrawalView, signing: Signing): Promise<void> {
    if (signing.kind === 'signed') await this.advance(view, 'sign', { transaction: signing.transaction });
    else await this.fail(view, signing.reason);
  }

  /** Has custody sign; notes why it does not now. */
  private async sign(view: WithdrawalView, listing: NetworkListing): Promise<Signing> {
    const { custody, queries } = this.parts;
    const signing = await this.signed(view, listing, (await queries.wallet.chain(custody.network))?.nextNonce ?? 0);
    this.waiting.noteSigning(view.withdrawal, signing);
    return signing;
  }

  private async signed(view: WithdrawalView, listing: NetworkListing, nonceFrom: number): Promise<Signing> {
    if (await this.wallet.isHeld())
      return { kind: 'refused', until: 'later', reason: 'the hot wallet has sent what the journal does not know' };
    const payment = paymentOf(view, listing);
    if (payment === null) return { kind: 'refused', until: 'never', reason: 'its network cannot express the amount' };
    assertUnsigned(view);
    const signing = await this.parts.custody.sign(payment, nonceFrom, await this.paidLastHour(view, listing));
    if (signing.kind === 'signed') {
      assertNewNonce(view.withdrawal, signing.transaction, nonceFrom);
      await assertMayBeJournaled(this.parts, payment, signing.transaction);
    }
    return signing;
  }

  /** What the hot wallet paid of the coin within the last hour: by the journal, whichever process signed it. */
  private async paidLastHour({ asset, network }: WithdrawalView, listing: NetworkListing): Promise<bigint> {
    const { queries, clock } = this.parts;
    const paid = await queries.wallet.paidLastHour({ network, asset }, as(clock.now()));
    const { scale } = listing.networks.find((listed) => listed.asset === asset)!;
    return toChainAtLeast(paid, scale, listing.assets[asset]!.scale);
  }

  /** Sends what was signed and journaled; notes why not. Answers whether it was sent. */
  private async send(
    view: WithdrawalView,
    listing: NetworkListing,
    transaction: SignedTransaction = transactionOf(view),
  ): Promise<boolean> {
    const reason = await sendApproved(this.parts, paymentOf(view, listing), transaction);
    this.waiting.note(view.withdrawal, reason);
    return reason === null;
  }

  private async follow(view: WithdrawalView, listing: NetworkListing): Promise<void> {
    const { custody } = this.parts;
    const transaction = transactionOf(view);
    const payment = paymentOf(view, listing);
    const fate = await custody.fateOf(transaction);
    if (fate.kind === 'unknown' || fate.kind === 'waiting') {
      if (await this.wallet.isHeld()) return;
      if (fate.kind === 'unknown') await this.send(view, listing);
      else this.waiting.note(view.withdrawal, null);
      const newer = payment === null ? null : await custody.replacementFor(payment, transaction);
      if (newer === null || payment === null) return;
      assertReplaces(view.withdrawal, newer, transaction);
      await assertMayBeJournaled(this.parts, payment, newer);
      if (await this.advance(view, 'replace', { transaction: newer })) await this.send(view, listing, newer);
      return;
    }
    await this.conclude(view, fate, listing);
  }

  /** A transaction with this nonce is in a block. */
  private async conclude(
    view: WithdrawalView,
    fate: Exclude<Fate, { kind: 'unknown' | 'waiting' }>,
    listing: NetworkListing,
  ): Promise<void> {
    const { networks, assets } = listing;
    const { confirmations } = fate;
    const { minConfirm } = networks.find(({ asset }) => asset === view.asset) ?? { minConfirm: 1 };
    const native = networks.find(({ contract }) => contract === null);
    const fee = fate.kind === 'displaced' || native === undefined ? 0n : fate.networkFee;
    const networkFee =
      native === undefined ? as<Balance>(0n) : feeToLedger(fee, native.scale, assets[native.asset]!.scale);
    if (fate.kind === 'included') {
      if (confirmations === view.confirmations) return;
      // Before it is final the newest transaction stays known as it is: a reorganisation may make it needed again.
      const mined = confirmations >= minConfirm ? { ...transactionOf(view), txId: fate.txId } : null;
      await this.advance(view, 'confirm', { transaction: mined, confirmations, networkFee });
    } else if (confirmations >= minConfirm) {
      const by = fate.kind === 'displaced' ? fate.by : fate.txId;
      this.tell(view, `${by} used up its nonce without effect: the money goes back`);
      const taker = { nonce: transactionOf(view).nonce, txId: by };
      // First: what took the nonce may be a payment, and then nothing else is paid until somebody knows which.
      if (fate.kind === 'displaced') await this.wallet.recordTaker(taker, listing);
      await this.advance(view, 'displace', { confirmations, networkFee });
    }
  }

  private async fail(view: WithdrawalView, reason: string): Promise<void> {
    this.tell(view, `${reason}: the money goes back`);
    await this.advance(view, 'fail');
  }

  private tell({ withdrawal }: WithdrawalView, reason: string): void {
    this.parts.onTrouble(`withdrawal ${withdrawal} on ${this.parts.custody.network}`, new Error(reason));
  }

  /** Whether the step was taken. */
  private async advance(
    { withdrawal }: WithdrawalView,
    event: CommandOf<'advanceWithdrawal'>['event'],
    { transaction = null, confirmations = 0, networkFee = as<Balance>(0n) }: Step = {},
  ): Promise<boolean> {
    const step = { withdrawal, event, transaction, confirmations, networkFee };
    const refusal = await settle(this.parts, { kind: 'advanceWithdrawal', ...step });
    if (refusal !== null && !expected.has(refusal))
      this.parts.onTrouble(`withdrawal ${withdrawal}`, new Error(`${event} was refused: ${refusal}`));
    return refusal === null;
  }
}

/** Refusals of what changed since it was looked at. */
const expected: ReadonlySet<RejectReason> = new Set(['wrongState', 'notYet', 'networkHeld']);

const transactionOf = ({ withdrawal, transaction }: WithdrawalView): SignedTransaction & WithdrawalTransaction => {
  if (transaction === null) throw new TypeError(`withdrawal ${withdrawal} is signed and has a transaction`);
  return transaction;
};
