import type { AccountStatus, AccountView, PostingKind } from '#model/account.ts';
import type { Fact } from '#model/events.ts';
import type { SymbolRules } from '#model/symbol.ts';
import type { AccountId, Amount, Seq, SymbolId, TimestampMs } from '#model/units.ts';
import type { DepositView, WithdrawalView } from '#model/wallet.ts';
import type { WebhookKind } from '#model/webhook.ts';
import type { AddRow } from '#history/collectors/wallet-collector.ts';

/** Turns what happens into events for webhooks. Nothing of simulated accounts is told. DEC-OPR-241. */
export class WebhookCollector {
  readonly #add: AddRow;
  readonly #isKept: (account: AccountId) => boolean;
  /** Accounts that are not normal. */
  readonly #statuses = new Map<AccountId, AccountStatus>();
  /** Whether a pair is online. */
  readonly #online = new Map<SymbolId, boolean>();
  /** Accounts that the running entry paid a deposit to. */
  #credited = new Set<AccountId>();
  #seq = 0 as Seq;
  #at = 0 as TimestampMs;
  #lines = 0;

  constructor(add: AddRow, isKept: (account: AccountId) => boolean) {
    this.#add = add;
    this.#isKept = isKept;
  }

  began(seq: Seq, at: TimestampMs): void {
    this.#seq = seq;
    this.#at = at;
    this.#lines = 0;
    if (this.#credited.size > 0) this.#credited = new Set();
  }

  /** An account as it is now. `isTold`: what changed is an event. */
  account({ account, uid, status }: AccountView, isTold: boolean): void {
    const before = this.#statuses.get(account) ?? 'normal';
    if (status === 'normal') this.#statuses.delete(account);
    else this.#statuses.set(account, status);
    if (!isTold || before === status || status === 'closed' || before === 'closed' || !this.#isKept(account)) return;
    if (status === 'normal') this.#tell('account.released', { uid });
    else if (before === 'normal') this.#tell('account.frozen', { uid, status });
  }

  /** A pair as it is now, likewise. */
  pair({ id, name, status }: SymbolRules, isTold: boolean): void {
    const before = this.#online.get(id);
    const isOnline = status === 'online';
    this.#online.set(id, isOnline);
    if (isTold && before !== undefined && before !== isOnline)
      this.#tell(isOnline ? 'pair.resumed' : 'pair.halted', { pair: name, status });
  }

  posted(account: AccountId, free: Amount, why: PostingKind): void {
    if (why === 'deposit' && free > 0) this.#credited.add(account);
  }

  fact(fact: Fact): void {
    switch (fact.kind) {
      case 'depositChanged':
        // A credited deposit is told of again when its block changes: only the entry that pays it counts.
        if (fact.deposit.status === 'success' && this.#credited.has(fact.deposit.account)) this.#credit(fact.deposit);
        return;
      case 'withdrawalChanged':
        if (this.#isKept(fact.withdrawal.account)) this.#tell('withdrawal.changed', withdrawalContent(fact.withdrawal));
        return;
      case 'tradingChanged': {
        const { state, reason } = fact.status;
        this.#tell(state === 'open' ? 'pair.resumed' : 'pair.halted', { pair: null, status: state, reason });
        return;
      }
      default: {
        const alarm = alarmOf(fact, this.#at);
        if (alarm !== null) this.#tell('alarm.raised', alarm);
      }
    }
  }

  #credit(deposit: DepositView): void {
    if (this.#isKept(deposit.account)) this.#tell('deposit.credited', depositContent(deposit));
  }

  #tell(event: WebhookKind, content: object): void {
    this.#lines += 1;
    this.#add('webhookEvents', {
      at: this.#at,
      seq: this.#seq,
      line: this.#lines,
      event,
      content: JSON.stringify(content),
    });
  }
}

const depositContent = ({ deposit, account, asset, network, address, memo, txId, amount, isInside }: DepositView) => ({
  ...{ deposit, account, asset, amount: String(amount), network, address, memo, txId, isInside },
});

const withdrawalContent = (withdrawal: WithdrawalView) => {
  const { account, asset, network, address, memo, amount, fee, status, isInside, confirmations } = withdrawal;
  return {
    withdrawal: withdrawal.withdrawal,
    ...{ account, asset, amount: String(amount), fee: String(fee), network, address, memo, status, isInside },
    txId: withdrawal.transaction?.txId ?? null,
    confirmations,
  };
};

/** What waits for an operator, of whom nobody else tells; `null`: nothing. */
function alarmOf(fact: Fact, at: TimestampMs): object | null {
  switch (fact.kind) {
    case 'proposalChanged': {
      const { proposal, state, madeBy, endsAt } = fact.proposal;
      return state === 'open' ? { alarm: 'proposal', id: String(proposal), madeBy, endsAt } : null;
    }
    case 'unknownPaymentChanged': {
      const { network, payment, foundAt, txId } = fact.payment;
      return foundAt === at && fact.payment.booking === null
        ? { alarm: 'unknownPayment', id: `${network}/${payment}`, txId }
        : null;
    }
    case 'paidWithdrawalLost': {
      const { withdrawal, lostBy, booking } = fact.paid;
      return booking === null ? { alarm: 'lostPayment', id: String(withdrawal), lostBy } : null;
    }
    case 'depositLost':
      return { alarm: 'lostDeposit', id: String(fact.deposit.deposit), txId: fact.deposit.txId };
    case 'tailQuarantined':
      return { alarm: 'quarantine', id: String(fact.seq), invariant: fact.invariant };
    case 'webhookChanged': {
      const { webhook, givenUpAt, changedAt } = fact.webhook;
      return givenUpAt !== null && givenUpAt === at && changedAt === at ? { alarm: 'webhook', id: webhook } : null;
    }
    default:
      return null;
  }
}
