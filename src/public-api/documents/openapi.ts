import type { z } from 'zod';
import { wrappedAnswer } from '#public-api/documents/envelope.ts';
import type { JsonSchema } from '#http/documents/json-schema.ts';
import { jsonSchemaOf, sampleOf } from '#http/documents/json-schema.ts';
import { descriptionOf, type EndpointGroup } from '#http/declared-endpoint.ts';
import {
  type Failure,
  type FailureForm,
  failureBody,
  failureSchemas,
  failuresOf,
  unroutedFailures,
  upgradeFailures,
} from '#public-api/documents/failures.ts';
import { type AnyEndpoint, mayBeFrozen, pathParametersOf } from '#public-api/declaration/endpoint.ts';
import { errors, transportErrors } from '#http/errors.ts';
import type { FieldFacts } from '#public-api/declaration/fields.ts';
import { factsOf } from '#public-api/declaration/fields.ts';
import { wireLimits } from '#http/limits.ts';

/** What the document contains besides the endpoints. */
export interface OpenApiSettings {
  readonly version: string;
  /** Base addresses, for example `http://127.0.0.1:8080`. */
  readonly spotServer: string;
  readonly futuresServer: string;
  /** Name of the header that carries the access key. */
  readonly keyHeader: string;
}

const bounded = ({ min, max }: FieldFacts): JsonSchema => ({
  ...(min === undefined ? {} : { minimum: min }),
  ...(max === undefined ? {} : { maximum: max }),
});

/** Schema of a parameter as clients send it; the exchange checks its text more strictly. */
function parameterSchema(facts: FieldFacts): JsonSchema {
  const byDefault =
    facts.default === undefined ? {} : { default: facts.type === 'integer' ? Number(facts.default) : facts.default };
  switch (facts.type) {
    case 'integer':
      return { type: 'integer', ...bounded(facts), ...byDefault };
    case 'boolean':
      return { type: 'boolean', ...byDefault };
    case 'enum':
      return { type: 'string', enum: facts.values, ...byDefault };
    case 'decimal':
      return { type: 'string', pattern: '^(0|[1-9]\\d{0,17})(\\.\\d{1,18})?$', ...byDefault };
    case 'string':
      return { type: 'string', ...(facts.max === undefined ? {} : { maxLength: facts.max }), ...byDefault };
    case 'list':
    case 'orders':
      return { type: 'string', ...byDefault };
  }
}

interface NamedField {
  readonly name: string;
  readonly facts: FieldFacts;
  readonly example: string | undefined;
}
const fieldsOf = (endpoint: AnyEndpoint): readonly NamedField[] =>
  Object.entries(endpoint.request.shape as Record<string, z.ZodType>).map(([name, schema]) => {
    const facts = factsOf(schema);
    return { name, facts, example: endpoint.example?.[name] ?? facts.example };
  });

const signingReferences = ['timestamp', 'recvWindow'].map((name) => ({ $ref: `#/components/parameters/${name}` }));

/** The example of a parameter; `x-disabled`: the reference page shows it and leaves it out until a user ticks it. */
const exampleOf = (value: unknown, isSent: boolean): object => ({
  default: { ...(value === undefined ? {} : { value }), ...(isSent ? {} : { 'x-disabled': true }) },
});

function parametersOf(endpoint: AnyEndpoint): readonly object[] {
  const inPath = pathParametersOf(endpoint.path);
  const own = fieldsOf(endpoint).map(({ name, facts, example }) => ({
    name,
    in: inPath.includes(name) ? 'path' : 'query',
    required: facts.required,
    description: facts.description,
    schema: parameterSchema(facts),
    examples: exampleOf(example, facts.required || endpoint.example?.[name] !== undefined),
  }));
  return endpoint.access.kind === 'signed' ? [...own, ...signingReferences] : own;
}

/** The same parameters as a body, for methods that may have one. */
function requestBodyOf(endpoint: AnyEndpoint): object {
  if (endpoint.method === 'GET') return {};
  const properties = Object.fromEntries(
    fieldsOf(endpoint).map(({ name, facts }) => [name, { description: facts.description, ...parameterSchema(facts) }]),
  );
  // The query holds the example already; a body that repeats it would only hide what a user changes there.
  const content = { schema: { type: 'object', properties }, example: {} };
  return {
    requestBody: {
      required: false,
      description: 'The same parameters, or some of them. What stands in the query too is taken from there.',
      content: { 'application/json': content, 'application/x-www-form-urlencoded': content },
    },
  };
}

const schemaNames: Readonly<Record<FailureForm, string>> = {
  code: 'Error',
  affiliate: 'AffiliateError',
  futures: 'FuturesError',
};

/** Schema of these failures: their form, and the codes that are possible. */
function failureSchema(failures: readonly Failure[]): JsonSchema {
  const forms = [...new Set(failures.map(({ form }) => form))].map((form) => ({
    $ref: `#/components/schemas/${schemaNames[form]}`,
    properties: {
      code: { enum: [...new Set(failures.filter((each) => each.form === form).map(({ code }) => code))] },
    },
  }));
  return forms.length === 1 ? (forms[0] as JsonSchema) : { anyOf: forms };
}

const failureExamples = (failures: readonly Failure[]): object =>
  Object.fromEntries(failures.map(({ name, code, text, form }) => [name, { value: failureBody(form, code, text) }]));

const waitStatuses: readonly number[] = [errors.tooManyRequests.http, transportErrors.banned.http];

/** Responses by status. */
function failureResponses(failures: readonly Failure[]): Record<string, object> {
  const statuses = [...new Set(failures.map(({ status }) => status))];
  const responses = statuses.map((status) => {
    const own = failures.filter((failure) => failure.status === status);
    const content = { 'application/json': { schema: failureSchema(own), examples: failureExamples(own) } };
    const headers = waitStatuses.includes(status)
      ? { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } }
      : {};
    return [`${status}`, { description: own.map(({ text }) => text).join(' '), content, ...headers }] as const;
  });
  return Object.fromEntries(responses);
}

function responsesOf(endpoint: AnyEndpoint): object {
  const schema = jsonSchemaOf(wrappedAnswer(endpoint.envelope, endpoint.response));
  const all = failuresOf(endpoint);
  // The futures side answers most failures with status 200.
  const withSuccess = all.filter(({ status }) => status === 200);
  const success =
    withSuccess.length === 0
      ? { schema, example: sampleOf(schema) }
      : {
          schema: { anyOf: [schema, failureSchema(withSuccess)] },
          examples: { success: { value: sampleOf(schema) }, ...failureExamples(withSuccess) },
        };
  return {
    200: { description: 'OK', content: { 'application/json': success } },
    ...failureResponses(all.filter(({ status }) => status !== 200)),
  };
}

function operationOf(id: string, tag: string, endpoint: AnyEndpoint, settings: OpenApiSettings): object {
  const { access } = endpoint;
  const ownErrors =
    endpoint.surface === 'spot' ? failuresOf(endpoint).map(({ name, code, retry }) => ({ name, code, retry })) : [];
  return {
    operationId: id,
    tags: [tag],
    summary: endpoint.name,
    description: descriptionOf(endpoint),
    ...(endpoint.surface === 'futures' ? { servers: [{ url: settings.futuresServer }] } : {}),
    ...(access.kind === 'signed' ? { security: [{ accessKey: [], signature: [] }] } : { security: [] }),
    parameters: parametersOf(endpoint),
    ...requestBodyOf(endpoint),
    responses: responsesOf(endpoint),
    'x-spec': endpoint.spec,
    'x-weight': endpoint.weight,
    ...(endpoint.callsPerSecond === undefined ? {} : { 'x-calls-per-second': endpoint.callsPerSecond }),
    ...(access.kind === 'signed'
      ? {
          'x-permission': access.permission,
          'x-caller': access.caller,
          'x-frozen-accounts': mayBeFrozen(endpoint),
        }
      : {}),
    ...(endpoint.aliasOf === undefined ? {} : { 'x-alias-of': endpoint.aliasOf }),
    ...(endpoint.rules === undefined ? {} : { 'x-rules': endpoint.rules }),
    'x-errors': ownErrors,
  };
}

function components(settings: OpenApiSettings): object {
  const { signing } = wireLimits;
  return {
    securitySchemes: {
      accessKey: { type: 'apiKey', in: 'header', name: settings.keyHeader, description: 'The access key.' },
      signature: {
        type: 'apiKey',
        in: 'query',
        name: 'signature',
        description:
          'HMAC SHA256 under the secret key, as lower-case hex, of the query text directly followed by the body ' +
          'text, both as sent and without the signature itself.',
      },
    },
    parameters: {
      timestamp: {
        name: 'timestamp',
        in: 'query',
        required: true,
        description: `When it was made, in ms since 1970; less than ${signing.aheadBelowMs} ms ahead of the server.`,
        schema: { type: 'integer' },
        examples: exampleOf(1_700_000_000_000, false),
      },
      recvWindow: {
        name: 'recvWindow',
        in: 'query',
        required: false,
        description: 'How many ms old the request may be.',
        schema: {
          type: 'integer',
          minimum: 0,
          exclusiveMaximum: signing.recvWindowBelowMs,
          default: signing.recvWindowDefaultMs,
        },
        examples: exampleOf(signing.recvWindowDefaultMs, false),
      },
    },
    headers: { RetryAfter: { description: 'Seconds to wait.', required: true, schema: { type: 'integer' } } },
    schemas: Object.fromEntries(
      Object.entries(failureSchemas).map(([form, schema]) => [schemaNames[form as FailureForm], jsonSchemaOf(schema)]),
    ),
  };
}

/** Groups of public endpoints. */
export type PublicGroups = readonly EndpointGroup<Readonly<Record<string, AnyEndpoint>>>[];

/** The OpenAPI 3.1 document of all groups: one loop, no knowledge of any endpoint. */
export function openApi(groups: PublicGroups, settings: OpenApiSettings): JsonSchema {
  const paths: Record<string, Record<string, object>> = {};
  for (const { name, endpoints } of groups) {
    for (const [id, endpoint] of Object.entries(endpoints)) {
      const operations = (paths[endpoint.path] ??= {});
      operations[endpoint.method.toLowerCase()] = operationOf(id, name, endpoint, settings);
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bourse API',
      version: settings.version,
      description: 'A cryptocurrency spot exchange: market data, orders, accounts and the wallet.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: settings.spotServer }],
    tags: groups.map(({ name, description }) => ({ name, description })),
    paths,
    // What requests are answered that no operation takes, by the beginning of their path.
    'x-unrouted': {
      '/api/v1': failureResponses(unroutedFailures('futures')),
      '/ws': failureResponses(upgradeFailures()),
      '/': failureResponses(unroutedFailures('spot')),
    },
    components: components(settings),
  };
}
