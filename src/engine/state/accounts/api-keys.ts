import { type ApiKeyView, apiKey } from '#model/account.ts';
import type { AccountId, TimestampMs } from '#model/units.ts';
import { RecordTable } from '#engine/state/state-table.ts';

const endOf = ({ endsAt }: ApiKeyView): number => endsAt ?? Number.POSITIVE_INFINITY;

/** API keys; those of an account in the order of creation. */
export class ApiKeys extends RecordTable<ApiKeyView> {
  readonly name = 'apiKeys';
  readonly byAccessKey = new Map<string, ApiKeyView>();
  private readonly ofAccount = new Map<AccountId, ApiKeyView[]>();
  /** No key ends before. */
  private nothingBefore = Number.POSITIVE_INFINITY;

  constructor() {
    super(apiKey);
  }

  of(account: AccountId): readonly ApiKeyView[] {
    return this.ofAccount.get(account) ?? [];
  }

  /** Whether the time of any key is over. */
  haveEnded(now: TimestampMs): boolean {
    if (this.nothingBefore > now) return false;
    this.nothingBefore = Number.POSITIVE_INFINITY;
    // any order: the least is the same in each
    for (const key of this.byAccessKey.values()) this.nothingBefore = Math.min(this.nothingBefore, endOf(key));
    return this.nothingBefore <= now;
  }

  /** Keys whose time is over, those that ended first first, at most so many. */
  ended(now: TimestampMs, atMost: number): readonly ApiKeyView[] {
    if (!this.haveEnded(now)) return [];
    // any order: sorted by end and name
    return [...this.byAccessKey.values()]
      .filter((key) => endOf(key) <= now)
      .sort((first, second) => endOf(first) - endOf(second) || (first.accessKey < second.accessKey ? -1 : 1))
      .slice(0, atMost);
  }

  /** By account, then in the order of creation. */
  all(): readonly ApiKeyView[] {
    return [...this.ofAccount].sort(([first], [second]) => first - second).flatMap(([, keys]) => keys);
  }

  put(key: ApiKeyView): void {
    this.byAccessKey.set(key.accessKey, key);
    this.nothingBefore = Math.min(this.nothingBefore, endOf(key));
    const list = this.ofAccount.get(key.account);
    if (list === undefined) this.ofAccount.set(key.account, [key]);
    else list.push(key);
  }

  delete(key: ApiKeyView): void {
    this.byAccessKey.delete(key.accessKey);
    this.ofAccount.set(
      key.account,
      this.of(key.account).filter((other) => other !== key),
    );
  }
}
