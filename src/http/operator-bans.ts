import type { BanFact, OperatorBan } from '#model/ban.ts';
import type { AccountId } from '#model/units.ts';
import { AddressRangeMap } from '#http/address-range-map.ts';
import type { ClientAddress } from '#http/client-address.ts';

const endOf = ({ until }: OperatorBan): number => until ?? Number.POSITIVE_INFINITY;

/** Bans that operators made, as the engine keeps them, by their ends. DEC-OPR-175. */
export class OperatorBans {
  readonly #ranges = new AddressRangeMap<number>();
  readonly #accounts = new Map<AccountId, number>();
  readonly #keys = new Map<string, number>();
  readonly #accountOf = new Map<string, AccountId>();

  get size(): number {
    return this.#ranges.size + this.#accounts.size + this.#keys.size;
  }

  put(ban: OperatorBan): void {
    const { banned, target, account } = ban;
    if (banned === 'address') {
      this.#ranges.set(target, endOf(ban));
    } else if (banned === 'key') {
      this.#keys.set(target, endOf(ban));
    } else if (account !== null) {
      this.#accounts.set(account, endOf(ban));
      this.#accountOf.set(target, account);
    }
  }

  /** Follows a ban that was made or lifted. */
  fact(fact: BanFact): void {
    if (fact.kind === 'banSet') {
      this.put(fact.ban);
      return;
    }
    const { banned, target } = fact;
    if (banned === 'address') this.#ranges.set(target, null);
    else if (banned === 'key') this.#keys.delete(target);
    else this.#accounts.delete(this.#accountOf.get(target) as AccountId);
  }

  /**
   * Until when the address is banned, on the wall clock: the longest of the bans whose range has it. 0: it is not,
   * infinite: until the ban is lifted.
   */
  addressUntil(client: ClientAddress, now: number): number {
    let until = 0;
    for (const end of this.#ranges.of(client)) until = Math.max(until, end);
    return until > now ? until : 0;
  }

  isAccountBanned(account: AccountId, now: number): boolean {
    return this.#accounts.size > 0 && (this.#accounts.get(account) ?? 0) > now;
  }

  isKeyBanned(accessKey: string, now: number): boolean {
    return this.#keys.size > 0 && (this.#keys.get(accessKey) ?? 0) > now;
  }
}
