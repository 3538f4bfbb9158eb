import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { type JsonMember, readJson } from '#base/json-reader.ts';
import { wireLimits } from '#http/limits.ts';
import type { BodyKind } from '#public-api/pipeline/parameters.ts';
import { decodeValue, percentEncoders } from '#public-api/signing/percent-coding.ts';

/** The parts of a request that its signature covers, as received; one character per byte. */
export interface SignedParts {
  readonly query: string;
  readonly body: string;
  readonly bodyKind: BodyKind;
}

const pairStart = 'signature=';

/** Removes the pair named `signature` and one `&` beside it. DEC-REQ-06. */
function withoutPair(raw: string): string {
  let start = 0;
  if (!raw.startsWith(pairStart)) {
    const before = raw.indexOf(`&${pairStart}`);
    if (before < 0) return raw;
    start = before + 1;
  }
  const next = raw.indexOf('&', start);
  if (start > 0) return raw.slice(0, start - 1) + (next < 0 ? '' : raw.slice(next));
  return next < 0 ? '' : raw.slice(next + 1);
}

const blanks = /[ \t\n\r]*/y;

/** Removes a member with the comma and blanks before it; the first member with those after it. DEC-REQ-07. */
function withoutMember(text: string, members: readonly JsonMember[], index: number): string {
  const { start, end } = members[index] as JsonMember;
  const before = members[index - 1];
  if (before !== undefined) return text.slice(0, text.indexOf(',', before.end)) + text.slice(end);
  const next = members[index + 1];
  if (next !== undefined) return text.slice(0, start) + text.slice(next.start);
  blanks.lastIndex = end;
  blanks.exec(text);
  return text.slice(0, start) + text.slice(blanks.lastIndex);
}

/** Removes the member `signature` of the outermost object of a JSON body, however its name is escaped. */
function withoutSignatureMember(body: string): string {
  if (!body.includes('signature') && !body.includes('\\')) return body;
  const text = Buffer.from(body, 'latin1').toString('utf8');
  const read = readJson(text, wireLimits.request.jsonDepth);
  if (typeof read === 'string') return body;
  const index = read.members.findIndex((member) => member.name === 'signature');
  return index < 0 ? body : Buffer.from(withoutMember(text, read.members, index), 'utf8').toString('latin1');
}

function withoutSignature(body: string, kind: BodyKind): string {
  if (kind === 'none') return '';
  return kind === 'form' ? withoutPair(body) : withoutSignatureMember(body);
}

/**
 * The text that a signature covers: query, then body, exactly as received, without the signature itself.
 * SPEC-CNV-09, DEC-REQ-05.
 */
export const signedText = (parts: SignedParts): string =>
  withoutPair(parts.query) + withoutSignature(parts.body, parts.bodyKind);

/** The same pairs with every value decoded and encoded again; `null` if that is not possible. */
function recodePairs(raw: string, encode: (value: string) => string): string | null {
  const pairs: string[] = [];
  for (const pair of raw.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const value = equals < 0 ? '' : decodeValue(pair.slice(equals + 1));
    if (value === null) return null;
    pairs.push(equals < 0 ? pair : `${pair.slice(0, equals)}=${encode(value)}`);
  }
  return pairs.join('&');
}

/**
 * Other texts that may have been signed for this request, likeliest first: HTTP libraries may rewrite escapes after
 * signing. These texts have the same parameters, with values escaped by the two usual encoders; nothing else is
 * accepted. SPEC-CNV-10, DEC-REQ-09.
 */
function* rewrittenTexts(parts: SignedParts): Generator<string, void> {
  const query = withoutPair(parts.query);
  const body = withoutSignature(parts.body, parts.bodyKind);
  const tried = [query + body];
  for (const encode of [percentEncoders.rfc3986, percentEncoders.javascript]) {
    const head = recodePairs(query, encode);
    const tail = parts.bodyKind === 'form' ? recodePairs(body, encode) : body;
    if (head === null || tail === null || tried.includes(head + tail)) continue;
    tried.push(head + tail);
    yield head + tail;
  }
}

const signaturePattern = new RegExp(`^[0-9a-fA-F]{${wireLimits.signing.signatureHexDigits}}$`);

/** A signature has 64 hexadecimal digits of either case. */
export const isSignature = (text: string | null): text is string => text !== null && signaturePattern.test(text);

const hmacOf = (secret: KeyObject, text: string): Buffer =>
  createHmac('sha256', secret).update(text, 'latin1').digest();

/** The signature of a text, in hexadecimal digits. */
export const signatureOf = (secret: KeyObject, text: string): string => hmacOf(secret, text).toString('hex');

/**
 * Whether `signature`, 64 hexadecimal digits, is the HMAC-SHA256 of this request with `secret`. Compares in constant
 * time. SPEC-CNV-08, DEC-REQ-18.
 */
export function isSignedBy(secret: KeyObject, signature: string, parts: SignedParts): boolean {
  const given = Buffer.from(signature, 'hex');
  const isOf = (text: string): boolean => {
    const expected = hmacOf(secret, text);
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  if (isOf(signedText(parts))) return true;
  for (const text of rewrittenTexts(parts)) if (isOf(text)) return true;
  return false;
}
