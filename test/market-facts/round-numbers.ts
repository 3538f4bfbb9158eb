/** Which numbers count as round: those that this step divides. A step of 1 leaves the number out. */
export type RoundStep = (number: number) => number;

/** Quantities with at most two digits other than zero; those of one or two digits are left out, as all of them are. */
export const twoDigits: RoundStep = (number) => 10 ** Math.max(0, String(number).length - 2);

/** Every tenth price. */
export const tenthTick: RoundStep = () => 10;

/** Counts how many of the whole numbers that traders chose are round, beside how many chance would make so. */
export class RoundNumbers {
  readonly #stepOf: RoundStep;
  #expected = 0;
  #round = 0;

  constructor(stepOf: RoundStep) {
    this.#stepOf = stepOf;
  }

  add(number: number): void {
    const step = this.#stepOf(number);
    if (step === 1) return;
    this.#expected += 1 / step;
    if (number % step === 0) this.#round += 1;
  }

  /** Round numbers over those that chance would make round: 1 without any preference. `NaN` after too few numbers. */
  get preference(): number {
    return this.#expected < 1 ? Number.NaN : this.#round / this.#expected;
  }
}
