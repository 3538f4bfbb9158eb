import { z } from 'zod';
import { shown } from '#testing/scenario/step-answer.ts';

/*
 * What is expected of a value: the value itself, amounts as numbers whatever their zeros, of an object the members that
 * are named, of a list each item; or bounds of an amount.
 */

const decimalPattern = /^-?\d+(?:\.\d+)?$/;
/** Bounds of an amount, by what says them. */
const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  above: (order) => order > 0,
  below: (order) => order < 0,
  atLeast: (order) => order >= 0,
  atMost: (order) => order <= 0,
  not: (order) => order !== 0,
};

/** What a step expects of a value: any value, or bounds such as `{ above: 10 }`. */
export const expectedValue = z.unknown().meta({
  description:
    'The value; amounts compare as numbers, objects by the members that are named. Or bounds of it: ' +
    `${Object.keys(comparisons).join(', ')}.`,
});

/** Members of an object that are expected. */
export const expectedMembers = z
  .record(z.string(), expectedValue)
  .meta({ description: 'Members that are expected, those that are named alone.' });

const isDecimal = (value: unknown): boolean =>
  (typeof value === 'string' || typeof value === 'number') && decimalPattern.test(String(value));
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Two amounts as whole numbers of their smallest decimal. */
function scaled(first: string, second: string) {
  const decimals = Math.max(...[first, second].map((text) => text.split('.')[1]?.length ?? 0));
  const whole = (text: string): bigint => {
    const [before = '', behind = ''] = text.split('.');
    return BigInt(before + behind.padEnd(decimals, '0'));
  };
  return { decimals, first: whole(first), second: whole(second) };
}

/** Below zero, zero or above, as the first amount is less than the second, equal or greater. */
export function compareDecimals(one: string, other: string): number {
  const { first, second } = scaled(one, other);
  return first > second ? 1 : first < second ? -1 : 0;
}

/** The sum of two amounts that are not negative. */
export function addDecimals(one: string, other: string): string {
  const { decimals, first, second } = scaled(one, other);
  const digits = (first + second).toString().padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

function isEqual(expected: unknown, seen: unknown): boolean {
  if (isDecimal(expected) && isDecimal(seen)) return compareDecimals(String(expected), String(seen)) === 0;
  return expected === seen;
}

/** What was expected of a value and what it is, each with where it stands. */
export interface Difference {
  readonly expected: string;
  readonly seen: string;
}

/** How a value differs from what is expected; `null`: it does not. */
export function differenceOf(expected: unknown, seen: unknown, where = ''): Difference | null {
  if (Array.isArray(expected)) return differenceOfLists(expected, seen, where);
  if (!isObject(expected)) return isEqual(expected, seen) ? null : told(where, shown(expected), seen);
  const bounds = Object.entries(expected);
  if (bounds.length > 0 && bounds.every(([name]) => Object.hasOwn(comparisons, name))) {
    const isMet = bounds.every(([name, bound]) => isWithin(name, bound, seen));
    return isMet ? null : told(where, bounds.map(([name, bound]) => `${name} ${shown(bound)}`).join(' and '), seen);
  }
  if (!isObject(seen)) return told(where, shown(expected), seen);
  for (const [name, inner] of bounds) {
    const value = Object.hasOwn(seen, name) ? seen[name] : undefined;
    const difference = differenceOf(inner, value, where === '' ? name : `${where}.${name}`);
    if (difference !== null) return difference;
  }
  return null;
}

function isWithin(name: string, bound: unknown, seen: unknown): boolean {
  if (!isDecimal(bound) || !isDecimal(seen)) return name === 'not' && bound !== seen;
  return comparisons[name]?.(compareDecimals(String(seen), String(bound))) === true;
}

function differenceOfLists(expected: readonly unknown[], seen: unknown, where: string): Difference | null {
  if (!Array.isArray(seen)) return told(where, shown(expected), seen);
  if (seen.length !== expected.length) return told(where, `${expected.length} items: ${shown(expected)}`, seen);
  for (const [at, inner] of expected.entries()) {
    const difference = differenceOf(inner, seen[at], `${where}[${at}]`);
    if (difference !== null) return difference;
  }
  return null;
}

const told = (where: string, expected: string, seen: unknown): Difference => ({
  expected: `${where === '' ? '' : `${where} `}${expected}`,
  seen: shown(seen),
});
