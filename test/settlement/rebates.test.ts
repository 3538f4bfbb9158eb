import { expect, test } from 'vitest';
import { house } from '#model/account.ts';
import { createEventRecorder } from '#model/event-record.ts';
import { engineLimits } from '#model/limits.ts';
import { as, type TimestampMs } from '#model/units.ts';
import { createEngine } from '#engine/create-engine.ts';
import { IngressRefused } from '#sequencer/command-ingress.ts';
import { settleDueRebates } from '#jobs/settle-due-rebates.ts';
import { RebateWorld, referralOf } from './rebate-world.ts';

/** A world in which ivy invited tom. */
async function invitedWorld(): Promise<RebateWorld> {
  const world = await RebateWorld.open();
  await world.register('ivy');
  await world.register('tom', await world.codeOf('ivy'));
  return world;
}

test('DEC-SUB-22: a day is settled at its end, and nothing is submitted before or after', async () => {
  const world = await invitedWorld();
  await world.buy('tom', 5000);
  const before = world.exchange.entries.length;
  for (const hour of [22.5, 23, 23.999]) {
    world.goTo(0, hour * 3_600_000);
    await world.turn();
  }
  expect(world.exchange.entries.length).toBe(before);
  expect(world.free('ivy', 'BTC')).toBe(0n);
  world.goTo(1);
  for (let look = 0; look < 5; look += 1) await world.turn();
  expect(world.settledDays()).toEqual([0]);
  expect(world.exchange.entries.length).toBe(before + 1);
  expect(world.free('ivy', 'BTC')).toBe(referralOf(5000));
  expect(referralOf(5000)).toBeGreaterThan(0n);
  expect(world.freeOf(house.rebates, 'BTC')).toBe(0n);
  expect([world.troubles, world.exchange.faults()]).toEqual([[], []]);
});

test('DEC-SUB-70: a jump over several days settles each of them that has rebates, the oldest first', async () => {
  const world = await invitedWorld();
  await world.buy('tom', 100);
  world.goTo(3, 1);
  await world.buy('tom', 200);
  world.goTo(4, 86_399_999);
  await world.buy('tom', 300);
  world.goTo(40, 12);
  await world.turn();
  expect(world.settledDays()).toEqual([0, 3, 4]);
  expect(world.free('ivy', 'BTC')).toBe(referralOf(100) + referralOf(200) + referralOf(300));
  expect(await world.exchange.queries.rebates.pendingOf(world.account('ivy'), 10)).toEqual([]);
});

test('DEC-SUB-70: a clock that stands still or runs backwards settles nothing twice and nothing too early', async () => {
  const world = await invitedWorld();
  await world.buy('tom', 100);
  world.goTo(1);
  await world.turn();
  await world.buy('tom', 200);
  const before = world.exchange.entries.length;
  for (let look = 0; look < 3; look += 1) await world.turn();
  world.goTo(-1);
  await world.turn();
  expect(world.exchange.entries.length).toBe(before);
  world.goTo(2);
  await world.turn();
  expect(world.settledDays()).toEqual([0, 1]);
  expect(world.free('ivy', 'BTC')).toBe(referralOf(100) + referralOf(200));
});

test('DEC-SUB-71: a frozen beneficiary is paid', async () => {
  const world = await invitedWorld();
  await world.buy('tom', 100);
  await world.must({ kind: 'setAccountStatus', account: world.account('ivy'), status: 'frozen' });
  world.goTo(1);
  await world.turn();
  expect(world.free('ivy', 'BTC')).toBe(referralOf(100));
  expect(world.troubles).toEqual([]);
});

test('DEC-SUB-22: what was rejected on the day is not paid; what accrued afterwards is', async () => {
  const world = await invitedWorld();
  await world.buy('tom', 5000);
  const fees = world.freeOf(house.fees, 'BTC');
  await world.must({ kind: 'rejectRebates', beneficiary: world.account('ivy'), source: null, day: world.firstDay });
  expect(world.freeOf(house.fees, 'BTC')).toBe(fees + referralOf(5000));
  await world.buy('tom', 300);
  world.goTo(1);
  await world.turn();
  expect(world.free('ivy', 'BTC')).toBe(referralOf(300));
  expect(world.freeOf(house.rebates, 'BTC')).toBe(0n);
});

test('DEC-SUB-70: a day with nothing left after its rejection is passed without a payment', async () => {
  const world = await invitedWorld();
  await world.buy('tom', 5000);
  await world.must({ kind: 'rejectRebates', beneficiary: world.account('ivy'), source: null, day: world.firstDay });
  world.goTo(2);
  await world.turn();
  await world.turn();
  expect(world.free('ivy', 'BTC')).toBe(0n);
  expect(world.settledDays().length).toBeLessThanOrEqual(1);
  expect(world.troubles).toEqual([]);
});

/** Throws at the `at`-th settlement command; answers how many there were. */
function dieAt(world: RebateWorld, at: number, step: 'before' | 'after'): () => number {
  let commands = 0;
  world.fault = (command, when) => {
    if (command.kind !== 'settleRebates' || when !== step) return;
    commands += 1;
    if (commands === at) throw new Error('the process died');
  };
  return () => commands;
}

test('DEC-SUB-71: a process that dies between two commands of a settlement pays everything once', async () => {
  const world = await RebateWorld.open();
  await world.register('ivy');
  const code = await world.codeOf('ivy');
  const people = Array.from({ length: engineLimits.rebatesPerSettlement + 100 }, (_, index) => `tom ${index}`);
  await Promise.all(people.map((name) => world.register(name, code)));
  await world.offer(people.length * 10);
  await Promise.all(people.map((name) => world.take(name, 10)));
  world.goTo(3);
  await world.register('uma', code);
  await world.buy('uma', 500);
  world.goTo(5);
  for (const [at, step] of [
    [1, 'before'],
    [1, 'after'],
    [2, 'before'],
    [1, 'after'],
  ] as const) {
    const commands = dieAt(world, at, step);
    await world.turn();
    expect(commands()).toBe(at);
    await world.restart();
  }
  world.fault = () => {};
  await world.turn();
  const days = world.settledDays();
  expect(days).toEqual([...days].sort());
  expect(days.filter((day) => day === 0).length).toBeGreaterThan(1);
  expect(world.free('ivy', 'BTC')).toBe(BigInt(people.length) * referralOf(10) + referralOf(500));
  expect(world.freeOf(house.rebates, 'BTC')).toBe(0n);
  expect(world.exchange.faults()).toEqual([]);
  const replayed = createEngine();
  for (const entry of world.exchange.entries) replayed.apply(entry, createEventRecorder());
  expect(replayed.digest()).toBe(world.exchange.engine.digest());
});

test('DEC-SUB-71: failures are told, ever more rarely, and the settlement goes on when they end', async () => {
  const world = await invitedWorld();
  await world.buy('tom', 100);
  world.goTo(1);
  let tries = 0;
  world.fault = () => {
    tries += 1;
    throw new IngressRefused('no room');
  };
  for (let look = 0; look < 300; look += 1) await world.timerLook();
  // Polling 1, 3, 6, 11, 20, 37, 70, 135, 200, 265.
  expect(tries).toBe(10);
  expect(world.troubles).toEqual(Array.from({ length: 4 }, () => 'settling rebates: no room'));
  world.fault = () => {};
  for (let look = 0; look < 65; look += 1) await world.timerLook();
  expect(world.free('ivy', 'BTC')).toBe(referralOf(100));
});

test('DEC-SUB-71: a stopped settlement submits nothing more', async () => {
  const world = await invitedWorld();
  await world.buy('tom', 100);
  world.goTo(3);
  await world.buy('tom', 100);
  world.goTo(5);
  world.fault = (_command, step) => {
    if (step === 'before') void world.stop();
  };
  await world.turn();
  await world.turn();
  expect(world.settledDays()).toEqual([0]);
});

test('DEC-SUB-70: the same loop settles days of whoever has only the ports', async () => {
  const world = await invitedWorld();
  await world.buy('tom', 100);
  world.goTo(2);
  await world.buy('tom', 100);
  world.goTo(9);
  const { exchange } = world;
  await settleDueRebates({ submit: (command) => exchange.submit(command), queries: exchange.queries }, as(1));
  expect(world.settledDays()).toEqual([]);
  const now = as<TimestampMs>(exchange.clock.time);
  await settleDueRebates({ submit: (command) => exchange.submit(command), queries: exchange.queries }, now);
  expect(world.settledDays()).toEqual([0, 2]);
  expect(world.free('ivy', 'BTC')).toBe(2n * referralOf(100));
});
