import type { Prng } from '#base/prng.ts';
import type { AssetProfile } from '#sandbox/agents/market-profile.ts';
import { FollowedPath, type FollowedValue, type ValuePath } from '#sandbox/agents/value-path.ts';
import { createVolatilityRegime, type VolatilityRegime } from '#sandbox/agents/volatility-regime.ts';

const dayMs = 86_400_000;
/** News, of the whole market and of one asset: how often, and the size as a multiple of the usual move in 5 minutes. */
const news = { marketPerDay: 1.5, ownPerDay: 1, size: 2.8, unitMs: 300_000 } as const;
/** Over which the recent move is measured, and its bound. */
const momentum = { halfLifeMs: 120_000, most: 8 } as const;

/**
 * The fair value of each asset in US dollars, which the simulated participants share. The logarithm of a value reverts
 * to its initial value and moves at random: partly with one factor common to the market, partly on its own, with a
 * volatility that changes, and now and then in a jump. Trades move it towards their price.
 */
export interface FairValues {
  /** Every asset that has a value. */
  readonly profiles: readonly AssetProfile[];
  /** Adds assets that were not there yet, at their initial values. */
  include(profiles: readonly AssetProfile[]): void;
  /** Advances by exchange time, to `now`. */
  advance(elapsedMs: number, now: number): void;
  /** Volatility of the moment as a multiple of the usual one. */
  readonly volatility: number;
  /** The fair value of an asset; `usd` changes, so read it when it is needed. @throws RangeError without a profile. */
  of(code: string): FairValue;
  /** The price of an asset in another. @throws RangeError without a profile. */
  ratio(base: string, quote: string): FairRatio;
  /** Sets a fair value, for example to the last traded price after a restart. */
  anchor(code: string, usd: number): void;
  /** Takes note of the price in dollars at which an asset was traded: on a path its value stays near it. */
  hear(code: string, usd: number): void;
  /** Moves the logarithm of a value by `logDelta`, at most 5 % at a time. */
  pull(code: string, logDelta: number): void;
  /** Moves the logarithm of a value by `logDelta` evenly over the time to come; takes the place of an earlier move. */
  move(code: string, logDelta: number, durationMs: number): void;
  /** Lets a value follow a path from where it is; `null`: none. Takes the place of an earlier path or move. */
  follow(code: string, path: ValuePath | null): void;
  /** Lets a value go where it is led, likewise. */
  lead(code: string, led: FollowedValue): void;
  /** What a value follows; `null`: nothing. */
  followedBy(code: string): FollowedValue | null;
}

/** The current fair value of an asset. */
export interface FairValue {
  readonly usd: number;
  readonly profile: AssetProfile;
}

/** The price of one asset in another. */
export interface FairRatio {
  /** Standard deviation of the logarithm of its move over so much time, at the volatility of the moment. */
  expectedMove(ms: number): number;
  /** The move of the last minutes in current standard deviations: 0 if it stands. */
  momentum(): number;
}

/** No value becomes more than so many times its initial one, or less than its inverse, whatever it is told. */
export const greatestFactor = 1000;
const mostDeviation = Math.log(greatestFactor);
const bounded = (deviation: number): number => Math.max(-mostDeviation, Math.min(mostDeviation, deviation));
/** On a path a value moves no faster. */
const fastestPerMs = Math.log(1.2) / 1000;
/** Nor further from the last price: pairs refuse orders that are far from it, so trades have to lead it along. */
const leash = 0.1;

/** A fair value as its logarithmic deviation from the initial value. */
class MovingValue implements FairValue {
  readonly profile: AssetProfile;
  usd: number;
  /** The move of the last minutes in its current standard deviations. */
  momentum = 0;
  readonly #regime: VolatilityRegime;
  #deviation = 0;
  #moveLog = 0;
  #moveLeftMs = 0;
  #followed: FollowedValue | null = null;
  /** Deviation where the path began, and how far from the path it is meant to be. */
  #pathStart = 0;
  #beside = 0;
  /** The last price that was heard of, in dollars; `null`: none was. */
  #last: number | null = null;

  constructor(profile: AssetProfile, regime: VolatilityRegime) {
    this.profile = profile;
    this.usd = profile.initialUsd;
    this.#regime = regime;
  }

  /** Moves on by so much time with a normal `shock` and what news add. */
  advance(elapsedMs: number, shock: number, jump: number): void {
    const decay = Math.LN2 / (this.profile.halfLifeDays * dayMs);
    const kept = Math.exp(-decay * elapsedMs);
    const scale = Math.sqrt((1 - kept * kept) / (2 * decay * elapsedMs));
    const usual = this.profile.dailyVolatility * this.#regime.level * Math.sqrt(elapsedMs / dayMs);
    const chance = usual * scale * shock + jump;
    const followed = this.#followed;
    const move = followed === null ? chance + this.takeMove(elapsedMs) : this.#stepOn(followed, elapsedMs, chance);
    this.deviation = followed === null ? this.#deviation * kept + move : this.#deviation + move;
    const remembered = 0.5 ** (elapsedMs / momentum.halfLifeMs);
    const pushed = this.momentum * remembered + (Math.sqrt(1 - remembered * remembered) * move) / usual;
    this.momentum = Math.max(-momentum.most, Math.min(momentum.most, pushed));
  }

  /** Logarithm of value over initial value. */
  get deviation(): number {
    return this.#deviation;
  }

  set deviation(deviation: number) {
    this.#deviation = bounded(deviation);
    this.usd = this.profile.initialUsd * Math.exp(this.#deviation);
  }

  get followed(): FollowedValue | null {
    return this.#followed;
  }

  follow(followed: FollowedValue | null): void {
    this.#moveLeftMs = 0;
    this.#followed = followed;
    this.#pathStart = this.#deviation;
    this.#beside = 0;
  }

  /** Trades move it, unless it follows a path that nothing may disturb. */
  pull(logDelta: number): void {
    if (this.profile.dailyVolatility === 0 || this.#followed?.path.volatility === 0) return;
    this.deviation += logDelta;
    this.#beside += logDelta;
  }

  /** The step on a path: where chance and trades moved it beside the path it stays, within its reach. */
  #stepOn(followed: FollowedValue, elapsedMs: number, chance: number): number {
    followed.advance(elapsedMs);
    this.#beside = followed.within(this.#beside + chance * followed.path.volatility);
    const missing = bounded(this.#pathStart + followed.log + this.#beside) - this.#deviation;
    const most = fastestPerMs * elapsedMs;
    const ahead = this.#last === null ? 0 : Math.log(this.usd / this.#last);
    const room = this.#last === null ? most : leash;
    const up = Math.max(0, Math.min(most, room - ahead));
    const down = Math.max(0, Math.min(most, room + ahead));
    const step = Math.max(-down, Math.min(up, missing));
    if (followed.leftMs === 0 && step === missing) this.#followed = null;
    return step;
  }

  /** Takes note of a price in dollars. */
  hear(usd: number): void {
    this.#last = usd;
  }

  beginMove(logDelta: number, durationMs: number): void {
    this.#followed = null;
    this.#moveLog = logDelta;
    this.#moveLeftMs = durationMs;
  }

  /** The part of the move that falls into this time. */
  takeMove(elapsedMs: number): number {
    if (this.#moveLeftMs <= 0) return 0;
    const part = this.#moveLog * Math.min(1, elapsedMs / this.#moveLeftMs);
    this.#moveLog -= part;
    this.#moveLeftMs -= elapsedMs;
    return part;
  }
}

function ratioOf(base: MovingValue, quote: MovingValue, regime: VolatilityRegime): FairRatio {
  const [a, b] = [base.profile, quote.profile];
  const common = 2 * a.marketCorrelation * b.marketCorrelation * a.dailyVolatility * b.dailyVolatility;
  const daily = Math.sqrt(a.dailyVolatility ** 2 + b.dailyVolatility ** 2 - common);
  return {
    expectedMove: (ms) => daily * regime.level * Math.sqrt(ms / dayMs),
    momentum: () => (base.momentum * a.dailyVolatility - quote.momentum * b.dailyVolatility) / daily,
  };
}

/** Fair values at their initial values. */
export function createFairValues(profiles: readonly AssetProfile[], prng: Prng): FairValues {
  const regime = createVolatilityRegime(prng);
  const values: MovingValue[] = [];
  const byCode = new Map<string, MovingValue>();
  const include = (more: readonly AssetProfile[]): void => {
    for (const profile of more.filter(({ code }) => !byCode.has(code))) {
      const value = new MovingValue(profile, regime);
      values.push(value);
      byCode.set(profile.code, value);
    }
  };
  include(profiles);

  const fairValueOf = (code: string): MovingValue => {
    const value = byCode.get(code);
    if (value === undefined) throw new RangeError(`${code} has no fair value`);
    return value;
  };
  /** The size of news, 0: there are none. */
  const newsIn = (elapsedMs: number, perDay: number): number =>
    prng.next() < (perDay * elapsedMs) / dayMs ? news.size * prng.gaussian() : 0;
  const advance = (elapsedMs: number, now: number): void => {
    if (elapsedMs <= 0) return;
    regime.advance(elapsedMs, now);
    const common = prng.gaussian();
    const commonNews = newsIn(elapsedMs, news.marketPerDay);
    for (const value of values) {
      const { dailyVolatility, marketCorrelation } = value.profile;
      if (dailyVolatility === 0) continue;
      const ownPart = Math.sqrt(1 - marketCorrelation ** 2);
      const shock = marketCorrelation * common + ownPart * prng.gaussian();
      const size = marketCorrelation * commonNews + ownPart * newsIn(elapsedMs, news.ownPerDay);
      value.advance(elapsedMs, shock, size * dailyVolatility * Math.sqrt(news.unitMs / dayMs));
    }
  };
  return {
    get profiles() {
      return values.map(({ profile }) => profile);
    },
    include,
    advance,
    get volatility() {
      return regime.level;
    },
    of: fairValueOf,
    ratio: (base, quote) => ratioOf(fairValueOf(base), fairValueOf(quote), regime),
    anchor: (code, usd) => {
      if (!(usd > 0) || !Number.isFinite(usd)) throw new RangeError(`${code} cannot be worth ${usd}`);
      const value = fairValueOf(code);
      value.deviation = Math.log(usd / value.profile.initialUsd);
    },
    move: (code, logDelta, durationMs) => {
      const value = fairValueOf(code);
      if (value.profile.dailyVolatility > 0) value.beginMove(logDelta, durationMs);
    },
    pull: (code, logDelta) => fairValueOf(code).pull(Math.max(-0.05, Math.min(0.05, logDelta))),
    hear: (code, usd) => fairValueOf(code).hear(usd),
    follow: (code, path) => fairValueOf(code).follow(path === null ? null : new FollowedPath(path)),
    lead: (code, led) => fairValueOf(code).follow(led),
    followedBy: (code) => fairValueOf(code).followed,
  };
}
