import type { z } from 'zod';
import { descriptionOf } from '#http/declared-endpoint.ts';
import { type JsonSchema, jsonSchemaOf, sampleOf } from '#http/documents/json-schema.ts';
import { groups, isTagged } from '#operator-api/catalogue.ts';
import {
  type AnyOperatorEndpoint,
  isWrite,
  type ParameterSchema,
  operatorScopes,
} from '#operator-api/declaration/endpoint.ts';
import { proposal } from '#operator-api/operators/proposal-endpoints.ts';
import { operatorLimits } from '#operator-api/declaration/limits.ts';
import {
  problemMediaType,
  type ProblemCode,
  problems,
  problemType,
  sharedProblems,
  editProblems,
  streamProblems,
  unroutedProblems,
  writeProblems,
} from '#operator-api/requests/problems.ts';
import { streamTypes } from '#operator-api/requests/streamed-answer.ts';

/** Every problem that an endpoint can answer: its own first. */
export const problemsOf = (endpoint: AnyOperatorEndpoint): readonly ProblemCode[] => [
  ...new Set([
    ...endpoint.problems,
    ...sharedProblems,
    ...(isWrite(endpoint) ? writeProblems : []),
    ...(endpoint.isStreamed === true ? streamProblems : []),
    ...(endpoint.edits === undefined ? [] : editProblems),
  ]),
];

function parametersIn(place: 'path' | 'query', schema: ParameterSchema): readonly object[] {
  const { properties = {}, required = [] } = jsonSchemaOf(schema, 'input') as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: rest,
  }));
}

function parametersOf(endpoint: AnyOperatorEndpoint): readonly object[] {
  const key = { $ref: '#/components/parameters/idempotencyKey' };
  const ifMatch = { $ref: '#/components/parameters/ifMatch' };
  return [
    ...parametersIn('path', endpoint.parameters),
    ...parametersIn('query', endpoint.query),
    ...(isWrite(endpoint) ? [key] : []),
    ...(endpoint.edits === undefined ? [] : [ifMatch]),
  ];
}

function requestBodyOf({ body }: AnyOperatorEndpoint): object {
  if (body === null) return {};
  const schema = jsonSchemaOf(body, 'input');
  return { requestBody: { required: true, content: { 'application/json': { schema, example: sampleOf(schema) } } } };
}

function failureResponses(codes: readonly ProblemCode[]): Readonly<Record<string, object>> {
  const statuses = [...new Set(codes.map((code) => problems[code].status))].sort((one, other) => one - other);
  return Object.fromEntries(
    statuses.map((status) => {
      const own = codes.filter((code) => problems[code].status === status);
      const examples = Object.fromEntries(
        own.map((code) => {
          const { title } = problems[code];
          return [code, { value: { type: problemType(code), title, status, detail: title, code } }];
        }),
      );
      const schema = {
        $ref: '#/components/schemas/Problem',
        properties: { status: { const: status }, code: { enum: own } },
      };
      const content = { [problemMediaType]: { schema, examples } };
      return [String(status), { description: own.map((code) => problems[code].title).join(' '), content }];
    }),
  );
}

function successOf(description: string, answer: z.ZodType, headers: object = {}): object {
  const schema = jsonSchemaOf(answer);
  return { description, ...headers, content: { 'application/json': { schema, example: sampleOf(schema) } } };
}

/** One line of a stream is told: its media type has as many as there are. */
function streamOf(answer: z.ZodType): object {
  const schema = jsonSchemaOf(answer);
  const lines = { description: 'One of its lines.', ...schema };
  return {
    description: 'OK',
    content: {
      [streamTypes.json]: { schema: lines, example: sampleOf(schema) },
      [streamTypes.csv]: { schema: { type: 'string' } },
    },
  };
}

const tagHeader = { headers: { ETag: { $ref: '#/components/headers/entityTag' } } };

function operationOf(id: string, group: string, endpoint: AnyOperatorEndpoint): object {
  const { name, scope, answer, status = 200 } = endpoint;
  const sentences = descriptionOf(endpoint);
  const proposed = endpoint.mayBeProposed === true ? { 202: successOf('Waits for a second operator', proposal) } : {};
  const success =
    endpoint.isStreamed === true ? streamOf(answer) : successOf('OK', answer, isTagged(id) ? tagHeader : {});
  return {
    operationId: id,
    tags: [group],
    summary: name,
    description: scope === null ? sentences : `${sentences} Needs the scope \`${scope}\`.`,
    security: [{ bearer: scope === null ? [] : [scope] }],
    parameters: parametersOf(endpoint),
    ...requestBodyOf(endpoint),
    responses: { [status]: success, ...proposed, ...failureResponses(problemsOf(endpoint)) },
    ...(scope === null ? {} : { 'x-scope': scope }),
  };
}

const textMember = { type: 'string' } as const;
const components = {
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: `A token of an operator. Scopes: ${operatorScopes.join(', ')}.`,
    },
  },
  parameters: {
    idempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'Makes a repetition of this request harmless: it answers as before and does nothing again.',
      schema: { type: 'string', pattern: `^[\\x21-\\x7e]{1,${operatorLimits.idempotencyKeyLengthMax}}$` },
    },
    ifMatch: {
      name: 'If-Match',
      in: 'header',
      required: false,
      description: 'Refuses the edit with 412 unless the thing has this `ETag` still. `*`: unless it exists.',
      schema: { type: 'string' },
    },
  },
  headers: {
    entityTag: { description: 'Entity tag of what is shown, for `If-Match`.', schema: { type: 'string' } },
  },
  schemas: {
    Problem: {
      type: 'object',
      required: ['type', 'title', 'status', 'detail', 'code'],
      additionalProperties: false,
      properties: {
        type: textMember,
        title: textMember,
        status: { type: 'integer' },
        detail: textMember,
        code: { type: 'string', description: 'A stable word.' },
        errors: {
          type: 'array',
          description: 'Parts of the request at fault.',
          items: {
            type: 'object',
            required: ['detail'],
            additionalProperties: false,
            properties: {
              pointer: { type: 'string', description: 'A member of the body, as a JSON pointer.' },
              parameter: { type: 'string', description: 'A parameter of path or query.' },
              header: textMember,
              detail: textMember,
            },
          },
        },
      },
    },
  },
} as const;

/** The OpenAPI 3.1 document of the endpoints that are served, by id: one loop, no knowledge of any endpoint. */
export function operatorOpenApi(served: Readonly<Record<string, AnyOperatorEndpoint>>, version: string): JsonSchema {
  const paths: Record<string, Record<string, object>> = {};
  for (const group of groups) {
    for (const [id, endpoint] of Object.entries<AnyOperatorEndpoint>(group.endpoints)) {
      if (served[id] === undefined) continue;
      const operations = (paths[endpoint.path] ??= {});
      operations[endpoint.method.toLowerCase()] = operationOf(id, group.name, endpoint);
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bourse operator API',
      version,
      description:
        'For those who run the exchange: assets and networks, money on its way in and out, accounts, ledger.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: groups.map(({ name, description }) => ({ name, description })),
    paths,
    // What requests are answered that no operation takes, by the beginning of their path.
    'x-unrouted': { '/': failureResponses(unroutedProblems) },
    components,
  };
}
