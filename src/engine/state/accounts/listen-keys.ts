import { type ListenKeyView, listenKey } from '#model/account.ts';
import type { AccountId, TimestampMs } from '#model/units.ts';
import { RecordTable } from '#engine/state/state-table.ts';

/**
 * Listen keys by hash, in the order of expiry: every key has the same lifetime, so the key created or renewed last is
 * the last one.
 */
export class ListenKeys extends RecordTable<ListenKeyView> {
  readonly name = 'listenKeys';
  private readonly byHash = new Map<string, ListenKeyView>();
  private readonly ofAccount = new Map<AccountId, Set<string>>();
  /** Earliest possible listen-key expiry: it is compared before every command. */
  private nothingBefore = Number.POSITIVE_INFINITY;

  constructor() {
    super(listenKey);
  }

  get(keyHash: string): ListenKeyView | null {
    return this.byHash.get(keyHash) ?? null;
  }

  /** Listen keys of an account, in the order of expiry. */
  of(account: AccountId): readonly ListenKeyView[] {
    return [...(this.ofAccount.get(account) ?? [])].map((keyHash) => this.byHash.get(keyHash)!);
  }

  all(): readonly ListenKeyView[] {
    // stored order: by expiry, which the image keeps
    return [...this.byHash.values()];
  }

  /** The key that expires first, if it has expired at `now`; else `null`. */
  expired(now: TimestampMs): ListenKeyView | null {
    return this.nothingBefore > now ? null : this.firstIfExpired(now);
  }

  /** Adds a key at the end, or moves it there when it is renewed. */
  put(key: ListenKeyView): void {
    this.delete(key);
    this.byHash.set(key.keyHash, key);
    this.nothingBefore = Math.min(this.nothingBefore, key.expiresAt);
    const own = this.ofAccount.get(key.account);
    if (own === undefined) this.ofAccount.set(key.account, new Set([key.keyHash]));
    else own.add(key.keyHash);
  }

  delete(key: ListenKeyView): void {
    this.byHash.delete(key.keyHash);
    const own = this.ofAccount.get(key.account);
    own?.delete(key.keyHash);
    if (own?.size === 0) this.ofAccount.delete(key.account);
  }

  private firstIfExpired(now: TimestampMs): ListenKeyView | null {
    // stored order: by expiry, which the image keeps
    const [first] = this.byHash.values();
    this.nothingBefore = first?.expiresAt ?? Number.POSITIVE_INFINITY;
    return first !== undefined && first.expiresAt <= now ? first : null;
  }
}
