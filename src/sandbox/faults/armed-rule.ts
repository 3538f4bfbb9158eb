import { createPrng, type Prng } from '#base/prng.ts';
import type { InterceptedRequest } from '#http/request-interception.ts';
import type { AccountId } from '#model/units.ts';
import type { FaultRule, FaultState } from '#sandbox/faults/fault-rule.ts';
import type { StreamSubject, TouchedPush } from '#websocket/connections/stream-interception.ts';
import { type NamePattern, namePattern } from '#sandbox/faults/name-pattern.ts';

const million = 1_000_000;

/** A rule that was checked, with what its names stand for. */
export interface CheckedRule extends FaultRule {
  readonly id: string;
  /** The account of its uid; `null`: it names none. */
  readonly accountId: AccountId | null;
}

/**
 * A rule in force: what it matches, how often it struck, and its chance. The same seed and the same requests strike the
 * same ones. DEC-KIT-23.
 */
export class ArmedRule {
  readonly rule: CheckedRule;
  readonly #madeAt: number;
  readonly #prng: Prng;
  readonly #path: NamePattern | null;
  readonly #channel: NamePattern | null;
  #seen = 0;
  #hits = 0;

  /** `now`: of the exchange's clock. */
  constructor(rule: CheckedRule, now: number) {
    const { seed = 1, path, channel } = rule.match;
    this.rule = rule;
    this.#madeAt = now;
    this.#prng = createPrng(seed);
    this.#path = path === undefined ? null : namePattern(path, '/');
    this.#channel = channel === undefined ? null : namePattern(channel, '@');
  }

  get id(): string {
    return this.rule.id;
  }

  /** Whether it strikes no more. `now`: of the exchange's clock. */
  isOver(now: number): boolean {
    const { count, forMs, match } = this.rule;
    if (count !== null && this.#hits >= count) return true;
    if (match.nth !== undefined && this.#seen >= match.nth) return true;
    return forMs !== null && now >= this.#madeAt + forMs;
  }

  /** Whether a request is one of those that it is about. */
  isAbout(request: InterceptedRequest): boolean {
    const { match, accountId, fault } = this.rule;
    if (fault.kind === 'stale' && request.method !== 'GET') return false;
    if (match.method !== undefined && match.method !== request.method) return false;
    if (this.#path !== null && !this.#path.matches(request.path)) return false;
    if (match.key !== undefined && match.key !== request.accessKey) return false;
    if (accountId !== null && accountId !== request.account) return false;
    return match.pair === undefined || request.pairs().includes(match.pair);
  }

  /** Whether a connection is one of those that it is about. */
  isAboutConnection({ accessKey, account }: StreamSubject): boolean {
    const { match, accountId } = this.rule;
    if (match.key !== undefined && match.key !== accessKey) return false;
    return accountId === null || accountId === account;
  }

  /** Whether a push to a connection is one of those that it is about. */
  isAboutPush(subject: StreamSubject, { channel, symbol }: TouchedPush): boolean {
    const { pair } = this.rule.match;
    if (pair !== undefined && pair !== symbol) return false;
    if (this.#channel !== null && !this.#channel.matches(channel)) return false;
    return this.isAboutConnection(subject);
  }

  /** Counts one that it is about, and decides whether it strikes. */
  strikes(): boolean {
    const { nth, every, probabilityPpm } = this.rule.match;
    this.#seen += 1;
    if (nth !== undefined && this.#seen !== nth) return false;
    if (every !== undefined && this.#seen % every !== 0) return false;
    if (probabilityPpm !== undefined && this.#prng.below(million) >= probabilityPpm) return false;
    this.#hits += 1;
    return true;
  }

  /** A whole number from 0 to `most`, by its chance. */
  chance(most: number): number {
    return most === 0 ? 0 : this.#prng.below(most + 1);
  }

  /** `now`: of the exchange's clock. */
  state(now: number): FaultState {
    const { accountId: _, ...rule } = this.rule;
    const endsAt = rule.forMs === null ? null : this.#madeAt + rule.forMs;
    return { ...rule, madeAt: this.#madeAt, endsAt, seen: this.#seen, hits: this.#hits, isOver: this.isOver(now) };
  }
}
