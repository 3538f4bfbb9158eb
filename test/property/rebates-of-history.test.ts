import { expect, test } from 'vitest';
import { house } from '#model/account.ts';
import { createEventRecorder } from '#model/event-record.ts';
import type { AssetId, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import { createEngine } from '#engine/create-engine.ts';
import { rebateKinds } from '#history/tables/rebate-tables.ts';
import { SqliteHistoryStore } from '#history/sqlite/sqlite-history-store.ts';
import { startHistoryWriter } from '#history/collectors/history-writer.ts';
import { createFanOut } from '#sequencer/event-feed.ts';
import { BusyHour } from '../crash/busy-hour.ts';
import { asset as oracleAssets } from '../oracle/opening.ts';

const always = { from: as<TimestampMs>(0), to: as<TimestampMs>(Number.MAX_SAFE_INTEGER) };

/** Sums by asset. */
class Sums {
  readonly #byAsset = new Map<AssetId, bigint>();
  add(asset: AssetId, amount: bigint): void {
    this.#byAsset.set(asset, this.of(asset) + amount);
  }
  of(asset: AssetId): bigint {
    return this.#byAsset.get(asset) ?? 0n;
  }
  get total(): bigint {
    return [...this.#byAsset.values()].reduce((sum, amount) => sum + amount, 0n);
  }
}

test('DEC-SUB-45: what history tells of rebates is what the ledger moved, asset by asset and day by day', async () => {
  const engine = createEngine();
  const hour = new BusyHour(45);
  const store = new SqliteHistoryStore(':memory:');
  const writer = await startHistoryWriter({ store, setTimer: () => () => {}, onFailure: () => {} });
  const rejected = new Sums();
  while (engine.seq < 2500) {
    const recorder = createEventRecorder();
    const sinks = createFanOut();
    sinks.subscribe(recorder);
    sinks.subscribe(writer);
    engine.apply(hour.next(engine.state), sinks);
    hour.observe(recorder.events);
    for (const event of recorder.events)
      if (event.kind === 'rebatesRejected')
        for (const { asset, amount } of event.amounts) rejected.add(asset, BigInt(amount));
  }
  await writer.flush(engine.seq);

  const told = new Sums();
  const ofDays = new Sums();
  const paid = new Sums();
  const credited = new Sums();
  for (const { account } of engine.state.accounts.all()) {
    for (const kind of rebateKinds) {
      for (const { asset, amount } of await store.rows('rebates', { account, kind }, always)) told.add(asset, amount);
      const days = await store.grouped('rebateDays', { account, kind }, always, { by: ['asset'], sum: ['amount'] });
      for (const { asset, amount } of days) ofDays.add(asset, amount);
    }
    for (const { asset, amount } of await store.rows('rebatePayouts', { account }, always)) paid.add(asset, amount);
    for (const { asset, change, why } of await store.rows('ledgerLines', { account }, always))
      if (why === 'rebate') credited.add(asset, change);
  }
  const { balances } = engine.state.ledger;
  for (const asset of Object.values(oracleAssets).map((id) => as<AssetId>(id))) {
    const waiting = balances.free.get(balances.row(house.rebates, asset));
    expect(told.of(asset)).toBe(waiting + paid.of(asset) + rejected.of(asset));
    expect(ofDays.of(asset)).toBe(told.of(asset));
    expect(credited.of(asset)).toBe(paid.of(asset));
  }
  for (const sums of [told, paid, rejected]) expect(sums.total).toBeGreaterThan(0n);
  await store.close();
});
