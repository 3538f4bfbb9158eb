import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { as } from '#model/units.ts';
import { depositDecisions } from '#model/wallet.ts';
import { NaiveDeposits, type NaivePayment } from '../oracle/naive-deposits.ts';
import {
  alice,
  assetCap,
  bob,
  chainLosses,
  coin,
  dayMs,
  DepositDesk,
  outside,
  tagged,
  usd,
} from '../scenario/deposit-desk.ts';

const on = (asset: number) => ({ asset, network: asset === tagged ? 'TAG' : 'NET' });
/** What chains may have, each with an id of its own. */
const payments: readonly NaivePayment[] = [
  { ...on(usd), receiver: alice, amount: 200n },
  { ...on(usd), receiver: alice, amount: 60n },
  { ...on(usd), receiver: alice, amount: 50n },
  { ...on(usd), receiver: alice, amount: 7n },
  { ...on(usd), receiver: bob, amount: 50_000n },
  { ...on(usd), receiver: bob, amount: 700_000n },
  { ...on(usd), receiver: alice, amount: 49_999n },
  { ...on(usd), receiver: 'nobody' as const, amount: 300n },
  { ...on(coin), receiver: alice, amount: 99n },
  { ...on(coin), receiver: alice, amount: 60n },
  { ...on(coin), receiver: bob, amount: 900_000n },
  { ...on(tagged), receiver: alice, amount: 100n },
  { ...on(tagged), receiver: null, amount: 300n },
  { ...on(tagged), receiver: null, amount: 30n },
].map((payment, index) => ({ ...payment, txId: `tx${index}` }));
const memoOf = ({ network, receiver }: NaivePayment): string | null =>
  network === 'TAG' ? (receiver === null ? '77' : String(receiver)) : null;
const addressOf = ({ network, receiver }: NaivePayment): string => (network === 'TAG' ? 'shared' : `0x${receiver}`);

const payment = fc.constantFrom(...payments);
const step = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('report' as const),
      payment,
      confirmations: fc.nat(5),
      height: fc.constantFrom(1, 1, 1, 5),
      isOld: fc.constantFrom(false, false, false, false, true),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('fork' as const),
      network: fc.constantFrom('NET', 'TAG'),
      height: fc.constantFrom(-1, 0, 1, 4, 5),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('small' as const),
      account: fc.constantFrom(alice, bob),
      asset: fc.constantFrom(usd, coin, tagged),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('remove' as const), payment, isOld: fc.constantFrom(false, false, true) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lie' as const), payment }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('review' as const),
      deposit: fc.nat(12),
      decision: fc.constantFrom(...depositDecisions),
      account: fc.constantFrom(null, null, outside, alice, bob),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('configure' as const),
      asset: fc.constantFrom(usd, coin, tagged),
      minConfirm: fc.integer({ min: 1, max: 4 }),
      depositMin: fc.constantFrom(0n, 40n, 100n, 100n),
      depositEnabled: fc.constantFrom(true, true, false),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('status' as const),
      account: fc.constantFrom(alice, bob),
      isNormal: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('grant' as const), amount: fc.constantFrom(5n, 999_000n) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('spend' as const), amount: fc.constantFrom(1n, 30n, 200n, 40_000n) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, dayMs, 3 * dayMs - 1, 3 * dayMs) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('price' as const), isKnown: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restore' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Engine and model, told the same. */
class SideBySide {
  readonly desk = new DepositDesk();
  readonly model = new NaiveDeposits(assetCap, 50_000n);

  constructor() {
    this.desk.creditsSmall = false;
    this.model.at = this.desk.at;
    this.desk.price(coin, 1000);
    this.model.prices.push(1n, 1n, 0n);
    for (const _asset of [usd, coin, tagged])
      this.model.terms.push({ minConfirm: 3, depositMin: 100n, depositEnabled: true });
  }

  take(step: Step): void {
    const { desk, model } = this;
    switch (step.do) {
      case 'report':
        this.#report(step.payment, step);
        return;
      case 'fork':
        desk.run({ kind: 'recordFork', network: step.network, height: step.height });
        model.fork(step.network, step.height);
        return;
      case 'small':
        desk.creditSmall(step.account, step.asset);
        model.creditSmall(step.account, step.asset);
        return;
      case 'lie':
        this.#report(
          { ...step.payment, amount: step.payment.amount + 1n },
          { confirmations: 5, height: 1, isOld: false },
        );
        return;
      case 'remove':
        desk.removal(step.payment.txId, step.payment.network, step.isOld ? 1 : 0);
        model.remove(step.payment, step.isOld);
        return;
      case 'review':
        desk.review(step.deposit, step.decision, step.account);
        model.review(step.deposit, step.decision, step.account);
        return;
      case 'configure': {
        const { asset, minConfirm, depositMin, depositEnabled } = step;
        desk.configure(asset, { minConfirm, depositMin: as(depositMin), depositEnabled });
        Object.assign(model.terms[asset]!, { minConfirm, depositMin, depositEnabled });
        return;
      }
      case 'status':
        desk.setStatus(step.account, step.isNormal ? 'normal' : 'frozen');
        if (step.isNormal) model.frozen.delete(step.account);
        else model.frozen.add(step.account);
        return;
      case 'grant':
        desk.run({ kind: 'creditFunds', account: as(bob), asset: as(usd), amount: as(step.amount) });
        model.grant(bob, usd, step.amount);
        return;
      case 'spend':
        this.#spend(step.amount);
        return;
      case 'wait':
        desk.at += step.ms;
        model.at += step.ms;
        return;
      case 'price':
        if (step.isKnown) desk.price(coin, 1000);
        else desk.unprice(coin);
        model.prices[coin] = step.isKnown ? 1n : null;
        return;
      case 'restore':
        desk.restore();
    }
  }

  /** All that can be told of either. */
  compare(): void {
    const { desk, model } = this;
    const { deposits, accounts } = desk.engine.state;
    const live = deposits.all().filter(({ deposit }) => deposits.current(deposit, as(desk.at)) !== null);
    expect(
      live.map(({ deposit, txId, account, status, confirmations, block }) => [
        ...[deposit, txId, account, status, confirmations, block?.height ?? null],
        deposits.doubted.has(deposit),
      ]),
    ).toEqual(
      model
        .live()
        .map(({ number, txId, account, status, confirmations, height, inDoubt }) => [
          ...[number, txId, account, status, confirmations, height],
          inDoubt,
        ]),
    );
    for (const account of [alice, bob, outside, chainLosses])
      for (const asset of [usd, coin, tagged])
        expect([account, asset, desk.balance(account, asset)]).toEqual([account, asset, model.balance(account, asset)]);
    for (const account of [alice, bob])
      expect(accounts.get(as(account))!.status).toBe(model.frozen.has(account) ? 'frozen' : 'normal');
    expect(desk.faults()).toEqual([]);
  }

  #report(
    reported: NaivePayment,
    {
      confirmations,
      height,
      isOld,
    }: { readonly confirmations: number; readonly height: number; readonly isOld: boolean },
  ): void {
    const { txId, network, asset, amount } = reported;
    const where = { network, asset: as<never>(asset as never), address: addressOf(reported), memo: memoOf(reported) };
    const forks = this.desk.forks(network) + (isOld ? 1 : 0);
    const sight = { forks, block: { height, hash: `block ${height}` }, confirmations };
    this.desk.report(txId, confirmations, { ...where, amount: as(amount), sight });
    this.model.report(reported, confirmations, height, isOld);
  }

  /** Alice buys coin of bob, where both may and alice can pay. */
  #spend(amount: bigint): void {
    const { desk, model } = this;
    // The trade sets no price: that of an operator counts.
    if (model.frozen.size > 0 || model.isInDoubt(alice) || model.isInDoubt(bob) || model.balance(alice, usd) < amount)
      return;
    if (!model.grant(bob, coin, amount)) return;
    desk.spend(amount);
    model.move(alice, bob, usd, amount);
    model.move(bob, alice, coin, amount);
  }
}

const reached = new Set<string>();

describe('I1, I2, I28: deposits under random reports, removals, reviews and switches', () => {
  test('are where the rules put them, with the balances that follow, and images keep all of it', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 120 }), (steps) => {
        const both = new SideBySide();
        for (const each of steps) {
          both.take(each);
          both.compare();
          for (const { status } of both.model.live()) reached.add(status);
        }
        both.desk.restore();
        both.compare();
      }),
      { numRuns: 150, seed: 20_261_122 },
    );
  });

  test('reached every status that a deposit can be found in', () => {
    expect([...reached].sort()).toEqual([
      'auditing',
      'invalid',
      'largeDelay',
      'lost',
      'pending',
      'refund',
      'rejected',
      'restricted',
      'small',
      'success',
    ]);
  });
});
