import { createHash } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { wireLimits } from '#api/limits.ts';
import type { ListenKeyView } from '#domain/account.ts';
import type { Fact } from '#domain/events.ts';
import type { AccountId } from '#domain/units.ts';
import type { ExchangeQueries } from '#ingress/exchange-queries.ts';

interface KeyInUse {
  account: AccountId | null;
  expiresAt: number;
  /** Connections, and those that are being let in. */
  places: number;
  isClosed: boolean;
}

/** What a key lets in: an account's connection, or nobody. */
export type Entrance =
  | { readonly kind: 'open'; readonly account: AccountId; readonly keyHash: string }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'full' };

const keyPattern = /^[0-9a-f]{64}$/;

/** By what a key is looked up: nobody who reads the engine's state can connect. DEC-STR-01. */
export const listenKeyHash = (key: string): string => createHash('sha256').update(key, 'utf8').digest('hex');

/**
 * Lets connections in by listen key and says when a key's time is over. Keeps keys that connections use, no others.
 */
export class ListenKeyDoor {
  private readonly queries: Pick<ExchangeQueries, 'listenKey'>;
  private readonly clock: Clock;
  private readonly onClosed: (keyHash: string) => void;
  private readonly keys = new Map<string, KeyInUse>();

  /** `onClosed` hears of each key in use that was deleted or has expired, once. `clock` is the exchange's. */
  constructor(
    { queries, clock }: { readonly queries: Pick<ExchangeQueries, 'listenKey'>; readonly clock: Clock },
    onClosed: (keyHash: string) => void,
  ) {
    this.queries = queries;
    this.clock = clock;
    this.onClosed = onClosed;
  }

  /** Takes a place on a key; `leave` gives it back. A key that closes while it is looked up is invalid. */
  async enter(key: string): Promise<Entrance> {
    if (!keyPattern.test(key)) return { kind: 'invalid' };
    const keyHash = listenKeyHash(key);
    const known = this.keys.get(keyHash);
    if (known !== undefined && known.places >= wireLimits.streams.connectionsPerListenKey) return { kind: 'full' };
    const inUse = known ?? { account: null, expiresAt: Number.POSITIVE_INFINITY, places: 0, isClosed: false };
    this.keys.set(keyHash, inUse);
    inUse.places += 1;
    let view: ListenKeyView | null = null;
    try {
      view = await this.queries.listenKey(keyHash);
    } finally {
      if (view === null) this.leave(keyHash);
    }
    if (view === null) return { kind: 'invalid' };
    if (inUse.isClosed || view.expiresAt <= this.clock.now()) {
      this.leave(keyHash);
      return { kind: 'invalid' };
    }
    inUse.account = view.account;
    inUse.expiresAt = view.expiresAt;
    return { kind: 'open', account: view.account, keyHash };
  }

  leave(keyHash: string): void {
    const inUse = this.keys.get(keyHash);
    if (inUse === undefined) return;
    inUse.places -= 1;
    if (inUse.places <= 0) this.keys.delete(keyHash);
  }

  /** Keeps up with keys that are renewed and closed. */
  fact(fact: Fact): void {
    if (fact.kind === 'listenKeyValid') {
      const inUse = this.keys.get(fact.key.keyHash);
      if (inUse !== undefined) inUse.expiresAt = fact.key.expiresAt;
    } else if (fact.kind === 'listenKeyClosed') {
      const inUse = this.keys.get(fact.keyHash);
      if (inUse !== undefined) this.close(fact.keyHash, inUse);
    }
  }

  /** Finds keys whose time is over. The engine closes them at its next command, which may be long in coming. */
  check(): void {
    const now = this.clock.now();
    for (const [keyHash, inUse] of this.keys) if (inUse.expiresAt <= now) this.close(keyHash, inUse);
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
