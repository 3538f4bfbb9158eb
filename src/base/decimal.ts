/** Form of a decimal number on the wire: digits only, without sign, exponent, blank or hex. DEC-REQ-24. */
const decimalPattern = /^(0|[1-9]\d{0,17})(?:\.(\d{1,18}))?$/;

/** 10^0 to 10^36. */
export const powersOfTen: readonly bigint[] = Array.from({ length: 37 }, (_, exponent) => 10n ** BigInt(exponent));

/** Why a text cannot be read as a decimal of the given scale. */
export type DecimalFault = 'malformed' | 'tooManyDecimals';

/**
 * `1.25` at scale 4 is `12500n`. Trailing zeros beyond the scale are fine; other digits there are refused, never
 * rounded.
 */
export function parseDecimal(text: string, scale: number): bigint | DecimalFault {
  const match = decimalPattern.exec(text);
  if (match === null) return 'malformed';
  const whole = match[1] as string;
  let fraction = match[2] ?? '';
  if (fraction.length > scale) {
    if (!/^0*$/.test(fraction.slice(scale))) return 'tooManyDecimals';
    fraction = fraction.slice(0, scale);
  }
  return BigInt(whole + fraction.padEnd(scale, '0'));
}

/** As `parseDecimal`, for values that must fit a safe integer: `tooLarge` beyond 2^53 - 1. */
export function parseSafeDecimal(text: string, scale: number): number | DecimalFault | 'tooLarge' {
  const short = parseShort(text, scale);
  if (short !== null) return short;
  const value = parseDecimal(text, scale);
  if (typeof value === 'string') return value;
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? 'tooLarge' : Number(value);
}

/** Fast path of `parseSafeDecimal` for short well-formed numbers, which nearly all are; `null` otherwise. */
function parseShort(text: string, scale: number): number | null {
  const { length } = text;
  if (length === 0 || length > shortDigits || (length > 1 && text.charCodeAt(0) === 48 && text.charCodeAt(1) !== 46)) {
    return null;
  }
  let value = 0;
  let point = length;
  for (let at = 0; at < length; at += 1) {
    const digit = text.charCodeAt(at) - 48;
    if (digit >= 0 && digit <= 9) value = value * 10 + digit;
    else if (digit === -2 && point === length && at > 0 && at < length - 1) point = at;
    else return null;
  }
  const decimals = point === length ? 0 : length - point - 1;
  const unit = safePowers[scale - decimals];
  if (unit === undefined) return null;
  const scaled = value * unit;
  return scaled <= Number.MAX_SAFE_INTEGER ? scaled : null;
}

/** Numbers of at most this many digits are always safe integers. */
const shortDigits = 15;
/** Powers of ten that are safe integers. */
const safePowers: readonly number[] = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);

const safeMax = BigInt(Number.MAX_SAFE_INTEGER);

/** Prints a scaled integer as a trimmed decimal: `12500` at scale 4 is `1.25`, zero is `0`. DEC-MKT-09. */
export function formatDecimal(value: bigint | number, scale: number): string {
  const unit = safePowers[scale];
  if (unit === undefined) return formatBig(BigInt(value), scale);
  if (typeof value === 'bigint') {
    return value >= 0n && value <= safeMax ? formatSafe(Number(value), unit, scale) : formatBig(value, scale);
  }
  return value >= 0 && value <= Number.MAX_SAFE_INTEGER
    ? formatSafe(value, unit, scale)
    : formatBig(BigInt(value), scale);
}

function formatBig(value: bigint, scale: number): string {
  const negative = value < 0;
  const digits = (negative ? -value : value).toString();
  if (scale === 0) return negative ? `-${digits}` : digits;
  const padded = digits.length > scale ? digits : digits.padStart(scale + 1, '0');
  const split = padded.length - scale;
  let end = padded.length;
  while (end > split && padded.charCodeAt(end - 1) === 48) end -= 1;
  const text = end === split ? padded.slice(0, split) : `${padded.slice(0, split)}.${padded.slice(split, end)}`;
  return negative && text !== '0' ? `-${text}` : text;
}

/** As `formatBig` for a safe integer, without bigint arithmetic. `unit`: 10 to the power of `scale`. */
function formatSafe(value: number, unit: number, scale: number): string {
  const rest = value % unit;
  const whole = (value - rest) / unit;
  if (rest === 0) return `${whole}`;
  let digits = rest;
  let width = scale;
  while (digits % 10 === 0) {
    digits /= 10;
    width -= 1;
  }
  return `${whole}.${`${digits}`.padStart(width, '0')}`;
}
