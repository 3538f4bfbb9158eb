import type { FollowedValue } from '#sandbox/agents/value-path.ts';
import type { RecordedTrade, Recording, TradeCursor } from '#sandbox/replays/recording.ts';

/** How a recording is replayed. */
export interface ReplayPlan {
  /** Name of a pair or a contract. */
  readonly market: string;
  readonly recording: Recording;
  /** On the clock of the exchange. */
  readonly startAt: number;
  /** How many times as fast as it was, on the clock of the exchange. */
  readonly factor: number;
  /** How many times what was recorded is traded. */
  readonly volume: number;
  /** `recorded`: prices as they were; `present`: their changes, from the price of the moment on. */
  readonly price: (typeof replayPrices)[number];
  /** Decides what the recording leaves open. */
  readonly seed: string;
}
/** Which prices a replay has. */
export const replayPrices = ['recorded', 'present'] as const;

/** `ended`: before its time, on demand or because another path took its place. */
export const replayStates = ['waiting', 'playing', 'over', 'ended'] as const;
export type ReplayState = (typeof replayStates)[number];

/** A replay as it is now. */
export interface ReplayProgress {
  readonly id: string;
  readonly plan: ReplayPlan;
  readonly state: ReplayState;
  /** Entries of the recording that have begun. */
  readonly played: number;
  readonly endsAt: number;
}

/** Trades of one side that stand next to each other in a step. */
export interface TradeRun {
  readonly isBuy: boolean;
  readonly quantity: number;
}

/** Runs of a step, at most: what is more goes with the last one of its side. */
const runsPerStep = 8;

function addTo(runs: { isBuy: boolean; quantity: number }[], { isBuy, quantity }: RecordedTrade): void {
  if (quantity === 0) return;
  const last = runs.length >= runsPerStep ? runs.findLast((run) => run.isBuy === isBuy) : runs.at(-1);
  if (last?.isBuy === isBuy) last.quantity += quantity;
  else runs.push({ isBuy, quantity });
}

/** A recording on its way through the simulated market, whose traders ask for what is due. DEC-KIT-64. */
export class Replay implements ReplayProgress {
  readonly id: string;
  readonly plan: ReplayPlan;
  state: ReplayState = 'waiting';
  /** What the value of the base asset follows meanwhile. */
  readonly path: LedValue;
  readonly #trades: TradeCursor;
  /** What the recording's prices are multiplied with. */
  #scale = 1;
  #startUsd = 1;
  #price: number;

  constructor(id: string, plan: ReplayPlan) {
    const { recording, seed, factor } = plan;
    this.id = id;
    this.plan = plan;
    this.path = new LedValue(recording.lengthMs / factor);
    this.#trades = recording.play(seed);
    this.#price = recording.prices.first;
  }

  get played(): number {
    return this.#trades.taken;
  }

  get endsAt(): number {
    const { startAt, recording, factor } = this.plan;
    return Math.ceil(startAt + recording.lengthMs / factor);
  }

  /** Begins, where base and quote are worth this much. */
  begin(baseUsd: number, quoteUsd: number): void {
    const { price, recording } = this.plan;
    this.state = 'playing';
    this.#startUsd = baseUsd;
    if (price === 'present') this.#scale = baseUsd / quoteUsd / recording.prices.first;
  }

  /** Trades that are due at a moment; leads the value to the price of the last of them. */
  takeDue(now: number, quoteUsd: number): readonly TradeRun[] {
    const runs: { isBuy: boolean; quantity: number }[] = [];
    for (let trade = this.#take(now); trade !== null; trade = this.#take(now)) {
      this.#price = trade.price;
      addTo(runs, trade);
    }
    this.path.lead(Math.log((this.#price * this.#scale * quoteUsd) / this.#startUsd), now - this.plan.startAt);
    if (this.path.leftMs === 0) this.state = 'over';
    return runs;
  }

  /** Ends before its time. */
  end(): void {
    if (this.state === 'waiting' || this.state === 'playing') this.state = 'ended';
  }

  #take(now: number): RecordedTrade | null {
    return this.#trades.take((now - this.plan.startAt) * this.plan.factor);
  }
}

/** A value that goes where it is led; neither chance nor trades move it beside that. */
class LedValue implements FollowedValue {
  readonly path = { kind: 'replay', volatility: 0 };
  log = 0;
  readonly #lengthMs: number;
  #passedMs = 0;

  constructor(lengthMs: number) {
    this.#lengthMs = lengthMs;
  }

  get leftMs(): number {
    return Math.max(0, this.#lengthMs - this.#passedMs);
  }

  lead(log: number, passedMs: number): void {
    this.log = log;
    this.#passedMs = passedMs;
  }

  advance(): void {}

  within(): number {
    return 0;
  }
}
