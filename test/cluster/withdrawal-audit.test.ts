import { describe, expect, test } from 'vitest';
import { chainUnitsPerMicro, withdrawalFee } from './on-chain-exchange.ts';
import {
  type ChainPayment,
  type DepositRow,
  faultsOfDeposits,
  faultsOfPayments,
  type WithdrawalRow,
} from './withdrawal-audit.ts';
import type { AskedWithdrawal } from './withdrawal-load.ts';

const address = (index: number): string => `0x${String(index).padStart(40, 'a')}`;
const micros = 50_000n;

const asked = (index: number, changes: Partial<AskedWithdrawal> = {}): AskedWithdrawal => ({
  ...{ lane: 0, withdrawOrderId: `w${index}`, address: address(index), micros },
  ...{ outcome: 'acknowledged', code: null, id: `id${index}`, cancel: 'none', ...changes },
});
const row = (index: number, changes: Partial<WithdrawalRow> = {}): WithdrawalRow => ({
  ...{ id: `id${index}`, withdrawOrderId: `w${index}`, amount: '0.05', address: address(index) },
  ...{ status: 7, txId: `t${index}`, ...changes },
});
const payment = (index: number, changes: Partial<ChainPayment> = {}): ChainPayment => ({
  ...{ txId: `t${index}`, nonce: index, coin: 'ETH', to: address(index), succeeded: true },
  ...{ amount: (micros - withdrawalFee) * chainUnitsPerMicro, ...changes },
});

const found = (
  withdrawals: readonly AskedWithdrawal[],
  rows: readonly WithdrawalRow[],
  payments: readonly ChainPayment[],
): readonly string[] =>
  faultsOfPayments(withdrawals, new Map(rows.map((each) => [each.withdrawOrderId, each])), {
    payments,
    succeeded: new Set(),
  });

describe('DEC-WAL-23: the audit of withdrawals', () => {
  test('finds nothing where each is paid once, given back, or refused', () => {
    const back = asked(2, { cancel: 'done' });
    const refused = asked(3, { outcome: 'refused', id: null });
    const unsure = asked(4, { outcome: 'unsure', id: null });
    const rows = [row(0), row(1), row(2, { status: 9, txId: null })];
    expect(found([asked(0), asked(1), back, refused, unsure], rows, [payment(0), payment(1)])).toEqual([]);
  });

  test.each<[string, ChainPayment[], string]>([
    ['is paid twice', [payment(0), payment(0, { nonce: 1, txId: 'u' })], 'is paid 2 times'],
    ['is not paid', [], 'is paid 0 times'],
    ['is paid too much', [payment(0, { amount: 1n })], 'instead of'],
    ['is paid by another transaction than is shown', [payment(0, { txId: 'u' })], 't0 is shown'],
    ['was paid in vain', [payment(0, { succeeded: false })], 'did not succeed'],
    ['leaves out a nonce', [payment(0, { nonce: 1 })], 'has the nonce 1'],
    ['is paid beside another', [payment(0), payment(1)], 'nobody asked for t1'],
  ])('finds what %s', (_, payments, fault) => {
    expect(found([asked(0)], [row(0)], payments).join()).toContain(fault);
  });

  test.each<[string, Partial<AskedWithdrawal>, WithdrawalRow[], string]>([
    ['was acknowledged and is gone', {}, [], 'was answered id0, and is undefined'],
    ['was acknowledged as another', {}, [row(0, { id: 'other' })], 'and is other'],
    ['was refused and happened', { outcome: 'refused' }, [row(0)], 'was refused, and is there'],
    ['was cancelled and paid', { cancel: 'done' }, [row(0)], 'was cancelled'],
    ['ended though nobody cancelled it', {}, [row(0, { status: 9 })], 'nobody cancelled it'],
    ['hangs', {}, [row(0, { status: 5 })], 'never ended'],
  ])('finds what %s', (_, changes, rows, fault) => {
    expect(found([asked(0, changes)], rows, [payment(0)]).join()).toContain(fault);
  });
});

describe('DEC-WAL-18: the audit of deposits', () => {
  const paid = [{ lane: 0, txId: 'd', micros }];
  const credited: DepositRow = { amount: '0.05', status: 5, txId: 'd' };
  const record = { payments: [], succeeded: new Set(['d']) };

  test('finds nothing where each is credited once', () => {
    expect(faultsOfDeposits(paid, [credited], record)).toEqual([]);
  });

  test.each<[string, DepositRow[], string]>([
    ['is credited twice', [credited, credited], 'is there 2 times'],
    ['is not credited', [], 'is there 0 times'],
    ['waits', [{ ...credited, status: 1 }], 'is credited as'],
    ['is credited with another amount', [{ ...credited, amount: '0.06' }], 'is credited as'],
    ['nobody paid', [credited, { ...credited, txId: 'e' }], 'nobody paid e'],
  ])('finds what %s', (_, rows, fault) => {
    expect(faultsOfDeposits(paid, rows, record).join()).toContain(fault);
  });
});
