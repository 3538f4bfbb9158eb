import { createPrng, type Prng } from '#base/prng.ts';

/** The greatest number that an amount may be. */
export const most = Number.MAX_SAFE_INTEGER;

/** A whole number from 0 to the greatest amount, whatever came out of a calculation. */
export const whole = (value: number): number => (value > 0 ? Math.min(most, Math.floor(value)) : 0);

/** Numbers at which something may turn over: words of 32 bits, doubles, parts per million. */
const corners = [
  0,
  1,
  2,
  999_999,
  1_000_000,
  1_000_001,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32 - 1,
  2 ** 32,
  2 ** 51,
  2 ** 52,
  most - 1,
  most,
];

/** Values to be drawn, and up to where on a scale each of them reaches. */
export interface Lots<Value> {
  readonly bounds: readonly number[];
  readonly values: readonly Value[];
}

/** Values with their weights, ready to be drawn. */
export function lotsOf<Value>(choices: readonly (readonly [number, Value])[]): Lots<Value> {
  let sum = 0;
  return { bounds: choices.map(([weight]) => (sum += weight)), values: choices.map(([, value]) => value) };
}

/** Chance in the words that a generator of commands needs. The same seed gives the same answers. */
export class Chance {
  readonly #prng: Prng;

  constructor(seed: number) {
    this.#prng = createPrng(seed);
  }

  /** True this often. */
  in(share: number): boolean {
    return this.#prng.next() < share;
  }

  /** A whole number in [0, bound). */
  below(bound: number): number {
    return this.#prng.below(bound);
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.#prng.below(values.length)] as Value;
  }

  /** One of the values, each as often as its weight says. */
  draw<Value>({ bounds, values }: Lots<Value>): Value {
    const roll = this.#prng.next() * (bounds[bounds.length - 1] as number);
    let at = 0;
    while ((bounds[at] as number) <= roll) at += 1;
    return values[at] as Value;
  }

  /** As many digits as likely as any other number of them, up to `bound`. */
  anySize(bound: number): number {
    return whole(Math.exp(this.#prng.next() * Math.log(bound + 1)));
  }

  /** The value, or one beside it. */
  near(value: number): number {
    return whole(value + this.pick([0, 0, 0, -1, 1]));
  }

  corner(): number {
    return this.near(this.pick(corners));
  }
}
