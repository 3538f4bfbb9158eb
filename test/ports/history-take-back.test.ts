import { expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import type { Trade } from '#model/events.ts';
import type { OrderView } from '#model/order.ts';
import type { AccountId, SymbolId, TimestampMs, TradeNumber } from '#model/units.ts';
import { as } from '#model/units.ts';
import { barSpans } from '#history/tables/bar-spans.ts';
import { HistoryNotReversible, type HistoryMark } from '#history/sqlite/history-take-back.ts';
import { SqliteHistoryStore } from '#history/sqlite/sqlite-history-store.ts';
import { startHistoryWriter } from '#history/collectors/history-writer.ts';
import { rebateContentOf, tellRebates } from './rebate-story.ts';
import { WalletStory, walletContentOf } from './wallet-story.ts';

const dayMs = 86_400_000;
const always = { from: as<TimestampMs>(0), to: as<TimestampMs>(Number.MAX_SAFE_INTEGER) };
const symbols = [0, 1, 2].map((symbol) => as<SymbolId>(symbol));

interface Story {
  readonly at: number;
  readonly symbol: number;
  readonly price: number;
  /** Whether this entry closes the order that trades here, or leaves it open for a later one. */
  readonly closes: boolean;
}

/** Entries that trade now and then, over minutes, hours and days. */
function makeStory(seed: number): readonly Story[] {
  const prng = createPrng(seed);
  let at = 1_700_000_000_000;
  return Array.from({ length: 120 }, () => {
    at += [0, 1, 20_000, 70_000, 1_000_000, 4_000_000, dayMs][prng.below(7)]!;
    return { at, symbol: prng.below(3), price: 100 + prng.below(50), closes: prng.below(3) > 0 };
  });
}

/** Writes the first entries of a story to a fresh history; answers it and where the exchange then stood. */
async function writeStory(story: readonly Story[], count: number) {
  const store = new SqliteHistoryStore(':memory:');
  const writer = await startHistoryWriter({ store, setTimer: () => () => {}, onFailure: () => {} });
  const lastTrades = symbols.map(() => 0);
  const open: number[] = [];
  const wallet = new WalletStory();
  story.slice(0, count).forEach(({ at, symbol, price, closes }, index) => {
    const number = index + 1;
    writer.entryBegan(as(number), as(at));
    wallet.tell(writer, number, at);
    tellRebates(writer, number, at);
    lastTrades[symbol]! += 1;
    const parts = { takerAccount: 4, makerAccount: 5, takerClientOrderId: null, makerClientOrderId: null };
    const fees = { takerFee: 1, takerFeeAsset: 0, makerFee: 1, makerFeeAsset: 0, takerSide: 'buy', fillOfTaker: 1 };
    const trade = {
      symbol,
      trade: lastTrades[symbol],
      price,
      lots: 3,
      quoteAmount: price * 3,
      taker: number,
      maker: 1,
    };
    writer.tradeExecuted({ ...trade, ...parts, ...fees } as unknown as Trade);
    open.push(number);
    for (const order of closes ? open.splice(0) : []) {
      const terms = { account: 4, symbol, side: 'buy', kind: 'limit', price, quantity: 3, budget: null, executed: 3 };
      const state = { status: 'filled', executedQuote: price * 3, stpMode: 'none', clientOrderId: null };
      const times = { closeReason: 'filled', acceptedAt: story[order - 1]!.at, updatedAt: at };
      writer.orderClosed({ order, ...terms, ...state, ...times } as unknown as OrderView);
    }
  });
  await writer.flush(as(count));
  const at = story[count - 1]!.at;
  const replaced = wallet.replaced(as(count));
  const mark = { upTo: count, at, lastOrder: count, openOrders: open, lastTrades, replaced };
  return { store, mark: mark as unknown as HistoryMark };
}

/** Everything that history answers. */
async function contentOf(store: SqliteHistoryStore): Promise<unknown> {
  const limit = 1000;
  const ofSymbols = await Promise.all(
    symbols.map(async (symbol) => ({
      watermark: await store.watermark(),
      trades: await store.rows('trades', { symbol }, always, limit, true),
      orders: await store.rows('orders', { account: as<AccountId>(4), symbol: symbol }, always, limit, true),
      taken: await store.rows('fills', { account: as<AccountId>(4), symbol: symbol }, always, limit, true),
      made: await store.rows('fills', { account: as<AccountId>(5), symbol: symbol }, always, limit, true),
      bars: await Promise.all(barSpans.map((span) => store.rows('bars', { symbol, span }, always))),
    })),
  );
  return { ofSymbols, wallet: await walletContentOf(store), rebates: await rebateContentOf(store) };
}

test('history that is taken back is what it was when it stood there', async () => {
  for (let seed = 1; seed <= 3; seed += 1) {
    const story = makeStory(seed);
    for (const count of [1, 2, 30, 61, 90, 119, 120]) {
      const { store: shorter, mark } = await writeStory(story, count);
      const { store } = await writeStory(story, story.length);
      store.takeBack(mark);
      expect(await contentOf(store), `seed ${seed}, entry ${count}`).toEqual(await contentOf(shorter));
    }
  }
});

test('a row that a removed entry had replaced comes back in its older form, also under its older account', async () => {
  const story = makeStory(7);
  const { store: shorter, mark } = await writeStory(story, 4);
  const { store } = await writeStory(story, 5);
  const ofNobody = async (which: SqliteHistoryStore) =>
    (await which.rows('deposits', { account: as<AccountId>(0) }, always)).map(({ deposit, status }) => [
      deposit,
      status,
    ]);
  // Entry 4 brought deposit 2, which nobody had claimed; entry 5 gave deposit 2 to an account.
  expect(await ofNobody(shorter)).toEqual([[2, 'invalid']]);
  expect(await ofNobody(store)).toEqual([]);
  store.takeBack(mark);
  expect(await ofNobody(store)).toEqual([[2, 'invalid']]);
  const rows = await store.rows('deposits', { account: as<AccountId>(4) }, always);
  expect(rows.every(({ seq }) => seq <= 4)).toBe(true);
});

test('history whose trades are no longer kept is left as it is', async () => {
  const story = makeStory(3).map((entry, index) => ({ ...entry, at: 1_700_000_000_000 + index, symbol: 1 }));
  const { mark } = await writeStory(story, 60);
  const { store } = await writeStory(story, story.length);
  await store.prune(as(1_700_000_000_000 + 2 * dayMs), { trades: 1 });
  const { store: rest } = await writeStory(story, 1);
  expect((await store.rows('trades', { symbol: symbols[1]! }, always, 10, true)).length).toBe(0);
  // One trade is left of the minute: the others cannot be told apart from those that were never there.
  const [row] = await rest.rows('trades', { symbol: symbols[1]! }, always, 1, true);
  const left = { ...row!, at: as<TimestampMs>(1_700_000_000_119), trade: as<TradeNumber>(119) };
  await store.write({ upTo: as(121), rows: { trades: [left] } });
  const before = await contentOf(store);
  expect(() => store.takeBack(mark)).toThrow(HistoryNotReversible);
  expect(await contentOf(store)).toEqual(before);
});

test('a writer that is abandoned in the midst of an entry writes nothing of it, whatever timer fires', async () => {
  const store = new SqliteHistoryStore(':memory:');
  const timers: (() => void)[] = [];
  const setTimer = (_delayMs: number, run: () => void): (() => void) => {
    timers.push(run);
    return () => undefined;
  };
  const writer = await startHistoryWriter({ store, setTimer, onFailure: () => {} });
  writer.entryBegan(as(1), as(1));
  writer.entryBegan(as(2), as(2));
  writer.orderClosed({ account: 4, symbol: 0, order: 1 } as unknown as OrderView);
  writer.abandon();
  for (const run of timers) run();
  await new Promise((resolve) => setImmediate(resolve));
  expect(await store.watermark()).toBe(0);
  await expect(writer.flush(as(2))).rejects.toThrow('behind for good');
  await writer.close();
  expect(await store.watermark()).toBe(0);
});
