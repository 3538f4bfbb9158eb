import { describe, expect, test } from 'vitest';
import { engineLimits } from '#model/limits.ts';
import { as } from '#model/units.ts';
import { higherValue, lastValue, lowerValue } from '#engine/money/valuation.ts';
import {
  alice,
  assetCap,
  bob,
  chainLosses,
  coin,
  DepositDesk,
  outside,
  refusals,
  tagged,
  usd,
} from './deposit-desk.ts';
import { seenWith } from '../chain-sight.ts';
import { operated } from '../operated.ts';

const amountOf = (amount: bigint) => ({ amount: amount as never });
const taggedBy = (memo: string | null) => ({
  network: 'TAG',
  asset: tagged as never,
  address: 'shared',
  memo,
  ...amountOf(200n),
});

describe('a deposit that is seen', () => {
  test('DEC-WAL-14: counts confirmations while it is pending and is paid once at minConfirm', () => {
    const desk = new DepositDesk();
    for (const confirmations of [0, 1, 2]) {
      desk.report('tx', confirmations);
      expect(desk.deposit('tx')).toMatchObject({ status: 'pending', confirmations, minConfirm: 3, account: alice });
      expect(desk.balance(alice)).toBe(0n);
    }
    expect(desk.report('tx', 3).map(({ kind }) => kind)).toEqual(['posted', 'posted', 'depositChanged']);
    expect([desk.balance(alice), desk.balance(outside)]).toEqual([200n, -200n]);
    for (const confirmations of [3, 4, 2, 0]) expect(desk.report('tx', confirmations)).toEqual([]);
    expect([desk.balance(alice), desk.balance(outside)]).toEqual([200n, -200n]);
  });

  test('F15: a reorganisation before minConfirm removes it without a trace in balances', () => {
    const desk = new DepositDesk();
    desk.report('tx', 2);
    const [removed, ...more] = desk.removal('tx');
    expect(removed).toMatchObject({ kind: 'depositChanged', deposit: { status: 'removed', confirmations: 0 } });
    expect(more).toEqual([]);
    expect(desk.engine.state.ledger.balances.count).toBe(0);
    expect(desk.accountStatus(alice)).toBe('normal');
    desk.report('tx', 3);
    expect(desk.deposit('tx')).toMatchObject({ deposit: 2, status: 'success' });
    expect(desk.balance(alice)).toBe(200n);
  });

  test('DEC-WAL-18, DEC-WAL-86, I28: is credited once for ever; a credited one leaves, a rejected one stays', () => {
    const desk = new DepositDesk();
    desk.report('paid', 3);
    desk.report('refused', 3, amountOf(50_000n));
    desk.review(2, 'flag');
    desk.review(2, 'reject');
    desk.at += engineLimits.creditedDepositWatchedMs - 1;
    desk.report('elsewhere', 1);
    expect([desk.statusOf('paid'), desk.statusOf('refused')]).toEqual(['success', 'rejected']);
    desk.at += 1;
    desk.report('elsewhere', 2);
    expect([desk.statusOf('paid'), desk.statusOf('refused')]).toEqual(['none', 'rejected']);
    for (let round = 0; round < 2; round += 1) {
      expect(desk.report('paid', 3)).toEqual([]);
      expect(desk.report('refused', 3, amountOf(50_000n))).toEqual([]);
      expect(refusals(desk.removal('paid'))).toEqual(['unknownDeposit']);
      desk.restore();
    }
    expect(desk.balance(alice)).toBe(200n);
    expect(desk.faults()).toEqual([]);
  });

  test('DEC-WAL-18: has its own credit on each network and for each output', () => {
    const desk = new DepositDesk();
    desk.report('tx', 3);
    desk.report('tx', 3, { output: 1 });
    desk.report('tx', 3, taggedBy(String(alice)));
    expect([desk.balance(alice), desk.balance(alice, tagged)]).toEqual([400n, 200n]);
  });

  test.each([
    ['on an unknown network', 'unknownNetwork', { network: 'ELSE' }],
    ['of an asset that the network does not have', 'unknownNetwork', { asset: tagged as never }],
    ['of an unknown asset', 'unknownNetwork', { asset: 4096 as never }],
    ['of nothing', 'wrongAmount', amountOf(0n)],
    ['of less than nothing', 'wrongAmount', amountOf(-1n)],
    ['of more than a balance holds', 'wrongAmount', amountOf(2n ** 62n)],
    ['to an address of nobody', 'unknownDeposit', { address: '0x9' }],
    ['without an id', 'invalidConfiguration', { txId: '' }],
    ['with too long an id', 'invalidConfiguration', { txId: 'x'.repeat(129) }],
    ['with too long a memo', 'invalidConfiguration', { memo: 'x'.repeat(129) }],
    ['with a negative output', 'invalidConfiguration', { output: -1 }],
    ['with half an output', 'invalidConfiguration', { output: 0.5 }],
    ['with negative confirmations', 'invalidConfiguration', { sight: seenWith(-1) }],
    ['that custody saw before a fork', 'notYet', { sight: seenWith(3, 1) }],
    ['that nobody saw and no operator vouches for', 'invalidConfiguration', { sight: null }],
  ])('%s is refused as %s and changes nothing', (_what, reason, changes) => {
    const desk = new DepositDesk();
    const digest = desk.engine.digest();
    expect(refusals(desk.report('tx', 3, changes))).toEqual([reason]);
    expect(desk.engine.digest()).toBe(digest);
  });

  test('DEC-WAL-55: is refused where the chain tells other terms of it than before', () => {
    const desk = new DepositDesk();
    desk.report('tx', 1);
    for (const other of [amountOf(201n), { address: `0x${bob}` }, { asset: coin as never }, { memo: 'x' }])
      expect(refusals(desk.report('tx', 3, other))).toEqual(['invalidConfiguration']);
    expect(desk.deposit('tx')).toMatchObject({ status: 'pending', confirmations: 1 });
  });
});

describe('minConfirm and switches', () => {
  test('DEC-WAL-13: pending deposits follow the number that is in force', () => {
    const desk = new DepositDesk();
    desk.report('tx', 2);
    desk.configure(usd, { minConfirm: 5 });
    desk.report('tx', 4);
    expect(desk.deposit('tx')).toMatchObject({ status: 'pending', minConfirm: 5 });
    desk.configure(usd, { minConfirm: 4 });
    desk.report('tx', 4);
    expect(desk.deposit('tx')).toMatchObject({ status: 'success', minConfirm: 4 });
  });

  test('DEC-WAL-13: a pending deposit waits while deposits are off, and is paid when they are on again', () => {
    const desk = new DepositDesk();
    desk.configure(usd, { depositEnabled: false });
    for (const confirmations of [2, 3, 7]) {
      desk.report('tx', confirmations);
      expect(desk.deposit('tx')).toMatchObject({ status: 'pending', confirmations });
    }
    desk.configure(usd);
    desk.report('tx', 7);
    expect(desk.statusOf('tx')).toBe('success');
  });

  test('DEC-WAL-52: what waits is pending again with fewer confirmations than minConfirm, and classified anew', () => {
    const desk = new DepositDesk();
    desk.setStatus(alice, 'frozen');
    desk.report('tx', 3);
    expect(desk.statusOf('tx')).toBe('restricted');
    desk.setStatus(alice, 'normal');
    desk.configure(usd, { minConfirm: 9 });
    expect(refusals(desk.review(1, 'credit'))).toEqual(['notConfirmed']);
    desk.report('tx', 8);
    expect(desk.statusOf('tx')).toBe('pending');
    desk.report('tx', 9);
    expect(desk.statusOf('tx')).toBe('success');
  });
});

describe('small deposits', () => {
  test('DEC-WAL-15: of one account, asset and network are paid once their sum reaches the minimum', () => {
    const desk = new DepositDesk();
    desk.report('a', 3, amountOf(40n));
    desk.report('b', 3, amountOf(59n));
    desk.report('of bob', 3, { ...amountOf(99n), address: `0x${bob}` });
    desk.report('of coin', 3, { ...amountOf(99n), asset: coin as never });
    desk.report('unconfirmed', 2, amountOf(99n));
    desk.report('large enough', 3, amountOf(100n));
    expect(desk.balance(alice)).toBe(100n);
    desk.restore();
    desk.report('c', 3, amountOf(1n));
    expect(['a', 'b', 'c'].map((tx) => desk.statusOf(tx))).toEqual(['success', 'success', 'success']);
    expect(['of bob', 'of coin'].map((tx) => desk.statusOf(tx))).toEqual(['small', 'small']);
    expect(desk.balance(alice)).toBe(200n);
    expect(desk.faults()).toEqual([]);
  });

  test('DEC-WAL-15: do not count once their chain dropped them', () => {
    const desk = new DepositDesk();
    desk.report('a', 3, amountOf(60n));
    desk.removal('a');
    desk.report('b', 3, amountOf(60n));
    expect(desk.statusOf('b')).toBe('small');
    expect(desk.balance(alice)).toBe(0n);
  });

  test('DEC-WAL-15: are paid at the next report after the minimum was lowered', () => {
    const desk = new DepositDesk();
    desk.report('a', 3, amountOf(60n));
    desk.configure(usd, { depositMin: 60n as never });
    desk.report('a', 4, amountOf(60n));
    expect(desk.statusOf('a')).toBe('success');
  });

  test('DEC-WAL-13: are not paid while deposits are off', () => {
    const desk = new DepositDesk();
    desk.report('a', 3, amountOf(60n));
    desk.configure(usd, { depositEnabled: false, depositMin: 50n as never });
    desk.report('a', 4, amountOf(60n));
    expect(desk.statusOf('a')).toBe('small');
  });

  test('the cap of the asset leaves no room for are audited', () => {
    const desk = new DepositDesk();
    desk.run({ kind: 'creditFunds', account: as(bob), asset: as(coin), amount: as(assetCap - 70n) });
    desk.report('a', 3, { ...amountOf(60n), asset: coin as never });
    desk.report('b', 3, { ...amountOf(70n), asset: coin as never });
    expect([desk.statusOf('a'), desk.statusOf('b')]).toEqual(['success', 'auditing']);
    expect(desk.balance(alice, coin)).toBe(60n);
  });
});

describe('DEC-WAL-143: a deposit without a price, where four eyes are set', () => {
  /** A credit by an operator: what became of the deposit, or why not. */
  const creditBy = (desk: DepositDesk, actor: string, confirmations = 3): string => {
    const sight = seenWith(confirmations, desk.forks('NET'));
    const command = { kind: 'reviewDeposit', deposit: 1, decision: 'credit', account: null, sight } as const;
    const [reason] = refusals(desk.run(operated(actor, command)));
    return reason ?? desk.statusOf('priceless');
  };
  const deskWith = (fourEyesAbove: bigint | null): DepositDesk => {
    const desk = new DepositDesk();
    const rules = { ...desk.engine.state.walletRules.value!, fourEyesAbove: fourEyesAbove as never };
    desk.run({ kind: 'configureWallet', rules });
    desk.unprice(coin);
    desk.report('priceless', 3, { ...amountOf(200n), asset: coin as never });
    expect(desk.statusOf('priceless')).toBe('largeDelay');
    return desk;
  };

  test('is credited by two operators, whatever its chain says', () => {
    const desk = deskWith(10n);
    expect([creditBy(desk, 'erin'), desk.balance(alice, coin)]).toEqual(['largeDelay', 0n]);
    expect([creditBy(desk, 'erin'), creditBy(desk, 'ERIN')]).toEqual(['sameOperator', 'sameOperator']);
    expect(refusals(desk.review(1, 'credit'))).toEqual(['invalidConfiguration']);
    expect([creditBy(desk, 'dan'), desk.balance(alice, coin)]).toEqual(['success', 200n]);
    expect(desk.faults()).toEqual([]);
  });

  test('keeps the first word until it is confirmed, and over a restart', () => {
    const desk = deskWith(0n);
    expect([creditBy(desk, 'erin', 2), creditBy(desk, 'erin')]).toEqual(['notConfirmed', 'largeDelay']);
    desk.restore();
    expect([creditBy(desk, 'dan', 2), creditBy(desk, 'erin'), creditBy(desk, 'dan')]).toEqual([
      ...['notConfirmed', 'sameOperator', 'success'],
    ]);
  });

  test('DEC-WAL-106: of nobody known goes where two operators say alike, not where the second says alone', () => {
    const desk = deskWith(10n);
    desk.unprice(tagged);
    desk.report('nobody', 3, taggedBy('77'));
    expect(desk.statusOf('nobody')).toBe('invalid');
    const credit = (actor: string, account: number | null): string => {
      const sight = seenWith(3, desk.forks('TAG'));
      const command = {
        kind: 'reviewDeposit',
        deposit: 2,
        decision: 'credit',
        account: account as never,
        sight,
      } as const;
      const [reason] = refusals(desk.run(operated(actor, command)));
      return reason ?? desk.statusOf('nobody');
    };
    expect([credit('erin', null), credit('erin', alice)]).toEqual(['unknownAccount', 'invalid']);
    desk.restore();
    expect([credit('dan', bob), desk.deposit('nobody')?.approvals]).toEqual(['invalid', ['dan']]);
    expect([credit('dan', bob), credit('erin', alice)]).toEqual(['sameOperator', 'invalid']);
    expect([desk.balance(alice, tagged), desk.balance(bob, tagged)]).toEqual([0n, 0n]);
    expect([credit('dan', alice), desk.balance(alice, tagged)]).toEqual(['success', 200n]);
    expect(desk.faults()).toEqual([]);
  });

  test('is credited by one where it has a price again, or where there are no four eyes', () => {
    const priced = deskWith(10n);
    priced.price(coin, 1);
    expect(creditBy(priced, 'erin')).toBe('success');
    expect(creditBy(deskWith(null), 'erin')).toBe('success');
  });
});

describe('deposits that wait for an operator', () => {
  test('DEC-WAL-16, DEC-WAL-143: are worth the bound or more, or have no price that counts', () => {
    const desk = new DepositDesk();
    desk.unprice(coin);
    desk.report('without a price', 3, { ...amountOf(200n), asset: coin as never });
    expect(desk.statusOf('without a price')).toBe('largeDelay');
    desk.review(1, 'credit');
    expect(desk.statusOf('without a price')).toBe('success');
    desk.trade(3);
    const large = 16_667n;
    const { state } = desk.engine;
    expect([higherValue(state, as(coin), large), higherValue(state, as(coin), large - 1n)]).toEqual([50_001n, 49_998n]);
    desk.report('just below', 3, { ...amountOf(large - 1n), asset: coin as never });
    desk.report('large', 3, { ...amountOf(large), asset: coin as never });
    desk.report('large USD', 3, amountOf(50_000n));
    expect(['just below', 'large', 'large USD'].map((tx) => desk.statusOf(tx))).toEqual([
      'success',
      'largeDelay',
      'largeDelay',
    ]);
  });

  test('DEC-WAL-53: are classified by the first reason that applies', () => {
    const desk = new DepositDesk();
    const off = { depositEnabled: false, depositMin: as<never>(1000n as never) };
    desk.configure(tagged, off);
    desk.configure(usd, off);
    desk.setStatus(bob, 'frozen');
    desk.report('unattributed', 3, { ...taggedBy('77'), ...amountOf(900n) });
    desk.report('frozen', 3, { ...amountOf(assetCap + 1n), address: `0x${bob}` });
    desk.report('large', 3, amountOf(assetCap + 1n));
    desk.run({ kind: 'creditFunds', account: as(alice), asset: as(usd), amount: as(assetCap - 10n) });
    desk.report('above the cap', 3, amountOf(11n));
    desk.report('off', 3, amountOf(10n));
    const statuses = ['unattributed', 'frozen', 'large', 'above the cap', 'off'].map((tx) => desk.statusOf(tx));
    expect(statuses).toEqual(['invalid', 'restricted', 'largeDelay', 'auditing', 'pending']);
    desk.configure(usd, { depositMin: as<never>(1000n as never) });
    desk.report('off', 3, amountOf(10n));
    expect(desk.statusOf('off')).toBe('small');
  });

  test('values are rounded down, and missing without a price', () => {
    const desk = new DepositDesk();
    const { state } = desk.engine;
    desk.trade(7);
    desk.unprice(tagged);
    for (const valueIn of [higherValue, lowerValue, lastValue]) {
      expect(valueIn(state, as(coin), 1n)).toBe(7n);
      expect(valueIn(state, as(usd), 12n)).toBe(12n);
      expect(valueIn(state, as(tagged), 12n)).toBeNull();
      expect(valueIn(state, as(coin), 2n ** 62n - 1n)).toBe(2n ** 62n - 1n);
    }
    state.walletRules.value = null;
    for (const valueIn of [higherValue, lowerValue, lastValue]) expect(valueIn(state, as(coin), 1n)).toBeNull();
    expect(refusals(desk.report('tx', 3))).toEqual(['walletNotConfigured']);
  });

  test('DEC-WAL-16: came without a memo or with an unknown one, and an operator says whose they are', () => {
    const desk = new DepositDesk();
    desk.report('none', 3, taggedBy(null));
    desk.report('unknown', 3, taggedBy('77'));
    expect(desk.deposit('none')).toMatchObject({ status: 'invalid', account: outside });
    for (const account of [null, 0, 9, 2 ** 26 + alice, chainLosses])
      expect(refusals(desk.review(1, 'credit', account))).toEqual(['unknownAccount']);
    desk.review(1, 'credit', alice);
    expect(desk.deposit('none')).toMatchObject({ status: 'success', account: alice });
    desk.review(2, 'refund');
    expect([desk.balance(alice, tagged), desk.balance(outside, tagged)]).toEqual([200n, -200n]);
  });

  test('DEC-WAL-16: a known owner is not replaced', () => {
    const desk = new DepositDesk();
    desk.report('tx', 3, amountOf(50_000n));
    expect(refusals(desk.review(1, 'credit', bob))).toEqual(['invalidConfiguration']);
    desk.review(1, 'credit', alice);
    expect(desk.balance(alice)).toBe(50_000n);
  });

  test('are not credited beyond the cap of the asset', () => {
    const desk = new DepositDesk();
    desk.run({ kind: 'creditFunds', account: as(bob), asset: as(usd), amount: as(assetCap - 199n) });
    desk.report('tx', 3);
    expect(desk.statusOf('tx')).toBe('auditing');
    expect(refusals(desk.review(1, 'credit'))).toEqual(['aboveAssetCap']);
    expect(desk.balance(alice)).toBe(0n);
  });

  test('DEC-WAL-16: a flag before minConfirm keeps a deposit for the operator', () => {
    const desk = new DepositDesk();
    desk.report('tx', 1);
    desk.review(1, 'flag');
    expect(refusals(desk.review(1, 'credit'))).toEqual(['notConfirmed']);
    desk.report('tx', 3);
    expect(desk.statusOf('tx')).toBe('auditing');
    desk.review(1, 'credit');
    expect(desk.balance(alice)).toBe(200n);
  });
});
