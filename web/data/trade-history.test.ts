import { expect, test } from 'vitest';
import type { BourseClient } from '#client/client.ts';
import { joinedRows, readPastFills } from '#web/data/trade-history.ts';

/** Trades of an account, one each second, as the API answers them: the newest hundred up to a moment, oldest first. */
const trades = Array.from({ length: 250 }, (_, index) => ({
  ...{ symbol: 'BTCUSDT', id: String(index), orderId: '1', price: '1', qty: '1', quoteQty: '1', commission: '0' },
  ...{ commissionAsset: 'BTC', time: 1000 * (index + 1), isBuyer: true, isMaker: false },
}));
const client = {
  myTrades: async ({ endTime, limit }: { readonly endTime: number; readonly limit: number }) =>
    trades.filter(({ time }) => time <= endTime).slice(-limit),
} as unknown as BourseClient;

async function readAll(filter: { readonly from: number | null; readonly to: number }): Promise<readonly string[]> {
  let page = await readPastFills(client, { symbol: 'BTCUSDT', ...filter }, null);
  let rows = page.rows;
  while (page.next !== null) {
    page = await readPastFills(client, { symbol: 'BTCUSDT', ...filter }, page.next);
    rows = joinedRows(rows, page.rows);
  }
  return rows.map(({ id }) => id);
}

test('DEC-WEB-19: pages of fills have each fill once, the newest first, and end at both bounds', async () => {
  const all = trades.map(({ id }) => id).toReversed();
  expect(await readAll({ from: null, to: 999_999 })).toEqual(all);
  expect(await readAll({ from: 21_000, to: 230_000 })).toEqual(all.slice(20, 230));
  expect(await readAll({ from: 999_999, to: 1_000_000 })).toEqual([]);
});
