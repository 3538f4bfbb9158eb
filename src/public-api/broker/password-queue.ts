import type { AccountId } from '#model/units.ts';

/** Who asks for a password to be hashed: an account, among those of its broker. A broker asks for itself. */
export interface PasswordAsker {
  readonly broker: AccountId;
  readonly account: AccountId;
}

/** What waits of one broker: by account, the account whose turn is next first. */
type OfBroker<Waiting> = Map<AccountId, Waiting[]>;

/** The first of those that have most. */
function fullest<Key, Value>(entries: Iterable<readonly [Key, Value]>, countOf: (value: Value) => number): Key {
  let found: Key | undefined;
  let most = -1;
  for (const [key, value] of entries) {
    if (countOf(value) <= most) continue;
    most = countOf(value);
    found = key;
  }
  return found as Key;
}

const countOfBroker = (accounts: OfBroker<unknown>): number =>
  [...accounts.values()].reduce((sum, { length }) => sum + length, 0);

/**
 * What waits for its turn, fair by broker, and by account within a broker: brokers have a turn each, one after the
 * other, and at its turn a broker serves its accounts likewise. Whoever asks often waits behind himself. DEC-SUB-56.
 */
export class PasswordQueue<Waiting> {
  /** In the order of their next turns. */
  readonly #brokers = new Map<AccountId, OfBroker<Waiting>>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** How many of an account wait. */
  countOf({ broker, account }: PasswordAsker): number {
    return this.#brokers.get(broker)?.get(account)?.length ?? 0;
  }

  push({ broker, account }: PasswordAsker, waiting: Waiting): void {
    const accounts = this.#brokers.get(broker) ?? new Map<AccountId, Waiting[]>();
    const own = accounts.get(account) ?? [];
    own.push(waiting);
    this.#brokers.set(broker, accounts.set(account, own));
    this.#count += 1;
  }

  /** Removes what is next; `undefined`: nothing waits. Its broker and its account go to the end of their lines. */
  shift(): Waiting | undefined {
    // stored order: a broker and an account stand where their last turn put them
    const [broker] = this.#brokers.keys();
    if (broker === undefined) return undefined;
    const accounts = this.#brokers.get(broker) as OfBroker<Waiting>;
    const [account] = accounts.keys();
    const own = accounts.get(account as AccountId) as Waiting[];
    const waiting = own.shift() as Waiting;
    accounts.delete(account as AccountId);
    if (own.length > 0) accounts.set(account as AccountId, own);
    this.#brokers.delete(broker);
    if (accounts.size > 0) this.#brokers.set(broker, accounts);
    this.#count -= 1;
    return waiting;
  }

  /** Removes what came last of the account that has most waiting, of the broker that has. Something waits. */
  dropOfGreediest(): Waiting {
    const broker = fullest(this.#brokers, countOfBroker);
    const accounts = this.#brokers.get(broker) as OfBroker<Waiting>;
    const account = fullest(accounts, ({ length }) => length);
    const own = accounts.get(account) as Waiting[];
    const waiting = own.pop() as Waiting;
    this.#forgetEmpty(broker, accounts, account);
    this.#count -= 1;
    return waiting;
  }

  /** Removes something that waits no longer. */
  remove({ broker, account }: PasswordAsker, waiting: Waiting): void {
    const accounts = this.#brokers.get(broker);
    const own = accounts?.get(account);
    const index = own?.indexOf(waiting) ?? -1;
    if (accounts === undefined || own === undefined || index < 0) return;
    own.splice(index, 1);
    this.#forgetEmpty(broker, accounts, account);
    this.#count -= 1;
  }

  #forgetEmpty(broker: AccountId, accounts: OfBroker<Waiting>, account: AccountId): void {
    if (accounts.get(account)?.length === 0) accounts.delete(account);
    if (accounts.size === 0) this.#brokers.delete(broker);
  }
}
