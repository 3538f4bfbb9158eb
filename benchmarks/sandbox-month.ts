import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { noopSink } from '#model/event-record.ts';
import { loadConfiguration } from '#main/configuration/config.ts';
import { type DataDirectory, layoutOf } from '#main/storage/data-directory.ts';
import { type ExchangeCore, openExchangeCore } from '#main/composition/exchange-core.ts';
import { createSandboxMarket, makeSandboxHistory } from '#main/composition/sandbox-market.ts';
import { startUpkeep } from '#main/composition/upkeep.ts';
import { createVirtualClock } from '#sandbox/virtual-clock.ts';
import type { BenchGroup } from './harness.ts';
import { alone, atMost, collectGarbage } from './harness.ts';
import { VirtualMachine } from './virtual-machine.ts';

/** Between two looks of the participants at the market: as live, or a second: as many trades, fewer quotes. */
const tickMsOf = { full: 100, quick: 1000 } as const;
const hourMs = 3_600_000;
const dayHours = 24;
const days = 30;
/**
 * Six times as long as usual: the second of the machine that a snapshot takes does not pass any faster, so more of them
 * would only queue. The journal keeps what lies behind two snapshots: longer is more.
 */
const snapshotEverySeconds = 3600;
const begin = Date.UTC(2026, 0, 1);

/** What lies on the disk, in MB. */
interface Sizes {
  readonly journal: number;
  readonly snapshots: number;
  readonly history: number;
  readonly all: number;
}

/** A look at the run at the end of an hour. */
interface Look {
  readonly disk: Sizes;
  /** MB of the whole process. */
  readonly resident: number;
}

function megabytesUnder(directory: string, matches: (name: string) => boolean): number {
  let bytes = 0;
  for (const name of readdirSync(directory).filter(matches)) {
    // Files come and go under the eyes of whoever looks.
    bytes += statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes / 1e6;
}

function sizesOf(directory: DataDirectory): Sizes {
  const journal = megabytesUnder(directory.journal, () => true);
  const snapshots = megabytesUnder(directory.snapshots, () => true);
  const history = megabytesUnder(directory.root, (name) => name.startsWith('history.db'));
  return { journal, snapshots, history, all: journal + snapshots + history };
}

/** Opens a sandbox with its usual settings on a machine whose time is ours, and lets its market trade from then on. */
async function openSandbox(directory: DataDirectory, machine: VirtualMachine) {
  const { config } = loadConfiguration({
    flags: new Map([
      ['data', directory.root],
      ['seed', 'month'],
      ['snapshotEverySeconds', String(snapshotEverySeconds)],
    ]),
    environment: {},
    file: null,
    isForServer: true,
    readFile: () => '',
  });
  const clock = createVirtualClock(machine);
  const onTrouble = (what: string, error: unknown): void => {
    throw new Error(`${what} failed`, { cause: error });
  };
  const core = await openExchangeCore({
    config,
    directory,
    clock,
    machine: { files: machine.files, clock: machine },
    tell: () => {},
    onFatal: (error) => {
      throw error;
    },
    onBroken: () => {},
    onTrouble,
  });
  const repeat = machine.repeat;
  const parts = {
    config,
    directory,
    core,
    clock,
    seal: { seal: () => 'sealed', unseal: () => '', isCurrent: () => true },
    now: () => machine.now(),
    repeat,
    tell: () => {},
    onTrouble,
  };
  await makeSandboxHistory(parts);
  const market = await createSandboxMarket(parts, null);
  await market.start();
  const endUpkeep = startUpkeep({ config, core, repeat, onTrouble });
  let trades = 0;
  core.sequencer.subscribe({ ...noopSink, tradeExecuted: () => void (trades += 1) });
  return {
    core,
    trades: () => trades,
    close: async () => {
      endUpkeep();
      await market.stop();
      await core.close();
    },
  };
}

type Sandbox = Awaited<ReturnType<typeof openSandbox>>;

/** An hour of the market. The live exchange has time between two of them; here history sets it. */
async function passHour(machine: VirtualMachine, core: ExchangeCore, tickMs: number): Promise<void> {
  for (let passed = 0; passed < hourMs; passed += tickMs) {
    machine.pass(tickMs);
    await turn();
    if (!core.historyWriter.hasRoom()) await core.historyWriter.flush(core.engine.seq);
  }
}

function shown({ journal, snapshots, history, all }: Sizes): string {
  const parts = `journal ${journal.toFixed(0)}, snapshots ${snapshots.toFixed(1)}, history ${history.toFixed(0)}`;
  return `${all.toFixed(0)} MB (${parts})`;
}

function tellDay(day: number, { core, trades }: Sandbox, looks: readonly Look[]): void {
  collectGarbage();
  const { disk, resident } = looks.at(-1)!;
  const most = Math.max(...looks.map((look) => look.disk.all)).toFixed(0);
  const heap = (process.memoryUsage().heapUsed / 1e6).toFixed(0);
  const seconds = (performance.now() / 1000).toFixed(0);
  console.error(
    `day ${day}: ${core.engine.seq} commands, ${trades()} trades, disk ${shown(disk)}, at most ${most}, ` +
      `resident ${resident.toFixed(0)} MB, heap ${heap} MB, after ${seconds} s`,
  );
}

/**
 * `sandbox/month`: what a sandbox left alone for a month keeps on disk, and whether its memory grows. The market runs
 * in its own ticks on the real stores with the usual retention; only time passes faster, and the directory lies in
 * memory where there is such a place, because no disk is measured. Takes most of an hour, a quick run half of that: it
 * runs when asked for by name.
 */
export const group: BenchGroup = {
  names: ['sandbox/month', 'sandbox/month-memory'],
  onlyByName: true,
  async run(size, report) {
    const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'bourse-month-'));
    const directory = layoutOf(root);
    const machine = new VirtualMachine(begin);
    const tickMs = size.quick ? tickMsOf.quick : tickMsOf.full;
    const looks: Look[] = [];
    const ends: Look[] = [];
    try {
      const sandbox = await openSandbox(directory, machine);
      for (let hour = 1; hour <= days * dayHours; hour += 1) {
        await passHour(machine, sandbox.core, tickMs);
        looks.push({ disk: sizesOf(directory), resident: process.memoryUsage().rss / 1e6 });
        if (hour % dayHours !== 0) continue;
        ends.push(looks.at(-1)!);
        tellDay(ends.length, sandbox, looks);
      }
      await sandbox.close();
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
    const largest = looks.reduce((most, look) => (look.disk.all > most.disk.all ? look : most));
    const note =
      `largest of ${days} virtual days in ticks of ${tickMs} ms: ${shown(largest.disk)}; ` +
      `last: ${shown(looks.at(-1)!.disk)}`;
    report(alone({ name: 'sandbox/month', unit: 'MB', must: atMost(1000), aim: null, note }, [largest.disk.all]));
    report(
      alone(
        { name: 'sandbox/month-memory', unit: 'MB', must: null, aim: null, note: 'resident at the end of each day' },
        ends.map((look) => look.resident),
      ),
    );
  },
};
