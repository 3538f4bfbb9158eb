import { describe, expect, test } from 'vitest';
import { innerHouse } from '#model/account.ts';
import { noopSink } from '#model/event-record.ts';
import { as } from '#model/units.ts';
import { restoreEngine } from '#engine/create-engine.ts';
import { receiveInside } from '#engine/wallet/inside-payments.ts';
import { alice, assetCap, bob, chainLosses, dayMs, DepositDesk, outside, refusals, usd } from './deposit-desk.ts';

const amountOf = (amount: bigint) => ({ amount: amount as never });

describe('DEC-WAL-17: a credited deposit that leaves its chain', () => {
  test('freezes the account, which pays what it has; the house loses the rest, and I1 and I2 hold', () => {
    const desk = new DepositDesk();
    desk.report('tx', 3);
    desk.spend(150n);
    const events = desk.removal('tx');
    expect(events.filter(({ kind }) => kind !== 'posted')).toMatchObject([
      { kind: 'accountChanged', account: { account: alice, status: 'frozen' } },
      { kind: 'depositLost', deposit: { status: 'lost', confirmations: 0 }, fromAccount: 50n, fromHouse: 150n },
    ]);
    expect(new Set(events.flatMap((event) => (event.kind === 'posted' ? [event.why] : [])))).toEqual(
      new Set(['chainLoss']),
    );
    const balances = [alice, bob, outside, chainLosses].map((account) => desk.balance(account));
    expect(balances).toEqual([0n, 150n, 0n, -150n]);
    expect(desk.faults()).toEqual([]);
  });

  test('DEC-WAL-55: gives everybody back what they paid when the chain has it again; the account stays frozen', () => {
    const desk = new DepositDesk();
    desk.report('tx', 3);
    desk.spend(150n);
    desk.removal('tx');
    desk.restore();
    desk.report('tx', 1);
    expect(desk.deposit('tx')).toMatchObject({ status: 'lost', confirmations: 1 });
    desk.report('tx', 3);
    expect(desk.statusOf('tx')).toBe('success');
    expect([alice, bob, outside, chainLosses].map((account) => desk.balance(account))).toEqual([50n, 150n, -200n, 0n]);
    expect(desk.accountStatus(alice)).toBe('frozen');
    desk.removal('tx');
    expect([alice, outside, chainLosses].map((account) => desk.balance(account))).toEqual([0n, 0n, -150n]);
    expect(desk.faults()).toEqual([]);
  });

  test('DEC-WAL-153: takes what orders held once they are cancelled, and leaves an abnormal account as it is', () => {
    const desk = new DepositDesk();
    desk.report('tx', 3);
    const terms = { symbol: 0, side: 'buy', kind: 'limit', price: 1, quantity: 120, budget: null };
    const order = { ...terms, clientOrderId: null, stpMode: 'none' } as never;
    desk.run({ kind: 'placeOrder', account: as(alice), order });
    desk.removal('tx');
    expect([desk.balance(alice), desk.balance(chainLosses), desk.balance(outside)]).toEqual([0n, 0n, 0n]);
    expect(desk.accountStatus(alice)).toBe('frozen');
    expect(desk.engine.state.accounts.openCount(alice)).toBe(0);
    desk.report('other', 3);
    desk.setStatus(alice, 'abnormal');
    desk.removal('tx');
    expect(desk.accountStatus(alice)).toBe('abnormal');
    expect(desk.faults()).toEqual([]);
  });

  test('counts towards the cap of the asset for what the house lost', () => {
    const desk = new DepositDesk();
    desk.report('tx', 3);
    desk.spend(200n);
    desk.removal('tx');
    const credit = (amount: bigint) =>
      refusals(desk.run({ kind: 'creditFunds', account: as(bob), asset: as(usd), amount: as(amount) }));
    expect(credit(assetCap - 199n)).toEqual(['aboveAssetCap']);
    expect(credit(assetCap - 200n)).toEqual([]);
  });

  test('DEC-WAL-55: waits for the cap of the asset before it is paid again', () => {
    const desk = new DepositDesk();
    desk.report('tx', 3);
    desk.removal('tx');
    desk.run({ kind: 'creditFunds', account: as(bob), asset: as(usd), amount: as(assetCap) });
    expect(refusals(desk.report('tx', 3))).toEqual(['aboveAssetCap']);
    expect(desk.statusOf('tx')).toBe('lost');
  });

  test('DEC-WAL-54: is not watched for longer than three days after its last change', () => {
    const desk = new DepositDesk();
    desk.report('tx', 3);
    desk.at += 3 * dayMs - 1;
    desk.removal('tx');
    expect(desk.statusOf('tx')).toBe('lost');
    desk.at += 3 * dayMs;
    expect(desk.report('tx', 3)).toEqual([]);
    expect(desk.balance(alice)).toBe(0n);
  });

  test('stays credited where the house would owe more than a balance can tell', () => {
    const desk = new DepositDesk();
    const { ledger } = desk.engine.state;
    ledger.move(innerHouse.chainLosses, innerHouse.grants, as(usd), 2n ** 62n, 'adjustment');
    desk.report('tx', 3);
    desk.spend(200n);
    const digest = desk.engine.digest();
    expect(refusals(desk.removal('tx'))).toEqual(['houseHasTooLittle']);
    expect(desk.engine.digest()).toBe(digest);
  });
});

describe('records of final deposits', () => {
  test('leave a few at a time, on a restored engine as on the one before', () => {
    const desk = new DepositDesk();
    for (let index = 0; index < 20; index += 1) desk.report(`tx${index}`, 3, amountOf(50_000n));
    for (let deposit = 20; deposit > 0; deposit -= 1) desk.review(deposit, 'credit');
    const restored = restoreEngine(desk.engine.snapshot());
    desk.at += 3 * dayMs;
    const lengths = [];
    for (let index = 0; index < 4; index += 1) {
      desk.report(`later${index}`, 1);
      lengths.push(desk.engine.state.deposits.all().length);
    }
    expect(lengths).toEqual([13, 6, 3, 4]);
    desk.engine = restored;
    desk.report('later0', 1);
    expect(restored.state.deposits.all().map(({ deposit }) => deposit)).toEqual([...upTo(12), 21]);
    expect(desk.faults()).toEqual([]);
  });

  test('DEC-WAL-25: of money that came from another account are never kept', () => {
    const desk = new DepositDesk();
    const { state } = desk.engine;
    const heard: unknown[] = [];
    state.emit.sink = { ...noopSink, fact: (fact) => heard.push(fact) };
    const payment = { network: 'NET', address: `0x${bob}`, memo: null, txId: 'ab'.repeat(16) };
    receiveInside(state, as(alice), { account: as(bob), asset: as(usd), amount: as(5n), ...payment });
    const deposit = { deposit: 1, account: bob, ...payment, status: 'success', isInside: true, amount: 5n };
    expect(heard).toMatchObject([{ kind: 'depositChanged', deposit }]);
    expect(state.deposits.all()).toEqual([]);
    desk.report('tx', 1);
    expect(desk.deposit('tx')).toMatchObject({ deposit: 2, isInside: false });
  });
});

const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);
