import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPrng, type Prng } from '#base/prng.ts';
import { products, rebateShares } from '#model/rebate.ts';
import type { AccountId, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { HistoryBatch, HistoryStore, Window } from '#history/history-store.ts';
import { MemoryHistoryStore } from './memory-history-store.ts';
import {
  type InviteClickRow,
  type InviteeMoveRow,
  rebateKinds,
  type RebatePayoutRow,
  type RebateRejectionRow,
  type RebateRow,
  type UniversalTransferRow,
} from '#history/tables/rebate-tables.ts';
import type { LedgerLineRow } from '#history/tables/ledger-tables.ts';

const dayMs = 86_400_000;
/** Start of a day. */
const start = 1_699_920_000_000;
const alice = as<AccountId>(7);
const ofAlice = { account: alice, kind: 'earned' } as const;
const always = { from: 0, to: Number.MAX_SAFE_INTEGER } as Window;
const greatest = 2n ** 62n - 1n;

const rebate = (accrual: number, fields: Partial<Record<keyof RebateRow, unknown>> = {}): RebateRow =>
  ({
    account: alice,
    kind: 'earned',
    at: start + accrual,
    accrual,
    seq: accrual,
    share: 'referral',
    source: 20,
    code: 'a-20',
    product: 'spot',
    symbol: 3,
    trade: 9,
    isMaker: false,
    asset: 2,
    ratePpm: 200_000,
    amount: 5n,
    value: 7n,
    turnover: 100,
    turnoverValue: 140n,
    rejectedAt: null,
    ...fields,
  }) as RebateRow;

/** A rebate within a few days, of a few accounts, sources and assets, seldom a great one. */
function randomRebate(prng: Prng, accrual: number): RebateRow {
  const kind = ['earned', 'earned', 'kickback', 'turnover'][prng.below(4)]!;
  const source = 20 + prng.below(3);
  const amount = () => (prng.below(10) === 0 ? greatest : BigInt(prng.below(1_000_000)));
  return rebate(accrual, {
    account: 7 + prng.below(2),
    kind,
    at: start + Math.floor((accrual * 3 * dayMs) / 300),
    share: kind === 'kickback' ? kind : rebateShares[prng.below(3)],
    source,
    code: source === 22 ? '' : `a-${source}`,
    product: products[prng.below(3)],
    asset: prng.below(2),
    amount: amount(),
    value: amount(),
    turnoverValue: amount(),
    rejectedAt: null,
  });
}

/** What every history must answer of groups and of rebates; `open` gives a fresh, empty one. */
export function historyGroupsContract(name: string, open: () => Promise<HistoryStore>): void {
  describe(`groups of ${name}`, () => {
    let store: HistoryStore;
    let upTo = 0;
    beforeEach(async () => {
      store = await open();
      upTo = 0;
    });
    afterEach(async () => {
      await store.close();
    });
    const write = (rows: HistoryBatch['rows'], stores = [store]): Promise<unknown> => {
      upTo += 1;
      return Promise.all(stores.map((each) => each.write({ upTo: as<Seq>(upTo), rows })));
    };

    test('an empty history has no groups, also where everything is one group', async () => {
      for (const by of [[], ['source']] as const)
        expect(await store.grouped('rebateDays', ofAlice, always, { by, sum: ['amount'] })).toEqual([]);
    });

    test('rows of rebates come back as they were written, with their extremes', async () => {
      const largest = Number.MAX_SAFE_INTEGER;
      const rebates = [
        rebate(1, { share: 'third', code: '', isMaker: true, turnover: largest, trade: largest, ratePpm: 0 }),
        rebate(2, { amount: 0n, value: greatest, turnoverValue: greatest, product: 'futures' }),
      ];
      const terms = { asset: 2, amount: 2n ** 62n };
      const move = { inviter: alice, at: start, move: 1, seq: 1, account: 9, code: 'a-b', direction: 'withdrawal' };
      const moves = [{ ...move, ...terms, value: 0n } as unknown as InviteeMoveRow];
      const clicks = [{ owner: alice, at: start, seq: 1, code: 'a-b', count: 1e9 } as unknown as InviteClickRow];
      const payout = { account: alice, at: start + 5, seq: 1, day: start, ...terms };
      const payouts = [payout, { ...payout, asset: 3 }] as unknown as RebatePayoutRow[];
      const rejection = { account: alice, day: start, seq: 1, source: null, at: start + 5 };
      const rejections = [rejection, { ...rejection, seq: 2, source: 0 }] as unknown as RebateRejectionRow[];
      const transfer = { master: alice, at: start, transfer: 1, seq: 1, from: 9, to: alice, ...terms };
      const wallets = { fromWallet: 'futures', toWallet: 'spot', clientTranId: null };
      const transfers = [{ ...transfer, ...wallets } as unknown as UniversalTransferRow];
      await write({
        rebates,
        inviteeMoves: moves,
        inviteClicks: clicks,
        rebatePayouts: payouts,
        rebateRejections: rejections,
        universalTransfers: transfers,
      });
      // The first rejection covers the first entry, the second one nobody.
      const marked = rebates.map((row) => ({ ...row, rejectedAt: row.seq === 1 ? start + 5 : null }));
      expect(await store.rows('rebates', ofAlice, always)).toEqual(marked);
      expect(await store.page('rebates', ofAlice, always, { limit: 9 })).toEqual(marked.toReversed());
      expect(await store.rows('inviteeMoves', { inviter: alice }, always)).toEqual(moves);
      expect(await store.rows('inviteClicks', { owner: alice }, always)).toEqual(clicks);
      expect(await store.rows('rebatePayouts', { account: alice }, always)).toEqual(payouts);
      expect(await store.rows('rebateRejections', { account: alice }, always)).toEqual(rejections);
      expect(await store.rows('universalTransfers', { master: alice }, always)).toEqual(transfers);
      const bySource = { by: ['source'], sum: [] } as const;
      expect(await store.grouped('rebateRejections', { account: alice }, always, bySource)).toEqual([
        { source: null, rows: 1 },
        { source: 0, rows: 1 },
      ]);
    });

    test('DEC-SUB-46: rebates add up by day, source, share, product and asset, batch after batch', async () => {
      await write({ rebates: [rebate(1), rebate(2, { source: 21, code: '' }), rebate(3, { share: 'third' })] });
      await write({ rebates: [rebate(4), rebate(5, { at: start + dayMs - 1 }), rebate(6, { at: start + dayMs })] });
      await write({ rebates: [rebate(7, { kind: 'kickback', share: 'kickback' }), rebate(8, { account: 8 })] });
      const key = { ...ofAlice, day: start, source: 20, share: 'referral', product: 'spot', asset: 2, code: 'a-20' };
      const none = { rejectedAmount: 0n, rejectedValue: 0n };
      const sums = { count: 1, amount: 5n, value: 7n, turnoverValue: 140n, ...none };
      expect(await store.rows('rebateDays', ofAlice, always)).toEqual([
        { ...key, count: 3, amount: 15n, value: 21n, turnoverValue: 420n, ...none },
        { ...key, ...sums, share: 'third' },
        { ...key, ...sums, source: 21, code: '' },
        { ...key, ...sums, day: start + dayMs },
      ]);
      const days = { by: ['day'], sum: ['amount', 'count'] } as const;
      const firstDay = { from: start, to: start + dayMs - 1 } as Window;
      expect(await store.grouped('rebateDays', ofAlice, firstDay, days)).toEqual([
        { day: start, amount: 25n, count: 5n, rows: 3 },
      ]);
      const ofCode = { ...ofAlice, code: '' };
      expect(await store.grouped('rebateDays', ofCode, always, { by: [], sum: ['value'] })).toEqual([
        { value: 7n, rows: 1 },
      ]);
      await write({ rebates: [] });
      await store.write({ upTo: as<Seq>(upTo), rows: { rebates: [rebate(9)] } });
      expect(await store.grouped('rebateDays', ofAlice, firstDay, days)).toMatchObject([{ count: 5n }]);
    });

    test('DEC-SUB-61: a rejection marks what came before it that day, the first one once, and the sums tell', async () => {
      await write({ rebates: [rebate(1), rebate(2, { source: 21 }), rebate(3, { at: start + dayMs })] });
      const rejection = {
        account: alice,
        day: start,
        at: start + 9,
        seq: 4,
        source: 20,
      } as unknown as RebateRejectionRow;
      await write({ rebates: [rebate(5)], rebateRejections: [rejection] });
      const later = { ...rejection, at: start + 20, seq: 6, source: null } as unknown as RebateRejectionRow;
      const marks = async () => (await store.rows('rebates', ofAlice, always)).map(({ rejectedAt }) => rejectedAt);
      const rejected = { by: ['day'], sum: ['amount', 'rejectedAmount', 'rejectedValue'] } as const;
      expect(await marks()).toEqual([start + 9, null, null, null]);
      await write({ rebateRejections: [later] });
      await write({ rebates: [rebate(7)] });
      expect(await marks()).toEqual([start + 9, start + 20, start + 20, null, null]);
      expect(await store.grouped('rebateDays', ofAlice, always, rejected)).toEqual([
        { day: start, amount: 20n, rejectedAmount: 15n, rejectedValue: 21n, rows: 2 },
        { day: start + dayMs, amount: 5n, rejectedAmount: 0n, rejectedValue: 0n, rows: 1 },
      ]);
    });

    test('groups of random rebates, and of their days, are those of plain lists', async () => {
      const oracle = new MemoryHistoryStore();
      const prng = createPrng(45);
      let accrual = 0;
      for (let batch = 0; batch < 4; batch += 1) {
        const rebates = Array.from({ length: 75 }, () => randomRebate(prng, (accrual += 1)));
        const rebateRejections = [0, 20, 21, 22].map((source) => ({
          account: 7 + prng.below(2),
          day: start + prng.below(4) * dayMs,
          at: start + accrual + source,
          seq: accrual - prng.below(90),
          source: source === 0 ? null : source,
        })) as unknown as RebateRejectionRow[];
        await write({ rebates, rebateRejections }, [store, oracle]);
      }
      const groupings = [
        { table: 'rebateDays', by: ['day'], sum: ['amount', 'value', 'turnoverValue', 'count'] },
        { table: 'rebateDays', by: ['share', 'source'], sum: ['value'] },
        { table: 'rebateDays', by: ['code', 'product', 'day'], sum: [] },
        { table: 'rebateDays', by: [], sum: ['turnoverValue'] },
        { table: 'rebateDays', by: ['source'], sum: ['rejectedAmount', 'rejectedValue'] },
        { table: 'rebates', by: ['rejectedAt'], sum: ['amount'] },
        { table: 'rebates', by: ['product', 'asset'], sum: ['amount', 'turnover', 'value'] },
        { table: 'rebates', by: ['isMaker', 'code'], sum: ['turnoverValue'] },
      ] as const;
      const some = { from: start + dayMs, to: start + 2 * dayMs } as Window;
      for (const account of [7, 8, 9].map((each) => as<AccountId>(each)))
        for (const kind of rebateKinds) {
          const where = { account, kind };
          expect(await store.rows('rebateDays', where, always)).toEqual(await oracle.rows('rebateDays', where, always));
          for (const { table, ...of } of groupings)
            for (const window of [always, some])
              for (const wanted of [where, { ...where, product: 'etf' as const }])
                expect(await store.grouped(table, wanted, window, of), `${table} by ${of.by}`).toEqual(
                  await oracle.grouped(table, wanted, window, of),
                );
        }
      const most = await store.grouped('rebates', ofAlice, always, { by: [], sum: ['value'] });
      expect(most[0]!.value).toBeGreaterThan(2n ** 64n);
    });

    test('sums are exact on both sides of zero, however great', async () => {
      const changes = [-(2n ** 63n), -(2n ** 63n), 2n ** 62n, -1n, 3n, -(2n ** 32n) - 1n];
      const parts = { free: -1n, held: 2n ** 63n - 1n, balance: 1n };
      const line = { account: alice, at: start, line: 0, asset: 2, ...parts, order: null };
      const ledgerLines = changes.map((change, seq) => ({ ...line, seq, change, why: 'fill' }));
      await write({ ledgerLines: ledgerLines as unknown as LedgerLineRow[] });
      const of = { by: ['why', 'asset'], sum: ['change', 'free', 'held', 'seq'] } as const;
      expect(await store.grouped('ledgerLines', { account: alice }, always, of)).toEqual([
        {
          why: 'fill',
          asset: 2,
          change: changes.reduce((sum, change) => sum + change, 0n),
          free: -6n,
          held: 6n * (2n ** 63n - 1n),
          seq: 15n,
          rows: 6,
        },
      ]);
    });

    test('DEC-SUB-47: what is told of rebates is kept for ever', async () => {
      await write({ rebates: [rebate(1)] });
      const names = ['rebates', 'rebateDays', 'inviteeMoves', 'inviteClicks', 'rebatePayouts', 'rebateRejections'];
      const atOnce = Object.fromEntries([...names, 'universalTransfers'].map((table) => [table, 0]));
      expect(await store.prune(as(Number.MAX_SAFE_INTEGER), atOnce)).toBe(0);
      expect(await store.rows('rebates', ofAlice, always)).toHaveLength(1);
      expect(await store.rows('rebateDays', ofAlice, always)).toHaveLength(1);
    });
  });
}
