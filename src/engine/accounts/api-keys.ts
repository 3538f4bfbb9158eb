import type { ApiKeyView } from '#domain/account.ts';
import type { AccountId } from '#domain/units.ts';

/** API keys; those of an account in the order of creation. */
export class ApiKeys {
  readonly byAccessKey = new Map<string, ApiKeyView>();
  private readonly ofAccount = new Map<AccountId, ApiKeyView[]>();

  of(account: AccountId): readonly ApiKeyView[] {
    return this.ofAccount.get(account) ?? [];
  }

  put(key: ApiKeyView): void {
    this.byAccessKey.set(key.accessKey, key);
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
