import { BoundedCache } from '#base/bounded-cache.ts';
import { engineLimits } from '#model/limits.ts';
import type { BanView } from '#model/ban.ts';
import type { SharedCount } from '#model/shared-limits.ts';
import type { TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import { wireLimits } from '#http/limits.ts';
import { PendingCounts } from '#http/pending-counts.ts';

/** Settings of the ban ladder. SPEC-CNV-22, DEC-LIM-02. */
export interface BanRules {
  /**
   * An address is banned after this many requests within a minute that were sent before the last Retry-After had
   * elapsed.
   */
  readonly violationsMax: number;
  readonly firstMs: number;
  readonly longestMs: number;
  /** A further ban within this time after the last one is twice as long. */
  readonly memoryMs: number;
}

interface Violations {
  /** End of the last Retry-After of the address. */
  waitUntil: number;
  /** Times of the recent violations, oldest first. */
  readonly at: number[];
}

/** A moment on two clocks: violation windows use the monotonic clock, ends of bans the wall clock. DEC-REQ-30. */
export interface BanMoment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/**
 * The ban ladder: bans addresses that keep sending requests before their Retry-After has elapsed, for longer each time.
 * Bounded: violations are kept for a minute, and as many bans as the engine stores.
 */
export class BanLadder {
  readonly #rules: BanRules;
  readonly #violations: BoundedCache<string, Violations>;
  readonly #bans = new Map<string, BanView>();
  #pending: PendingCounts | null = null;

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

  /** Number of bans that have not ended. */
  countAt(wallMs: number): number {
    return [...this.#bans.values()].filter(({ until }) => until > wallMs).length;
  }

  /** Stores or lifts a ban that the exchange has made durable: at start, and on every change. */
  put(ban: BanView): void {
    if (ban.until === 0) {
      this.#bans.delete(ban.address);
      return;
    }
    if (this.#bans.size >= engineLimits.bans && !this.#bans.has(ban.address)) this.#evictSoonest();
    this.#bans.set(ban.address, ban);
  }

  /** Milliseconds until the ban of the address ends; 0: it is not banned. SPEC-CNV-23. */
  bannedMs(address: string, wallMs: number): number {
    const ban = this.#bans.get(address);
    if (ban === undefined) return 0;
    const { longestMs } = this.#rules;
    if (ban.until - wallMs <= longestMs) return Math.max(0, ban.until - wallMs);
    // The wall clock was ahead when the ban was made. Limit it to the longest ban, from the first time this is noticed.
    this.#bans.set(address, { ...ban, until: as<TimestampMs>(wallMs + longestMs) });
    return longestMs;
  }

  /**
   * Records that an address was answered 429 with this Retry-After. Returns the ban that follows, which the caller
   * makes durable, or `null`.
   */
  recordRetryAfter(address: string, retryAfterMs: number, moment: BanMoment): BanView | null {
    const { monotonicMs: now } = moment;
    const known = this.#recentOf(address, now);
    const isViolation = now < known.waitUntil;
    if (isViolation) known.at.push(now);
    known.waitUntil = now + retryAfterMs;
    this.#pending?.note(address, isViolation ? 1 : 0, known.waitUntil);
    if (known.at.length < this.#rules.violationsMax) {
      this.#violations.set(address, known, now);
      return null;
    }
    this.#violations.delete(address);
    const ban = this.#nextBan(address, moment.wallMs);
    this.put(ban);
    return ban;
  }

  /** From now on violations are noted, for other nodes. Answers where. DEC-CLU-22. */
  share(): PendingCounts {
    this.#pending = new PendingCounts(this.#rules.violationsMax);
    return this.#pending;
  }

  /** Another node told the address to wait, and counted so many violations. The next one bans it, if they suffice. */
  addShared({ key, amount, leftMs }: SharedCount, now: number): void {
    const known = this.#recentOf(key, now);
    for (let left = amount; left > 0 && known.at.length < this.#rules.violationsMax - 1; left -= 1) known.at.push(now);
    known.waitUntil = Math.max(known.waitUntil, now + leftMs);
    this.#violations.set(key, known, now);
  }

  #recentOf(address: string, now: number): Violations {
    const known = this.#violations.get(address, now) ?? { waitUntil: 0, at: [] };
    while (known.at.length > 0 && (known.at[0] as number) <= now - wireLimits.ban.violationWindowMs) known.at.shift();
    return known;
  }

  #nextBan(address: string, wallMs: number): BanView {
    const { firstMs, longestMs, memoryMs } = this.#rules;
    const last = this.#bans.get(address);
    const counts = last !== undefined && wallMs - last.until <= memoryMs;
    const times = counts ? last.times + 1 : 1;
    // Each ban within the memory of the last one is twice as long, up to the longest.
    const length = Math.min(longestMs, firstMs * 2 ** (times - 1));
    return { address, until: as<TimestampMs>(wallMs + length), times };
  }

  #evictSoonest(): void {
    let soonest: BanView | null = null;
    for (const ban of this.#bans.values()) if (soonest === null || ban.until < soonest.until) soonest = ban;
    if (soonest !== null) this.#bans.delete(soonest.address);
  }
}
