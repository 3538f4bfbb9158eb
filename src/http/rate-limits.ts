import type { IncomingMessage } from 'node:http';
import type { Clock } from '#base/clock.ts';
import type { BanView } from '#domain/ban.ts';
import { noopSink } from '#domain/event-record.ts';
import type { EventSink } from '#domain/events.ts';
import { wireLimits } from '#api/limits.ts';
import { BanLadder } from '#http/ban-ladder.ts';
import { type ClientAddress, ClientAddresses } from '#http/client-address.ts';
import { Firewall } from '#http/firewall.ts';
import type { HttpLog, HttpSettings, StoreBan } from '#http/http-settings.ts';
import { retryAfterSeconds, WeightBudget } from '#http/weight-budget.ts';

/** What rate limits stand on. */
export interface RateLimitParts {
  readonly settings: HttpSettings;
  /** Never runs backwards: rate windows. */
  readonly monotonic: Clock;
  /** The wall: ends of bans. */
  readonly wall: Clock;
  readonly log: HttpLog;
  readonly storeBan: StoreBan;
}

/** Why an address may not come in. */
export interface AddressRefusal {
  /** `banned`: 418, by the ban ladder; `denied`: 403, by the firewall. */
  readonly why: 'banned' | 'denied';
  /** Seconds until it may; `null` where no time helps. */
  readonly retryAfterSeconds: number | null;
}

const second = 1000;
const hour = 3600 * second;

/**
 * What is known of each client address: its budget, its bans, its faults and its connections. One object for all ports
 * of the process, so that what an address did on one port counts on all of them. Every table is bounded. DEC-LIM-08.
 * Subscribe its `facts` before `load` is called with the bans in force.
 */
export class RateLimits {
  readonly settings: HttpSettings;
  /** False when limits are lifted. */
  readonly isLimited: boolean;
  readonly monotonic: Clock;
  readonly addresses: ClientAddresses;
  readonly firewall: Firewall;
  readonly bans: BanLadder;
  readonly addressBudget: WeightBudget;
  /** Open HTTP connections by address, over all ports; bounded by the most that each port takes. */
  readonly connections = new Map<string, number>();
  /** Hears of bans that were made or lifted. */
  readonly facts: EventSink;
  readonly #wall: Clock;
  readonly #log: HttpLog;
  readonly #storeBan: StoreBan;

  /** @throws RangeError for an address range in the settings that is none. */
  constructor({ settings, monotonic, wall, log, storeBan }: RateLimitParts) {
    const { rate } = wireLimits;
    this.settings = settings;
    this.isLimited = settings.rateLimits;
    this.monotonic = monotonic;
    this.#wall = wall;
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
    this.addressBudget = new WeightBudget({
      windowMs: rate.windowMs,
      limit: rate.weightPerWindow,
      bucketsMax: rate.bucketsKept,
    });
    this.facts = {
      ...noopSink,
      fact: (fact) => {
        if (fact.kind === 'addressBanned') this.bans.learn(fact);
      },
    };
  }

  /** Learns the bans in force at the start. */
  load(bans: readonly BanView[]): void {
    for (const ban of bans) this.bans.learn(ban);
  }

  /** The client behind a request: its peer, or whom trusted proxies name. */
  clientOf({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): ClientAddress {
    const forwarded = headers['x-forwarded-for'];
    return this.addresses.clientOf(socket.remoteAddress, typeof forwarded === 'string' ? forwarded : undefined);
  }

  /** Why an address may not come in at `now`, on the monotonic clock; `null`: it may. */
  refusalOf(client: ClientAddress, now: number): AddressRefusal | null {
    const bannedMs = this.isLimited ? this.bans.bannedMs(client.bucket, this.#wall.now()) : 0;
    if (bannedMs > 0 && this.#mayBan(client)) return { why: 'banned', retryAfterSeconds: retryAfterSeconds(bannedMs) };
    if (this.firewall.denies(client)) return { why: 'denied', retryAfterSeconds: null };
    const shutOutMs = this.isLimited ? this.firewall.shutOutMs(client, now) : 0;
    return shutOutMs > 0 ? { why: 'denied', retryAfterSeconds: retryAfterSeconds(shutOutMs) } : null;
  }

  /** Counts one malformed or unrouted request of an address, for the firewall. */
  countFault(client: ClientAddress, now: number): void {
    if (this.isLimited) this.firewall.countFault(client, now);
  }

  /**
   * Notes at `now`, on the monotonic clock, that an address was told to wait. Whoever does not wait climbs the ban
   * ladder: answers the seconds of the ban that this earned, `null` without one.
   */
  toldToWait(client: ClientAddress, waitMs: number, now: number): number | null {
    if (!this.isLimited || !this.#mayBan(client)) return null;
    const wallMs = this.#wall.now();
    const ban = this.bans.refused(client.bucket, waitMs, { monotonicMs: now, wallMs });
    if (ban === null) return null;
    const { address, until, times } = ban;
    this.#log.warn({ address, until, times }, 'banned an address');
    this.#storeBan(ban).catch((error: unknown) => {
      this.#log.error({ err: error, address }, 'a ban could not be stored and ends with this process');
    });
    return retryAfterSeconds(until - wallMs);
  }

  #mayBan(client: ClientAddress): boolean {
    return !client.isLoopback || this.settings.banLoopback;
  }
}
