import { isUtf8 } from 'node:buffer';

const percent = 0x25;
const plus = 0x2b;
const blank = 0x20;

/** Value of a hexadecimal digit, -1 for any other character. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** Control characters are never part of a parameter. */
const isControl = (code: number): boolean => code < blank || code === 0x7f;

/**
 * Decodes one value of a query or form, given as received with one character per byte: percent escapes, `+` for a
 * blank, UTF-8. `null` for malformed escapes, overlong or invalid UTF-8, and control characters. A26.
 */
export function decodeValue(raw: string): string | null {
  let plain = true;
  for (let at = 0; at < raw.length; at += 1) {
    const code = raw.charCodeAt(at);
    if (code < blank || code === 0x7f) return null;
    if (code === percent || code === plus || code > 0x7f) plain = false;
  }
  return plain ? raw : decodeBytes(raw);
}

function decodeBytes(raw: string): string | null {
  const bytes = Buffer.allocUnsafe(raw.length);
  let length = 0;
  for (let at = 0; at < raw.length; at += 1) {
    let code = raw.charCodeAt(at);
    if (code === plus) code = blank;
    else if (code === percent) {
      const high = hexDigit(raw.charCodeAt(at + 1));
      const low = hexDigit(raw.charCodeAt(at + 2));
      if (!(high >= 0 && low >= 0)) return null;
      code = high * 16 + low;
      if (isControl(code)) return null;
      at += 2;
    }
    bytes[length++] = code;
  }
  const decoded = bytes.subarray(0, length);
  return isUtf8(decoded) ? decoded.toString('utf8') : null;
}

const marks = /[!'()*]/g;

/**
 * Percent encoding by RFC 3986 and by JavaScript: upper-case hex, `%20` for a blank; they differ in `!'()*`.
 * DEC-REQ-09.
 */
export const percentEncoders = {
  rfc3986: (value: string): string =>
    encodeURIComponent(value).replace(marks, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`),
  javascript: (value: string): string => encodeURIComponent(value),
} as const;

const unreserved = /[^A-Za-z0-9\-._~]/g;

/** Bytes, one character each, as text that is safe in a header; `decodeURIComponent` restores the UTF-8 text. */
export const headerSafe = (bytes: string): string =>
  bytes.replace(unreserved, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
