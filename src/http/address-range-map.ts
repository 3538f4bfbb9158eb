import { type ClientAddress, firstOfRange, readAddressRange } from '#http/client-address.ts';

/** What is known of an address since the last change. */
interface Found<Value> {
  readonly version: number;
  readonly values: readonly Value[];
}

const none: readonly never[] = [];

/**
 * Values by address or CIDR range. Those that hold for a client are remembered with its address until one changes; as
 * long as there is none, nothing is looked up.
 */
export class AddressRangeMap<Value> {
  /** By `bits` and first address. */
  readonly #values = new Map<string, Value>();
  /** Lengths of the ranges, with how many there are of each. */
  readonly #lengths = new Map<number, number>();
  readonly #found = new WeakMap<ClientAddress, Found<Value>>();
  #version = 0;

  get size(): number {
    return this.#values.size;
  }

  /** Values of all ranges that have the address, that of the narrowest first. */
  of(client: ClientAddress): readonly Value[] {
    if (this.#values.size === 0) return none;
    let found = this.#found.get(client);
    if (found === undefined || found.version !== this.#version) {
      found = { version: this.#version, values: this.#valuesOf(client) };
      this.#found.set(client, found);
    }
    return found.values;
  }

  /** Sets the value of an address or range in its normal form; `null`: it has none. A text that is neither is left. */
  set(target: string, value: Value | null): void {
    const range = readAddressRange(target);
    if (range === null) return;
    const { bits, first } = range;
    const name = `${bits} ${first}`;
    const change = Number(value !== null) - Number(this.#values.has(name));
    if (value === null) this.#values.delete(name);
    else this.#values.set(name, value);
    const count = (this.#lengths.get(bits) ?? 0) + change;
    if (count > 0) this.#lengths.set(bits, count);
    else this.#lengths.delete(bits);
    this.#version += 1;
  }

  #valuesOf({ parsed }: ClientAddress): Value[] {
    const whole = parsed.toByteArray().length * 8;
    const lengths = [...this.#lengths.keys()].filter((bits) => bits <= whole).sort((one, other) => other - one);
    const values: Value[] = [];
    for (const bits of lengths) {
      const value = this.#values.get(`${bits} ${firstOfRange(parsed, bits)}`);
      if (value !== undefined) values.push(value);
    }
    return values;
  }
}
