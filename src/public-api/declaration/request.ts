import type { z } from 'zod';
import type { AnyEndpoint, CombinationRule } from '#public-api/declaration/endpoint.ts';
import { ApiError, illegalParameter, invalidParameter, missingParameter } from '#http/errors.ts';
import type { FieldFacts, QuickReader } from '#public-api/declaration/fields.ts';
import { factsOf, quickReaderOf } from '#public-api/declaration/fields.ts';

/** Decoded parameters of one request, query and body merged, signing parameters included. Best without a prototype. */
export type Parameters = Readonly<Record<string, string | undefined>>;

/** Parameters of signing, which every signed endpoint takes beside its own. SPEC-CNV-07. */
export const signingParameters = ['timestamp', 'recvWindow', 'signature'] as const;

interface PreparedField {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly facts: FieldFacts;
  readonly quick: QuickReader;
  /** Value when it is not sent. */
  readonly absent: unknown;
}
const prepared = new WeakMap<z.ZodObject, readonly PreparedField[]>();

function fieldsOf(request: z.ZodObject): readonly PreparedField[] {
  const known = prepared.get(request);
  if (known !== undefined) return known;
  const fields = Object.entries(request.shape as Record<string, z.ZodType>).map(([name, schema]) => {
    const facts = factsOf(schema);
    const quick = quickReaderOf(schema);
    return { name, schema, facts, quick, absent: facts.required ? undefined : schema.parse(undefined) };
  });
  prepared.set(request, fields);
  return fields;
}

/** Names of an endpoint's own parameters. */
export const parameterNames = (endpoint: AnyEndpoint): readonly string[] => Object.keys(endpoint.request.shape);

/** Every name that its parameters may be sent under. */
export const acceptedNames = (endpoint: AnyEndpoint): readonly string[] =>
  fieldsOf(endpoint.request).flatMap(({ name, facts: { alias } }) => (alias === undefined ? [name] : [name, alias]));

const sentUnder = (parameters: Parameters, name: string): string | undefined =>
  parameters[name] === '' ? undefined : parameters[name];

const controlCharacters = /[\u0000-\u001f\u007f]/;

/** Result of reading the fields: the well-formed values, and the first fault in the order of declaration. */
export interface ReadFields<Values> {
  readonly values: Partial<Values>;
  readonly fault: ApiError | null;
}

function fieldFault(field: PreparedField, message: string): ApiError {
  const why = message;
  if (field.facts.malformed === 'invalidParameter') return invalidParameter(field.name, why);
  return new ApiError(field.facts.malformed, { parameter: field.name, why });
}

/** Reads every field, even after a fault. An empty value counts as absent. DEC-REQ-54. */
export function readFields<R extends z.ZodObject>(request: R, parameters: Parameters): ReadFields<z.output<R>> {
  const values: Record<string, unknown> = {};
  let fault: ApiError | null = null;
  for (const field of fieldsOf(request)) {
    const { alias } = field.facts;
    const text = sentUnder(parameters, field.name) ?? (alias === undefined ? undefined : sentUnder(parameters, alias));
    if (text === undefined) {
      if (!field.facts.required) values[field.name] = field.absent;
      else if (field.facts.missing === 'parameterRequired') fault ??= missingParameter(field.name);
      else fault ??= new ApiError(field.facts.missing, { parameter: field.name });
      continue;
    }
    const value = field.quick(text);
    if (value !== undefined) {
      values[field.name] = value;
      continue;
    }
    if (controlCharacters.test(text)) {
      fault ??= illegalParameter(field.name);
      continue;
    }
    const parsed = field.schema.safeParse(text);
    if (parsed.success) values[field.name] = parsed.data;
    else fault ??= fieldFault(field, parsed.error.issues[0]?.message ?? 'is not well formed');
  }
  return { values: values as Partial<z.output<R>>, fault };
}

function brokenRule(rule: CombinationRule, values: Readonly<Record<string, unknown>>): ApiError | null {
  const absent = (name: string): boolean => values[name] === undefined;
  switch (rule.kind) {
    case 'oneOf':
      return rule.parameters.every(absent) ? new ApiError(rule.error) : null;
    case 'together': {
      const missing = rule.parameters.filter(absent);
      const name = missing[0];
      if (name === undefined || missing.length === rule.parameters.length) return null;
      return invalidParameter(
        name,
        `must be sent together with ${rule.parameters.filter((other) => !absent(other)).join(', ')}`,
      );
    }
    case 'ascending': {
      const [from, to] = rule.parameters;
      if (absent(from) || absent(to)) return null;
      return (values[from] as number) > (values[to] as number)
        ? invalidParameter(from, `must not be after '${to}'`)
        : null;
    }
    case 'requiredWhen': {
      if (!rule.values.includes(values[rule.parameter] as string)) return null;
      const name = rule.parameters.find(absent);
      return name === undefined ? null : missingParameter(name);
    }
  }
}

/** First rule over several parameters that the values break; `null`: none. */
export function brokenRuleOf(
  rules: readonly CombinationRule[],
  values: Readonly<Record<string, unknown>>,
): ApiError | null {
  for (const rule of rules) {
    const fault = brokenRule(rule, values);
    if (fault !== null) return fault;
  }
  return null;
}

/**
 * Parameters of a request as its endpoint declares them; unknown ones are not read. SPEC-CNV-25, DEC-REQ-21.
 * @throws ApiError for the first fault: 44444 missing, 33333 malformed, 700008 illegal characters, or the field's own.
 */
export function parseRequest<E extends AnyEndpoint>(endpoint: E, parameters: Parameters): z.output<E['request']> {
  const { values, fault } = readFields(endpoint.request, parameters);
  if (fault !== null) throw fault;
  const broken = brokenRuleOf(endpoint.rules ?? [], values);
  if (broken !== null) throw broken;
  return values as z.output<E['request']>;
}
