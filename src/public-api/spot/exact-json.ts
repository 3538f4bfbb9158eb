import type { z } from 'zod';
import { formatDecimal } from '#base/decimal.ts';
import type { Catalogue, EndpointId } from '#public-api/catalogue.ts';
import { JsonText } from '#public-api/handlers.ts';

/** A decimal that is printed as a JSON number digit by digit: it never was a float. DEC-FUT-02. */
export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A scaled integer as a number of an answer: `12500` at scale 4 is `1.25`. */
export const exact = (value: bigint | number, scale: number): ExactNumber =>
  new ExactNumber(formatDecimal(value, scale));

/** An answer whose numbers may be exact decimals. */
export type WithExact<Answer> = Answer extends number
  ? Answer | ExactNumber
  : Answer extends object
    ? { readonly [Member in keyof Answer]: WithExact<Answer[Member]> }
    : Answer;

/** Names of members as JSON, with their colon. Answers have a few hundred. */
const printedNames = new Map<string, string>();
const printedNamesMax = 4096;

function printName(name: string): string {
  const known = printedNames.get(name);
  if (known !== undefined) return known;
  const text = `${JSON.stringify(name)}:`;
  if (printedNames.size < printedNamesMax) printedNames.set(name, text);
  return text;
}

/** A value with exact decimals as JSON. */
export function print(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof ExactNumber) return value.text;
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += text === '' ? print(item) : `,${print(item)}`;
    return `[${text}]`;
  }
  for (const name of Object.keys(value)) {
    const member = printName(name) + print((value as Readonly<Record<string, unknown>>)[name]);
    text += text === '' ? member : `,${member}`;
  }
  return `{${text}}`;
}

/** The answer of an endpoint as JSON. */
export const exactAnswer = <Id extends EndpointId>(
  _endpoint: Id,
  answer: WithExact<z.input<Catalogue[Id]['response']>>,
): JsonText => new JsonText(print(answer));
