import { expect, test } from 'vitest';
import { readRecording } from '#sandbox/replays/read-recording.ts';
import type { ReplayPlan } from '#sandbox/replays/replay.ts';
import { pathOf } from '#sandbox/path-shapes.ts';
import type { Sandbox } from './sandbox-harness.ts';
import { startMarket } from './sandbox-harness.ts';

const recordedAt = 1_600_000_000_000;
const terms = { market: 'SOLUSDT', factor: 1, volume: 1, price: 'present', seed: '1' } as const;

/** Trades four times a second for ten seconds, up by a tenth and down again, one half of them bought. */
const record = Array.from({ length: 40 }, (_, index) => {
  const price = 20 * (1 + 0.1 * Math.sin((index / 39) * Math.PI));
  return `${index},${price.toFixed(4)},${10 + index},0,${recordedAt + index * 250},${index % 2 === 0}`;
}).join('\n');

async function replay(
  sandbox: Sandbox,
  text: string,
  plan: Partial<ReplayPlan> = {},
  format: 'trades' | 'candles' = 'trades',
) {
  const recording = await readRecording(format, text);
  const full = { ...terms, recording, startAt: sandbox.clock.now(), ...plan };
  expect(sandbox.simulation.replayFault(full)).toBeNull();
  return sandbox.simulation.replay(full)!;
}
const tradesOf = (sandbox: Sandbox, name: string, from: number) =>
  (sandbox.trades[sandbox.symbolId(name)] ?? []).filter(({ at }) => at >= from);

test('DEC-KIT-64, DEC-KIT-65: recorded trades are traded again, at their prices and times, with real orders', async () => {
  const sandbox = await startMarket('replay', 3_000);
  const from = sandbox.clock.now();
  const before = await sandbox.mid('SOLUSDT');
  const run = await replay(sandbox, record);
  await sandbox.pass(5_000);
  expect(run).toMatchObject({ state: 'playing', played: 21 });
  expect((await sandbox.mid('SOLUSDT')) / before).toBeCloseTo(1.1, 2);
  expect(sandbox.simulation.values().find(({ asset }) => asset === 'SOL')!.path!.kind).toBe('replay');
  await sandbox.pass(5_000);
  expect(run).toMatchObject({ state: 'over', played: 40 });
  expect((await sandbox.mid('SOLUSDT')) / before).toBeCloseTo(1, 2);
  const played = tradesOf(sandbox, 'SOLUSDT', from);
  const worth = played.reduce((sum, { quoteAmount, price }) => sum + Number(quoteAmount) / 1e9 / (price / 100), 0);
  // 10 to 49 coins: 1180 in all.
  expect(worth / 1180).toBeGreaterThan(0.9);
  expect(worth / 1180).toBeLessThan(1.2);
  expect(Math.max(...played.map(({ price }) => price)) / before).toBeCloseTo(1.1, 2);
  expect([sandbox.troubles, sandbox.faults()]).toEqual([[], []]);
  await sandbox.simulation.stop();
});

test('DEC-KIT-64: candles at a factor, prices as recorded, on a contract', async () => {
  const sandbox = await startMarket('candles', 2_000);
  const candles = Array.from({ length: 10 }, (_, index) => {
    const [open, close] = [90_000 + index * 100, 90_100 + index * 100];
    const openedAt = recordedAt + index * 60_000;
    return `${openedAt},${open},${close + 50},${open - 50},${close},3,${openedAt + 59_999}`;
  }).join('\n');
  const run = await replay(sandbox, candles, { market: 'BTC_USDT', factor: 60, price: 'recorded' }, 'candles');
  await sandbox.pass(6_000);
  expect(run).toMatchObject({ state: 'playing', played: 7 });
  expect((await sandbox.mid('BTCUSDT')) / 100 / 90_500).toBeCloseTo(1, 2);
  await sandbox.pass(5_000);
  expect(run.state).toBe('over');
  expect((await sandbox.mid('BTC_USDT')) / 10 / 91_000).toBeCloseTo(1, 2);
  expect(sandbox.troubles).toEqual([]);
  await sandbox.simulation.stop();
});

test('DEC-KIT-65: a replay waits for its moment, and ends on demand or where a path takes its place', async () => {
  const sandbox = await startMarket('ends');
  const later = await replay(sandbox, record, { startAt: sandbox.clock.now() + 2_000 });
  const doge = await replay(sandbox, record, { market: 'DOGEUSDT' });
  await sandbox.pass(1_000);
  expect([later.state, later.played, doge.state]).toEqual(['waiting', 0, 'playing']);
  sandbox.simulation.follow(['DOGE'], pathOf({ kind: 'volatility', seconds: 5 }, 1));
  await sandbox.pass(2_000);
  expect([later.state, doge.state]).toEqual(['playing', 'ended']);
  expect(sandbox.simulation.endReplay(later.id)?.state).toBe('ended');
  expect(sandbox.simulation.replays().map(({ id }) => id)).toEqual([doge.id]);
  expect(sandbox.simulation.values().find(({ asset }) => asset === 'SOL')!.path).toBeNull();
  expect(sandbox.simulation.endReplay(later.id)).toBeNull();
  for (let more = 0; more < 20; more += 1) await replay(sandbox, record, { startAt: sandbox.clock.now() + 60_000 });
  const recording = await readRecording('trades', record);
  expect(sandbox.simulation.replay({ ...terms, recording, startAt: 0 })).toBeNull();
  await sandbox.simulation.stop();
});

test('DEC-KIT-64: prices that lead too far are refused', async () => {
  const sandbox = await startMarket('far');
  const steep = await readRecording('trades', `1,1,1,1,${recordedAt},true\n2,101,1,1,${recordedAt + 1},true`);
  const { simulation } = sandbox;
  expect(simulation.replayFault({ ...terms, recording: steep })).toMatch('must not lead to more than 100 times');
  expect(simulation.replayFault({ ...terms, recording: steep, price: 'recorded' })).toBeNull();
  const high = await readRecording('trades', `1,200000,1,1,${recordedAt},true`);
  expect(simulation.replayFault({ ...terms, recording: high, price: 'recorded' })).toMatch('price may be "present"');
  await simulation.stop();
});

test('DEC-KIT-62: the same record at the same time gives the same journal', async () => {
  const digests: string[] = [];
  for (let run = 0; run < 2; run += 1) {
    const sandbox = await startMarket('repeated');
    await replay(sandbox, record, { factor: 5, volume: 3 });
    await sandbox.pass(2_500);
    await sandbox.simulation.stop();
    digests.push(sandbox.journal.digest());
  }
  expect(digests[0]).toBe(digests[1]);
});
