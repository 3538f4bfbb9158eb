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

/** A value with exact decimals as JSON. */
export function print(value: unknown): string {
  if (value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(print).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${print(member)}`);
  return `{${members.join(',')}}`;
}

/** The answer of an endpoint as JSON. */
export const exactAnswer = <Id extends EndpointId>(
  _endpoint: Id,
  answer: WithExact<z.input<Catalogue[Id]['response']>>,
): JsonText => new JsonText(print(answer));
