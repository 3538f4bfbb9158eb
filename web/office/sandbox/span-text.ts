/** Units of spans by their sign, the longest first, in milliseconds. */
const units = [
  ['w', 604_800_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
] as const;

/** What a field for a span says where it cannot be read. */
export const spanFault = 'It must be a span such as 90 s, 15 m, 8 h, 2 d or 1 h 30 m.';

/**
 * The milliseconds of a span as people write it: `90 s`, `1h 30m`, `2d`. A number alone is seconds.
 * @throws Error telling what it must be
 */
export function spanOf(text: string): number {
  const entered = text.trim().toLowerCase();
  if (/^\d{1,12}$/.test(entered)) return Number(entered) * 1000;
  const parts = [...entered.matchAll(/(\d{1,12}(?:\.\d{1,3})?)\s*(ms|[smhdw])\s*/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== entered) throw new Error(spanFault);
  const sum = parts.reduce((total, [, count, sign]) => total + Number(count) * unitOf(sign as string), 0);
  return Math.round(sum);
}

const unitOf = (sign: string): number => units.find(([each]) => each === sign)?.[1] ?? 0;

/** A span in its two largest units: `1 d 2 h`, `15 m`, `0 s`; a part of a second in milliseconds. */
export function spanText(ms: number): string {
  const parts: string[] = [];
  let left = Math.round(Math.abs(ms));
  for (const [sign, unit] of units) {
    const count = Math.floor(left / unit);
    left -= count * unit;
    if (count > 0) parts.push(`${count} ${sign}`);
  }
  return parts.length === 0 ? '0 s' : parts.slice(0, 2).join(' ');
}
