/** A seeded random generator: the same seed gives the same sequence on every machine. */
export interface Prng {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform whole number in [0, bound). */
  below(bound: number): number;
  /** Standard normal. */
  gaussian(): number;
  /** State, to store and to continue from later. */
  save(): readonly [number, number, number, number];
}

const spread = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
};

/** Small fast counting generator with 128 bits of state. Not for secrets. */
export function createPrng(seed: number | readonly [number, number, number, number]): Prng {
  const word = typeof seed === 'number' ? spread(seed) : null;
  const state = word === null ? [...(seed as readonly number[])] : [word(), word(), word(), 1];
  let [a, b, c, counter] = state as [number, number, number, number];
  const uint = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  const next = (): number => uint() / 4294967296;
  return {
    next,
    below: (bound) => Math.floor(next() * bound),
    gaussian: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    save: () => [a, b, c, counter],
  };
}
