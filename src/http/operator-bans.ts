import type { BanFact, OperatorBan } from '#model/ban.ts';
import type { AccountId } from '#model/units.ts';
import { type ClientAddress, firstOfRange, readAddressRange } from '#http/client-address.ts';

/** What is known of an address since the last change of the bans. */
interface Verdict {
  readonly version: number;
  readonly until: number;
}

const endOf = ({ until }: OperatorBan): number => until ?? Number.POSITIVE_INFINITY;

/**
 * Bans that operators made, as the engine keeps them. What they say of a client address is remembered with it until a
 * ban changes; without any ban nothing is looked up. DEC-OPR-175.
 */
export class OperatorBans {
  /** Ends of bans by range, `bits` and first address. */
  readonly #ranges = new Map<string, number>();
  /** Lengths of the ranges, with how many there are of each. */
  readonly #lengths = new Map<number, number>();
  readonly #accounts = new Map<AccountId, number>();
  readonly #keys = new Map<string, number>();
  readonly #accountOf = new Map<string, AccountId>();
  #verdicts = new WeakMap<ClientAddress, Verdict>();
  #version = 0;

  get size(): number {
    return this.#ranges.size + this.#accounts.size + this.#keys.size;
  }

  put(ban: OperatorBan): void {
    const { banned, target, account } = ban;
    if (banned === 'address') {
      this.#changeRange(target, endOf(ban));
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
    if (banned === 'address') this.#changeRange(target, null);
    else if (banned === 'key') this.#keys.delete(target);
    else this.#accounts.delete(this.#accountOf.get(target) as AccountId);
  }

  /** Until when the address is banned, on the wall clock; 0: it is not, infinite: until the ban is lifted. */
  addressUntil(client: ClientAddress, now: number): number {
    if (this.#ranges.size === 0) return 0;
    let verdict = this.#verdicts.get(client);
    if (verdict === undefined || verdict.version !== this.#version) {
      verdict = { version: this.#version, until: this.#untilOf(client) };
      this.#verdicts.set(client, verdict);
    }
    return verdict.until > now ? verdict.until : 0;
  }

  isAccountBanned(account: AccountId, now: number): boolean {
    return this.#accounts.size > 0 && (this.#accounts.get(account) ?? 0) > now;
  }

  isKeyBanned(accessKey: string, now: number): boolean {
    return this.#keys.size > 0 && (this.#keys.get(accessKey) ?? 0) > now;
  }

  /** The longest of all bans whose range has the address. */
  #untilOf({ parsed }: ClientAddress): number {
    const whole = parsed.toByteArray().length * 8;
    let until = 0;
    for (const bits of this.#lengths.keys())
      if (bits <= whole) until = Math.max(until, this.#ranges.get(`${bits} ${firstOfRange(parsed, bits)}`) ?? 0);
    return until;
  }

  #changeRange(target: string, until: number | null): void {
    const range = readAddressRange(target);
    if (range === null) return;
    const { bits, first } = range;
    const name = `${bits} ${first}`;
    const change = Number(until !== null) - Number(this.#ranges.has(name));
    if (until === null) this.#ranges.delete(name);
    else this.#ranges.set(name, until);
    const count = (this.#lengths.get(bits) ?? 0) + change;
    if (count > 0) this.#lengths.set(bits, count);
    else this.#lengths.delete(bits);
    this.#version += 1;
  }
}
