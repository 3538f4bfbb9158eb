import { JsonNumber, type JsonFault, type JsonValue, readJson } from '#base/json-reader.ts';
import { wireLimits } from '#http/limits.ts';
import { invalidBody, Problem } from '#operator-api/requests/problems.ts';

const { jsonDepth, bodyMembers } = wireLimits.request;

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
export function readJsonBody(bytes: Uint8Array): unknown {
  let source: string;
  try {
    source = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Problem('malformedRequest', { detail: 'The body is not valid UTF-8.' });
  }
  const read = readJson(source, jsonDepth);
  if (typeof read === 'string') throw new Problem('malformedRequest', { detail: faultTexts[read] });
  if (!(read.value instanceof Map)) throw invalidBody('', 'must be a JSON object');
  if (sizeOf(read.value) > bodyMembers) throw invalidBody('', `must not have more than ${bodyMembers} members`);
  return plainValue(read.value);
}
