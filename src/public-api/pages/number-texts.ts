import { formatDecimal } from '#base/decimal.ts';

/** A scaled integer of 0 or more with all of its decimals and its thousands apart: `1234500` at 2 is `12,345.00`. */
export function groupedText(value: bigint | number, decimals: number): string {
  const [whole = '', fraction = ''] = formatDecimal(value, decimals).split('.');
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return decimals === 0 ? grouped : `${grouped}.${fraction.padEnd(decimals, '0')}`;
}

/** Names of large units, the largest first, with their powers of ten. */
const largeUnits = [
  ['T', 12],
  ['B', 9],
  ['M', 6],
  ['K', 3],
] as const;

/** An amount of 0 or more, cut at two decimals of its largest unit: 12,345,678 is `12.34M`. `scale`: its decimals. */
export function compactText(amount: bigint, scale: number): string {
  const [name, power] = largeUnits.find(([, at]) => amount >= 10n ** BigInt(scale + at)) ?? ['', 0];
  return groupedText((amount * 100n) / 10n ** BigInt(scale + power), 2) + name;
}

/** A change in units of 0.0001 as percent with its sign: `-123` is `−1.23%`. */
export function percentText(bps: number): string {
  const sign = bps > 0 ? '+' : bps < 0 ? '−' : '';
  return `${sign}${groupedText(Math.abs(bps), 2)}%`;
}
