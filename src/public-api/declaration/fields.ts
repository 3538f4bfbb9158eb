import { z } from 'zod';
import type { ErrorName } from '#http/errors.ts';
import { type FlatObject, readFlatObjects, readSymbolNames } from '#public-api/declaration/flat-json.ts';
import { wireLimits } from '#http/limits.ts';
import { hasAtMost } from '#model/text-length.ts';

/**
 * Schemas of request parameters. Every parameter arrives as text, percent-decoded. Each peculiarity of the API is
 * handled here once, and each field has its description beside its schema, for the documents. `request.ts` reads whole
 * requests.
 */
export interface FieldFacts {
  readonly type: 'string' | 'integer' | 'decimal' | 'boolean' | 'enum' | 'list' | 'orders';
  readonly description: string;
  readonly required: boolean;
  /** As a client would send it. */
  readonly default?: string;
  /** Bounds of a number, or of the count of a list; both inclusive. */
  readonly min?: number;
  readonly max?: number;
  readonly values?: readonly string[];
  readonly example?: string;
  /** Another name that clients send it under. */
  readonly alias?: string;
  /** Error when it is required and absent or empty. */
  readonly missing: ErrorName;
  /** Error when its text is not what it must be. */
  readonly malformed: ErrorName;
}

const facts = new WeakMap<z.ZodType, FieldFacts>();

/**
 * Fast parser: the value of a well-formed text, or `undefined` for anything else, whose fault the schema then reports.
 * It gives the same values as the schema at a tenth of the cost.
 */
export type QuickReader = (text: string) => unknown;
const quickReaders = new WeakMap<z.ZodType, QuickReader>();
const leavesToSchema: QuickReader = () => undefined;

/** Quick reader of a field made by this file. */
export const quickReaderOf = (field: z.ZodType): QuickReader => quickReaders.get(field) ?? leavesToSchema;

/** Facts of a field made by this file. */
export function factsOf(field: z.ZodType): FieldFacts {
  const found = facts.get(field);
  if (found === undefined) throw new TypeError('request schemas consist of fields of the vocabulary');
  return found;
}

type FactsGiven = Pick<FieldFacts, 'type' | 'description'> & Partial<FieldFacts>;
/** Makes a field of a schema: what documents say of it, and its quick reader if it has one. */
export function described<S extends z.ZodType>(schema: S, given: FactsGiven, quick?: QuickReader): S {
  if (quick !== undefined) quickReaders.set(schema, quick);
  facts.set(schema, { required: true, missing: 'parameterRequired', malformed: 'invalidParameter', ...given });
  return schema;
}

const loneSurrogate = /\p{Surrogate}/u;
/** Text of people, for the journal: well-formed Unicode. Its length counts code points. DEC-REQ-161. */
export const wellFormed = (max: number) =>
  z
    .string()
    .refine((text) => hasAtMost(text, max), { error: `must have at most ${max} characters` })
    .refine((text) => !loneSurrogate.test(text), { error: 'is not well-formed Unicode' });

/** Quick reader of texts that match a pattern as they are. */
export const matching =
  (pattern: RegExp): QuickReader =>
  (text) =>
    pattern.test(text) ? text : undefined;

/** Makes a field optional. An empty value counts as absent. */
export const optional = <S extends z.ZodType>(field: S): z.ZodOptional<S> =>
  described(z.optional(field), { ...factsOf(field), required: false }, quickReaderOf(field));

/** Gives a field a default; `byDefault` is written as a client would send it. */
export const withDefault = <S extends z.ZodType<unknown, string>>(field: S, byDefault: string): z.ZodPrefault<S> =>
  described(
    z.prefault(field, byDefault as z.input<S>),
    { ...factsOf(field), required: false, default: byDefault },
    quickReaderOf(field),
  );

const symbolPattern = /^[A-Z0-9]{2,24}$/;
const symbolShape = 'must be 2 to 24 capital letters and digits';
/**
 * Name of a symbol. A malformed name is answered like an unknown one: 10007, on order entry 30014. DEC-REQ-23,
 * DEC-REQ-55.
 */
export const symbol = (malformed: ErrorName = 'badSymbol') =>
  described(
    z.string().regex(symbolPattern, symbolShape),
    {
      type: 'string',
      description: 'Name of the pair.',
      malformed,
      example: 'BTCUSDT',
    },
    matching(symbolPattern),
  );

/**
 * Symbol names separated by commas, with optional blanks; at most `max` after removing repeated ones. Malformed names
 * are left to the handler, which does not find them: 10007. DEC-REQ-56.
 */
export const symbolList = (max: number) =>
  described(
    z
      .string()
      .transform((text) => [...new Set(text.split(',').map((name) => name.trim()))])
      .refine((names) => names.every((name) => name !== ''), { error: 'must not hold an empty name' })
      .refine((names) => names.length <= max, { error: `must hold at most ${max} names` }),
    {
      type: 'list',
      description: `Names of pairs, comma-separated, at most ${max}.`,
      min: 1,
      max,
      example: 'BTCUSDT,ETHUSDT',
    },
  );

/** As `symbolList`, or a JSON array of names, for public market data. DEC-MKT-11. */
export const symbolNames = (max: number) =>
  described(
    z
      .string()
      .transform((text, context): readonly string[] => {
        const names = readSymbolNames(text);
        if (names !== null && names.length > 0) return names;
        context.addIssue({ code: 'custom', message: 'must be names separated by commas or a JSON array of names' });
        return z.NEVER;
      })
      .refine((names) => names.every((name) => name !== ''), { error: 'must not hold an empty name' })
      .refine((names) => names.length <= max, { error: `must hold at most ${max} names` }),
    {
      type: 'list',
      description: `Names of pairs, comma-separated or as a JSON array, at most ${max}.`,
      min: 1,
      max,
      example: 'BTCUSDT,ETHUSDT',
    },
  );

/**
 * Name of a futures contract, `BTC_USDT`. Malformed names are left to the handler, which does not find them: 1001.
 * DEC-FUT-01.
 */
export const contract = () =>
  described(z.string(), {
    type: 'string',
    description: 'Name of the contract.',
    example: 'BTC_USDT',
  });

const decimalPattern = /^(0|[1-9]\d{0,17})(?:\.\d{1,18})?$/;
/** A decimal that is not negative, as text; its number of decimals is checked later against the scale. */
export const decimal = (description: string) =>
  described(
    z.string().regex(decimalPattern, 'must be a plain decimal of at most 18 digits before and after the point'),
    {
      type: 'decimal',
      description,
      example: '1',
    },
    matching(decimalPattern),
  );

const integerPattern = /^(?:0|[1-9]\d{0,14})$/;
/** A whole number from `min` to `max`, digits only. */
export const integer = (bounds: { readonly min: number; readonly max: number }, description: string) =>
  described(
    z
      .string()
      .refine((text) => integerPattern.test(text) && Number(text) >= bounds.min && Number(text) <= bounds.max, {
        error: `must be a whole number from ${bounds.min} to ${bounds.max}`,
      })
      .transform(Number),
    { type: 'integer', description, ...bounds },
    (text) => {
      const value = integerPattern.test(text) ? Number(text) : Number.NaN;
      return value >= bounds.min && value <= bounds.max ? value : undefined;
    },
  );

/** Greatest number of rows; a value above `max` is refused, not reduced. */
export const limit = (byDefault: number, max: number) =>
  withDefault(integer({ min: 1, max }, 'How many at most.'), `${byDefault}`);

/** A moment in ms since 1970 UTC. */
export const timestampMs = (description: string) =>
  described(
    z.string().regex(integerPattern, 'must be whole milliseconds since 1970').transform(Number),
    {
      type: 'integer',
      description,
      min: 0,
      max: 999_999_999_999_999,
      example: '1700000000000',
    },
    (text) => (integerPattern.test(text) ? Number(text) : undefined),
  );

const listed = (values: readonly string[]): string => `must be one of ${values.join(', ')}`;

/** One of the keys of `meanings`; the value is its meaning. */
export function word<const M extends Readonly<Record<string, unknown>>>(meanings: M, description: string) {
  const words = Object.keys(meanings) as Extract<keyof M, string>[];
  const schema = z.enum(words, { error: listed(words) }).transform((text): M[keyof M] => meanings[text] as M[keyof M]);
  const known = new Map<string, unknown>(Object.entries(meanings));
  return described(schema, { type: 'enum', description, values: words }, (text) => known.get(text));
}

/** `true` or `false`. */
export const flag = (description: string) =>
  described(
    z.enum(['true', 'false'], { error: listed(['true', 'false']) }).transform((text) => text === 'true'),
    {
      type: 'boolean',
      description,
      values: ['true', 'false'],
      example: 'true',
    },
  );

const clientOrderIdMax = wireLimits.orders.clientOrderIdLength;
const clientOrderIdPattern = /^[A-Za-z0-9_-]{1,32}$/;
/** A client order id. DEC-REQ-25. */
export const clientOrderId = (description = "The trader's own id of the order.") =>
  described(
    z.string().regex(clientOrderIdPattern, `must be 1 to ${clientOrderIdMax} letters, digits, '-' and '_'`),
    { type: 'string', description, malformed: 'illegalCharacters', max: clientOrderIdMax, example: 'my-order-1' },
    matching(clientOrderIdPattern),
  );

const orderIdPattern = /^[A-Za-z0-9_-]{1,64}$/;
/** An order id as text; the handler checks whether it names an order. */
export const orderId = () =>
  described(
    z.string().regex(orderIdPattern, "must be at most 64 letters, digits, '-' and '_'"),
    {
      type: 'string',
      description: "The exchange's id of the order.",
      malformed: 'illegalCharacters',
      example: 'C02__100000000000000001',
    },
    matching(orderIdPattern),
  );

/** A listen key. A malformed one is answered like an unknown one: 33333. */
export const listenKey = () =>
  described(z.string().regex(/^[0-9a-f]{64}$/, 'it is not a valid key of this account'), {
    type: 'string',
    description: 'Listen key of the account.',
    example: 'a'.repeat(64),
  });

/** A JSON array of order objects as text: every member of every item as text again, for `order-draft.ts`. */
export const orders = (max: number) =>
  described(
    z.string().transform((text, context): readonly FlatObject[] => {
      const items = readFlatObjects(text);
      if (items !== null && items.length > 0 && items.length <= max) return items;
      const message = items === null ? 'must be a JSON array of flat objects' : `must hold 1 to ${max} orders`;
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }),
    { type: 'orders', description: `JSON array of 1 to ${max} orders.`, min: 1, max },
  );

/** The time window of a question about the wallet's past. DEC-ORD-26. */
export const historyTimes = {
  startTime: optional(timestampMs('First moment, inclusive; earlier than may be queried counts as the earliest.')),
  endTime: optional(timestampMs('Last moment, inclusive.')),
};
/** Its rule. */
export const timesAscend = [{ kind: 'ascending', parameters: ['startTime', 'endTime'] }] as const;
