import { noopSink } from '#model/event-record.ts';
import { describe, expect, test } from 'vitest';
import type { Command } from '#model/command.ts';
import { as } from '#model/units.ts';
import { IngressRefused } from '#sequencer/command-ingress.ts';
import { demoUidOf } from '#sandbox/demo-accounts.ts';
import type { Sandbox } from './sandbox-harness.ts';
import { startSandbox } from './sandbox-harness.ts';

const noon = Date.UTC(2026, 10, 21, 12);

/** A market with half an hour of history, trading in real time. */
async function liveMarket(seed: string): Promise<Sandbox> {
  const sandbox = startSandbox(seed, noon);
  sandbox.clock.set(noon - 30 * 60_000);
  await sandbox.open();
  await sandbox.openWallet();
  await sandbox.openContracts();
  await sandbox.simulation.seedHistory({ now: noon, onProgress: () => {} });
  await sandbox.simulation.start();
  return sandbox;
}
const aliceBuys = async (sandbox: Sandbox, usdt: number): Promise<Command> => {
  const { account } = (await sandbox.queries.accountByUid(demoUidOf(sandbox.seed, 'alice')))!;
  return {
    kind: 'placeOrder',
    account,
    order: {
      symbol: as(sandbox.symbolId('BTCUSDT')),
      side: 'buy',
      kind: 'market',
      price: null,
      quantity: null,
      budget: as(usdt * 1e9),
      clientOrderId: null,
      stpMode: 'none',
    },
  };
};

describe('the live market', () => {
  test('is lively where it matters and frugal everywhere', async () => {
    const sandbox = await liveMarket('live');
    const [bytes, commands] = [sandbox.journal.bytes, sandbox.journal.commands];
    sandbox.levelChanges.length = 0;
    sandbox.trades.length = 0;
    const seconds = 240;
    await sandbox.pass(seconds * 1_000);
    const perSecond = (name: string): { changes: number; trades: number } => ({
      changes: (sandbox.levelChanges[sandbox.symbolId(name)] ?? 0) / seconds,
      trades: (sandbox.trades[sandbox.symbolId(name)]?.length ?? 0) / seconds,
    });
    // Over seeds 38 to 54 in the first two, 7 to 27 in the third.
    for (const name of ['BTCUSDT', 'ETHUSDT']) expect(perSecond(name).changes).toBeGreaterThan(20);
    expect(perSecond('SOLUSDT').changes).toBeGreaterThan(5);
    // Activity comes and goes: half of the usual half a trade a second is no exception over minutes.
    for (const name of ['BTCUSDT', 'ETHUSDT']) expect(perSecond(name).trades).toBeGreaterThan(0.2);
    const rates = sandbox.engine.state.books.map((book) => perSecond(book.rules.name).trades);
    expect(Math.min(...rates)).toBeGreaterThan(0.02);
    expect(rates.reduce((sum, rate) => sum + rate, 0)).toBeGreaterThan(2);
    expect((sandbox.journal.commands - commands) / seconds).toBeLessThan(60);
    const megabytesADay = (((sandbox.journal.bytes - bytes) / seconds) * 86_400) / 1e6;
    expect(megabytesADay).toBeLessThan(200);
    expect([...sandbox.refusals.keys()].filter((reason) => reason !== 'noOpposingOrder')).toEqual([]);
    expect(sandbox.troubles).toEqual([]);
    expect(sandbox.faults()).toEqual([]);
    await sandbox.simulation.stop();
  });

  test('a large order trades in queue order, moves the market, and the makers close ranks behind it', async () => {
    const [moved, calm] = [await liveMarket('move'), await liveMarket('move')];
    expect(await moved.mid('BTCUSDT')).toBe(await calm.mid('BTCUSDT'));
    const prices: number[] = [];
    const order = await aliceBuys(moved, 900_000);
    const forget = moved.sequencer.subscribe({ ...noopSink, tradeExecuted: (trade) => prices.push(trade.price) });
    await moved.sequencer.submit(order);
    forget();
    expect(prices.length).toBeGreaterThan(10);
    expect(prices).toEqual([...prices].sort((a, b) => a - b));
    for (const sandbox of [moved, calm]) await sandbox.pass(3_000);
    expect((await moved.mid('BTCUSDT')) / (await calm.mid('BTCUSDT'))).toBeGreaterThan(1.0003);
    const book = await moved.queries.book(as(moved.symbolId('BTCUSDT')));
    expect(Math.min(book.bids.length, book.asks.length)).toBeGreaterThan(180);
    expect(moved.faults()).toEqual([]);
  });

  test('a restart goes on from the last prices without quoting everything anew', async () => {
    const before = await liveMarket('again');
    await before.pass(20_000);
    await before.simulation.stop();
    const orders = before.engine.state.books.length * 400;
    const after = startSandbox('again', before.wall.time + 60_000, before.engine);
    await after.open();
    await after.simulation.seedHistory({ now: after.wall.time, onProgress: () => {} });
    await after.simulation.start();
    await after.pass(200);
    const changed = after.levelChanges.reduce((sum, count) => sum + (count ?? 0), 0);
    expect(changed).toBeLessThan(orders / 4);
    await after.pass(10_000);
    expect((await after.mid('BTCUSDT')) / (await before.mid('BTCUSDT'))).toBeCloseTo(1, 2);
    expect(after.faults()).toEqual([]);
  });

  test('a pause of hours is no storm afterwards, and a standing clock stops the market', async () => {
    const sandbox = await liveMarket('pause');
    await sandbox.pass(2_000);
    const mid = await sandbox.mid('BTCUSDT');
    sandbox.wall.time += 6 * 3_600_000;
    const commands = sandbox.journal.commands;
    await sandbox.pass(1_000);
    expect(sandbox.journal.commands - commands).toBeLessThan(300);
    expect((await sandbox.mid('BTCUSDT')) / mid).toBeCloseTo(1, 2);
    sandbox.clock.freeze();
    await sandbox.pass(200);
    const frozen = sandbox.journal.commands;
    await sandbox.pass(5_000);
    expect(sandbox.journal.commands).toBe(frozen);
    sandbox.clock.resume();
    await sandbox.pass(1_000);
    expect(sandbox.journal.commands).toBeGreaterThan(frozen);
  });

  test('refused commands are told once, and the market tries again after a pause', async () => {
    const sandbox = await liveMarket('full');
    await sandbox.pass(1_000);
    const full = new IngressRefused('no space left');
    sandbox.gate.refuse = full;
    await sandbox.pass(1_500);
    expect(sandbox.troubles).toEqual([full]);
    sandbox.gate.refuse = null;
    const commands = sandbox.journal.commands;
    await sandbox.pass(4_000);
    expect(sandbox.journal.commands).toBeGreaterThan(commands);
    expect(sandbox.troubles).toHaveLength(1);
  });

  test('a paused pair falls silent and comes back, the others go on; so does a contract', async () => {
    const sandbox = await liveMarket('paused');
    const { symbols, contracts } = await sandbox.queries.listing();
    const { id, ...listing } = symbols[0]!;
    const contract = contracts![0]!.id;
    const pause = async (isPaused: boolean): Promise<void> => {
      const status = isPaused ? 'paused' : 'online';
      await sandbox.sequencer.submit({ kind: 'configureSymbol', symbol: { ...listing, status } });
      const state = isPaused ? 'paused' : 'enabled';
      await sandbox.sequencer.submit({ kind: 'setContractState', contract, state });
      sandbox.levelChanges.length = 0;
      sandbox.refusals.clear();
      await sandbox.pass(15_000);
    };
    await pause(true);
    expect([sandbox.levelChanges[id] ?? 0, sandbox.levelChanges[contract] ?? 0]).toEqual([0, 0]);
    for (const name of ['ETHUSDT', 'ETH_USDT'])
      expect([name, (sandbox.levelChanges[sandbox.symbolId(name)] ?? 0) > 0]).toEqual([name, true]);
    expect(sandbox.refusals.get('tradingSuspended') ?? 0).toBe(0);
    await pause(false);
    for (const each of [id, contract]) expect(sandbox.levelChanges[each] ?? 0).toBeGreaterThan(0);
  });
});
