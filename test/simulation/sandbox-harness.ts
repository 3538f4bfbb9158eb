import { createHash } from 'node:crypto';
import { noopSink } from '#model/event-record.ts';
import type { RejectReason } from '#model/rejection.ts';
import { as } from '#model/units.ts';
import { audit } from '#engine/image/audit.ts';
import { createEngine, restoreEngine, type StateMachine } from '#engine/create-engine.ts';
import { depositAddresses } from '#custody/simulated/deposit-addresses.ts';
import type { EventFeed } from '#sequencer/event-feed.ts';
import type { CommandIngress } from '#sequencer/command-ingress.ts';
import type { Journal } from '#journal/journal.ts';
import { demoAccountsOf } from '#sandbox/demo-accounts.ts';
import { openDemoContracts, openDemoMarket, openDemoWallet } from '#sandbox/demo-market.ts';
import type { DemoMarketPorts, SealSecret } from '#sandbox/genesis.ts';
import { createMarketSimulation } from '#sandbox/market-simulation.ts';
import { openDemoAccounts } from '#sandbox/open-demo-accounts.ts';
import { createManualTime, type SimulatedTime } from '#sandbox/simulated-time.ts';
import { createVirtualClock } from '#sandbox/virtual-clock.ts';
import { exchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { Sequencer } from '#sequencer/sequencer.ts';

/** Size of an entry's frame in a segment, at most: length, checksum, position, epoch, time. */
const frameSize = 16;

export interface PrintedTrade {
  readonly at: number;
  readonly price: number;
  readonly quoteAmount: number;
}

/** Counts and hashes commands instead of keeping them: a month of a market has hundreds of thousands. */
export function measuringJournal(startAt: number) {
  const hash = createHash('sha256');
  let last = startAt;
  const journal: Journal = {
    append: async (after, batch) => {
      hash.update(batch.commands());
      measured.bytes += batch.bytes + batch.size * frameSize;
      measured.commands += batch.size;
      last = after + batch.size;
      measured.batches += 1;
    },
    read: async function* read() {},
    first: () => as(1),
    last: () => as(last),
    release: async () => {},
    close: async () => {},
  };
  const measured = { journal, bytes: 0, commands: 0, batches: 0, digest: () => hash.copy().digest('hex') };
  return measured;
}

const seal: SealSecret = (key) => `sealed:${key.uid}:${key.secret.length}`;

/** What opens parts of a sandbox, in the order of a first start; the wallet comes after the market. */
const openersOf = (ports: DemoMarketPorts) => ({
  open: () => openDemoMarket(ports),
  openContracts: () => openDemoContracts(ports),
  openSubAccounts: () => openDemoAccounts(ports, demoAccountsOf('subAccount')),
});

/** What an onlooker sees, by symbol, and what is refused. */
function watch(feed: EventFeed) {
  const trades: PrintedTrade[][] = [];
  const levelChanges: number[] = [];
  const refusals = new Map<RejectReason, number>();
  let at = 0;
  feed.subscribe({
    ...noopSink,
    entryBegan: (_seq, time) => {
      at = time;
    },
    tradeExecuted: (trade) => {
      (trades[trade.symbol] ??= []).push({ at, price: trade.price, quoteAmount: trade.quoteAmount });
    },
    levelChanged: (symbol) => {
      levelChanges[symbol] = (levelChanges[symbol] ?? 0) + 1;
    },
    orderRefused: (_account, _symbol, reason) => {
      refusals.set(reason, (refusals.get(reason) ?? 0) + 1);
    },
  });
  return { trades, levelChanges, refusals };
}

/**
 * A sandbox in memory: engine, sequencer, virtual clock, simulated market, and a record of what an onlooker sees.
 * `from` restores the state of another one, as a restart does; `time` takes the place of the wall's.
 */
export function startSandbox(
  seed: string,
  wallTime: number,
  from: StateMachine | null = null,
  time: SimulatedTime | null = null,
) {
  const engine = from === null ? createEngine() : restoreEngine(from.snapshot());
  const wall = { time: wallTime, now: () => wall.time };
  const clock = createVirtualClock(time?.clock ?? wall);
  const journal = measuringJournal(engine.seq);
  const sequencer = new Sequencer({
    engine,
    journal: journal.journal,
    clock,
    hasRoom: () => true,
    onBroken: () => {},
    onFatal: (error) => {
      throw error;
    },
  });
  const queries = exchangeQueries(engine);
  const seen = watch(sequencer);
  const gate: { refuse: Error | null } = { refuse: null };
  const ingress: CommandIngress = {
    submit: (command) => (gate.refuse === null ? sequencer.submit(command) : Promise.reject(gate.refuse)),
    post: (command) => (gate.refuse === null ? sequencer.post(command) : Promise.reject(gate.refuse)),
  };
  const troubles: unknown[] = [];
  let beat = (): unknown => undefined;
  const simulation = createMarketSimulation({
    ingress,
    queries,
    feed: sequencer,
    clock,
    seed,
    addressOf: (network, index) => depositAddresses(network, seed).at(index),
    repeat:
      time?.repeat ??
      ((_everyMs, run) => {
        beat = run;
        return () => void (beat = () => {});
      }),
    ...(time === null ? {} : { pace: time.pace }),
    onTrouble: (error) => void troubles.push(error),
  });
  const ports = { submit: ingress.submit, queries, seed, seal };
  const symbolId = (name: string): number => engine.state.books.findIndex((book) => book.rules.name === name);
  return {
    seed,
    ports,
    engine,
    wall,
    clock,
    journal,
    sequencer,
    queries,
    ...seen,
    gate,
    troubles,
    simulation,
    symbolId,
    ...openersOf(ports),
    /** Under the newest rules, as every start of a sandbox. */
    openWallet: async (): Promise<void> => {
      await openDemoWallet(ports);
    },
    /** Lets real time pass in ticks of 100 ms. */
    pass: async (ms: number): Promise<void> => {
      for (let passed = 0; passed < ms; passed += 100) {
        wall.time += 100;
        beat();
        for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      }
    },
    mid: async (name: string): Promise<number> => {
      const book = await queries.book(as(symbolId(name)));
      return ((book.bids[0]?.[0] ?? Number.NaN) + (book.asks[0]?.[0] ?? Number.NaN)) / 2;
    },
    faults: () => audit(engine.state),
  };
}
export type Sandbox = ReturnType<typeof startSandbox>;

/** A market that begins now, after its first moments, by a clock that the test lets pass. */
export async function startMarket(seed: string, passedMs = 1_000): Promise<Sandbox> {
  const sandbox = startSandbox(seed, Date.UTC(2026, 10, 21, 12));
  await openAll(sandbox);
  await sandbox.simulation.start();
  await sandbox.pass(passedMs);
  return sandbox;
}

/** A market of ten minutes that ends at `now`, made on a machine that shows another time, by a clock that stands. */
export async function startMadeMarket(seed: string, now: number, wallTime = now) {
  const time = createManualTime(now);
  const sandbox = startSandbox(seed, wallTime, null, time);
  sandbox.clock.set(now - 10 * 60_000);
  await openAll(sandbox);
  await sandbox.simulation.seedHistory({ now, onProgress: () => {} });
  await sandbox.simulation.start();
  return { sandbox, time };
}

async function openAll(sandbox: Sandbox): Promise<void> {
  await sandbox.open();
  await sandbox.openWallet();
  await sandbox.openContracts();
}
