import { wireLimits } from '#api/limits.ts';

/** How much a body may hold; more is refused with 413 before anything of it is decoded. DEC-REQ-40. */
export interface BodyBounds {
  readonly bytes: number;
  /** Scalars and empty shapes at every depth of a JSON body, or pairs of a form: of a flat object, its members. */
  readonly values: number;
  /** Objects of a JSON body, the outermost included. */
  readonly objects: number;
}

const { request: limits, orders } = wireLimits;

/** Bounds of every endpoint but those of batches. */
export const plainBodyBounds: BodyBounds = {
  bytes: limits.bodyBytes,
  values: limits.bodyMembers,
  objects: limits.bodyMembers,
};

/** Bounds where a body may hold an array of orders: each of them may have as many members as any body. */
export const batchBodyBounds: BodyBounds = {
  bytes: limits.batchBodyBytes,
  values: limits.bodyMembers * (orders.perBatch + 1),
  objects: orders.perBatch + 1,
};

const ampersand = 0x26;
const comma = 0x2c;
const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const openBrace = 0x7b;

/** Position of the quote that closes the string which opens at `at`; the end of the text where none does. */
function closingQuote(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code === backslash) end += 1;
    else if (code === quote) return end;
  }
  return text.length;
}

/**
 * Whether a JSON text holds more than it may. Walks over its marks and stops at the first one too many; says nothing
 * about its grammar. Each comma and each opening mark stand for at most one value more.
 */
export function isCrowdedJson(text: string, { values, objects }: BodyBounds): boolean {
  let valuesLeft = values;
  let objectsLeft = objects;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = closingQuote(text, at);
    else if (code === openBrace) {
      valuesLeft -= 1;
      objectsLeft -= 1;
    } else if (code === comma || code === openBracket) valuesLeft -= 1;
    if (valuesLeft < 0 || objectsLeft < 0) return true;
  }
  return false;
}

/** Whether a form holds more pairs than it may; empty pairs do not count. */
export function isCrowdedForm(text: string, { values }: BodyBounds): boolean {
  let pairs = 0;
  let isInPair = false;
  for (let at = 0; at < text.length && pairs <= values; at += 1) {
    const isBetween = text.charCodeAt(at) === ampersand;
    if (!isBetween && !isInPair) pairs += 1;
    isInPair = !isBetween;
  }
  return pairs > values;
}
