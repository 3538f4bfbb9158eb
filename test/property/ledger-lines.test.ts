import { expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import { futuresWalletOf, houseNames, ledgerSections } from '#model/account.ts';
import { createEventRecorder, type Event } from '#model/event-record.ts';
import type { AccountId, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import { createEngine, type StateMachine } from '#engine/create-engine.ts';
import { SqliteHistoryStore } from '#history/sqlite/sqlite-history-store.ts';
import { startHistoryWriter } from '#history/collectors/history-writer.ts';
import { type LedgerMoment, simulatedFutures, simulatedSpot } from '#history/tables/ledger-tables.ts';
import { createFanOut } from '#sequencer/event-feed.ts';
import { CommandMaker } from '../fuzz/command-maker.ts';
import { CommandStream } from '../oracle/command-stream.ts';

const always = { from: as<TimestampMs>(0), to: as<TimestampMs>(Number.MAX_SAFE_INTEGER) };
const everybody = { from: simulatedFutures, to: as<AccountId>(2 ** 32) };

/** What every ledger account owns, as the engine has it, by asset and account; simulated accounts as one. */
function ownedIn({ state }: StateMachine): Map<string, bigint> {
  const { balances } = state.ledger;
  const owned = new Map<string, bigint>();
  const simulated = new Set(state.accounts.all().flatMap((each) => (each.simulated ? [each.account] : [])));
  for (let row = 0; row < balances.count; row += 1) {
    const account = balances.accountOf(row) as AccountId;
    const isFutures = account >= ledgerSections.futuresFrom && !houseNames.has(account);
    const person = isFutures ? as<AccountId>(account - ledgerSections.futuresFrom) : account;
    const owner = !simulated.has(person) ? account : isFutures ? simulatedFutures : simulatedSpot;
    const key = `${balances.assetOf(row)}/${owner}`;
    owned.set(key, (owned.get(key) ?? 0n) + balances.free.get(row) + balances.held.get(row));
  }
  return new Map([...owned].filter(([, balance]) => balance !== 0n));
}

/** What history says that everybody owned, page after page. */
async function toldBy(store: SqliteHistoryStore, moment: LedgerMoment): Promise<Map<string, bigint>> {
  const told = new Map<string, bigint>();
  let after = null;
  do {
    const page = await store.balances(everybody, moment, { limit: 7, after });
    for (const { asset, account, balance } of page) if (balance !== 0n) told.set(`${asset}/${account}`, balance);
    after = page.at(-1) ?? null;
  } while (after !== null);
  return told;
}

test.each([1, 2, 3, 4])(
  'DEC-OPR-223: balances as of any entry and moment are those of then, and sum to zero, seed %s',
  async (seed) => {
    const engine = createEngine();
    const maker = new CommandMaker(seed);
    const prng = createPrng(seed);
    const store = new SqliteHistoryStore(':memory:');
    const writer = await startHistoryWriter({ store, setTimer: () => () => {}, onFailure: () => {} });
    const kept: { readonly seq: number; readonly at: number; readonly owned: Map<string, bigint> }[] = [];
    let at = 0;
    while (engine.seq < 1500) {
      const step = maker.next(engine.state);
      at = Math.max(at, step.at);
      engine.apply({ seq: as(engine.seq + 1), epoch: as(0), at: as(at), command: step.command }, writer);
      if (prng.below(40) === 0) kept.push({ seq: engine.seq, at: engine.at, owned: ownedIn(engine) });
    }
    await writer.flush(engine.seq);
    for (const [index, { seq, at: time, owned }] of kept.entries()) {
      // An entry of its own millisecond, also where others share it.
      expect(await toldBy(store, { at: as(time), seq: as(seq) })).toEqual(owned);
      const next = kept[index + 1];
      if (next !== undefined && next.at > time)
        expect(await toldBy(store, { at: as(next.at), seq: as(seq) })).toEqual(owned);
      const sums = new Map<string, bigint>();
      for (const [key, balance] of owned) {
        const [asset] = key.split('/') as [string];
        sums.set(asset, (sums.get(asset) ?? 0n) + balance);
      }
      expect([...sums.values()].every((sum) => sum === 0n)).toBe(true);
    }
    expect(kept.some(({ owned }) => [...owned.keys()].some((key) => Number(key.split('/')[1]) > 2 ** 26))).toBe(true);
    expect(kept.length).toBeGreaterThan(15);
    await store.close();
  },
  120_000,
);

test('DEC-WAL-68: the lines of every account add up to its balances, and each goes on from the one before', async () => {
  const engine = createEngine();
  const stream = new CommandStream(5);
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
  const users = engine.state.accounts.all();
  expect(users.some(({ simulated }) => simulated)).toBe(false);
  const accounts = [...users.flatMap(({ account }) => [account, futuresWalletOf(account)]), ...houseNames.keys()];
  const told = new Map<string, bigint>();
  let ofUsers = 0;
  for (const account of accounts) {
    for (const line of await store.rows('ledgerLines', { account }, always)) {
      const { asset, change, free, held, balance, seq, at } = line;
      const key = `${asset}/${account}`;
      expect(change).toBe(free + held);
      expect(houseNames.has(account) || change !== 0n).toBe(true);
      expect(seq <= engine.seq && at <= engine.at).toBe(true);
      expect(balance).toBe((told.get(key) ?? 0n) + change);
      told.set(key, balance);
      if (!houseNames.has(account)) ofUsers += 1;
    }
  }
  expect(new Map([...told].filter(([, balance]) => balance !== 0n))).toEqual(ownedIn(engine));

  // A fill gives both sides two lines and a fee at most; holds and releases add none.
  const fills = events.filter(({ kind }) => kind === 'tradeExecuted').length;
  const others = events.filter((event) => event.kind === 'posted' && event.order === null).length;
  expect(fills).toBeGreaterThan(1000);
  expect(ofUsers).toBeLessThanOrEqual(6 * fills + others);
  await store.close();
}, 120_000);
