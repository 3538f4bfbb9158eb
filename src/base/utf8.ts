const isHigh = (unit: number): boolean => (unit & 0xfc00) === 0xd800;
const isLow = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;

/** Bytes that `writeUtf8` needs for `text`. A lone surrogate takes three. */
export function utf8Size(text: string): number {
  let size = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    if (unit < 0x800) size += 1;
    else if (isHigh(unit) && index + 1 < text.length && isLow(text.charCodeAt(index + 1))) {
      size += 2;
      index += 1;
    } else size += 2;
  }
  return size;
}

/** Writes `text`, whose `utf8Size` is `size`, at `start` of `target`, which must be large enough. */
export function writeUtf8(text: string, size: number, target: Uint8Array, start: number): void {
  let at = start;
  if (size === text.length) {
    for (let index = 0; index < size; index += 1) target[at++] = text.charCodeAt(index);
    return;
  }
  for (let index = 0; index < text.length; index += 1) {
    const code = text.codePointAt(index) as number;
    if (code < 0x80) target[at++] = code;
    else if (code < 0x800) {
      target[at++] = 0xc0 | (code >>> 6);
      target[at++] = 0x80 | (code & 0x3f);
    } else if (code < 0x10000) {
      target[at++] = 0xe0 | (code >>> 12);
      target[at++] = 0x80 | ((code >>> 6) & 0x3f);
      target[at++] = 0x80 | (code & 0x3f);
    } else {
      index += 1;
      target[at++] = 0xf0 | (code >>> 18);
      target[at++] = 0x80 | ((code >>> 12) & 0x3f);
      target[at++] = 0x80 | ((code >>> 6) & 0x3f);
      target[at++] = 0x80 | (code & 0x3f);
    }
  }
}

const unitsPerCall = 4096;
const fromUnits = (units: Uint8Array | Uint16Array): string =>
  String.fromCharCode.apply(null, units as unknown as number[]);

function asciiEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && (bytes[at] as number) < 0x80) at += 1;
  return at;
}

/** Text of the bytes from `start` to `end` (exclusive); `null` if they are not the one valid encoding of a text. */
export function readUtf8(bytes: Uint8Array, start: number, end: number): string | null {
  if (asciiEnd(bytes, start, end) < end) return readWide(bytes, start, end);
  if (end - start <= unitsPerCall) return fromUnits(bytes.subarray(start, end));
  let text = '';
  for (let at = start; at < end; at += unitsPerCall)
    text += fromUnits(bytes.subarray(at, Math.min(end, at + unitsPerCall)));
  return text;
}

/** Code point of the sequence of `size` bytes at `at`; -1 if it is truncated, overlong or out of range. */
function codeAt(bytes: Uint8Array, at: number, size: number, end: number): number {
  if (size === 0 || at + size > end) return -1;
  let code = (bytes[at] as number) & (0x7f >>> size);
  for (let index = 1; index < size; index += 1) {
    const next = bytes[at + index] as number;
    if ((next & 0xc0) !== 0x80) return -1;
    code = (code << 6) | (next & 0x3f);
  }
  const least = size === 2 ? 0x80 : size === 3 ? 0x800 : 0x10000;
  return code < least || code > 0x10ffff ? -1 : code;
}

function sizeOf(lead: number): number {
  if (lead >= 0xc0 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  return lead >= 0xf0 && lead < 0xf8 ? 4 : 0;
}

function readWide(bytes: Uint8Array, start: number, end: number): string | null {
  const units = new Uint16Array(end - start);
  let count = 0;
  let loneHigh = false;
  for (let at = start; at < end; ) {
    const lead = bytes[at] as number;
    const size = lead < 0x80 ? 1 : sizeOf(lead);
    const code = lead < 0x80 ? lead : codeAt(bytes, at, size, end);
    // Surrogates encoded separately would be a second encoding of the pair.
    if (code < 0 || (loneHigh && isLow(code) && code < 0x10000)) return null;
    loneHigh = code < 0x10000 && isHigh(code);
    if (code < 0x10000) units[count++] = code;
    else {
      units[count++] = 0xd800 + ((code - 0x10000) >>> 10);
      units[count++] = 0xdc00 + ((code - 0x10000) & 0x3ff);
    }
    at += size;
  }
  let text = '';
  for (let at = 0; at < count; at += unitsPerCall)
    text += fromUnits(units.subarray(at, Math.min(count, at + unitsPerCall)));
  return text;
}
