import { surveyJson, withoutMember } from '#gateway/pipeline/json-survey.ts';
import { wireLimits } from '#api/limits.ts';
import type { BodyKind } from '#gateway/pipeline/parameters.ts';
import { decodeValue, percentEncoders } from '#gateway/signing/percent-coding.ts';
import type { SigningKey } from '#gateway/signing/signing-key.ts';

/** The parts of a request that its signature covers, as they came; one character per byte. */
export interface SignedParts {
  readonly query: string;
  readonly body: string;
  readonly bodyKind: BodyKind;
}

const pairStart = 'signature=';

/** Pairs without the one named `signature` and one `&` beside it. */
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

function withoutSignature(body: string, kind: BodyKind): string {
  if (kind === 'none') return '';
  if (kind === 'form') return withoutPair(body);
  if (!body.includes('signature') && !body.includes('\\')) return body;
  const { members } = surveyJson(body, wireLimits.request.jsonDepth);
  const index = members.findIndex((member) => member.name === 'signature');
  return index < 0 ? body : withoutMember(body, members, index);
}

/**
 * The text that a signature covers: query, then body, exactly as received, without the signature itself. Document 1.
 */
export const signedText = (parts: SignedParts): string =>
  withoutPair(parts.query) + withoutSignature(parts.body, parts.bodyKind);

/** The same pairs in the same order with every value decoded and encoded again; `null` where that is not possible. */
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
 * Every other text that may have been signed for this request, likeliest first. HTTP libraries rewrite escapes after
 * the signature was made; these texts have the same parameters, values escaped as the two usual encoders do. Nothing
 * else is tried. decisions.md section 1.
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

/** A signature has 64 hexadecimal digits of either case. */
export function isSignature(text: string | null): text is string {
  if (text === null || text.length !== wireLimits.signing.signatureHexDigits) return false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const lower = code | 0x20;
    if (!((code >= 0x30 && code <= 0x39) || (lower >= 0x61 && lower <= 0x66))) return false;
  }
  return true;
}

/** Takes the same time wherever two texts of equal length differ. */
function isSame(expected: string, given: string): boolean {
  let difference = expected.length ^ given.length;
  for (let at = 0; at < expected.length; at += 1) difference |= expected.charCodeAt(at) ^ given.charCodeAt(at);
  return difference === 0;
}

/**
 * Whether `signature`, 64 hexadecimal digits, was made with `secret` over this request. Compares in constant time.
 */
export function isSignedBy(secret: SigningKey, signature: string, parts: SignedParts): boolean {
  const given = signature.toLowerCase();
  if (isSame(secret.sign(signedText(parts)), given)) return true;
  for (const text of rewrittenTexts(parts)) if (isSame(secret.sign(text), given)) return true;
  return false;
}
