import { createHash } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { wireLimits } from '#http/limits.ts';
import type { ApiKeyView, ListenKeyView } from '#model/account.ts';
import type { Fact } from '#model/events.ts';
import type { AccountId } from '#model/units.ts';
import { addressRanges, type ClientAddress } from '#http/client-address.ts';
import type { RateLimits } from '#http/rate-limits.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';

interface KeyInUse {
  account: AccountId | null;
  /** The API key that made it. */
  maker: string;
  expiresAt: number;
  /** Open connections and pending handshakes. */
  connections: number;
  isClosed: boolean;
}

/** Whether a key admits one more connection, and of which account. */
export type ListenKeyGrant =
  | { readonly kind: 'open'; readonly account: AccountId; readonly keyHash: string; readonly accessKey: string }
  | { readonly kind: 'invalid' }
  /** The API key that made it is bound to other addresses. */
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'full' };

type KeyQueries = Pick<ExchangeQueries, 'listenKey' | 'usableKey' | 'isOff'>;

type PrivateBans = Pick<RateLimits, 'isAccountBanned' | 'isKeyBanned'>;

/** What admission by listen key asks. */
export interface ListenKeyParts {
  readonly queries: KeyQueries;
  readonly clock: Clock;
  readonly limits: PrivateBans;
}

const keyPattern = /^[0-9a-f]{64}$/;

/** The hash by which keys are stored and looked up: the engine's state reveals no keys. DEC-STR-01. */
export const listenKeyHash = (key: string): string => createHash('sha256').update(key, 'utf8').digest('hex');

/**
 * Listen keys that connections use: admits connections by key, and reports keys that were deleted, have expired, or are
 * of an account or a key that operators switched off or banned.
 */
export class ListenKeyRegistry {
  private readonly queries: KeyQueries;
  private readonly clock: Clock;
  private readonly bans: PrivateBans;
  private readonly onClosed: (keyHash: string) => void;
  private readonly keys = new Map<string, KeyInUse>();

  /** `onClosed` is called once for each key in use that was deleted or has expired. `clock` is the exchange clock. */
  constructor({ queries, clock, limits }: ListenKeyParts, onClosed: (keyHash: string) => void) {
    this.queries = queries;
    this.clock = clock;
    this.bans = limits;
    this.onClosed = onClosed;
  }

  /**
   * Counts one more connection of an address on a key until `release`. A key that closes during the lookup is invalid.
   * DEC-STR-105.
   */
  async acquire(key: string, client: ClientAddress): Promise<ListenKeyGrant> {
    if (!keyPattern.test(key)) return { kind: 'invalid' };
    const keyHash = listenKeyHash(key);
    const known = this.keys.get(keyHash);
    if (known !== undefined && known.connections >= wireLimits.streams.connectionsPerListenKey) return { kind: 'full' };
    const inUse = known ?? {
      account: null,
      maker: '',
      expiresAt: Number.POSITIVE_INFINITY,
      connections: 0,
      isClosed: false,
    };
    this.keys.set(keyHash, inUse);
    inUse.connections += 1;
    let view: ListenKeyView | null = null;
    let maker: ApiKeyView | null = null;
    try {
      view = await this.queries.listenKey(keyHash);
      maker = view === null ? null : await this.queries.usableKey(view.accessKey);
    } finally {
      if (maker === null) this.release(keyHash);
    }
    if (view === null || maker === null) return { kind: 'invalid' };
    if (this.isBanned(view)) {
      this.release(keyHash);
      return { kind: 'invalid' };
    }
    if (maker.ips.length > 0 && !addressRanges(maker.ips).includes(client.parsed)) {
      this.release(keyHash);
      return { kind: 'elsewhere' };
    }
    if (inUse.isClosed || view.expiresAt <= this.clock.now()) {
      this.release(keyHash);
      return { kind: 'invalid' };
    }
    inUse.account = view.account;
    inUse.maker = view.accessKey;
    inUse.expiresAt = view.expiresAt;
    return { kind: 'open', account: view.account, keyHash, accessKey: view.accessKey };
  }

  release(keyHash: string): void {
    const inUse = this.keys.get(keyHash);
    if (inUse === undefined) return;
    inUse.connections -= 1;
    if (inUse.connections <= 0) this.keys.delete(keyHash);
  }

  /** Follows renewals and deletions. */
  fact(fact: Fact): void {
    if (fact.kind === 'listenKeyValid') {
      const inUse = this.keys.get(fact.key.keyHash);
      if (inUse !== undefined) inUse.expiresAt = fact.key.expiresAt;
    } else if (fact.kind === 'listenKeyClosed') {
      const inUse = this.keys.get(fact.keyHash);
      if (inUse !== undefined) this.close(fact.keyHash, inUse);
    }
  }

  /**
   * Closes expired keys, and those of accounts whose API was switched off or that are banned. The engine closes
   * expired ones at its next command, which may come much later. DEC-OPR-167, DEC-OPR-176.
   */
  async check(): Promise<void> {
    const now = this.clock.now();
    for (const [keyHash, inUse] of this.keys)
      if (inUse.expiresAt <= now || (await this.isOff(inUse))) this.close(keyHash, inUse);
  }

  private async isOff({ account, maker }: KeyInUse): Promise<boolean> {
    return account !== null && (this.isBanned({ account, accessKey: maker }) || this.queries.isOff(account, 'api'));
  }

  private isBanned({ account, accessKey }: Pick<ListenKeyView, 'account' | 'accessKey'>): boolean {
    return this.bans.isAccountBanned(account) || this.bans.isKeyBanned(accessKey);
  }

  /** Keys in use. */
  get size(): number {
    return this.keys.size;
  }

  private close(keyHash: string, inUse: KeyInUse): void {
    if (inUse.isClosed) return;
    inUse.isClosed = true;
    this.onClosed(keyHash);
  }
}
