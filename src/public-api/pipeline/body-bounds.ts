import { wireLimits } from '#http/limits.ts';

/** Bounds of a body; more is refused with 413 before anything is decoded. DEC-REQ-40. */
export interface BodyBounds {
  readonly bytes: number;
  /**
   * Scalars, empty arrays and empty objects at every depth of a JSON body, or pairs of a form. Of a flat object: its
   * members.
   */
  readonly values: number;
  /** Objects in a JSON body, the outermost included. */
  readonly objects: number;
}

const { request: limits, orders } = wireLimits;

/** Bounds of every endpoint without batches. */
export const plainBodyBounds: BodyBounds = {
  bytes: limits.bodyBytes,
  values: limits.bodyMembers,
  objects: limits.bodyMembers,
};

/** Bounds if the body may contain an array of orders: each order may have as many members as any body. */
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

/** Position of the quote that closes the string starting at `at`; the end of the text if there is none. */
function closingQuote(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code === backslash) end += 1;
    else if (code === quote) return end;
  }
  return text.length;
}

/**
 * Whether a JSON text contains more than its bounds. Scans the text without checking its grammar and stops at the first
 * excess. Each comma and each opening bracket adds at most one value.
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

/** Whether a form contains more pairs than its bounds; empty pairs do not count. */
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
