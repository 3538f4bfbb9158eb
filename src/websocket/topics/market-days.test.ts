import { expect, test } from 'vitest';
import { dayMs } from '#base/calendar.ts';
import type { Trade } from '#model/events.ts';
import type { Seq, SymbolId, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import { MemoryHistoryStore } from '#test/ports/memory-history-store.ts';
import { startHistoryWriter } from '#history/collectors/history-writer.ts';
import { createMarketData } from '#market-data/market-data.ts';
import { MarketDays } from '#websocket/topics/market-days.ts';

const pair = as<SymbolId>(0);
const noon = Date.UTC(2026, 10, 21, 12) as TimestampMs;
const at = (ms: number): TimestampMs => as<TimestampMs>(ms);

/** Days over a market with a trade every six hours of the last two days, until noon. */
async function daysOf(): Promise<MarketDays> {
  const store = new MemoryHistoryStore();
  const onFailure = (error: unknown): void => {
    throw error;
  };
  const writer = await startHistoryWriter({ store, setTimer: () => () => {}, onFailure });
  const market = createMarketData({ history: store, awaitHistory: (upTo) => writer.flush(upTo) });
  for (let seq = 1; seq <= 9; seq += 1) {
    for (const sink of [market, writer]) {
      sink.entryBegan(as<Seq>(seq), at(noon - 2 * dayMs + (seq - 1) * (dayMs / 4)));
      sink.tradeExecuted({ symbol: pair, trade: seq, price: seq, lots: 1, quoteAmount: seq } as unknown as Trade);
    }
  }
  return new MarketDays(market);
}

test('a clock that was set forth 400 days and back finds the same days as before', async () => {
  const days = await daysOf();
  const look = async (now: TimestampMs) => {
    await days.refresh(pair, now);
    return [days.today(pair, 0, now), days.yesterday(pair, 0, now), days.dayBeforeLast(pair, now)];
  };
  const before = await look(noon);
  expect(before.map(({ lots }) => lots)).toEqual([3n, 4n, 4n]);
  const [far] = await look(at(noon + 400 * dayMs));
  expect(far).toMatchObject({ lots: 0n, close: 9 });
  expect(await look(noon)).toEqual(before);
});

test('a clock that was set back an hour tells the day of the last trade', async () => {
  const days = await daysOf();
  await days.refresh(pair, at(noon + 3_600_000));
  const before = days.today(pair, 0, at(noon + 3_600_000));
  await days.refresh(pair, noon);
  expect(days.today(pair, 0, noon)).toEqual(before);
});
