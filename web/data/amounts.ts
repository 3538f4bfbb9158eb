import { formatDecimal, parseDecimal } from '#base/decimal.ts';

/*
 * Sums of money as text, without floating point. DEC-WEB-31.
 */

const scale = 18;

/** An amount in its smallest unit; `null`: the text is no amount. */
function unitsOf(text: string): bigint | null {
  const units = parseDecimal(text, scale);
  return typeof units === 'string' ? null : units;
}

const textOf = (units: bigint): string => formatDecimal(units, scale);

/** Whether a text is an amount, of zero or more. */
export const isAmount = (text: string): boolean => unitsOf(text) !== null;

/** Sum of amounts; what is no amount counts as nothing. */
export const sumOf = (texts: readonly string[]): string =>
  textOf(texts.reduce((sum, text) => sum + (unitsOf(text) ?? 0n), 0n));

/** One amount less another; `null`: one of them is no amount, or nothing would be left. */
export function lessThan(text: string, less: string): string | null {
  const [units, taken] = [unitsOf(text), unitsOf(less)];
  return units === null || taken === null || taken >= units ? null : textOf(units - taken);
}

/** Below zero, zero or above, as one amount is less than, equal to or more than another; `null`: one is no amount. */
export function compareAmounts(one: string, other: string): number | null {
  const [units, others] = [unitsOf(one), unitsOf(other)];
  if (units === null || others === null) return null;
  return units < others ? -1 : units > others ? 1 : 0;
}

/** Whether an amount is a whole multiple of a step. */
export function isMultiple(text: string, step: string): boolean {
  const [units, steps] = [unitsOf(text), unitsOf(step)];
  return units !== null && (steps === null || steps === 0n || units % steps === 0n);
}

/** The largest multiple of a step that is no more than an amount. */
export function downTo(text: string, step: string | null): string {
  const [units, steps] = [unitsOf(text), step === null ? null : unitsOf(step)];
  if (units === null || steps === null || steps === 0n) return text;
  return textOf(units - (units % steps));
}

/** An amount at a price, cut at 18 decimals; `null`: one of them is no amount. */
export function atPrice(text: string, price: string): string | null {
  const [units, prices] = [unitsOf(text), unitsOf(price)];
  return units === null || prices === null ? null : textOf((units * prices) / 10n ** BigInt(scale));
}

/** Whether an amount is nothing. */
export const isNothing = (text: string): boolean => unitsOf(text) === 0n;

/** The smaller of two amounts. */
export const smaller = (one: string, other: string): string => ((compareAmounts(one, other) ?? 0) <= 0 ? one : other);
