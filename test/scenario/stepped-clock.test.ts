import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ClientOrderId } from '#model/client-order-id.ts';
import type { Command, Entry } from '#model/command.ts';
import { noopSink } from '#model/event-record.ts';
import { engineLimits } from '#model/limits.ts';
import type { AccountId, Balance, Lots, PriceTicks, SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { audit } from '#engine/image/audit.ts';
import { createEngine, type StateMachine } from '#engine/create-engine.ts';
import { OrderEntryStopped, type Outcome } from '#sequencer/command-ingress.ts';
import { leaveClockConfirmation } from '#main/composition/clock-confirmation.ts';
import { clockSource } from '#main/metrics/clock-metrics.ts';
import { metricsText } from '#main/metrics/metrics-text.ts';
import { type ClockWatch, confirmClock, createClockWatch } from '#main/composition/clock-watch.ts';
import type { Profile } from '#model/profile.ts';
import { createVirtualClock } from '#sandbox/virtual-clock.ts';
import { Sequencer } from '#sequencer/sequencer.ts';
import { arrayJournal } from '../exchange-harness.ts';
import { listingOf } from '../permissive-listing.ts';

const noon = Date.UTC(2026, 10, 21, 12);
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const alice = as<AccountId>(4);

/** An exchange on a machine whose clock the test sets, with everything that survives a restart. */
class Machine {
  wall = noon;
  monotonic = 0;
  readonly entries: Entry[] = [];
  readonly root = mkdtempSync(join(tmpdir(), 'clock-'));
  told: string[] = [];
  watch!: ClockWatch;
  engine!: StateMachine;
  sequencer!: Sequencer;
  exchangeClock!: { now(): number };
  private readonly profile: Profile;
  private beat = (): void => {};

  constructor(profile: Profile) {
    this.profile = profile;
  }

  /** Starts, or starts again: by a replay of what was journaled. The monotonic clock is that of the machine. */
  start(): void {
    const wall = { now: () => this.wall };
    this.told = [];
    this.exchangeClock = this.profile === 'sandbox' ? createVirtualClock(wall) : wall;
    const engine = createEngine();
    this.engine = engine;
    for (const entry of this.entries) engine.apply(entry, noopSink);
    this.watch = createClockWatch({
      profile: this.profile,
      root: this.root,
      clock: this.exchangeClock,
      wall,
      monotonic: { now: () => this.monotonic },
      tell: (message) => this.told.push(message),
      onTrouble: (what, error) => {
        throw new Error(what, { cause: error });
      },
    });
    this.sequencer = new Sequencer({
      engine,
      journal: arrayJournal(this.entries),
      ...this.watch.begin(engine.at),
      hasRoom: () => true,
      onBroken: () => {},
      onFatal: (error) => {
        throw error;
      },
    });
    this.watch.start(
      (_everyMs, run) => {
        this.beat = run;
        return () => {};
      },
      () => engine.at,
    );
  }

  pass(ms: number): void {
    this.monotonic += ms;
    this.wall += ms;
    this.beat();
  }

  /** Sets the machine's clock. */
  step(ms: number): void {
    this.wall += ms;
  }

  submit(command: Command): Promise<Outcome> {
    return this.sequencer.submit(command);
  }

  async list(): Promise<void> {
    for (const code of ['BTC', 'USDT']) {
      const asset = { code, fullName: code, scale: 8, cap: as<Balance>(2n ** 61n), coinId: '0'.repeat(32) };
      await this.submit({ kind: 'configureAsset', asset });
    }
    await this.submit({ kind: 'configureSymbol', symbol: listingOf({ name: 'BTCUSDT', base: as(0), quote: as(1) }) });
    const account = { name: 'alice', master: null, class: 'user', kycLevel: 1, simulated: false } as const;
    await this.submit({ kind: 'openAccount', uid: as(10_000_001), ...account });
    await this.submit({ kind: 'creditFunds', account: alice, asset: as(1), amount: as(10n ** 12n) });
  }

  /** Buys at `price`, under a client order id if one is given. */
  place(price: number, clientOrderId: string | null = null): Promise<Outcome> {
    const id = clientOrderId === null ? null : ClientOrderId.of(clientOrderId);
    const terms = { symbol: as<SymbolId>(0), side: 'buy', kind: 'limit', budget: null, stpMode: 'none' } as const;
    const amounts = { price: as<PriceTicks>(price), quantity: as<Lots>(1) };
    return this.submit({ kind: 'placeOrder', account: alice, order: { ...terms, ...amounts, clientOrderId: id } });
  }

  cancelAll(): Promise<Outcome> {
    return this.submit({ kind: 'cancelOrders', account: alice, symbols: [as(0)] });
  }

  async metric(name: string): Promise<number> {
    const told = await metricsText([clockSource(this.watch.findings)], () => {});
    const line = told.split('\n').find((text) => text.startsWith(`${name} `));
    return Number(line?.split(' ')[1]);
  }
}

let machine: Machine;
const begin = async (profile: Profile): Promise<void> => {
  machine = new Machine(profile);
  machine.start();
  await machine.list();
};
beforeEach(() => begin('production'));
afterEach(() => {
  const times = machine.entries.map(({ at }) => at as number);
  expect(times).toEqual([...times].sort((one, other) => one - other));
  expect(audit(machine.engine.state)).toEqual([]);
  rmSync(machine.root, { recursive: true });
});
const kindOf = ({ events }: Outcome): string | undefined => events[0]?.kind;

describe('in production a clock that is set forward by more than a minute', () => {
  test('DEC-REQ-52: stops orders before any entry is dated by it; cancels go on and are dated by the time that was trusted', async () => {
    await machine.place(100, 'one');
    machine.pass(hour);
    machine.step(400 * day);
    await expect(machine.place(101)).rejects.toThrow(OrderEntryStopped);
    await expect(machine.place(101)).rejects.toThrow('order entry is stopped until an operator confirms the clock');
    const batch: Command = { kind: 'placeOrders', account: alice, orders: [] };
    await expect(machine.submit(batch)).rejects.toBeInstanceOf(OrderEntryStopped);
    machine.pass(10 * minute);
    const cancelled = await machine.cancelAll();
    expect([kindOf(cancelled), cancelled.at]).toEqual(['orderClosed', noon + hour + 10 * minute]);
    expect(machine.told.join()).toContain("The machine's clock was set forward by 400 days, to 2027-12-26");
    expect(machine.told.join()).toContain(`bourse confirm-clock ${machine.root}`);
    expect(await machine.metric('bourse_clock_stops_order_entry')).toBe(1);
    expect(await machine.metric('bourse_clock_drift_seconds')).toBe((400 * day) / second);
    expect(await machine.metric('bourse_engine_time_ahead_seconds')).toBe(0);
  });

  test('and back is as if nothing had happened: orders, client ids and listen keys go on in the true time', async () => {
    const keyHash = 'a'.repeat(64);
    const accessKey = 'mx0stepped';
    const key = { account: alice, accessKey, sealedSecret: '', note: '', permissions: 0, ips: [] } as const;
    await machine.submit({ kind: 'createApiKey', ...key, unboundLifeMs: null });
    await machine.submit({ kind: 'createListenKey', account: alice, accessKey, keyHash, sealedKey: 'sealed' });
    await machine.place(100, 'one');
    machine.step(400 * day);
    await expect(machine.place(101)).rejects.toThrow(OrderEntryStopped);
    await machine.cancelAll();
    machine.step(-400 * day);
    machine.pass(minute + second);
    expect(kindOf(await machine.place(101, 'one'))).toBe('orderAccepted');
    expect(machine.engine.state.listenKeys.of(alice)).toHaveLength(1);
    machine.pass(engineLimits.listenKeyLifeMs);
    const last = await machine.place(102);
    expect(machine.engine.state.listenKeys.of(alice)).toHaveLength(0);
    expect(last.at).toBe(machine.wall);
    expect(machine.told.at(-1)).toBe('The clock was set back: orders are taken again.');
  });

  test('goes on once an operator confirmed it, from its own time', async () => {
    machine.step(3 * hour);
    await expect(machine.place(100)).rejects.toThrow(OrderEntryStopped);
    leaveClockConfirmation(machine.root);
    utimesSync(join(machine.root, 'clock-confirmed'), machine.wall / second, machine.wall / second);
    machine.pass(second);
    expect((await machine.place(100)).at).toBe(noon + 3 * hour + second);
    expect(machine.told.at(-1)).toBe('The clock was confirmed: orders are taken again.');
    expect(readdirSync(machine.root)).toEqual([]);
    expect(await machine.metric('bourse_clock_drift_seconds')).toBe(0);
  });

  test('is not confirmed by what was left at another time, nor by a confirmation that was not needed', async () => {
    for (const age of [-11 * minute, 11 * minute]) {
      leaveClockConfirmation(machine.root);
      utimesSync(join(machine.root, 'clock-confirmed'), (machine.wall - age) / second, (machine.wall - age) / second);
      machine.pass(second);
      expect(machine.told.at(-1)).toContain('it is of another time');
    }
    leaveClockConfirmation(machine.root);
    utimesSync(join(machine.root, 'clock-confirmed'), machine.wall / second, machine.wall / second);
    machine.pass(second);
    expect(machine.told.at(-1)).toContain('though nothing waited for it');
    machine.step(2 * minute);
    machine.pass(second);
    await expect(machine.place(100)).rejects.toThrow(OrderEntryStopped);
    expect(readdirSync(machine.root)).toEqual(['clock-step.json']);
  });

  test('is not confirmed by a restart', async () => {
    machine.step(2 * hour);
    await expect(machine.place(100)).rejects.toThrow(OrderEntryStopped);
    machine.pass(minute);
    machine.start();
    await expect(machine.place(100)).rejects.toThrow(OrderEntryStopped);
    expect((await machine.cancelAll()).at).toBe(noon + minute);
    machine.start();
    machine.step(-2 * hour);
    expect((await machine.place(100)).at).toBe(noon + minute);
    machine.start();
    expect([(await machine.place(101)).at, machine.told]).toEqual([noon + minute, []]);
  });

  test('is over after a restart when it was set back in between', async () => {
    machine.step(2 * hour);
    await expect(machine.place(100)).rejects.toThrow(OrderEntryStopped);
    machine.step(-2 * hour);
    machine.monotonic = 7;
    machine.start();
    expect([(await machine.place(100)).at, machine.told]).toEqual([noon, []]);
  });
});

describe('in production', () => {
  test('a clock that is set back an hour is followed, while entries stand still until it has caught up', async () => {
    machine.pass(hour);
    const before = await machine.place(100, 'one');
    machine.step(-hour);
    machine.pass(minute);
    expect([(await machine.place(101)).at, machine.exchangeClock.now()]).toEqual([before.at, noon + minute]);
    expect(machine.told.at(-1)).toContain('59 min ahead of the clock');
    expect(await machine.metric('bourse_engine_time_ahead_seconds')).toBe((59 * minute) / second);
    machine.start();
    expect((await machine.place(102)).at).toBe(before.at);
    expect(machine.told.at(-1)).toContain('59 min ahead of the clock');
    machine.pass(hour);
    expect((await machine.place(103)).at).toBe(noon + hour + minute);
    expect(machine.told.at(-1)).toBe('The clock has caught up with the last entry: time goes on.');
    await machine.cancelAll();
    machine.pass(minute + second);
    expect(kindOf(await machine.place(104, 'one'))).toBe('orderAccepted');
  });

  test('a clock that stands dates everything the same, and goes on from the right time', async () => {
    const before = machine.wall;
    for (let round = 0; round < 5; round += 1) {
      machine.monotonic += hour;
      expect((await machine.place(100 + round)).at).toBe(before);
    }
    machine.step(5 * hour);
    expect((await machine.place(200)).at).toBe(before + 5 * hour);
    machine.step(5 * hour);
    await expect(machine.place(201)).rejects.toThrow(OrderEntryStopped);
  });

  test('through 1,000 steps orders are taken whenever the clock is right, and no entry is from the future', async () => {
    let real = noon;
    let refused = 0;
    for (let round = 0; round < 1000; round += 1) {
      machine.pass(second);
      real += second;
      const wrongBy = [0, -hour, 0, 400 * day, 0, -30 * second][round % 6] as number;
      machine.wall = real + wrongBy;
      await machine.cancelAll();
      const placed = await machine.place(100).catch(() => null);
      if (wrongBy <= 0) expect(placed?.at).toBeGreaterThanOrEqual(real + wrongBy);
      else expect(placed).toBeNull();
      if (wrongBy === 0) expect(placed?.at).toBe(real);
      if (placed === null) refused += 1;
      expect(machine.engine.at).toBeLessThanOrEqual(real);
    }
    machine.wall = real;
    machine.start();
    expect((await machine.place(100)).at).toBe(real);
    expect(refused).toBeGreaterThan(100);
  });

  test('DEC-REQ-52: a start more than seven days after the last entry waits for a confirmation, and one before that does not', async () => {
    machine.pass(7 * day);
    machine.monotonic = 3;
    machine.start();
    expect((await machine.place(100)).at).toBe(noon + 7 * day);
    machine.pass(7 * day + second);
    machine.monotonic = 3;
    machine.start();
    expect(machine.told.join()).toContain('7 days after the last entry');
    await expect(machine.place(101)).rejects.toThrow(OrderEntryStopped);
    expect((await machine.cancelAll()).at).toBe(noon + 7 * day);
    leaveClockConfirmation(machine.root);
    utimesSync(join(machine.root, 'clock-confirmed'), machine.wall / second, machine.wall / second);
    machine.start();
    expect((await machine.place(101)).at).toBe(machine.wall);
  });
});

test('a confirmation that no exchange takes says that the next start does', async () => {
  const lines: string[] = [];
  const parts = { root: machine.root, wall: { now: () => machine.wall }, tell: (line: string) => lines.push(line) };
  await confirmClock(parts, async () => {});
  expect(lines).toEqual([
    "Confirmed that this machine's clock is right. It shows 2026-11-21T12:00:00.000Z.",
    'No running exchange took it: a start within the next ten minutes does.',
  ]);
  await confirmClock(parts, async () => machine.pass(second));
  expect(lines.at(-1)).toContain('The running exchange took it');
});

describe('the sandbox', () => {
  beforeEach(async () => {
    rmSync(machine.root, { recursive: true });
    await begin('sandbox');
  });

  test('follows a clock that is set forward, and back, and says so; what it dated stays ahead', async () => {
    machine.step(400 * day);
    machine.pass(second);
    const far = await machine.place(100, 'one');
    expect(far.at).toBe(noon + 400 * day + second);
    expect(machine.told.at(-1)).toContain('was set forward by 400 days');
    expect(machine.told.at(-1)).toContain('the sandbox follows it');
    machine.step(-400 * day);
    machine.pass(second);
    expect(machine.exchangeClock.now()).toBe(noon + 2 * second);
    expect((await machine.place(101)).at).toBe(far.at);
    expect(machine.told.at(-1)).toContain('399 days 23 h ahead of the clock');
    expect(await machine.metric('bourse_engine_time_ahead_seconds')).toBe((400 * day - second) / second);
    machine.start();
    expect(machine.told.join()).toContain('client order ids in use are not freed');
    expect((await machine.place(102)).at).toBe(far.at);
  });

  test('DEC-REQ-52: follows a start long after the last entry and says so', async () => {
    machine.pass(30 * day);
    machine.start();
    expect(machine.told).toEqual([
      "The machine's clock shows 2026-12-21T12:00:00.000Z, 30 days after the last entry: the sandbox follows it.",
    ]);
    expect((await machine.place(100)).at).toBe(noon + 30 * day);
  });
});
