import type { BenchLine, Budget } from './harness.ts';
import { meets } from './harness.ts';

/** A figure in three digits, large ones in thousands and millions. */
export function digits(value: number): string {
  if (value >= 1e6) return `${(value / 1e6).toFixed(2)} M`;
  if (value >= 1e4) return `${(value / 1e3).toFixed(1)} k`;
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

/** A budget; empty without one. */
export const budgetText = (budget: Budget | null): string =>
  budget === null ? '' : `${budget.bound === 'atLeast' ? '≥' : '≤'} ${digits(budget.figure)}`;

const isMet = (ratio: number, budget: Budget | null): boolean => budget === null || meets(ratio, budget);

/** Which budget a line keeps; empty where it has none. */
export function verdictOf({ ratio, must, aim }: BenchLine): '' | 'aim' | 'must' | 'MISSED' {
  if (must === null) return '';
  if (!isMet(ratio, must)) return 'MISSED';
  return isMet(ratio, aim) ? 'aim' : 'must';
}

/** Lowest and highest sample. */
export const spreadText = ({ samples }: BenchLine): string =>
  `${digits(Math.min(...samples))} – ${digits(Math.max(...samples))}`;
