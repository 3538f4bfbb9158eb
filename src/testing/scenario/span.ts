import { z } from 'zod';

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const pattern = /^(\d{1,9})(ms|s|m|h|d)$/;

/** A span of time such as `250ms`, `90s`, `10m`, `8h` or `1d`. */
export const span = (description: string) =>
  z
    .string()
    .regex(pattern, 'must be a span such as 250ms, 90s, 10m, 8h or 1d')
    .meta({ description, examples: ['90s'] });

/** The milliseconds of a span. @throws TypeError for a text that is none */
export function spanMs(text: string): number {
  const [, count, unit] = pattern.exec(text) ?? [];
  if (count === undefined) throw new TypeError(`${text} is no span`);
  return Number(count) * (units[unit as string] as number);
}
