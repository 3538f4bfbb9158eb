import { InvariantBroken } from '#base/assert.ts';
import { ByteReader, ByteWriter, MalformedBytes } from '#base/bytes.ts';
import { createCommandDecoder, encodeCommand } from '#model/command-codec.ts';
import type { Command, Entry } from '#model/command.ts';
import { copyOrder, noopSink } from '#model/event-record.ts';
import type { EventSink } from '#model/events.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { Seq, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import { createEngine, restoreEngine, type StateMachine } from '#engine/create-engine.ts';
import { createContractData } from '#market-data/contracts/contract-data.ts';
import { createMarketData } from '#market-data/market-data.ts';
import { startHistoryWriter } from '#history/collectors/history-writer.ts';
import { createFanOut } from '#sequencer/event-feed.ts';
import { compareAll, compareOrders, type Beside } from './compare.ts';
import { ContractFold } from './contract-fold.ts';
import { CommandMaker, type FuzzStep } from './command-maker.ts';
import type { FuzzCoverage } from './fuzz-coverage.ts';
import { MoneyFold } from './money-fold.ts';
import { PackingHistoryStore } from './packing-store.ts';
import { safeNumbers } from './safe-numbers.ts';

/** What a run came upon. */
export interface Finding {
  readonly seed: number;
  /** Commands that were applied before the one that failed, or after which a comparison did. */
  readonly index: number;
  /** What was being done: `apply`, `snapshot`, `compare` and so on. */
  readonly during: string;
  readonly message: string;
  readonly stack: string;
  readonly steps: readonly FuzzStep[];
}

/** How often a run looks at whole states. */
export interface Pace {
  /** Commands between two comparisons of everything. */
  readonly compareEvery: number;
  /** Commands between two restores; each restored engine goes on beside the first until the next one. */
  readonly restoreEvery: number;
  /** Restored engines that go on at a time. */
  readonly shadows: number;
  /** Whether market data and history listen. */
  readonly isFollowed: boolean;
}

/** Of long runs. */
export const longPace: Pace = { compareEvery: 400, restoreEvery: 700, shadows: 1, isFollowed: true };
/** For commands that break by themselves: nothing stands beside the engine. */
export const applyPace: Pace = { compareEvery: 1_000_000, restoreEvery: 1_000_000, shadows: 1, isFollowed: false };

/** How many commands a seed's run has: some short ones, that see many listings, and some long ones. */
export const countOf = (seed: number): number => [300, 1000, 2700, 6000][seed % 4] as number;

/** What tells faults apart: what was broken and in which functions; neither numbers nor the kind of the command. */
export function signatureOf({ during, message, stack }: Pick<Finding, 'during' | 'message' | 'stack'>): string {
  const [what = ''] = during.split(' ');
  const [line = ''] = message.split('\n');
  const names = [...stack.matchAll(/^\s+at (?:new |async )?([\w.#]+) \(/gm)].map(([, name]) => name);
  const [first, second] = names.filter((name) => name !== 'assert' && name !== 'demand');
  return `${what}: ${line.replace(/\d+/g, '#')} (${first}, ${second})`;
}

/** Commands of a fresh seed, or of a list. Answers what went wrong, `null` if nothing. */
export async function runSeed(
  seed: number,
  count: number,
  coverage: FuzzCoverage | null = null,
): Promise<Finding | null> {
  const maker = new CommandMaker(seed);
  const run = await FuzzRun.start(seed, longPace, coverage);
  return run.all(count, () => maker.next(run.engine.state));
}

/** The same with commands that are known. */
export async function runSteps(seed: number, steps: readonly FuzzStep[], pace: Pace): Promise<Finding | null> {
  const run = await FuzzRun.start(seed, pace, null);
  return run.all(steps.length, (index) => steps[index] as FuzzStep);
}

/** An engine, everything that listens to it, and engines restored from it. */
class FuzzRun {
  engine: StateMachine = createEngine();
  readonly #seed: number;
  readonly #pace: Pace;
  readonly #coverage: FuzzCoverage | null;
  readonly #beside: Beside;
  readonly #sink = createFanOut();
  readonly #steps: FuzzStep[] = [];
  readonly #writer = new ByteWriter(1024);
  readonly #reader = new ByteReader(new Uint8Array());
  readonly #decoder = createCommandDecoder();
  #shadows: StateMachine[] = [];
  #during = 'make';
  #at = 0;
  #restores = 0;
  #refusal: RejectReason | null | undefined;
  #told: RejectReason | null | undefined;

  constructor(seed: number, pace: Pace, coverage: FuzzCoverage | null, beside: Beside) {
    this.#seed = seed;
    this.#pace = pace;
    this.#coverage = coverage;
    this.#beside = beside;
    const { market, writer, money } = beside;
    for (const sink of [safeNumbers, money.sink, this.#answer()]) this.#sink.subscribe(sink);
    const followers = [market, beside.contracts, writer, beside.positions.sink, this.#tape(beside)];
    if (pace.isFollowed) for (const sink of followers) this.#sink.subscribe(sink);
    if (coverage !== null) this.#sink.subscribe(coverage.sink);
  }

  static async start(seed: number, pace: Pace, coverage: FuzzCoverage | null): Promise<FuzzRun> {
    const history = new PackingHistoryStore();
    const beside: Beside = { failure: null, history, ...(await projectionsOver(history, (e) => (beside.failure = e))) };
    return new FuzzRun(seed, pace, coverage, beside);
  }

  /** Applies so many commands, one after the other. */
  async all(count: number, next: (index: number) => FuzzStep): Promise<Finding | null> {
    try {
      for (let index = 0; index < count; index += 1) {
        this.#during = 'make';
        this.#apply(next(index));
        if ((index + 1) % this.#pace.compareEvery === 0) await this.#compare();
        if ((index + 1) % this.#pace.restoreEvery === 0) this.#restore();
      }
      if (this.#pace.isFollowed) await this.#end();
      return null;
    } catch (error) {
      return this.#finding(error as Error);
    }
  }

  #finding(error: Error): Finding {
    return {
      seed: this.#seed,
      index: this.engine.seq,
      during: this.#during,
      message: `${error.name}: ${error.message}`,
      stack: error.stack ?? '',
      steps: this.#steps,
    };
  }

  #apply(step: FuzzStep): void {
    if (!this.#isCarried(step.command)) return;
    this.#steps.push(step);
    this.#during = `decode ${step.command.kind}`;
    this.#reader.reset(this.#writer.written());
    const command = this.#decoder.decode(this.#reader);
    this.#reader.finish();
    this.#at = Math.max(this.#at, step.at);
    this.#coverage?.command(command);
    this.#during = 'ask';
    this.#refusal = undefined;
    this.#told = undefined;
    if (command.kind === 'placeOrder' && this.#at === this.engine.at)
      this.#refusal = this.engine.matching.orderRefusal(command.account, command.order);
    const { engine } = this;
    const entry: Entry = { seq: as(engine.seq + 1), epoch: as(this.#restores), at: as(this.#at), command };
    this.#during = `apply ${command.kind}`;
    engine.apply(entry, this.#sink);
    this.#during = `postings ${command.kind}`;
    this.#beside.money.assertBalanced();
    if (this.#refusal !== undefined && this.#told !== undefined && this.#told !== this.#refusal)
      throw new InvariantBroken(`an order is answered as foretold: ${this.#refusal}, not ${this.#told}`);
    for (const shadow of this.#shadows) {
      this.#during = `restored ${command.kind}`;
      shadow.apply(entry, noopSink);
      if (!haveToldTheSame(shadow, engine))
        throw new InvariantBroken('a restored engine tells what the first one tells');
    }
  }

  /** Writes the command as a journal does; answers whether a journal can carry it. */
  #isCarried(command: Command): boolean {
    this.#writer.reset();
    this.#during = `encode ${command.kind}`;
    try {
      encodeCommand(this.#writer, command);
      return true;
    } catch (error) {
      if (error instanceof MalformedBytes) return false;
      throw error;
    }
  }

  async #compare(): Promise<void> {
    const { engine } = this;
    await compareAll(engine, this.#beside, (what) => {
      this.#during = what;
    });
    for (const shadow of this.#shadows) {
      this.#during = 'restored';
      if (shadow.digest() !== engine.digest()) throw new InvariantBroken('a restored engine keeps the same state');
    }
  }

  async #end(): Promise<void> {
    await this.#compare();
    this.#during = 'orders of history';
    await compareOrders(this.engine, this.#beside);
    this.#restore();
  }

  /** Restores the engine; the restored one takes its place, and the first goes on beside it. */
  #restore(): void {
    const { engine } = this;
    this.#during = 'snapshot';
    const image = engine.snapshot();
    const digest = engine.digest();
    this.#during = 'restore';
    const restored = restoreEngine(image, digest);
    if (restored.digest() !== digest) throw new InvariantBroken('a restored engine has the digest of the first');
    if (Buffer.compare(restored.snapshot(), image) !== 0)
      throw new InvariantBroken('a restored engine has the image of the first');
    this.#shadows = [...this.#shadows.slice(1 - this.#pace.shadows), engine].slice(-this.#pace.shadows);
    this.engine = restored;
    this.#restores += 1;
  }

  /** Notes how an order was answered. */
  #answer(): EventSink {
    return {
      ...noopSink,
      orderAccepted: () => (this.#told ??= null),
      orderRefused: (_account, _symbol, reason) => (this.#told ??= reason),
    };
  }

  #tape({ trades, closed }: Beside): EventSink {
    let at = as<TimestampMs>(0);
    return {
      ...noopSink,
      entryBegan: (_seq, time) => {
        at = time;
      },
      orderClosed: (order) => closed.push(copyOrder(order)),
      tradeExecuted: ({ symbol, trade, price, lots, quoteAmount, takerSide, taker }) =>
        trades.push({ symbol, trade, at, price, lots, quoteAmount, takerSide, taker }),
    };
  }
}

/** As a comparison of their digests, which are long to print. */
function haveToldTheSame(one: StateMachine, other: StateMachine): boolean {
  const words = other.state.emit.save();
  return one.state.emit.save().every((word, at) => word === words[at]);
}

/** Market data, history and money as a fresh exchange has them. */
async function projectionsOver(history: PackingHistoryStore, onFailure: (error: unknown) => void) {
  const writer = await startHistoryWriter({ store: history, setTimer: () => () => {}, onFailure });
  const awaitHistory = (upTo: Seq): Promise<void> => writer.flush(upTo);
  const market = createMarketData({ history, awaitHistory });
  const contracts = createContractData({ market, history, awaitHistory });
  return { writer, market, contracts, money: new MoneyFold(), positions: new ContractFold(), trades: [], closed: [] };
}
