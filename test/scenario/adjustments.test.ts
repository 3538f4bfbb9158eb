import { describe, expect, test } from 'vitest';
import { futuresWalletOf, house, innerHouse } from '#model/account.ts';
import { adjustmentKinds } from '#model/adjustment.ts';
import { engineLimits } from '#model/limits.ts';
import { type AccountId, as, type AssetId, type Balance } from '#model/units.ts';
import { operated } from '../operated.ts';
import { AdjustmentDesk, adjustmentOf } from './adjustment-desk.ts';
import { assets, people } from './wallet-harness.ts';

const { alice, bob } = people;
const dayMs = 86_400_000;
const { adjustments, capital, revenue, gas, dust, grants } = innerHouse;
const { outside, fees, rounding } = house;
const open = { adjustFourEyesAbove: null };
/** Fees come from nowhere else here: the operator puts them in. */
const withFees = (amount: bigint, rules = {}): AdjustmentDesk => {
  const desk = new AdjustmentDesk({ ...open, ...rules });
  expect(desk.adjust('root', 'capitalIn', { house: 'capital' }, amount)).toBe('balanceAdjusted');
  expect(desk.adjust('root', 'debit', { house: 'capital' }, amount)).toBe('balanceAdjusted');
  expect(desk.adjust('root', 'credit', { house: 'fees' }, amount)).toBe('balanceAdjusted');
  expect(desk.usdt(fees)).toBe(amount);
  return desk;
};

describe('DEC-OPR-181: what is moved', () => {
  const table = [
    ['credit', { of: 'alice' }, 10n, [[adjustments, alice]]],
    ['debit', { of: 'alice' }, 10n, [[alice, adjustments]]],
    ['correction', { of: 'alice' }, 10n, [[adjustments, alice]]],
    ['correction', { of: 'alice' }, -10n, [[alice, adjustments]]],
    ['credit', { of: 'bob', wallet: 'futures' }, 10n, [[adjustments, futuresWalletOf(bob)]]],
    ['credit', { house: 'rounding' }, 10n, [[adjustments, rounding]]],
    ['debit', { house: 'fees' }, 10n, [[fees, adjustments]]],
    ['correction', { house: 'gas' }, 10n, [[adjustments, gas]]],
    ['correction', { house: 'capital' }, 10n, [[outside, capital]]],
    ['correction', { house: 'capital' }, -10n, [[capital, outside]]],
    ['correction', { house: 'revenue' }, 10n, [[fees, revenue]]],
    ['capitalIn', { house: 'capital' }, 10n, [[outside, capital]]],
    [
      'capitalIn',
      { house: 'gas' },
      10n,
      [
        [outside, capital],
        [capital, gas],
      ],
    ],
    [
      'capitalIn',
      { house: 'dust' },
      10n,
      [
        [outside, capital],
        [capital, dust],
      ],
    ],
    ['revenueOut', { house: 'fees' }, 10n, [[fees, revenue]]],
  ] as const;
  test.each(table)('%s of %o by %s', (type, owner, amount, movements) => {
    const desk = withFees(50n);
    const events = desk.run(operated('erin', adjustmentOf(type, owner, amount)));
    const posted = events.flatMap((event) => (event.kind === 'posted' ? [[event.account, event.free, event.why]] : []));
    const why = posted[0]![2];
    const isBeyond = movements.flat().some((account) => account === outside || account === revenue);
    expect(why).toBe(
      isBeyond ? (type === 'revenueOut' || movements[0]![1] === revenue ? 'revenue' : 'capital') : 'adjustment',
    );
    expect(posted).toEqual(
      movements.flatMap(([from, to]) => [
        [from, -10, why],
        [to, 10, why],
      ]),
    );
    expect(events.find(({ kind }) => kind === 'balanceAdjusted')).toMatchObject({
      kind: 'balanceAdjusted',
      adjustment: { type, amount, madeBy: 'erin', approvedBy: null, proposal: null, reason: 'a reason', at: desk.at },
    });
  });

  test('a revenueOut that was too much is corrected, and no further than it was', () => {
    const desk = withFees(50n);
    desk.adjust('erin', 'revenueOut', { house: 'fees' }, 50n);
    expect(desk.adjust('erin', 'correction', { house: 'revenue' }, -51n)).toBe('houseHasTooLittle');
    expect(desk.adjust('erin', 'correction', { house: 'revenue' }, -20n)).toBe('balanceAdjusted');
    expect([desk.usdt(fees), desk.usdt(revenue)]).toEqual([20n, 30n]);
  });

  test('kinds and accounts that do not go together are refused, and change nothing', () => {
    const desk = withFees(50n);
    const digest = desk.engine.digest();
    for (const [type, owner] of [
      ['capitalIn', { of: 'alice' }],
      ['revenueOut', { of: 'alice' }],
      ['capitalIn', { house: 'fees' }],
      ['revenueOut', { house: 'gas' }],
      ['credit', { house: 'revenue' }],
      ['debit', { house: 'revenue' }],
    ] as const)
      expect([type, desk.adjust('erin', type, owner, 10n)]).toEqual([type, 'invalidConfiguration']);
    for (const account of [outside, house.rebates, grants, innerHouse.undelivered, innerHouse.clearing, adjustments]) {
      const command = { ...adjustmentOf('debit', { house: 'fees' }, 1n), account };
      expect(desk.by('erin', command)).toBe('unknownAccount');
    }
    expect(desk.engine.digest()).toBe(digest);
  });

  test.each([
    ['no amount', { amount: as<Balance>(0n) }],
    ['an amount below zero that is no correction', { amount: as<Balance>(-1n) }],
    ['more than a balance can be', { amount: as<Balance>(1n << 62n) }],
    ['no reason', { reason: '' }],
    ['501 characters of reason', { reason: 'x'.repeat(501) }],
    ['an empty reference', { reference: '' }],
    ['129 characters of reference', { reference: 'x'.repeat(129) }],
  ])('%s is refused', (_, change) => {
    const desk = new AdjustmentDesk(open);
    expect(desk.by('erin', { ...adjustmentOf('credit', { of: 'alice' }, 1n), ...change })).toBe('invalidConfiguration');
  });

  test('a reason of 500 characters is taken, and what no operator asks for is not', () => {
    const desk = new AdjustmentDesk(open);
    const command = { ...adjustmentOf('debit', { of: 'alice' }, 1n), reason: '😀'.repeat(500) };
    expect(desk.by('erin', command)).toBe('balanceAdjusted');
    expect(desk.say(command)).toBe('invalidConfiguration');
  });
});

describe('DEC-OPR-182: what is not taken', () => {
  test('a debit takes all that is free and nothing more, also of what orders hold', () => {
    const desk = new AdjustmentDesk(open);
    const terms = {
      symbol: as<never>(0 as never),
      side: 'buy',
      kind: 'limit',
      price: as<never>(400 as never),
    } as const;
    const rest = { quantity: as<never>(1 as never), budget: null, clientOrderId: null, stpMode: 'none' } as const;
    desk.run({ kind: 'placeOrder', account: alice, order: { ...terms, ...rest } });
    expect(desk.usdt(alice)).toBe(600n);
    expect(desk.adjust('erin', 'debit', { of: 'alice' }, 601n)).toBe('notEnoughFunds');
    expect(desk.adjust('erin', 'correction', { of: 'alice' }, -601n)).toBe('notEnoughFunds');
    expect(desk.adjust('erin', 'debit', { of: 'alice' }, 600n)).toBe('balanceAdjusted');
    expect(desk.adjust('erin', 'debit', { of: 'alice' }, 1n)).toBe('notEnoughFunds');
    expect(desk.adjust('erin', 'debit', { of: 'alice', wallet: 'futures' }, 1n)).toBe('notEnoughFunds');
  });

  test('a house account gives no more than it has, however much it may owe elsewhere', () => {
    const desk = withFees(50n);
    for (const name of ['fees', 'rounding', 'dust', 'gas', 'capital'] as const) {
      const has = name === 'fees' ? 50n : 0n;
      expect([name, desk.adjust('erin', 'debit', { house: name }, has + 1n)]).toEqual([name, 'houseHasTooLittle']);
    }
    expect(desk.adjust('erin', 'revenueOut', { house: 'fees' }, 51n)).toBe('houseHasTooLittle');
  });

  test('in production the house credits and takes out only what it owns after all that it owes', () => {
    const desk = withFees(50n);
    expect(desk.equity()).toBe(50n);
    expect(desk.adjust('erin', 'credit', { of: 'bob' }, 51n)).toBe('houseHasTooLittle');
    expect(desk.adjust('erin', 'credit', { of: 'bob' }, 20n)).toBe('balanceAdjusted');
    // The fees have 50 still, but 20 of them are owed to bob.
    expect(desk.usdt(fees)).toBe(50n);
    expect(desk.adjust('erin', 'revenueOut', { house: 'fees' }, 31n)).toBe('houseHasTooLittle');
    expect(desk.adjust('erin', 'revenueOut', { house: 'fees' }, 30n)).toBe('balanceAdjusted');
    expect(desk.adjust('erin', 'credit', { of: 'bob' }, 1n)).toBe('houseHasTooLittle');
    expect(desk.equity()).toBe(0n);
    expect(desk.adjust('erin', 'debit', { of: 'bob' }, 20n)).toBe('balanceAdjusted');
    expect(desk.equity()).toBe(20n);
  });

  test('a sandbox credits what it likes, up to the cap of the asset', () => {
    const desk = new AdjustmentDesk(open, 'sandbox');
    const most = 2n ** 61n - 1000n;
    expect(desk.adjust('erin', 'credit', { of: 'bob' }, most + 1n)).toBe('aboveAssetCap');
    expect(desk.adjust('erin', 'credit', { of: 'bob' }, most)).toBe('balanceAdjusted');
    expect(desk.adjust('erin', 'capitalIn', { house: 'capital' }, 1n)).toBe('aboveAssetCap');
    // What was debited can be given again: no more is owned by that.
    expect(desk.adjust('erin', 'debit', { of: 'bob' }, most)).toBe('balanceAdjusted');
    expect(desk.adjust('erin', 'correction', { of: 'bob' }, most)).toBe('balanceAdjusted');
  });

  test('unknown accounts, funds and wallets that are not enabled are refused', () => {
    const desk = new AdjustmentDesk(open);
    const credit = adjustmentOf('credit', { of: 'alice' }, 1n);
    expect(desk.by('erin', { ...credit, account: as<AccountId>(99) })).toBe('unknownAccount');
    expect(desk.by('erin', { ...credit, account: outside })).toBe('unknownAccount');
    expect(desk.by('erin', { ...credit, asset: as<AssetId>(99) })).toBe('unknownAsset');
  });

  test('a frozen account is adjusted too', () => {
    const desk = new AdjustmentDesk(open);
    desk.run({ kind: 'setAccountStatus', account: alice, status: 'frozen' });
    expect(desk.adjust('erin', 'debit', { of: 'alice' }, 1000n)).toBe('balanceAdjusted');
  });
});

describe('DEC-OPR-183: four eyes', () => {
  test('what is worth more than the bound waits, and its money is judged again when it is approved', () => {
    const desk = new AdjustmentDesk();
    expect(desk.adjust('erin', 'debit', { of: 'alice' }, 101n)).toBe('proposalChanged');
    expect(desk.usdt(alice)).toBe(1000n);
    expect(desk.approve('Erin')).toBe('sameOperator');
    expect(desk.adjust('dan', 'debit', { of: 'alice' }, 900n)).toBe('proposalChanged');
    expect(desk.approve('erin', 2)).toBe('proposalChanged');
    expect(desk.usdt(alice)).toBe(100n);
    // The money is gone: the first one stays open.
    expect(desk.approve('dan', 1)).toBe('notEnoughFunds');
    expect(desk.engine.state.operators.find(1)).toMatchObject({ state: 'open', lowered: ['amount'] });
    expect(desk.adjust('erin', 'correction', { of: 'alice' }, 1n)).toBe('balanceAdjusted');
    expect(desk.approve('dan', 1)).toBe('proposalChanged');
    expect(desk.usdt(alice)).toBe(0n);
    expect(desk.engine.state.adjustments.all().at(-1)).toMatchObject({
      ...{ adjustment: desk.engine.state.adjustments.lastAdjustment, type: 'debit', amount: 101n },
      ...{ madeBy: 'erin', approvedBy: 'dan', proposal: 1 },
    });
    expect(desk.approve('dan', 1)).toBe('wrongState');
  });

  test('many small ones of one operator count together for a day', () => {
    const desk = new AdjustmentDesk();
    const debit = (actor: string, amount: bigint): string => desk.adjust(actor, 'debit', { of: 'alice' }, amount);
    expect([debit('erin', 60n), debit('erin', 40n), debit('ERIN', 1n)]).toEqual([
      ...['balanceAdjusted', 'balanceAdjusted', 'proposalChanged'],
    ]);
    expect(debit('dan', 100n)).toBe('balanceAdjusted');
    // What two approved does not count.
    desk.approve('dan');
    desk.at += dayMs - 1;
    expect(debit('erin', 1n)).toBe('proposalChanged');
    desk.at += 1;
    expect(debit('erin', 100n)).toBe('balanceAdjusted');
    desk.restore();
    expect(debit('erin', 1n)).toBe('proposalChanged');
  });

  test.each(adjustmentKinds)('without a price a %s waits, whatever it is', (type) => {
    const desk = new AdjustmentDesk();
    const owner = type === 'capitalIn' ? { house: 'capital' } : { of: 'alice' };
    const told = desk.adjust('erin', type, owner as never, 1n, assets.NIL);
    expect(told).toBe(
      { capitalIn: 'proposalChanged', debit: 'notEnoughFunds', revenueOut: 'invalidConfiguration' }[type as string] ??
        'houseHasTooLittle',
    );
  });

  test('where the bound is null none waits, and in a sandbox none does', () => {
    for (const desk of [new AdjustmentDesk(open), new AdjustmentDesk({}, 'sandbox')])
      expect(desk.adjust('erin', 'debit', { of: 'alice' }, 1000n)).toBe('balanceAdjusted');
  });

  test('raising the bound, or taking it away, needs two itself; lowering it does not', () => {
    const desk = new AdjustmentDesk();
    const configure = (bound: bigint | null): string =>
      desk.by('erin', {
        kind: 'configureWallet',
        rules: { ...desk.engine.state.walletRules.value!, adjustFourEyesAbove: bound as Balance | null },
      });
    expect([configure(101n), configure(null), configure(99n)]).toEqual([
      ...['proposalChanged', 'proposalChanged', 'walletConfigured'],
    ]);
  });

  test('one operator alone adjusts a day later, if the money is there then', () => {
    const desk = new AdjustmentDesk();
    expect(desk.by('root', { kind: 'setAlone', enabled: true })).toBe('aloneChanged');
    desk.adjust('root', 'debit', { of: 'alice' }, 900n);
    desk.adjust('root', 'debit', { of: 'alice' }, 200n);
    desk.at += engineLimits.proposalLifeMs;
    desk.run({ kind: 'endProposals' });
    expect(desk.usdt(alice)).toBe(100n);
    const [first, second] = desk.engine.state.operators.all();
    expect([first?.state, second?.state]).toEqual(['applied', 'expired']);
    expect(desk.engine.state.adjustments.all()).toMatchObject([{ madeBy: 'root', approvedBy: null, proposal: 1 }]);
  });

  test('a repeated idempotency key adjusts once', () => {
    const desk = new AdjustmentDesk();
    const command = adjustmentOf('debit', { of: 'alice' }, 60n);
    expect(desk.by('erin', command, 'k')).toBe('balanceAdjusted');
    expect(desk.by('erin', command, 'k')).toBe('operationRepeated');
    expect(desk.by('erin', adjustmentOf('debit', { of: 'alice' }, 61n), 'k')).toBe('idempotencyKeyInUse');
    expect(desk.usdt(alice)).toBe(940n);
    expect(desk.engine.state.adjustments.ofKey('erin', 'k')).toMatchObject({ amount: 60n });
    expect(desk.engine.state.adjustments.ofKey('dan', 'k')).toBeNull();
  });
});

describe('DEC-OPR-184: in production nothing comes from nothing', () => {
  test('nobody is credited funds', () => {
    const desk = new AdjustmentDesk(open);
    const command = { kind: 'creditFunds', account: alice, asset: assets.USDT, amount: as<Balance>(1n) } as const;
    expect(desk.by('erin', command)).toBe('onlyInSandbox');
    expect(desk.say({ ...command, account: gas })).toBe('onlyInSandbox');
    expect(desk.usdt(grants)).toBe(0n);
  });

  test('the operator tops up gas that fees of networks took', () => {
    const desk = new AdjustmentDesk(open);
    expect(desk.adjust('erin', 'capitalIn', { house: 'gas' }, 30n)).toBe('balanceAdjusted');
    expect([desk.usdt(gas), desk.usdt(capital), desk.usdt(outside)]).toEqual([30n, 0n, -1030n]);
  });
});
