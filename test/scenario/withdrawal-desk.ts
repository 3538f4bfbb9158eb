import type { Command } from '#model/command.ts';
import type { Event } from '#model/event-record.ts';
import { as } from '#model/units.ts';
import type {
  WalletRules,
  WithdrawalDecision,
  WithdrawalEvent,
  WithdrawalStatus,
  WithdrawalTransaction,
  WithdrawalView,
} from '#model/wallet.ts';
import { alice, bob, coin, DepositDesk, networkOf, tagged, usd } from './deposit-desk.ts';
import { operated } from '../operated.ts';

type Request = Extract<Command, { kind: 'requestWithdrawal' }>;
type Advance = Extract<Command, { kind: 'advanceWithdrawal' }>;

/** What can happen to a withdrawal. */
export const steps = [
  ...(['assess', 'approve', 'reject', 'manual', 'begin', 'sign', 'broadcast', 'replace'] as const),
  ...(['confirm', 'fail', 'displace', 'postpone', 'cancel'] as const),
] as const;
export type Step = (typeof steps)[number];

/** Ledger accounts. */
export const fees = 1;
export const gas = 2 ** 27 + 3;
export const chainLosses = 2 ** 27 + 2;
export const capital = 2 ** 27 + 5;
export const undelivered = 2 ** 27 + 6;
export const waitMs = 5000;
/** What alice begins with of each asset, in smallest units. */
export const funds = 10_000n;

export const rulesOf = (changes: Partial<WalletRules> = {}): WalletRules => ({
  valuedIn: as(usd),
  largeDeposit: as(1_000_000n),
  dailyCaps: [as(5000n), as(50_000n), as(500_000n), as(5_000_000n)],
  riskHoldAbove: null,
  fourEyesAbove: null,
  adjustFourEyesAbove: null,
  newAddressDelayMs: 0,
  waitMs,
  transferable: [as(usd)],
  dustBelow: as(1n),
  dustCallMax: as(1n),
  dustFeePpm: 0,
  ...changes,
});

/** A signed transaction of this nonce. */
export const signed = (nonce: number | null, txId = `tx${nonce}`): WithdrawalTransaction => ({
  txId,
  raw: `raw of ${txId}`,
  nonce,
});

/**
 * An exchange where alice has money. COIN and USD are on NET, where USD is native; TAGGED is on TAG, where addresses
 * are shared. Fees are 1, minima 2, maxima 1000.
 */
export class WithdrawalDesk extends DepositDesk {
  nonce = 0;

  constructor() {
    super();
    this.rules();
    for (const asset of [usd, coin, tagged])
      this.run({ kind: 'creditFunds', account: as(alice), asset: as(asset), amount: as(funds) });
  }

  rules(changes: Partial<WalletRules> = {}): Event[] {
    return this.run({ kind: 'configureWallet', rules: rulesOf(changes) });
  }

  /** A request of alice for 100 units of COIN, unless said otherwise. */
  request(changes: Partial<Request> = {}): Event[] {
    return this.run({
      kind: 'requestWithdrawal',
      account: as(alice),
      asset: as(coin),
      network: 'NET',
      address: '0xdead',
      memo: null,
      amount: as(100n),
      withdrawOrderId: null,
      remark: null,
      ...changes,
    });
  }

  cancel(withdrawal: number, account = alice): Event[] {
    return this.run({ kind: 'cancelWithdrawal', account: as(account), withdrawal });
  }

  advance(withdrawal: number, event: WithdrawalEvent, changes: Partial<Advance> = {}): Event[] {
    const nothing = { transaction: null, confirmations: 0, networkFee: as<Advance['networkFee']>(0n) };
    return this.run({ kind: 'advanceWithdrawal', withdrawal, event, ...nothing, ...changes });
  }

  /** Somebody finds a payment of the hot wallet of NET that the journal did not make. */
  recordUnknown(nonce: number, asset: number, moved: { readonly address: string; readonly amount: bigint }): Event[] {
    return this.run({
      kind: 'recordUnknownPayment',
      network: 'NET',
      nonce,
      txId: `unknown ${nonce}`,
      asset: as(asset),
      amount: as(moved.amount),
      address: moved.address,
      memo: null,
      networkFee: as(0n),
    });
  }

  /** An operator says what it was: a withdrawal by its number, alice's, or his own. */
  bookUnknown(nonce: number, booking: number | 'account' | 'capital'): Event[] {
    return this.run({
      kind: 'bookUnknownPayment',
      network: 'NET',
      payment: String(nonce),
      booking: typeof booking === 'number' ? 'withdrawal' : booking,
      withdrawal: typeof booking === 'number' ? booking : null,
      account: booking === 'account' ? as(alice) : null,
      deposit: null,
      asset: null,
      amount: as(0n),
    });
  }

  decide(withdrawal: number, decision: WithdrawalDecision, actor = 'olga', remark: string | null = null): Event[] {
    const command = { kind: 'reviewWithdrawal', withdrawal, decision, remark } as const;
    return this.run(operated(actor, command));
  }

  /** Any step, with what it needs to be taken at once. */
  step(withdrawal: number, step: Step): Event[] {
    switch (step) {
      case 'approve':
      case 'reject':
      case 'manual':
        return this.decide(withdrawal, step);
      case 'cancel':
        return this.cancel(withdrawal);
      case 'sign':
        this.nonce += 1;
        return this.advance(withdrawal, step, { transaction: signed(this.nonce - 1) });
      case 'replace':
        return this.advance(withdrawal, step, { transaction: { ...signed(this.nonce - 1), txId: 'dearer' } });
      case 'confirm':
      case 'displace':
        return this.advance(withdrawal, step, { confirmations: networkOf(coin).minConfirm });
      case 'begin':
        this.at += waitMs;
        return this.advance(withdrawal, step);
      default:
        return this.advance(withdrawal, step);
    }
  }

  /** The number of a new withdrawal that went through these steps. */
  after(taken: readonly Step[], changes: Partial<Request> = {}): number {
    this.request(changes);
    const withdrawal = this.engine.state.withdrawals.lastWithdrawal;
    for (const step of taken) this.step(withdrawal, step);
    return withdrawal;
  }

  withdrawal(withdrawal: number): WithdrawalView {
    return this.engine.state.withdrawals.get(withdrawal)!;
  }

  status(withdrawal: number): WithdrawalStatus {
    return this.withdrawal(withdrawal).status;
  }

  free(account: number, asset: number = coin): bigint {
    const { balances } = this.engine.state.ledger;
    const row = balances.find(account, asset);
    return row < 0 ? 0n : balances.free.get(row);
  }

  held(account: number, asset: number = coin): bigint {
    return this.balance(account, asset) - this.free(account, asset);
  }

  /** Saves an address of alice. */
  save(
    address: string,
    changes: { asset?: number; network?: string; memo?: string | null; tag?: string } = {},
  ): Event[] {
    const { asset = coin, network = 'NET', memo = null, tag = '' } = changes;
    return this.run({ kind: 'saveAddress', account: as(alice), asset: as(asset), network, address, memo, tag });
  }

  unsave(address: string): Event[] {
    const name = { account: as<Request['account']>(alice), asset: as<Request['asset']>(coin) };
    return this.run({ kind: 'removeSavedAddress', ...name, network: 'NET', address, memo: null });
  }

  allowList(enabled: boolean): Event[] {
    return this.run({ kind: 'setAllowList', account: as(alice), enabled });
  }
}

/** Postings among events as text: account, asset, free, held, why. */
export const postings = (events: readonly Event[]): string[] =>
  events.flatMap((event) =>
    event.kind === 'posted' ? [`${event.account} ${event.asset} ${event.free} ${event.held} ${event.why}`] : [],
  );
export { alice, bob, coin, tagged, usd };
