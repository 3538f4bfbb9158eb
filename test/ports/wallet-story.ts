import type { EventSink } from '#model/events.ts';
import type { DepositView, WithdrawalView } from '#model/wallet.ts';
import type { AccountId, Seq, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { HistoryStore, Window } from '#history/history-store.ts';
import type { HistoryMark } from '#history/sqlite/history-take-back.ts';
import { depositRow, withdrawalRow } from '#history/tables/wallet-rows.ts';
import { toldAct } from '../operated.ts';

const always: Window = { from: as(0), to: as(Number.MAX_SAFE_INTEGER) };
/** Every account that the story tells of; the first is the outside. */
const accounts = [0, 4, 5].map((account) => as<AccountId>(account));

/** Something of everything that the wallet tells, entry after entry, always the same. */
export class WalletStory {
  readonly #deposits = new Map<number, DepositView>();
  readonly #withdrawals = new Map<number, WithdrawalView>();

  /** Tells a sink what happens at an entry. */
  tell(sink: EventSink, entry: number, at: number): void {
    // Account 4 is a sub-account of account 5.
    sink.fact({ kind: 'accountOpened', account: { account: 4, master: 5, simulated: false } } as never);
    const refusal = entry % 2 === 0 ? 'unknownAccount' : null;
    const place = { seq: as<Seq>(entry), at: as<TimestampMs>(at) };
    sink.fact({ kind: 'operatorActed', act: toldAct(entry, { ...place, refusal, idempotencyKey: `k${entry}` }) });
    sink.posted(as(4), as(1), entry, 0, 'deposit', null, (entry * (entry + 1)) / 2);
    sink.posted(as(4), as(1), -entry, entry, 'orderHold', as(entry), (entry * (entry + 1)) / 2);
    const both = { asset: 1, amount: BigInt(entry), at };
    const transfer = { ...both, transfer: entry, account: 4, from: 'spot', to: 'futures', clientTranId: null };
    sink.fact({ kind: 'fundsTransferred', transfer } as never);
    const send = { ...both, send: entry, from: 4, to: 5, targetKind: 'uid', target: '5' };
    sink.fact({ kind: 'fundsSent', send } as never);
    const assets = [1, 2].map((asset) => ({ asset, amount: 9n, converted: 8n, fee: 1n }));
    sink.fact({
      kind: 'dustConverted',
      conversion: { conversion: entry, account: 5, at, assets },
      refused: [],
    } as never);
    sink.fact({ kind: 'depositChanged', deposit: this.#nextDeposit(entry, at) });
    sink.fact({ kind: 'withdrawalChanged', withdrawal: this.#nextWithdrawal(entry, at) });
  }

  /** The rows of what can still change, as an exchange knows them that stands at an entry. */
  replaced(seq: Seq): HistoryMark['replaced'] {
    const deposits = [...this.#deposits.values()].map((deposit) => depositRow(deposit, seq));
    return {
      deposits,
      subAccountDeposits: deposits.filter(({ account }) => account === 4).map((row) => ({ master: as(5), ...row })),
      withdrawals: [...this.#withdrawals.values()].map((withdrawal) => withdrawalRow(withdrawal, seq)),
    };
  }

  /** A new deposit of nobody, or an older one that is alice's from now on. */
  #nextDeposit(entry: number, at: number): DepositView {
    const number = entry % 3 === 1 ? this.#deposits.size + 1 : ((entry * 7) % this.#deposits.size) + 1;
    const terms = { deposit: number, asset: 1, network: 'ETH', address: '0xA', memo: null, txId: `t${number}` };
    const first = { ...terms, output: 0, amount: 7n, minConfirm: 2, isInside: false, account: 0, insertedAt: at };
    const known = this.#deposits.get(number);
    const now = known === undefined ? { status: 'invalid' } : { ...known, account: 4, status: 'success' };
    const deposit = { ...first, ...now, confirmations: entry, updatedAt: at } as unknown as DepositView;
    this.#deposits.set(number, deposit);
    return deposit;
  }

  #nextWithdrawal(entry: number, at: number): WithdrawalView {
    const number = entry % 4 === 1 ? this.#withdrawals.size + 1 : ((entry * 5) % this.#withdrawals.size) + 1;
    const terms = { withdrawal: number, account: 4, asset: 1, network: 'ETH', address: '0xB', memo: null, amount: 7n };
    const rest = {
      fee: 1n,
      value: null,
      isInside: false,
      withdrawOrderId: null,
      remark: null,
      reviewRemark: null,
      approvals: [],
    };
    const known = this.#withdrawals.get(number) ?? { requestedAt: at, status: 'apply', transaction: null };
    const transaction = entry % 2 === 0 ? { txId: `x${entry}`, raw: 'signed', nonce: entry } : known.transaction;
    const now = { transaction, confirmations: entry, updatedAt: at };
    const withdrawal = { ...terms, ...rest, ...known, ...now } as unknown as WithdrawalView;
    this.#withdrawals.set(number, withdrawal);
    return withdrawal;
  }
}

/** What history tells of the story, but for the entries that deposits and withdrawals were changed by last. */
export async function walletContentOf(store: HistoryStore): Promise<unknown> {
  const withoutSeq = <Row extends { readonly seq: Seq }>({ seq: _seq, ...row }: Row) => row;
  const ofAccounts = accounts.map(async (account) => ({
    deposits: (await store.rows('deposits', { account }, always)).map(withoutSeq),
    ofSubAccounts: (await store.rows('subAccountDeposits', { master: account }, always)).map(withoutSeq),
    withdrawals: (await store.rows('withdrawals', { account }, always)).map(withoutSeq),
    transfers: await store.rows('transfers', { account }, always),
    sends: await store.rows('sends', { account }, always),
    conversions: await store.rows('conversions', { account }, always),
    ledgerLines: await store.rows('ledgerLines', { account }, always),
  }));
  return { acts: await store.rows('operatorActs', {}, always), accounts: await Promise.all(ofAccounts) };
}
