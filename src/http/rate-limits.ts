import type { IncomingMessage } from 'node:http';
import type { Clock } from '#base/clock.ts';
import type { BanView, OperatorBan } from '#model/ban.ts';
import type { OperatorRateLimit } from '#model/operator-rate-limit.ts';
import type { AccountId } from '#model/units.ts';
import { noopSink } from '#model/event-record.ts';
import type { EventSink } from '#model/events.ts';
import { wireLimits } from '#http/limits.ts';
import { BanLadder } from '#http/ban-ladder.ts';
import { type ClientAddress, ClientAddresses } from '#http/client-address.ts';
import { Firewall } from '#http/firewall.ts';
import type { HttpLog, HttpSettings, StoreBan } from '#http/http-settings.ts';
import { OperatorBans } from '#http/operator-bans.ts';
import { OperatorRateLimits } from '#http/operator-rate-limits.ts';
import { OpenSockets } from '#http/open-sockets.ts';
import { retryAfterSeconds, WeightBudget } from '#http/weight-budget.ts';

/** What rate limits need. */
export interface RateLimitParts {
  readonly settings: HttpSettings;
  /** For durations, and the windows of what is sent on a websocket. */
  readonly monotonic: Clock;
  /** Clock of the rate windows, which never runs backwards: in a sandbox by its own time; absent: `monotonic`. */
  readonly windows?: Clock;
  /** Clock of the ends of bans. */
  readonly wall: Clock;
  readonly log: HttpLog;
  readonly storeBan: StoreBan;
}

/** Bans, and limits that operators set. */
export interface InForce {
  readonly bans: readonly BanView[];
  readonly operatorBans: readonly OperatorBan[];
  readonly operatorLimits: readonly OperatorRateLimit[];
}

/** Why requests of an address are refused. */
export interface AddressRefusal {
  /** `banned`: 418, by the ban ladder or an operator; `denied`: 403, by the firewall. */
  readonly why: 'banned' | 'denied';
  /** Seconds until they are accepted; `null`: never. */
  readonly retryAfterSeconds: number | null;
}

const second = 1000;
const hour = 3600 * second;

/**
 * State of each client address: its budget, bans, faults and connections. One object for all ports of the process, so
 * that requests on one port count on all of them. Every table is bounded. DEC-LIM-08. Subscribe `facts` to the events
 * of the exchange before calling `load`.
 */
export class RateLimits {
  readonly settings: HttpSettings;
  /** False when limits are lifted. */
  readonly isLimited: boolean;
  readonly monotonic: Clock;
  /** The clock of budgets, faults and violations. DEC-KIT-06. */
  readonly windows: Clock;
  readonly addresses: ClientAddresses;
  readonly firewall: Firewall;
  readonly bans: BanLadder;
  readonly operatorBans = new OperatorBans();
  readonly operatorLimits: OperatorRateLimits;
  readonly addressBudget: WeightBudget;
  /** Of pages about this process itself: whoever watches a cluster asks each node, so nodes do not share it. */
  readonly healthBudget: WeightBudget;
  readonly sockets = new OpenSockets();
  /** Event sink that receives what is made or lifted: bans, and limits of operators. */
  readonly facts: EventSink;
  readonly #wall: Clock;
  readonly #log: HttpLog;
  readonly #storeBan: StoreBan;

  /** @throws RangeError for an address range in the settings that is none. */
  constructor({ settings, monotonic, windows = monotonic, wall, log, storeBan }: RateLimitParts) {
    const { rate } = wireLimits;
    this.settings = settings;
    this.isLimited = settings.rateLimits;
    this.monotonic = monotonic;
    this.windows = windows;
    this.#wall = wall;
    this.operatorLimits = new OperatorRateLimits(wall);
    this.#log = log;
    this.#storeBan = storeBan;
    this.addresses = new ClientAddresses(settings.trustedProxies);
    this.firewall = new Firewall({ denied: settings.deniedAddresses, faultsMax: settings.faultsPerWindow });
    this.bans = new BanLadder({
      violationsMax: settings.banAfter,
      firstMs: settings.banFirstSeconds * second,
      longestMs: settings.banMostSeconds * second,
      memoryMs: settings.banMemoryHours * hour,
    });
    const { windowMs, weightPerWindow: limit, bucketsKept: bucketsMax } = rate;
    this.addressBudget = new WeightBudget({ windowMs, limit, bucketsMax });
    this.healthBudget = new WeightBudget({ windowMs, limit, bucketsMax });
    this.facts = {
      ...noopSink,
      fact: (fact) => {
        if (fact.kind === 'addressBanned') {
          this.bans.put(fact);
          this.#cutBanned(fact.address);
        } else if (fact.kind === 'banSet' || fact.kind === 'banLifted') {
          this.operatorBans.fact(fact);
          if (fact.kind === 'banSet' && fact.ban.banned === 'address') this.#cutBannedByOperators();
        } else if (fact.kind === 'rateLimitSet' || fact.kind === 'rateLimitLifted') {
          this.operatorLimits.fact(fact);
        }
      },
    };
  }

  /** Loads what is in force at start. */
  load({ bans, operatorBans, operatorLimits }: InForce): void {
    for (const ban of bans) this.bans.put(ban);
    for (const ban of operatorBans) this.operatorBans.put(ban);
    for (const limit of operatorLimits) this.operatorLimits.put(limit);
  }

  /** Number of addresses that are banned now. */
  get bansInForce(): number {
    return this.isLimited ? this.bans.countAt(this.#wall.now()) : 0;
  }

  /** The client of a request: its peer, or the address that trusted proxies report. */
  clientOf({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): ClientAddress {
    const forwarded = headers['x-forwarded-for'];
    return this.addresses.clientOf(socket.remoteAddress, typeof forwarded === 'string' ? forwarded : undefined);
  }

  /**
   * Why a request of an address at `now`, on the clock of windows, is refused; `null`: it is not. The port of
   * operators ignores the bans that they made, so that none locks himself out, and in a sandbox with time of its own
   * whatever ends by that time: who moves it might otherwise wait for himself. DEC-OPR-177, DEC-KIT-07.
   */
  refusalOf(client: ClientAddress, now: number, isForOperators = false): AddressRefusal | null {
    const byOperators = isForOperators ? null : this.#operatorRefusalOf(client);
    if (byOperators !== null) return byOperators;
    const isLimited = this.isLimited && !(isForOperators && this.windows !== this.monotonic);
    const bannedMs = isLimited ? this.bans.bannedMs(client.bucket, this.#wall.now()) : 0;
    if (bannedMs > 0 && this.#mayBan(client)) return { why: 'banned', retryAfterSeconds: retryAfterSeconds(bannedMs) };
    if (this.firewall.denies(client)) return { why: 'denied', retryAfterSeconds: null };
    const blockedMs = isLimited ? this.firewall.blockedMs(client, now) : 0;
    return blockedMs > 0 ? { why: 'denied', retryAfterSeconds: retryAfterSeconds(blockedMs) } : null;
  }

  /** Without an end, a client may ask again after the longest ban of the ladder. */
  #operatorRefusalOf(client: ClientAddress): AddressRefusal | null {
    const now = this.#wall.now();
    const until = this.operatorBans.addressUntil(client, now);
    if (until === 0) return null;
    const waitMs = Math.min(until - now, this.settings.banMostSeconds * second);
    return { why: 'banned', retryAfterSeconds: retryAfterSeconds(waitMs) };
  }

  /** Whether operators banned the address. */
  isBannedByOperators(client: ClientAddress): boolean {
    return this.#operatorRefusalOf(client) !== null;
  }

  /** Whether operators banned the key. */
  isKeyBanned(accessKey: string): boolean {
    return this.operatorBans.isKeyBanned(accessKey, this.#wall.now());
  }

  /** Whether operators banned the account; its sub-accounts have bans of their own. */
  isAccountBanned(account: AccountId): boolean {
    return this.operatorBans.isAccountBanned(account, this.#wall.now());
  }

  /** Weight in a window that operators allow the address; `null`: what everybody may use. DEC-OPR-179. */
  ownWeightOf(client: ClientAddress): number | null {
    return this.operatorLimits.ofAddress(client)?.weight ?? null;
  }

  /** Counts one malformed or unrouted request of an address for the firewall. */
  countFault(client: ClientAddress, now: number): void {
    if (this.isLimited) this.firewall.countFault(client, now);
  }

  /**
   * Records at `now`, on the clock of windows, that an address was answered 429 and must wait `waitMs`. Addresses that
   * do not wait climb the ban ladder: returns the seconds of the ban that follows, `null` without one.
   */
  recordRetryAfter(client: ClientAddress, waitMs: number, now: number): number | null {
    if (!this.isLimited || !this.#mayBan(client)) return null;
    const wallMs = this.#wall.now();
    const ban = this.bans.recordRetryAfter(client.bucket, waitMs, { monotonicMs: now, wallMs });
    if (ban === null) return null;
    const { address, until, times } = ban;
    this.#log.warn({ address, until, times }, 'banned an address');
    this.#cutBanned(address);
    this.#storeBan(ban).catch((error: unknown) => {
      this.#log.error({ err: error, address }, 'a ban could not be stored and ends with this process');
    });
    return retryAfterSeconds(until - wallMs);
  }

  /**
   * Ends the sockets of a banned address once this turn's answers are written: the one that tells of the ban stays
   * until it is taken. DEC-LIM-100.
   */
  #cutBanned(bucket: string): void {
    setImmediate(() => {
      const client = this.sockets.clientOf(bucket);
      if (client === null || this.refusalOf(client, this.windows.now())?.why !== 'banned') return;
      this.sockets.destroyAll(bucket);
    });
  }

  /** Ends the sockets of every address that operators banned, but those of the operator API. DEC-OPR-176. */
  #cutBannedByOperators(): void {
    setImmediate(() => this.sockets.destroyOf((client) => this.isBannedByOperators(client)));
  }

  #mayBan(client: ClientAddress): boolean {
    return !client.isLoopback || this.settings.banLoopback;
  }
}
