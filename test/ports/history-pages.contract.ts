import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toldAct } from '../operated.ts';
import { as } from '#model/units.ts';
import type { AccountId, AssetId, Seq } from '#model/units.ts';
import { type HistoryStore, type PageOf, pagedRowsMax, pageRowsMax, type Window } from '#history/history-store.ts';
import type { DepositRow, OperatorActRow, SendRow, WithdrawalRow } from '#history/tables/wallet-tables.ts';
import { lastMoment, type LedgerLineRow } from '#history/tables/ledger-tables.ts';

const start = 1_700_000_000_000;
const alice = as<AccountId>(7);
const bob = as<AccountId>(12);
const always = { from: 0, to: Number.MAX_SAFE_INTEGER } as Window;
const within = (from: number, to: number): Window => ({ from, to }) as Window;

const deposit = (number: number, fields: Partial<Record<keyof DepositRow, unknown>> = {}): DepositRow =>
  ({
    account: alice,
    insertedAt: start + number,
    deposit: number,
    seq: number,
    asset: 2,
    network: 'ETH',
    address: '0xA',
    memo: null,
    txId: `t${number}`,
    output: 0,
    amount: 5n,
    status: 'pending',
    confirmations: 0,
    minConfirm: 12,
    isInside: false,
    updatedAt: start,
    ...fields,
  }) as DepositRow;
const withdrawal = (number: number, fields: Partial<Record<keyof WithdrawalRow, unknown>> = {}): WithdrawalRow =>
  ({
    account: alice,
    requestedAt: start + number,
    withdrawal: number,
    seq: number,
    asset: 2,
    network: 'ETH',
    address: '0xA',
    memo: 'm',
    amount: 5n,
    fee: 1n,
    value: null,
    status: 'apply',
    isInside: false,
    txId: null,
    nonce: null,
    confirmations: 0,
    withdrawOrderId: null,
    remark: null,
    updatedAt: start,
    ...fields,
  }) as WithdrawalRow;
const send = (number: number, fields: Partial<Record<keyof SendRow, unknown>> = {}): SendRow =>
  ({
    account: alice,
    at: start,
    send: number,
    seq: number,
    direction: 'out',
    counterparty: bob,
    asset: 2,
    amount: 5n,
    targetKind: 'email',
    target: 'bob@example.com',
    ...fields,
  }) as SendRow;
const ledgerLine = (seq: number, line: number, asset = 2): LedgerLineRow =>
  ({
    account: alice,
    at: start + Math.floor(seq / 10),
    seq,
    line,
    asset,
    change: 2n ** 62n,
    free: 2n ** 62n + 1n,
    held: -1n,
    balance: BigInt(seq) + 2n ** 62n,
    why: asset === 1 ? 'fee' : 'fill',
    order: null,
    referenceKind: null,
    reference: null,
  }) as LedgerLineRow;
const act = (seq: number): OperatorActRow => ({
  ...toldAct(seq, { at: as(start + Math.floor(seq / 2)) }),
  isRefused: false,
});

/** What every history must answer of pages; `open` gives a fresh, empty one. */
export function historyPagesContract(name: string, open: () => Promise<HistoryStore>): void {
  describe(`pages of ${name}`, () => {
    let store: HistoryStore;
    let upTo = 0;
    beforeEach(async () => {
      store = await open();
      upTo = 0;
    });
    afterEach(async () => {
      await store.close();
    });
    const write = (rows: Parameters<HistoryStore['write']>[0]['rows']): Promise<void> => {
      upTo += 1;
      return store.write({ upTo: as<Seq>(upTo), rows });
    };
    const numbers = async (
      page: PageOf<DepositRow>,
      where: Partial<DepositRow> = {},
      window = always,
    ): Promise<number[]> =>
      (await store.page('deposits', { account: alice, ...(where as object) }, window, page)).map((row) => row.deposit);

    test('an empty history has empty pages', async () => {
      expect(await numbers({ limit: 10 })).toEqual([]);
      expect(await store.count('deposits', { account: alice }, always)).toBe(0);
      expect(await store.page('operatorActs', {}, always, { limit: 10 })).toEqual([]);
      expect(await store.count('operatorActs', {}, always)).toBe(0);
    });

    test('rows of the wallet come back as they were written, with their extremes', async () => {
      const withdrawals = [
        withdrawal(1, { value: 2n ** 62n, nonce: Number.MAX_SAFE_INTEGER, txId: '0x', status: 'manual', remark: '' }),
        withdrawal(2, { value: null, amount: 2n ** 62n, withdrawOrderId: 'mine' }),
        withdrawal(3, { value: 0n, memo: null, isInside: true }),
        withdrawal(4, { value: -(2n ** 63n), fee: 0n }),
      ];
      const operatorActs = [
        act(2),
        { ...act(3), idempotencyKey: 'key', refusal: 'notEnoughFunds', isRefused: true } as const,
      ];
      await write({ withdrawals, operatorActs, ledgerLines: [ledgerLine(1, 0)] });
      expect(await store.rows('withdrawals', { account: alice }, always)).toEqual(withdrawals);
      expect(await store.page('withdrawals', { account: alice }, always, { limit: 9 })).toEqual(
        withdrawals.toReversed(),
      );
      expect(await store.page('operatorActs', {}, always, { limit: 9 })).toEqual(operatorActs.toReversed());
      expect(await store.page('ledgerLines', { account: alice }, always, { limit: 9 })).toEqual([ledgerLine(1, 0)]);
    });

    test('a page is newest first, of one account and window, after an offset', async () => {
      const rows = [1, 2, 9, 10, 11, 100].map((number) => deposit(number, { insertedAt: start + (number % 2) }));
      await write({ deposits: [...rows, deposit(50, { account: bob })] });
      expect(await numbers({ limit: 10 })).toEqual([11, 9, 1, 100, 10, 2]);
      expect(await numbers({ limit: 2 })).toEqual([11, 9]);
      expect(await numbers({ limit: 2, offset: 2 })).toEqual([1, 100]);
      expect(await numbers({ limit: 2, offset: 5 })).toEqual([2]);
      expect(await numbers({ limit: 2, offset: 6 })).toEqual([]);
      expect(await numbers({ limit: 2, offset: Number.MAX_SAFE_INTEGER })).toEqual([]);
      expect(await numbers({ limit: 10 }, {}, within(start + 1, start + 1))).toEqual([11, 9, 1]);
      expect(await store.count('deposits', { account: alice }, always)).toBe(6);
      expect(await store.count('deposits', { account: alice }, within(start, start))).toBe(3);
      expect(await store.count('deposits', { account: bob }, always)).toBe(1);
    });

    test('a page begins before a row, also among rows of one time', async () => {
      await write({ ledgerLines: [ledgerLine(8, 0), ledgerLine(8, 1), ledgerLine(9, 0), ledgerLine(20, 0)] });
      const seen = async (page: PageOf<LedgerLineRow>): Promise<string[]> =>
        (await store.page('ledgerLines', { account: alice }, always, page)).map(({ seq, line }) => `${seq}.${line}`);
      expect(await seen({ limit: 2 })).toEqual(['20.0', '9.0']);
      expect(await seen({ limit: 2, before: ledgerLine(9, 0) })).toEqual(['8.1', '8.0']);
      expect(await seen({ limit: 2, before: ledgerLine(8, 1) })).toEqual(['8.0']);
      expect(await seen({ limit: 2, before: ledgerLine(8, 0) })).toEqual([]);
      await write({ operatorActs: [act(2), act(3), act(4)] });
      const acts = await store.page('operatorActs', {}, always, {
        limit: 5,
        before: { at: act(3).at, seq: act(3).seq },
      });
      expect(acts).toEqual([act(2)]);
    });

    test('DEC-OPR-195: acts are found by number, target, command, actor and refusal, alone and together', async () => {
      const ofPair = { targetKind: 'pair', targetId: '10000001', commandKind: 'configureSymbol' } as const;
      const refused = { refusal: 'unknownAccount', isRefused: true, actor: 'erin' } as const;
      const rows = [act(1), { ...act(2), ...ofPair }, { ...act(3), ...refused }, { ...act(4), targetId: null }];
      await write({ operatorActs: rows });
      const found = async (where: Partial<OperatorActRow>): Promise<number[]> =>
        (await store.page('operatorActs', where as object, always, { limit: 9 })).map(({ number }) => number);
      expect(await found({ number: 3 })).toEqual([3]);
      expect(await found({ targetKind: 'account' })).toEqual([4, 3, 1]);
      expect(await found({ targetKind: 'account', targetId: '10000001' })).toEqual([3, 1]);
      expect(await found({ commandKind: 'configureSymbol' })).toEqual([2]);
      expect(await found({ actor: 'carol', targetKind: 'account' })).toEqual([4, 1]);
      expect(await found({ isRefused: true })).toEqual([3]);
      expect(await found({ isRefused: false, actor: 'erin' })).toEqual([]);
    });

    test('further columns are compared: words, numbers, texts, of pages and of counts', async () => {
      const rows = [1, 2, 3, 4, 5].map((number) =>
        deposit(number, { status: number % 2 === 0 ? 'success' : 'pending', asset: number < 4 ? 2 : 3 }),
      );
      await write({ deposits: rows });
      expect(await numbers({ limit: 10 }, { status: 'pending' })).toEqual([5, 3, 1]);
      expect(await numbers({ limit: 1, offset: 1 }, { status: 'pending' })).toEqual([3]);
      const both = { status: 'pending', asset: as<AssetId>(2) } as const;
      expect(await numbers({ limit: 10 }, both)).toEqual([3, 1]);
      expect(await numbers({ limit: 10 }, { txId: 't4' })).toEqual([4]);
      expect(await store.count('deposits', { account: alice, ...both }, always)).toBe(2);
      expect(await store.count('deposits', { account: alice, status: 'lost' }, always)).toBe(0);
    });

    test('a number leads to its rows, and only to those of the account that is named', async () => {
      await write({
        sends: [send(1), send(1, { account: bob, counterparty: alice, direction: 'in' }), send(2)],
        withdrawals: [withdrawal(4), withdrawal(5, { account: bob })],
      });
      const sendsOf = (account: AccountId, number: number) =>
        store.page('sends', { account, send: number }, always, { limit: 2 });
      expect(await sendsOf(alice, 1)).toEqual([send(1)]);
      expect((await sendsOf(bob, 1)).map((row) => row.direction)).toEqual(['in']);
      expect(await sendsOf(bob, 2)).toEqual([]);
      expect(await store.count('sends', { account: alice, send: 1 }, always)).toBe(1);
      const lookup = (account: AccountId) =>
        store.page('withdrawals', { account, withdrawal: 5 }, always, { limit: 1 });
      expect(await lookup(alice)).toEqual([]);
      expect(await lookup(bob)).toHaveLength(1);
    });

    test('a row replaces the one with its number, also under another account', async () => {
      await write({ deposits: [deposit(1, { account: as<AccountId>(0) }), deposit(2)] });
      await write({ deposits: [deposit(2, { confirmations: 3 }), deposit(1, { status: 'success' })] });
      await write({ deposits: [deposit(1, { status: 'success', confirmations: 9 })] });
      expect(await store.count('deposits', { account: as<AccountId>(0) }, always)).toBe(0);
      const rows = await store.page('deposits', { account: alice }, always, { limit: 10 });
      expect(rows.map((row) => [row.deposit, row.confirmations])).toEqual([
        [2, 3],
        [1, 9],
      ]);
    });

    test('a row of a table whose rows never change stays as it first came, and the others are written', async () => {
      await write({ ledgerLines: [ledgerLine(1, 0)] });
      const again = { ...ledgerLine(1, 0), balance: 7n };
      await write({ ledgerLines: [ledgerLine(1, 1), again, ledgerLine(2, 0)] });
      const rows = await store.page('ledgerLines', { account: alice }, always, { limit: 10 });
      expect(rows).toEqual([ledgerLine(2, 0), ledgerLine(1, 1), ledgerLine(1, 0)]);
    });

    test('DEC-WAL-69: what the wallet tells is kept for ever', async () => {
      await write({
        deposits: [deposit(1)],
        withdrawals: [withdrawal(1)],
        sends: [send(1)],
        ledgerLines: [ledgerLine(1, 0)],
        operatorActs: [act(1)],
      });
      const atOnce = { deposits: 0, withdrawals: 0, transfers: 0, sends: 0, conversions: 0, ledgerLines: 0 };
      expect(await store.prune(as(Number.MAX_SAFE_INTEGER), { ...atOnce, operatorActs: 0 })).toBe(0);
      expect(await numbers({ limit: 9 })).toEqual([1]);
      expect(await store.count('withdrawals', { account: alice }, always)).toBe(1);
      expect(await store.count('sends', { account: alice }, always)).toBe(1);
      expect(await store.count('ledgerLines', { account: alice }, always)).toBe(1);
      expect(await store.count('operatorActs', {}, always)).toBe(1);
    });

    test('DEC-OPR-223: balances are those after the last line by a moment, of each asset and account', async () => {
      const lines = [
        ...[1, 9, 10, 11, 12].map((seq) => ledgerLine(seq, 0)),
        { ...ledgerLine(12, 1), balance: -3n },
        { ...ledgerLine(13, 0, 1), account: bob },
        { ...ledgerLine(30, 0, 3), account: as<AccountId>(-1) },
      ];
      await write({ ledgerLines: lines });
      const all = { from: as<AccountId>(-2), to: as<AccountId>(1000) };
      const asOf = async (at: number, seq: number, limit = 9, after: object | null = null, range = all) =>
        (await store.balances(range, { at: as(start + at), seq: as(seq) }, { limit, after: after as never })).map(
          ({ asset, account, balance }) => [asset, account, balance],
        );
      const late = 2n ** 62n;
      expect(await asOf(9, 99)).toEqual([
        [1, bob, late + 13n],
        [2, alice, -3n],
        [3, -1, late + 30n],
      ]);
      expect(await asOf(1, 99)).toEqual([
        [1, bob, late + 13n],
        [2, alice, -3n],
        [3, -1, 0n],
      ]);
      expect(await asOf(1, 11)).toEqual([
        [1, bob, 0n],
        [2, alice, late + 11n],
        [3, -1, 0n],
      ]);
      expect(await asOf(0, 99)).toEqual([
        [1, bob, 0n],
        [2, alice, late + 9n],
        [3, -1, 0n],
      ]);
      expect(await asOf(-1, 99, 9, null, { from: alice, to: alice })).toEqual([[2, alice, 0n]]);
      expect(await asOf(9, 99, 2, { asset: 1, account: bob })).toEqual([
        [2, alice, -3n],
        [3, -1, late + 30n],
      ]);
      expect(await asOf(9, 99, 1, { asset: 2, account: alice })).toEqual([[3, -1, late + 30n]]);
      expect(await asOf(9, 99, 1, { asset: 3, account: bob })).toEqual([]);
      expect(await store.balances(all, lastMoment, { limit: 9, after: null })).toHaveLength(3);
    });

    test('a table is read in the order of its key, of all owners or of one, behind a row', async () => {
      const lines = [
        ...[1, 2, 30].map((seq) => ledgerLine(seq, 0)),
        { ...ledgerLine(2, 1), account: bob },
        { ...ledgerLine(9, 0), account: as<AccountId>(-1) },
      ];
      await write({ ledgerLines: lines, withdrawals: [withdrawal(2), withdrawal(1)] });
      const read = async (where: object, after: object | null, limit = 9) =>
        (await store.scan('ledgerLines', where, after, limit)).map(({ account, seq }) => [account, seq]);
      expect(await read({}, null)).toEqual([
        [-1, 9],
        [alice, 1],
        [alice, 2],
        [alice, 30],
        [bob, 2],
      ]);
      expect(await read({}, null, 2)).toEqual([
        [-1, 9],
        [alice, 1],
      ]);
      expect(await read({}, lines[1]!, 2)).toEqual([
        [alice, 30],
        [bob, 2],
      ]);
      expect(await read({ account: alice }, null)).toEqual([
        [alice, 1],
        [alice, 2],
        [alice, 30],
      ]);
      expect(await read({ account: alice }, lines[2]!)).toEqual([]);
      expect(await read({ account: alice }, { at: start, seq: 1, line: 0 }, 1)).toEqual([[alice, 2]]);
      const first = await store.scan('withdrawals', {}, null, 9);
      expect(first).toEqual(await store.rows('withdrawals', { account: alice }, always));
      await expect(store.scan('ledgerLines', {}, null, pageRowsMax + 1)).rejects.toThrow('a page of history');
    });

    test('a page that cannot be asked for is refused', async () => {
      const ask = (page: object) => store.page('deposits', { account: alice }, always, page as PageOf<DepositRow>);
      for (const page of [{ limit: 0 }, { limit: pageRowsMax + 1 }, { limit: 1, offset: -1 }, { limit: Number.NaN }])
        await expect(ask(page)).rejects.toThrow('a page of history');
      await expect(ask({ limit: 1, before: { deposit: 3 } })).rejects.toThrow('begins before');
      await expect(store.page('deposits', {}, always, { limit: 1 })).rejects.toThrow('asked for by account');
    });

    test('DEC-WAL-67: a page by offset and its count look at the newest 100,000 rows of an account', async () => {
      expect(pagedRowsMax).toBe(100_000);
      const ledgerLines = Array.from({ length: 100_002 }, (_, index) => ledgerLine(index, 0, index < 2 ? 1 : 2));
      await write({ ledgerLines });
      const page = async (where: object, page: PageOf<LedgerLineRow>): Promise<number[]> =>
        (await store.page('ledgerLines', { account: alice, ...where }, always, page)).map(({ seq }) => seq);
      expect(await store.count('ledgerLines', { account: alice }, always)).toBe(100_000);
      expect(await store.count('ledgerLines', { account: alice, why: 'fee' }, always)).toBe(0);
      expect(await page({ why: 'fee' }, { limit: 5 })).toEqual([]);
      expect(await page({ asset: 1 }, { limit: 5 })).toEqual([1, 0]);
      expect(await page({}, { limit: 5, offset: 99_998 })).toEqual([3, 2]);
      expect(await page({}, { limit: 5, offset: 100_000 })).toEqual([]);
      expect(await page({ why: 'fee' }, { limit: 5, before: ledgerLine(2, 0) })).toEqual([1, 0]);
      expect(await store.count('ledgerLines', { account: alice, why: 'fee' }, within(0, start))).toBe(2);
    }, 60_000);
  });
}
