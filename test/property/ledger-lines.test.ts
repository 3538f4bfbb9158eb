import { expect, test } from 'vitest';
import { house, innerHouse } from '#model/account.ts';
import { createEventRecorder, type Event } from '#model/event-record.ts';
import type { AccountId, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import { createEngine } from '#engine/create-engine.ts';
import { SqliteHistoryStore } from '#history/sqlite/sqlite-history-store.ts';
import { startHistoryWriter } from '#history/collectors/history-writer.ts';
import { createFanOut } from '#sequencer/event-feed.ts';
import { CommandStream } from '../oracle/command-stream.ts';

const always = { from: as<TimestampMs>(0), to: as<TimestampMs>(Number.MAX_SAFE_INTEGER) };

/** A store that heard a busy hour, and the engine that it is about. */
async function busyHour(seed: number) {
  const engine = createEngine();
  const stream = new CommandStream(seed);
  const store = new SqliteHistoryStore(':memory:');
  const writer = await startHistoryWriter({ store, setTimer: () => () => {}, onFailure: () => {} });
  const events: Event[] = [];
  while (engine.seq < 5500) {
    const recorder = createEventRecorder();
    const sinks = createFanOut();
    sinks.subscribe(recorder);
    sinks.subscribe(writer);
    engine.apply(stream.next(), sinks);
    stream.observe(recorder.events);
    events.push(...recorder.events);
  }
  await writer.flush(engine.seq);
  return { engine, store, events };
}

test('DEC-WAL-68: the ledger lines of an account add up to its balances', async () => {
  const { engine, store, events } = await busyHour(5);
  const users = engine.state.accounts.all();
  expect(users.some(({ simulated }) => simulated)).toBe(false);
  const { balances } = engine.state.ledger;
  const told = new Map<string, bigint>();
  const accounts: AccountId[] = [...users.map(({ account }) => account), innerHouse.grants];
  let lineCount = 0;
  for (const account of accounts) {
    for (const { asset, change, free, held, seq, at } of await store.rows('ledgerLines', { account }, always)) {
      expect(change).toBe(free + held);
      expect(change).not.toBe(0n);
      expect(seq <= engine.seq && at <= engine.at).toBe(true);
      told.set(`${account}/${asset}`, (told.get(`${account}/${asset}`) ?? 0n) + change);
      lineCount += 1;
    }
  }
  for (let row = 0; row < balances.count; row += 1) {
    const account = balances.accountOf(row) as AccountId;
    if (!accounts.includes(account)) continue;
    const owned = balances.free.get(row) + balances.held.get(row);
    expect(told.get(`${account}/${balances.assetOf(row)}`) ?? 0n).toBe(owned);
  }

  // A fill gives both sides two lines and a fee at most; holds and releases add none.
  const fills = events.filter(({ kind }) => kind === 'tradeExecuted').length;
  const others = events.filter((event) => event.kind === 'posted' && event.order === null).length;
  expect(fills).toBeGreaterThan(1000);
  expect(lineCount).toBeLessThanOrEqual(6 * fills + others);
  expect(await store.rows('ledgerLines', { account: house.outside }, always)).toEqual([]);
  await store.close();
});
