import { BoundedCache } from '#base/bounded-cache.ts';
import { engineLimits } from '#domain/limits.ts';
import type { BanView } from '#domain/ban.ts';
import type { TimestampMs } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import { wireLimits } from '#api/limits.ts';

/** Steps of the ladder; every one can be set. SPEC-CNV-22, DEC-LIM-02. */
export interface BanRules {
  /** Requests sent before the last Retry-After had elapsed, within a minute, that ban an address. */
  readonly violationsMax: number;
  readonly firstMs: number;
  readonly longestMs: number;
  /** For how long a ban counts towards the next one. */
  readonly memoryMs: number;
}

interface Violations {
  /** Until when the address was told to wait. */
  waitUntil: number;
  /** When each of the last violations came, oldest first. */
  readonly at: number[];
}

/** Two clocks: windows run on the machine's monotonic one, bans end by the wall. DEC-REQ-30. */
export interface BanMoment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/**
 * Bans addresses that go on although they were told to wait. Bounded: violations are kept for a minute, and of all bans
 * as many as the engine keeps.
 */
export class BanLadder {
  readonly #rules: BanRules;
  readonly #violations: BoundedCache<string, Violations>;
  readonly #bans = new Map<string, BanView>();

  constructor(rules: BanRules) {
    this.#rules = rules;
    this.#violations = new BoundedCache({
      keepMs: wireLimits.ban.violationWindowMs,
      entriesKept: wireLimits.rate.bucketsKept,
    });
  }

  get size(): number {
    return this.#bans.size;
  }

  /** Takes over a ban that exists: at start, and whenever one is made or lifted elsewhere. */
  learn(ban: BanView): void {
    if (ban.until === 0) {
      this.#bans.delete(ban.address);
      return;
    }
    if (this.#bans.size >= engineLimits.bans && !this.#bans.has(ban.address)) this.#forgetSoonest();
    this.#bans.set(ban.address, ban);
  }

  /** Milliseconds until the address may call again; 0: it may now. SPEC-CNV-23. */
  bannedMs(address: string, wallMs: number): number {
    const ban = this.#bans.get(address);
    if (ban === undefined) return 0;
    const { longestMs } = this.#rules;
    if (ban.until - wallMs <= longestMs) return Math.max(0, ban.until - wallMs);
    // Made while the clock was ahead: it lasts no longer than any ban from the first time that this is seen.
    this.#bans.set(address, { ...ban, until: as<TimestampMs>(wallMs + longestMs) });
    return longestMs;
  }

  /**
   * Notes that an address was answered 429 and told to wait `retryAfterMs`. Answers the ban that this earned, which the
   * caller makes durable, or `null`.
   */
  refused(address: string, retryAfterMs: number, moment: BanMoment): BanView | null {
    const { monotonicMs: now } = moment;
    const known = this.#violations.get(address, now) ?? { waitUntil: 0, at: [] };
    if (now < known.waitUntil) known.at.push(now);
    while (known.at.length > 0 && (known.at[0] as number) <= now - wireLimits.ban.violationWindowMs) known.at.shift();
    known.waitUntil = now + retryAfterMs;
    if (known.at.length < this.#rules.violationsMax) {
      this.#violations.set(address, known, now);
      return null;
    }
    this.#violations.delete(address);
    const ban = this.#nextBan(address, moment.wallMs);
    this.learn(ban);
    return ban;
  }

  #nextBan(address: string, wallMs: number): BanView {
    const { firstMs, longestMs, memoryMs } = this.#rules;
    const last = this.#bans.get(address);
    const counts = last !== undefined && wallMs - last.until <= memoryMs;
    const times = counts ? last.times + 1 : 1;
    const length = Math.min(longestMs, firstMs * 2 ** (times - 1));
    return { address, until: as<TimestampMs>(wallMs + length), times };
  }

  #forgetSoonest(): void {
    let soonest: BanView | null = null;
    for (const ban of this.#bans.values()) if (soonest === null || ban.until < soonest.until) soonest = ban;
    if (soonest !== null) this.#bans.delete(soonest.address);
  }
}
