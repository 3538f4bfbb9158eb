import { z } from 'zod';
import { type AnyOperatorEndpoint, isWrite, type ParameterSchema } from '#operator-api/declaration/endpoint.ts';
import {
  invalidBody,
  invalidMember,
  invalidParameter,
  type MemberFault,
  Problem,
} from '#operator-api/requests/problems.ts';
import { faultsOf } from '#operator-api/requests/schema-faults.ts';
import { JsonNumber, type JsonFault, type JsonValue, readJson } from '#base/json-reader.ts';
import { wireLimits } from '#http/limits.ts';

/** The parts of a request as the transport gives them. */
export interface RawParts {
  /** Members of the path, decoded. */
  readonly path: Readonly<Record<string, string>>;
  /** Text behind the `?`, not decoded. */
  readonly query: string;
  /** `undefined`: there is none. */
  readonly body: Uint8Array | undefined;
}

/** The parts of a request as its endpoint declares them. */
export interface ReadParts {
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
  /** Why an operator acts; `null`: none was given. */
  readonly reason: string | null;
}

/** Most pairs of a query. */
const pairsMax = 32;
/** Longest part of a name that an answer repeats. */
const shownNameMax = 64;

const shownName = (name: string): string => (name.length > shownNameMax ? `${name.slice(0, shownNameMax)}…` : name);

/** One part of a JSON pointer. RFC 6901. */
const pointerPart = (name: PropertyKey): string => shownName(String(name)).replaceAll('~', '~0').replaceAll('/', '~1');

const pointerOf = (path: readonly PropertyKey[]): string => path.map((name) => `/${pointerPart(name)}`).join('');

/** How the text of a parameter becomes a value of its schema, by the JSON type of that. */
const textReaders: Readonly<Record<string, (text: string) => unknown>> = {
  integer: (text) => (/^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : text),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
};
const asText = (text: string): unknown => text;

type Reader<Source> = (source: Source) => unknown;

/** Reads parameters of a path or a query; what is missing, unknown or malformed is refused by name. */
function parameterReader(schema: ParameterSchema): Reader<ReadonlyMap<string, string>> {
  const readers = new Map<string, (text: string) => unknown>();
  for (const [name, member] of Object.entries(schema.shape)) {
    const { type } = z.toJSONSchema(member as z.ZodType, { io: 'input' });
    readers.set(name, textReaders[String(type)] ?? asText);
  }
  return (texts) => {
    const values = Object.create(null) as Record<string, unknown>;
    for (const [name, text] of texts) values[name] = (readers.get(name) ?? asText)(text);
    const { data, error } = schema.safeParse(values);
    if (error === undefined) return data;
    throw invalidMember(
      ...faultsOf(error, values).map(
        ({ path, detail }): MemberFault => ({ parameter: shownName(path.map(String).join('.')), detail }),
      ),
    );
  };
}

/** Pairs of a query. A plus sign is one: blanks are written as `%20`. */
function pairsOf(query: string): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  for (const pair of query === '' ? [] : query.split('&')) {
    const mark = pair.indexOf('=');
    const [name, text] = [mark < 0 ? pair : pair.slice(0, mark), mark < 0 ? '' : pair.slice(mark + 1)].map(decoded);
    if (pairs.has(name as string)) throw invalidParameter(shownName(name as string), 'must not be sent twice');
    if (pairs.size >= pairsMax) throw new Problem('malformedRequest', { detail: 'The query has too many parameters.' });
    pairs.set(name as string, text as string);
  }
  return pairs;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Problem('malformedRequest', { detail: 'The query is not well percent-encoded.' });
  }
}

const { jsonDepth, bodyMembers, bodyBytes, batchBodyBytes } = wireLimits.request;

/** Bounds of the body of an endpoint. */
export const bodyBoundsOf = (endpoint: Pick<AnyOperatorEndpoint, 'longBody' | 'bodyBytes'>) =>
  endpoint.longBody === true
    ? { bytes: batchBodyBytes, members: bodyMembers * longBodyItems }
    : { bytes: endpoint.bodyBytes ?? bodyBytes, members: bodyMembers };

/** A long body may have as many members as so many others. */
const longBodyItems = 20;

const faultTexts: Readonly<Record<JsonFault, string>> = {
  malformed: 'The body is not well-formed JSON.',
  namedTwice: 'The body has two members of one name.',
  tooDeep: `The body is nested more than ${jsonDepth} deep.`,
};

const wholePattern = /^-?(?:0|[1-9]\d*)$/;

/** A safe integer as a number; any other number stays as it was written, so that no schema takes it. */
function plainNumber(number: JsonNumber): unknown {
  const value = wholePattern.test(number.source) ? Number(number.source) : Number.NaN;
  return Number.isSafeInteger(value) ? value : number;
}

/** Plain arrays and objects without prototype, as schemas read them. */
function plainValue(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return plainNumber(value);
  if (Array.isArray(value)) return value.map(plainValue);
  if (!(value instanceof Map)) return value;
  const object = Object.create(null) as Record<string, unknown>;
  for (const [name, member] of value) object[name] = plainValue(member);
  return object;
}

/** Members of all objects and items of all arrays in a value. */
function sizeOf(value: JsonValue): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + 1 + sizeOf(item), 0);
  if (!(value instanceof Map)) return 0;
  let size = 0;
  for (const member of value.values()) size += 1 + sizeOf(member);
  return size;
}

/**
 * Reads the body of a request strictly: valid UTF-8, one JSON object, no name twice, bounded in depth and size.
 * DEC-OPR-09.
 * @throws Problem `malformedRequest` or `invalidMember`.
 */
function readJsonBody(bytes: Uint8Array, membersMax: number): unknown {
  let source: string;
  try {
    source = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Problem('malformedRequest', { detail: 'The body is not valid UTF-8.' });
  }
  const read = readJson(source, jsonDepth);
  if (typeof read === 'string') throw new Problem('malformedRequest', { detail: faultTexts[read] });
  if (!(read.value instanceof Map)) throw invalidBody('', 'must be a JSON object');
  if (sizeOf(read.value) > membersMax) throw invalidBody('', `must not have more than ${membersMax} members`);
  return plainValue(read.value);
}

function bodyReader(endpoint: AnyOperatorEndpoint): Reader<Uint8Array | undefined> {
  const { body: schema } = endpoint;
  const { members } = bodyBoundsOf(endpoint);
  return (bytes) => {
    if (schema === null) {
      if (bytes !== undefined && bytes.length > 0) throw invalidBody('', 'must be empty: this endpoint takes no body');
      return null;
    }
    if (bytes === undefined || bytes.length === 0) throw invalidBody('', 'must be a JSON object');
    const value = readJsonBody(bytes, members);
    const { data, error } = schema.safeParse(value);
    if (error === undefined) return data;
    throw invalidMember(
      ...faultsOf(error, value).map(({ path, detail }): MemberFault => ({ pointer: pointerOf(path), detail })),
    );
  };
}

/** Reads the parts of a request. @throws Problem */
type RequestReader = (parts: RawParts) => ReadParts;

/** Readers that were made, for all exchanges of the process. */
const readers = new WeakMap<AnyOperatorEndpoint, RequestReader>();

/**
 * What reads the requests of an endpoint. Its schemas are compiled once, at the first request: a start needs none.
 * The reader throws Problem `invalidMember` with every part at fault, or `malformedRequest`.
 */
export const requestReader =
  (endpoint: AnyOperatorEndpoint): RequestReader =>
  (parts) => {
    const read = readers.get(endpoint) ?? createReader(endpoint);
    readers.set(endpoint, read);
    return read(parts);
  };

function createReader(endpoint: AnyOperatorEndpoint): RequestReader {
  const readPath = parameterReader(endpoint.parameters);
  const readQuery = parameterReader(endpoint.query);
  const readBody = bodyReader(endpoint);
  return (parts) => {
    const read = {
      path: readPath(new Map(Object.entries(parts.path))),
      query: readQuery(pairsOf(parts.query)),
      body: readBody(parts.body),
    };
    return isWrite(endpoint) ? reasonApart(endpoint, read) : { ...read, reason: null };
  };
}

/** The parts of a write with its reason, which handlers do not see where their endpoint declares none. */
function reasonApart({ reasonIn }: AnyOperatorEndpoint, parts: Omit<ReadParts, 'reason'>): ReadParts {
  const given = { ...(parts.query as Reasoned), ...(parts.body as Reasoned | null) };
  const reason = given.reason ?? null;
  if (reasonIn === null) return { ...parts, reason };
  const { reason: _, ...others } = parts[reasonIn] as Reasoned;
  return { ...parts, [reasonIn]: others, reason };
}
interface Reasoned {
  readonly reason?: string;
}
