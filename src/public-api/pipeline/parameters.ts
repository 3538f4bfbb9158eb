import { isUtf8 } from 'node:buffer';
import { type JsonFault, type JsonObject, type JsonValue, readJson } from '#base/json-reader.ts';
import { ApiError, illegalParameter, invalidParameter, TransportError } from '#http/errors.ts';
import { scalarText } from '#public-api/declaration/flat-json.ts';
import { wireLimits } from '#http/limits.ts';
import { type BodyBounds, isCrowdedForm, isCrowdedJson } from '#public-api/pipeline/body-bounds.ts';
import { decodeValue } from '#public-api/signing/percent-coding.ts';

const limits = wireLimits.request;
const signatureName = 'signature';

/** Format of a body. */
export type BodyKind = 'none' | 'form' | 'json';

/** The parts of a request that contain parameters, as received. */
export interface ParameterSource {
  /** Raw text after the `?`, one character per byte. */
  readonly query: string;
  readonly body: Buffer | null;
  readonly contentType: string | undefined;
  readonly isSigned: boolean;
  /** Parameters of the endpoint, those of signing included. */
  readonly known: ReadonlySet<string>;
  /** Parameters that a JSON body may contain as an array of objects. */
  readonly arrays: readonly string[];
  /** Parameters that a JSON body may contain as an array of texts. */
  readonly lists: readonly string[];
  readonly bounds: BodyBounds;
}

/** Parameters of one request, from query and body. */
export interface RequestParameters {
  /**
   * Decoded, without prototype and without `signature`; the query's value if query and body have the same name.
   * SPEC-CNV-03, DEC-REQ-16.
   */
  readonly values: Record<string, string>;
  readonly bodyKind: BodyKind;
  /** The body as received, one character per byte; empty without one. */
  readonly bodyText: string;
  /** Number of signatures, and the first one; `null` without one. DEC-REQ-08. */
  readonly signatureCount: number;
  readonly signature: string | null;
  /** Whether all parameters of signing are the query's: `signature` and `timestamp`, and `recvWindow` if sent. */
  readonly isQuerySigning: boolean;
}

/** Parameters of one part of the request: the query or the body. */
interface ParameterPart {
  /** Parameters of the endpoint. */
  readonly known: ReadonlySet<string>;
  readonly values: Record<string, string>;
  count: number;
  signatureCount: number;
  signature: string | null;
  /** First name without a `=`. */
  bareName: string | null;
  /** First name that is not a parameter of the endpoint. */
  unknownName: string | null;
  /** The last pair that is not the signature, as received. */
  lastName: string;
  lastRaw: string;
}

const newPart = (known: ReadonlySet<string>): ParameterPart => ({
  known,
  values: Object.create(null) as Record<string, string>,
  count: 0,
  signatureCount: 0,
  signature: null,
  bareName: null,
  unknownName: null,
  lastName: '',
  lastRaw: '',
});

const printable = (name: string): string => name.slice(0, limits.parameterNameLength);

function isName(text: string): boolean {
  if (text.length === 0 || text.length > limits.parameterNameLength) return false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const lower = code | 0x20;
    if (!((lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f)) return false;
  }
  return true;
}

/**
 * Adds one parameter to its part. @throws ApiError 700008 for its name, 33333 if it is repeated or one too many.
 * DEC-REQ-57.
 */
function add(part: ParameterPart, name: string, value: string): void {
  if (!isName(name)) throw illegalParameter(printable(name));
  if (name === signatureName) {
    part.signatureCount += 1;
    part.signature ??= value;
    return;
  }
  if (part.values[name] !== undefined) throw invalidParameter(name, 'sent twice');
  if (value.length > limits.parameterBytes) throw invalidParameter(name, 'too long');
  part.count += 1;
  if (part.count > limits.parameters) {
    throw new ApiError('invalidParameter', { why: `more than ${limits.parameters} parameters` });
  }
  part.values[name] = value;
  if (part.unknownName === null && !part.known.has(name)) part.unknownName = name;
}

/** Reads `name=value` pairs separated by `&`; empty pairs are skipped. */
function readPairs(raw: string, isSigned: boolean, part: ParameterPart): void {
  for (let from = 0; from < raw.length; ) {
    let to = raw.indexOf('&', from);
    if (to < 0) to = raw.length;
    if (to > from) readPair(raw, from, to, isSigned, part);
    from = to + 1;
  }
}

function readPair(raw: string, from: number, to: number, isSigned: boolean, part: ParameterPart): void {
  const equals = raw.indexOf('=', from);
  const split = equals < 0 || equals > to ? to : equals;
  const name = raw.slice(from, split);
  const text = split === to ? '' : raw.slice(split + 1, to);
  // An unescaped `=` in a value is refused in signed requests: moved across the boundary of query and body, it could
  // form another pair.
  const isAmbiguous = isSigned && name !== signatureName && text.includes('=');
  const value = isAmbiguous ? null : decodeValue(text);
  if (value === null) throw illegalParameter(printable(name));
  add(part, name, value);
  if (name === signatureName) return;
  if (split === to) part.bareName ??= name;
  part.lastName = name;
  part.lastRaw = text;
}

const controlCharacters = /[\u0000-\u001f\u007f]/;

/** Text of a scalar of a JSON body; `null` for null, which counts as absent. */
function memberText(name: string, value: JsonValue): string | null {
  const text = scalarText(value);
  if (text === undefined) throw invalidParameter(printable(name), 'must not be an object or array');
  if (text !== null && controlCharacters.test(text)) throw illegalParameter(printable(name));
  return text;
}

/** An array of flat objects as JSON text whose values are all texts, as its field expects. */
function arrayText(name: string, items: readonly JsonValue[]): string {
  const flat = items.map((item) => {
    if (!(item instanceof Map)) throw invalidParameter(name, 'must be an array of objects');
    const texts = [...item].map(([member, value]) => [member, memberText(member, value)] as const);
    return Object.fromEntries(texts.filter(([, text]) => text !== null));
  });
  return JSON.stringify(flat);
}

const malformedJson = (why: string): ApiError =>
  new ApiError('invalidParameter', { why: `the body is no JSON object: ${why}` });

const jsonFaults: Readonly<Record<JsonFault, string>> = {
  malformed: 'it is malformed',
  namedTwice: 'it names a member twice',
  tooDeep: 'it is nested too deep',
};

function parseBody(body: Buffer): JsonObject {
  if (!isUtf8(body)) throw malformedJson('it is not UTF-8');
  const read = readJson(body.toString('utf8'), limits.jsonDepth);
  if (typeof read === 'string') throw malformedJson(jsonFaults[read]);
  if (!(read.value instanceof Map)) throw malformedJson('it is something else');
  return read.value;
}

/** An array of texts as one text with commas; an item with a comma would be two. */
function listText(name: string, items: readonly JsonValue[]): string {
  if (items.some((item) => typeof item !== 'string' || item.includes(',')))
    throw invalidParameter(name, 'must be an array of texts without commas');
  return items.map((item) => memberText(name, item)).join(',');
}

function textOf(name: string, value: JsonValue, { arrays, lists }: ParameterSource): string | null {
  if (!Array.isArray(value)) return memberText(name, value);
  if (lists.includes(name)) return listText(name, value);
  return arrays.includes(name) ? arrayText(name, value) : memberText(name, value);
}

function readJsonBody(body: Buffer, source: ParameterSource, part: ParameterPart): void {
  for (const [name, value] of parseBody(body)) {
    const text = textOf(name, value, source);
    if (text !== null) add(part, name, text);
  }
}

const blanks = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** First byte that is not a blank; -1 if there is none. */
function firstByte(body: Buffer): number {
  for (const byte of body) if (!blanks.has(byte)) return byte;
  return -1;
}

const jsonType = 'application/json';

const isFormByte = (byte: number): boolean => {
  const lower = byte | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (byte >= 0x30 && byte <= 0x39) || byte === 0x5f || byte === 0x26;
};

/**
 * Format of a body by its content type and first byte: some clients send forms as application/json, or bodies without a
 * type. DEC-REQ-10, DEC-REQ-11.
 * @throws TransportError 415 for any other content type.
 */
export function bodyKindOf(body: Buffer | null, contentType: string | undefined): BodyKind {
  if (body === null || body.length === 0) return 'none';
  if (contentType !== undefined && contentType !== jsonType) {
    const type = (contentType.split(';', 1)[0] as string).trim().toLowerCase();
    if (type === 'application/x-www-form-urlencoded') return 'form';
    if (type !== jsonType) throw new TransportError('contentTypeNotSupported');
  }
  return isFormByte(firstByte(body)) ? 'form' : 'json';
}

/*
 * The signature covers query and body without a separator, so an attacker with a signed request could try to move bytes
 * across that boundary. The rules below allow exactly one reading of every signed text. DEC-REQ-13, DEC-REQ-14,
 * DEC-REQ-59.
 */

/**
 * If a request has parameters in query and body, the boundary could have made a parameter of part of a name or value.
 */
function refuseUnknown({ bareName, unknownName }: ParameterPart): void {
  if (bareName !== null) throw illegalParameter(bareName, 'it has no value');
  if (unknownName !== null) throw illegalParameter(unknownName, 'this endpoint has no such parameter');
}

/**
 * A text that ends like a JSON object and contains an opening brace may have been a JSON body. `raws`: query and form.
 */
function refuseHiddenBody({ lastName, lastRaw }: ParameterPart, raws: readonly string[]): void {
  if (!lastRaw.trimEnd().endsWith('}')) return;
  if (raws.some((raw) => raw.includes('{'))) throw illegalParameter(lastName, 'escape its braces');
}

/** Whether no time of the body counts: it would not be covered by a signature of the query. */
const signsAlone = (query: Readonly<Record<string, string>>, body: Readonly<Record<string, string>>): boolean =>
  query['timestamp'] !== undefined && (query['recvWindow'] !== undefined || body['recvWindow'] === undefined);

/**
 * Reads all parameters of a request. SPEC-CNV-02, SPEC-CNV-04, DEC-REQ-12.
 * @throws ApiError 700008 for forbidden characters in names and values, 33333 for repeated parameters, malformed JSON
 * and exceeded limits; TransportError 415, and 413 for a body beyond its bounds.
 */
export function readParameters(source: ParameterSource): RequestParameters {
  const { body, isSigned, known } = source;
  const bodyKind = bodyKindOf(body, source.contentType);
  const bodyText = body?.toString('latin1') ?? '';
  const query = newPart(known);
  readPairs(source.query, isSigned, query);
  const { signature, signatureCount } = query;
  if (bodyKind === 'none') {
    if (isSigned) refuseHiddenBody(query, [source.query]);
    return { values: query.values, bodyKind, bodyText, signatureCount, signature, isQuerySigning: true };
  }
  const form = newPart(known);
  if (bodyKind === 'json') {
    if (isCrowdedJson(bodyText, source.bounds)) throw new TransportError('bodyTooLarge');
    readJsonBody(body as Buffer, source, form);
  } else {
    if (isCrowdedForm(bodyText, source.bounds)) throw new TransportError('bodyTooLarge');
    readPairs(bodyText, isSigned, form);
    if (isSigned) refuseHiddenBody(form.count > 0 ? form : query, [source.query, bodyText]);
  }
  if (isSigned && query.count > 0 && form.count > 0) {
    refuseUnknown(query);
    refuseUnknown(form);
  }
  const { values } = form;
  const isQuerySigning = signature !== null && signsAlone(query.values, values);
  for (const name of Object.keys(query.values)) values[name] = query.values[name] as string;
  return {
    values,
    bodyKind,
    bodyText,
    signatureCount: signatureCount + form.signatureCount,
    signature: signature ?? form.signature,
    isQuerySigning,
  };
}
