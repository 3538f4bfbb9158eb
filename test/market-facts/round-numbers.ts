/** Which numbers count as round: those that this step divides. A step of 1 leaves the number out. */
export type RoundStep = (number: number) => number;

/** Quantities with at most two digits other than zero; those of one or two digits are left out, as all of them are. */
export const twoDigits: RoundStep = (number) => 10 ** Math.max(0, String(number).length - 2);

/** Every tenth price. */
export const tenthTick: RoundStep = () => 10;

/** Counts how many of the whole numbers that traders chose are round, beside how many chance would make so. */
export class RoundNumbers {
  readonly #stepOf: RoundStep;
  #count = 0;
  #expected = 0;
  #round = 0;

  constructor(stepOf: RoundStep) {
    this.#stepOf = stepOf;
  }

  add(number: number): void {
    const step = this.#stepOf(number);
    if (step === 1) return;
    this.#count += 1;
    this.#expected += 1 / step;
    if (number % step === 0) this.#round += 1;
  }

  /** Fraction of the numbers that are round beyond chance: 0 without any preference. `NaN` without numbers. */
  get excess(): number {
    return this.#count === 0 ? Number.NaN : (this.#round - this.#expected) / this.#count;
  }
}
