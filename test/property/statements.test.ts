import { expect, test } from 'vitest';
import { parseDecimal } from '#base/decimal.ts';
import { createPrng } from '#base/prng.ts';
import { futuresWalletOf } from '#model/account.ts';
import { type AccountId, as } from '#model/units.ts';
import { createEngine, type StateMachine } from '#engine/create-engine.ts';
import { SqliteHistoryStore } from '#history/sqlite/sqlite-history-store.ts';
import { startHistoryWriter } from '#history/collectors/history-writer.ts';
import { exportHandlers } from '#operator-api/money/exports.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { exchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { testWalletIds } from '../api/gateway-harness.ts';
import { CommandMaker } from '../fuzz/command-maker.ts';

/** Balances of an account by wallet and asset, as the engine has them. */
type Owned = Map<string, bigint>;

function ownedBy({ state }: StateMachine, account: AccountId): Owned {
  const owned: Owned = new Map();
  for (const [wallet, row] of [
    ['spot', account],
    ['futures', futuresWalletOf(account)],
  ] as const) {
    for (const { id } of state.assets.all()) {
      const at = state.ledger.balances.find(row, id);
      if (at < 0) continue;
      const { free, held } = state.ledger.balances;
      owned.set(`${wallet}/${id}`, free.get(at) + held.get(at));
    }
  }
  return owned;
}

const add = (sums: Owned, key: string, amount: bigint): void => void sums.set(key, (sums.get(key) ?? 0n) + amount);
const withoutZeros = (sums: Owned): Owned => new Map([...sums].filter(([, amount]) => amount !== 0n));

/** A random hour with everything that there is, what everybody owned at each of its moments, and the handlers. */
async function randomHour(seed: number) {
  const engine = createEngine();
  const maker = new CommandMaker(seed);
  const history = new SqliteHistoryStore(':memory:');
  const writer = await startHistoryWriter({ store: history, setTimer: () => () => {}, onFailure: () => {} });
  /** By time, after its last entry. */
  const owned = new Map<number, Map<AccountId, Owned>>();
  let at = 0;
  while (engine.seq < 1200) {
    const step = maker.next(engine.state);
    at = Math.max(at, step.at);
    engine.apply({ seq: as(engine.seq + 1), epoch: as(0), at: as(at), command: step.command }, writer);
    const users = engine.state.accounts.all().filter(({ simulated }) => !simulated);
    owned.set(at, new Map(users.map(({ account }) => [account, ownedBy(engine, account)])));
  }
  const queries = exchangeQueries(engine);
  const awaitHistory: OperatorContext['awaitHistory'] = (upTo) => writer.flush(upTo);
  const context = { queries, history, awaitHistory, clock: { now: () => at }, walletIds: testWalletIds };
  const { getStatement, exportTax } = exportHandlers(context as unknown as OperatorContext);
  const { assets } = await queries.listing();
  const units = (text: string, code: string): bigint => {
    const { scale } = assets.find((each) => each.code === code)!;
    const size = parseDecimal(text.replace('-', ''), scale);
    expect(typeof size).toBe('bigint');
    return text.startsWith('-') ? -(size as bigint) : (size as bigint);
  };
  const idOf = (code: string): number => assets.find((each) => each.code === code)!.id;
  return { engine, history, owned, getStatement, exportTax, units, idOf };
}

test('DEC-OPR-225, DEC-OPR-226: opening and lines are closing, and balances as of then; so is tax', async () => {
  const all = { lines: 0, ofFutures: 0, ofSubAccounts: 0 };
  for (const seed of [5, 6, 7, 8]) {
    const counted = await compareStatements(seed);
    for (const name of ['lines', 'ofFutures', 'ofSubAccounts'] as const) all[name] += counted[name];
  }
  expect(all.lines).toBeGreaterThan(1000);
  expect(Math.min(all.ofFutures, all.ofSubAccounts)).toBeGreaterThan(50);
}, 120_000);

/** Compares random statements and tax exports of a random hour. Answers how many lines there were. */
async function compareStatements(seed: number) {
  const { engine, history, owned, getStatement, exportTax, units, idOf } = await randomHour(seed);
  const prng = createPrng(seed);
  const times = [...owned.keys()];
  const everybody = engine.state.accounts.all().filter(({ simulated }) => !simulated);
  const counted = { lines: 0, ofFutures: 0, ofSubAccounts: 0 };
  for (let round = 0; round < 40; round += 1) {
    const { account, uid, master } = everybody[prng.below(everybody.length)]!;
    const [first, last] = [prng.below(times.length), prng.below(times.length)].sort((one, other) => one - other);
    const [from, to] = [times[first!]! + 1, times[last!]!];
    if (from > to) continue;
    const query = { from, to, format: 'json' } as const;
    const running: Owned = new Map();
    const closing: Owned = new Map();
    let phase = 0;
    for await (const line of (await getStatement({ path: { uid }, query } as never)) as AsyncIterable<never>) {
      const { type, wallet, asset, balance, change, at } = line as Record<string, string> & { at: number };
      const key = `${wallet}/${idOf(asset!)}`;
      const stage = ['opening', 'line', 'closing'].indexOf(type!);
      expect(stage).toBeGreaterThanOrEqual(phase);
      phase = stage;
      if (type === 'closing') closing.set(key, units(balance!, asset!));
      else if (type === 'opening') running.set(key, units(balance!, asset!));
      else {
        add(running, key, units(change!, asset!));
        expect(units(balance!, asset!)).toBe(running.get(key));
        expect(at >= from && at <= to).toBe(true);
        counted.lines += 1;
        if (wallet === 'futures') counted.ofFutures += 1;
        if (master !== account) counted.ofSubAccounts += 1;
      }
    }
    expect(withoutZeros(running)).toEqual(withoutZeros(closing));
    expect(withoutZeros(closing)).toEqual(withoutZeros(owned.get(to)!.get(account) ?? new Map()));

    const moved: Owned = new Map();
    const before = owned.get(times[first!]!)!.get(account) ?? new Map<string, bigint>();
    for (const [key, amount] of closing) add(moved, key.split('/')[1]!, amount);
    for (const [key, amount] of before) add(moved, key.split('/')[1]!, -amount);
    const taxed: Owned = new Map();
    const side = (amount: string | null, asset: string | null, sign: bigint): void => {
      if (asset !== null) add(taxed, String(idOf(asset)), sign * units(amount!, asset));
    };
    const tax = await exportTax({ query: { ...query, uid } } as never);
    for await (const each of tax as AsyncIterable<never>) {
      const line = each as Record<string, string | null>;
      side(line['gotAmount']!, line['gotAsset']!, 1n);
      side(line['gaveAmount']!, line['gaveAsset']!, -1n);
      side(line['feeAmount']!, line['feeAsset']!, -1n);
    }
    expect(withoutZeros(taxed)).toEqual(withoutZeros(moved));
  }
  await history.close();
  return counted;
}
