import { setImmediate } from 'node:timers/promises';
import type { EvmKeys } from '#custody/evm/keys.ts';

/** Deriving one address takes about as long as handling a few commands; after this many, others have a turn. */
const derivedAtOnce = 32;

/** Which deposit address has which index. Addresses are in lower case, as nodes compare them. */
export class DepositAddresses {
  readonly #keys: EvmKeys;
  readonly #indexes = new Map<string, number>();
  readonly #addresses: string[] = [];

  constructor(keys: EvmKeys) {
    this.#keys = keys;
  }

  /** Derives what is missing of the addresses with an index below `count`. */
  async derive(count: number): Promise<void> {
    while (this.#addresses.length < count) {
      const index = this.#addresses.length;
      const address = this.#keys.depositAddress(index)?.toLowerCase();
      if (address === undefined) return;
      this.#addresses.push(address);
      this.#indexes.set(address, index);
      if (index % derivedAtOnce === 0) await setImmediate();
    }
  }

  /** Whether an address was derived and has an index below `count`. */
  has(address: string, count: number): boolean {
    return (this.#indexes.get(address) ?? count) < count;
  }

  /** Addresses with an index from `from` on and below `to`, as far as derived. */
  slice(from: number, to: number): readonly string[] {
    return this.#addresses.slice(from, to);
  }
}
