const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const dot = 0x2e;
const zero = 0x30;
const colon = 0x3a;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Beyond this many members a body is not plain: looking for a repeated name compares each with each. */
const membersMax = 16;

const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
const isDigit = (code: number): boolean => code >= zero && code <= 0x39;

const words = ['true', 'false', 'null'] as const;

/** One member after the other, in the order of the text; a value is the text of a scalar, `null` for null. */
export interface PlainMembers {
  readonly names: readonly string[];
  readonly values: readonly (string | null)[];
}

/** Position behind the string that opens at `at`; -1 where it holds anything but printable ASCII as it stands. */
function stringEnd(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code === quote) return end + 1;
    if (code < 0x20 || code > 0x7e || code === backslash) return -1;
  }
  return -1;
}

function digitsEnd(text: string, at: number): number {
  let end = at;
  while (isDigit(text.charCodeAt(end))) end += 1;
  return end;
}

/** Position behind the number that begins at `at`, an exponent not included; -1 for none. */
function numberEnd(text: string, at: number): number {
  const start = text.charCodeAt(at) === minus ? at + 1 : at;
  const whole = digitsEnd(text, start);
  if (whole === start || (text.charCodeAt(start) === zero && whole > start + 1)) return -1;
  if (text.charCodeAt(whole) !== dot) return whole;
  const end = digitsEnd(text, whole + 1);
  return end === whole + 1 ? -1 : end;
}

function skipBlanks(text: string, at: number): number {
  let next = at;
  while (isBlank(text.charCodeAt(next))) next += 1;
  return next;
}

/**
 * Members of a JSON object that is as nearly every client writes it: flat, names and texts of printable ASCII without
 * escapes, numbers without exponents, no name twice, blanks anywhere. `null` for every other text, JSON or not: then a
 * whole parser has to look. `text`: one character per byte.
 */
export function readPlainMembers(text: string): PlainMembers | null {
  const names: string[] = [];
  const values: (string | null)[] = [];
  let at = skipBlanks(text, 0);
  if (text.charCodeAt(at) !== openBrace) return null;
  do {
    const nameAt = skipBlanks(text, at + 1);
    if (text.charCodeAt(nameAt) !== quote) return null;
    const nameEnd = stringEnd(text, nameAt);
    if (nameEnd < 0) return null;
    const name = text.slice(nameAt + 1, nameEnd - 1);
    // The whole parser reads this name as no member at all.
    if (name === '__proto__' || names.length === membersMax || names.includes(name)) return null;
    at = skipBlanks(text, nameEnd);
    if (text.charCodeAt(at) !== colon) return null;
    at = skipBlanks(text, at + 1);
    const end = text.charCodeAt(at) === quote ? stringEnd(text, at) : scalarEnd(text, at);
    if (end < 0) return null;
    names.push(name);
    values.push(scalarText(text, at, end));
    at = skipBlanks(text, end);
  } while (text.charCodeAt(at) === comma);
  if (text.charCodeAt(at) !== closeBrace) return null;
  return skipBlanks(text, at + 1) === text.length ? { names, values } : null;
}

/** Position behind the number or word that begins at `at`; -1 for none. */
function scalarEnd(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (isDigit(code) || code === minus) return numberEnd(text, at);
  for (const word of words) if (text.startsWith(word, at)) return at + word.length;
  return -1;
}

function scalarText(text: string, at: number, end: number): string | null {
  if (text.charCodeAt(at) === quote) return text.slice(at + 1, end - 1);
  const source = text.slice(at, end);
  return source === 'null' ? null : source;
}
