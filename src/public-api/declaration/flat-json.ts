import { JsonNumber, type JsonValue, readJson } from '#base/json-reader.ts';

/** Reads JSON objects of scalars as texts: numbers keep their digits, exponents are expanded, null counts as absent. */
export type FlatObject = Readonly<Record<string, string>>;

/** A number whose exponent needs more zeros than this is left as it is, and later refused as malformed. */
const exponentMax = 40;
const exponentPattern = /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d+)$/;

/** `1e-7` is `0.0000001`, exactly; what has no exponent, or an absurd one, stays as it is. DEC-REQ-24, DEC-REQ-58. */
export function expandExponent(source: string): string {
  const match = exponentPattern.exec(source);
  if (match === null) return source;
  const [, sign = '', whole = '', fraction = '', power = ''] = match;
  const shift = Number(power);
  if (Math.abs(shift) > exponentMax) return source;
  const point = whole.length + shift;
  const digits = whole + fraction;
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0');
  const split = Math.max(point, 1);
  const left = padded.slice(0, split).replace(/^0+(?=\d)/, '');
  const right = padded.slice(split);
  return right === '' ? sign + left : `${sign}${left}.${right}`;
}

/**
 * Text of a scalar, as a form would contain it: exponents are expanded. `null` for null, which counts as absent;
 * `undefined` for an object or array.
 */
export function scalarText(value: JsonValue): string | null | undefined {
  if (value === null || typeof value === 'string') return value;
  if (value instanceof JsonNumber) return expandExponent(value.source);
  return typeof value === 'boolean' ? `${value}` : undefined;
}

/** Objects of scalars in an array: an item is the second level. */
const flatDepth = 2;

function flatObject(item: JsonValue): FlatObject | null {
  if (!(item instanceof Map)) return null;
  const members: Record<string, string> = Object.create(null);
  for (const [name, value] of item) {
    const text = scalarText(value);
    if (text === undefined) return null;
    if (text !== null) members[name] = text;
  }
  return members;
}

/**
 * Items of a JSON array of flat objects; `null` for any other text, including repeated members and nested values. Any
 * member name is safe: the records have no prototype.
 */
export function readFlatObjects(text: string): readonly FlatObject[] | null {
  const read = readJson(text, flatDepth);
  if (typeof read === 'string' || !Array.isArray(read.value)) return null;
  const items = read.value.map(flatObject);
  return items.every((item) => item !== null) ? items : null;
}

/**
 * Parses several symbol names: separated by commas with optional blanks, or as a JSON array of texts. Each once, in
 * order; `null` for a malformed array. DEC-MKT-11.
 */
export function readSymbolNames(text: string): readonly string[] | null {
  const names = text.trimStart().startsWith('[') ? readArray(text) : text.split(',').map((name) => name.trim());
  return names === null ? null : [...new Set(names)];
}

function readArray(text: string): readonly string[] | null {
  const read = readJson(text, 1);
  if (typeof read === 'string' || !Array.isArray(read.value)) return null;
  const names = read.value;
  return names.every((name) => typeof name === 'string') ? names : null;
}
