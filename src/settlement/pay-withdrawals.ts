import type { Fate, OutgoingPayment, SignedTransaction } from '#custody/custody.ts';
import type { AssetRules } from '#domain/asset.ts';
import type { Balance } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import type { AdvanceWithdrawal } from '#domain/wallet-command.ts';
import type { AssetNetwork, WithdrawalTransaction, WithdrawalView } from '#domain/wallet.ts';
import { feeToLedger, toChain } from '#settlement/chain-amounts.ts';
import { settle, type SettlementParts } from '#settlement/network-settlement.ts';

/** The listing of the wallet, as of one look at a network. */
export interface NetworkListing {
  readonly networks: readonly AssetNetwork[];
  /** By asset id. */
  readonly assets: readonly AssetRules[];
}

type Step = Partial<Pick<AdvanceWithdrawal, 'transaction' | 'confirmations' | 'networkFee'>>;

/**
 * Takes each withdrawal of a network one step further. What was signed is durable before it is sent, so a crash between
 * any two steps neither loses nor doubles a payment. DEC-WAL-23.
 */
export class WithdrawalPayer {
  private readonly parts: SettlementParts;
  /** What was told about a withdrawal that cannot be paid yet. */
  private readonly told = new Map<number, string>();

  constructor(parts: SettlementParts) {
    this.parts = parts;
  }

  /** Takes every withdrawal one step further, the oldest first. */
  async run(listing: NetworkListing): Promise<void> {
    const { queries, custody } = this.parts;
    const open = await queries.wallet.openWithdrawals(custody.network);
    const inProgress = open.filter(({ isInside }) => !isInside);
    for (const { withdrawal } of inProgress) {
      // What happened while the others were looked at counts: a cancel, for example.
      const current = await queries.wallet.withdrawal(withdrawal);
      if (current !== null) await this.step(current, listing);
    }
  }

  private async step(view: WithdrawalView, listing: NetworkListing): Promise<void> {
    switch (view.status) {
      case 'apply':
      case 'auditing':
        await this.advance(view, 'assess');
        return;
      case 'wait':
        // What the engine would refuse now is not submitted: nothing of it needs to be in the journal.
        if ((await this.parts.queries.wallet.refusalOfBegin(view.withdrawal, as(this.parts.clock.now()))) === null)
          await this.advance(view, 'begin');
        return;
      case 'processing':
        await this.sign(view, listing);
        return;
      case 'packaging':
        await this.parts.custody.send(transactionOf(view));
        await this.advance(view, 'broadcast');
        return;
      case 'confirming':
        await this.follow(view, listing);
        return;
    }
  }

  private async sign(view: WithdrawalView, listing: NetworkListing): Promise<void> {
    const { custody, queries } = this.parts;
    const payment = paymentOf(view, listing);
    if (payment === null) {
      await this.fail(view, 'its network cannot express the amount');
      return;
    }
    const chain = await queries.wallet.chain(custody.network);
    const signing = await custody.sign(payment, chain?.nextNonce ?? 0);
    if (signing.kind === 'signed') {
      this.told.delete(view.withdrawal);
      await this.advance(view, 'sign', { transaction: signing.transaction });
    } else if (signing.until === 'never') await this.fail(view, signing.reason);
    else this.tell(view, signing.reason);
  }

  private async follow(view: WithdrawalView, listing: NetworkListing): Promise<void> {
    const { custody } = this.parts;
    const transaction = transactionOf(view);
    const payment = paymentOf(view, listing);
    const fate = await custody.fateOf(transaction);
    if (fate.kind === 'unknown') await custody.send(transaction);
    if (fate.kind === 'unknown' || fate.kind === 'waiting') {
      const newer = payment === null ? null : await custody.replacementFor(payment, transaction);
      if (newer === null) return;
      await this.advance(view, 'replace', { transaction: newer });
      await custody.send(newer);
      return;
    }
    await this.conclude(view, fate, listing);
  }

  /** A transaction with this nonce is in a block. */
  private async conclude(
    view: WithdrawalView,
    fate: Exclude<Fate, { kind: 'unknown' | 'waiting' }>,
    { networks, assets }: NetworkListing,
  ): Promise<void> {
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
      await this.advance(view, 'displace', { confirmations, networkFee });
    }
  }

  private async fail(view: WithdrawalView, reason: string): Promise<void> {
    this.tell(view, `${reason}: the money goes back`);
    await this.advance(view, 'fail');
  }

  /** Tells once what keeps a withdrawal from being paid. */
  private tell({ withdrawal }: WithdrawalView, reason: string): void {
    if (this.told.get(withdrawal) === reason) return;
    this.told.set(withdrawal, reason);
    this.parts.onTrouble(`withdrawal ${withdrawal} on ${this.parts.custody.network}`, new Error(reason));
  }

  private async advance(
    { withdrawal }: WithdrawalView,
    event: AdvanceWithdrawal['event'],
    { transaction = null, confirmations = 0, networkFee = as<Balance>(0n) }: Step = {},
  ): Promise<void> {
    const step = { withdrawal, event, transaction, confirmations, networkFee };
    const refusal = await settle(this.parts, { kind: 'advanceWithdrawal', ...step });
    if (refusal === null || refusal === 'wrongState' || refusal === 'notYet') return;
    this.parts.onTrouble(`withdrawal ${withdrawal}`, new Error(`${event} was refused: ${refusal}`));
  }
}

const transactionOf = ({ withdrawal, transaction }: WithdrawalView): SignedTransaction & WithdrawalTransaction => {
  if (transaction === null) throw new TypeError(`withdrawal ${withdrawal} is signed and has a transaction`);
  return transaction;
};

/** The payment of a withdrawal as its chain counts it; `null` if it cannot. */
function paymentOf(view: WithdrawalView, { networks, assets }: NetworkListing): OutgoingPayment | null {
  const listed = networks.find(({ asset }) => asset === view.asset);
  if (listed === undefined) return null;
  const amount = toChain(view.amount - view.fee, listed.scale, assets[view.asset]!.scale);
  if (amount === null) return null;
  const { address, memo, withdrawal } = view;
  return { reference: String(withdrawal), address, memo, contract: listed.contract, amount };
}
