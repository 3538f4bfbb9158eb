/** A number's text with its thousands apart and with as many decimals as are asked for: `1234.5`, 2 is `1,234.50`. */
export function grouped(text: string, decimals?: number): string {
  const [whole = '', fraction = ''] = text.replace(/^[-−]/, '').split('.');
  const apart = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  const kept = decimals === undefined ? fraction : fraction.slice(0, decimals).padEnd(decimals, '0');
  const sign = /^[-−]/.test(text) ? '−' : '';
  return sign + (kept === '' ? apart : `${apart}.${kept}`);
}

const units = [
  ['T', 1e12],
  ['B', 1e9],
  ['M', 1e6],
  ['K', 1e3],
] as const;

/** A large number in its largest unit, cut at two decimals: 12,345,678 is `12.34M`. For a glance, not for money. */
export function compact(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const [name, unit] = units.find(([, from]) => Math.abs(value) >= from) ?? ['', 1];
  return grouped((Math.trunc((value / unit) * 100) / 100).toFixed(2)) + name;
}

/** A ratio as percent with its sign: 0.0123 is `+1.23%`. */
export function percent(ratio: number, decimals = 2): string {
  if (!Number.isFinite(ratio)) return '–';
  const text = Math.abs(ratio * 100).toFixed(decimals);
  const sign = Number(text) === 0 ? '' : ratio > 0 ? '+' : '−';
  return `${sign}${grouped(text)}%`;
}

/** Class of a change: which way it went. */
export const direction = (change: number): 'up' | 'down' | '' => (change > 0 ? 'up' : change < 0 ? 'down' : '');

/** How many decimals a text has. */
export const decimalsOf = (text: string): number => (text.split('.')[1] ?? '').length;
