import { describe, expect, test } from 'vitest';
import type { Event } from '#model/event-record.ts';
import { referCodeOf } from '#model/refer-code.ts';
import type { AccountId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { networkOf } from './deposit-desk.ts';
import { coin, coinUsd, RebateDesk } from './rebate-desk.ts';
import { seenWith } from '../chain-sight.ts';

const minConfirm = 3;
const movesOf = (events: readonly Event[]) =>
  events.flatMap((event) => (event.kind === 'inviteeMoved' ? [event.move] : []));

/** A desk where COIN has a network, and each of these accounts an address on it that begins with `own`. */
class MovesDesk extends RebateDesk {
  readonly anna = this.open('anna');
  readonly bob = this.open('bob', this.anna);
  readonly child = this.openSubAccount(this.bob, 'childchild');
  #payments = 0;

  constructor() {
    super();
    const network = networkOf(coin, { minConfirm, depositMin: as(100n), withdrawFee: as(0n) });
    this.run({ kind: 'configureAssetNetwork', network });
    for (const [index, account] of [this.anna, this.bob, this.child].entries())
      this.run({ kind: 'assignDepositAddress', account, network: 'NET', index, address: `own${account}`, memo: null });
  }

  /** Reports a payment of COIN to an account; answers its terms, to be reported again. */
  report(account: AccountId, amount: bigint, confirmations: number, txId = `tx${(this.#payments += 1)}`): Event[] {
    const terms = { network: 'NET', txId, output: 0, asset: coin, address: `own${account}`, memo: null };
    const sight = seenWith(confirmations);
    const events = this.run({ kind: 'reportDeposit', ...terms, amount: as(amount), sight });
    const all = this.engine.state.deposits.all();
    const deposits = all.filter(({ status }) => status === 'small').map(({ deposit }) => deposit);
    if (deposits.length === 0) return events;
    const together = this.run({
      kind: 'creditSmallDeposits',
      network: 'NET',
      forks: 0,
      height: confirmations,
      deposits,
    });
    return [...events, ...together.filter(({ kind }) => kind !== 'commandRefused')];
  }

  withdraw(account: AccountId, amount: bigint, address: string): Event[] {
    const terms = { asset: coin, network: 'NET', address, memo: null, withdrawOrderId: null, remark: null };
    return this.run({ kind: 'requestWithdrawal', account, ...terms, amount: as(amount) });
  }

  /** Takes the last withdrawal to its success; answers what each step told. */
  pay(): Event[][] {
    const { lastWithdrawal: withdrawal } = this.engine.state.withdrawals;
    const transaction = { txId: 'paid', raw: 'raw', nonce: 0 };
    return (['assess', 'begin', 'sign', 'broadcast', 'confirm'] as const).map((event) =>
      this.run({
        ...{ kind: 'advanceWithdrawal', withdrawal, event, networkFee: as<never>(0n as never) },
        transaction: event === 'sign' ? transaction : null,
        confirmations: event === 'confirm' ? minConfirm : 0,
      }),
    );
  }
}

describe('DEC-SUB-39: what invited accounts deposit and withdraw', () => {
  test('a deposit is told when it is credited, with what it is worth then', async () => {
    const desk = new MovesDesk();
    const { bob, anna } = desk;
    expect(movesOf(desk.report(bob, 500n, 1, 'first'))).toEqual([]);
    desk.buy(anna, 10, { symbol: coinUsd, price: 3 });
    desk.at += 1000;
    const terms = { inviter: anna, code: referCodeOf(anna), asset: coin };
    expect(movesOf(desk.report(bob, 500n, minConfirm, 'first'))).toEqual([
      { move: 1, account: bob, ...terms, direction: 'deposit', amount: 500n, value: 1500n, at: desk.at },
    ]);
    const firstDepositAt = desk.at;
    desk.at += 1000;
    desk.restore();
    // More confirmations tell nothing, a second payment its own.
    expect(movesOf(desk.report(bob, 500n, minConfirm + 1, 'first'))).toEqual([]);
    expect(movesOf(desk.report(bob, 700n, minConfirm))).toMatchObject([{ move: 2, amount: 700n, value: 2100n }]);
    expect(await desk.questions.invitation(bob)).toMatchObject({ firstDepositAt, lastDepositAt: desk.at });
    // Nobody invited anna.
    expect(movesOf(desk.report(anna, 500n, minConfirm))).toEqual([]);
  });

  test('small ones are told one by one when they are credited together', () => {
    const desk = new MovesDesk();
    expect(movesOf(desk.report(desk.bob, 60n, minConfirm))).toEqual([]);
    // COIN has no price: it is worth nothing that could be told.
    expect(movesOf(desk.report(desk.bob, 50n, minConfirm))).toMatchObject([
      { amount: 60n, value: 0n },
      { amount: 50n, value: 0n },
    ]);
  });

  test('what is credited again after a reorganisation is not told again', () => {
    const desk = new MovesDesk();
    expect(movesOf(desk.report(desk.bob, 500n, minConfirm, 'lost'))).toHaveLength(1);
    desk.run({ kind: 'removeDeposit', network: 'NET', txId: 'lost', output: 0, forks: 0 });
    const again = desk.report(desk.bob, 500n, minConfirm, 'lost');
    expect(again.some(({ kind }) => kind === 'depositChanged')).toBe(true);
    expect(movesOf(again)).toEqual([]);
  });

  test('a withdrawal is told when it is paid out', () => {
    const desk = new MovesDesk();
    expect(movesOf(desk.withdraw(desk.bob, 400n, 'dead'))).toEqual([]);
    const told = desk.pay().map(movesOf);
    expect(told.slice(0, -1)).toEqual([[], [], [], []]);
    expect(told.at(-1)).toMatchObject([
      { move: 1, account: desk.bob, direction: 'withdrawal', amount: 400n, asset: coin },
    ]);
  });

  test('inside the exchange both are told at once, those of a sub-account for its master', () => {
    const desk = new MovesDesk();
    const { anna, bob, child } = desk;
    const sent = movesOf(desk.withdraw(anna, 300n, `own${child}`));
    expect(sent).toMatchObject([{ move: 1, account: bob, inviter: anna, direction: 'deposit', amount: 300n }]);
    const both = movesOf(desk.withdraw(child, 200n, `own${bob}`));
    expect(both).toMatchObject([
      { move: 2, account: bob, direction: 'withdrawal', amount: 200n },
      { move: 3, account: bob, direction: 'deposit', amount: 200n },
    ]);
  });

  test("a broker's customers are told of to nobody", () => {
    const desk = new MovesDesk();
    const broker = desk.open('broker', desk.bob, 'broker');
    const customer = desk.openSubAccount(broker, 'customer1');
    desk.run({
      kind: 'assignDepositAddress',
      account: customer,
      network: 'NET',
      index: 3,
      address: `own${customer}`,
      memo: null,
    });
    const events = desk.report(customer, 500n, minConfirm);
    expect(events.some(({ kind }) => kind === 'posted')).toBe(true);
    expect(movesOf(events)).toEqual([]);
  });
});
