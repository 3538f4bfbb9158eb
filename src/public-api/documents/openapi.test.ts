import { describe, expect, test } from 'vitest';
import { catalogue, endpointIds, groups } from '#public-api/catalogue.ts';
import { jsonSchemaOf, sampleOf } from '#http/documents/json-schema.ts';
import { openApi } from '#public-api/documents/openapi.ts';
import type { AnyEndpoint } from '#public-api/declaration/endpoint.ts';
import { errors } from '#http/errors.ts';

const document = openApi(groups, {
  version: '1.2.3',
  spotServer: 'http://127.0.0.1:8080',
  futuresServer: 'http://127.0.0.1:8080',
  keyHeader: 'X-SVC-APIKEY',
});
// biome-ignore lint/suspicious/noExplicitAny: the document is read as a client would read it
const read = JSON.parse(JSON.stringify(document)) as any;

function referencesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => (name === '$ref' ? [`${member}`] : referencesIn(member)));
}

test('the document is OpenAPI 3.1 and holds each endpoint once', () => {
  expect(read.openapi).toBe('3.1.0');
  const operations = Object.entries(read.paths as Record<string, Record<string, { operationId: string }>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
  );
  expect(operations.sort()).toEqual(
    endpointIds.map((id) => `${id} ${catalogue[id].method} ${catalogue[id].path}`).sort(),
  );
});

test('an operation is shown by its short name, and its sentence describes it', () => {
  const { summary, description, tags } = read.paths['/api/v3/klines'].get;
  expect({ summary, tags }).toEqual({ summary: 'Candles', tags: ['Market data'] });
  expect(description).toBe(`${catalogue.candles.summary} ${catalogue.candles.notes}`);
});

test('every tag of an operation is declared, and every declared one is used', () => {
  const operations = Object.values(read.paths as Record<string, Record<string, { tags: string[] }>>);
  const used = operations.flatMap((methods) => Object.values(methods).flatMap(({ tags }) => tags));
  const declared = read.tags.map(({ name }: { name: string }) => name);
  expect([...new Set(used)].sort()).toEqual([...declared].sort());
});

test('every reference inside it leads somewhere', () => {
  for (const reference of referencesIn(read)) {
    const found = reference
      .replace('#/', '')
      .split('/')
      .reduce((value, name) => value?.[name], read);
    expect([reference, found]).toEqual([reference, expect.anything()]);
  }
});

test('a signed endpoint asks for key, signature and timestamp, a public one for nothing', () => {
  const signed = read.paths['/api/v3/order'].get;
  expect(signed.security).toEqual([{ accessKey: [], signature: [] }]);
  expect(signed.parameters).toContainEqual({ $ref: '#/components/parameters/timestamp' });
  expect(signed['x-permission']).toBe('SPOT_DEAL_READ');
  expect(read.paths['/api/v3/ping'].get.security).toEqual([]);
  expect(read.components.securitySchemes.accessKey.name).toBe('X-SVC-APIKEY');
});

test('parameters tell their default and bounds as numbers', () => {
  const { parameters } = read.paths['/api/v3/depth'].get;
  const limit = parameters.find(({ name }: { name: string }) => name === 'limit');
  expect(limit).toMatchObject({
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 5000, default: 100 },
  });
});

test('errors stand under their HTTP status with code and text', () => {
  const { responses } = read.paths['/api/v3/order'].post;
  expect(responses['400'].content['application/json'].examples.oversold.value).toEqual({
    code: errors.oversold.code,
    msg: errors.oversold.message,
  });
  expect(responses['429'].headers['Retry-After']).toBeDefined();
});

describe('DEC-REQ-160: the document has every failure in the form of its endpoint', () => {
  const schemaOf = (path: string, method: string, status: number) =>
    read.paths[path][method].responses[status].content['application/json'].schema;
  const codeForm = (...codes: number[]) => ({
    $ref: '#/components/schemas/Error',
    properties: { code: { enum: expect.arrayContaining(codes) } },
  });

  test('affiliates answer refusals in their envelope, and what comes before them as everywhere', () => {
    const paths = Object.keys(read.paths).filter((path) => path.startsWith('/api/v3/rebate/affiliate/'));
    expect(paths).toHaveLength(6);
    for (const path of paths) {
      const { anyOf } = schemaOf(path, 'get', 400);
      const $ref = '#/components/schemas/AffiliateError';
      expect(anyOf).toContainEqual({ $ref, properties: { code: { enum: expect.arrayContaining([33333, 700007]) } } });
      expect(schemaOf(path, 'get', 429)).toEqual({ $ref, properties: { code: { enum: [429] } } });
      expect(schemaOf(path, 'get', 403)).toEqual(codeForm(403));
    }
    expect(read.components.schemas.AffiliateError.required).toEqual(['success', 'code', 'message', 'data']);
    expect(read.components.schemas.AffiliateError.additionalProperties).toBe(false);
  });

  test('futures fail with 200 beside their successes, and name the contract only where they take one', () => {
    const codesOf = (path: string) => schemaOf(path, 'get', 200).anyOf[1].properties.code.enum;
    expect(codesOf('/api/v1/contract/depth/{symbol}')).toEqual(expect.arrayContaining([600, 1001]));
    expect(codesOf('/api/v1/contract/ping')).not.toContain(1001);
    expect(schemaOf('/api/v1/contract/ping', 'get', 429).properties.code.enum).toEqual([510]);
  });

  test('every endpoint tells of limits of the transport', () => {
    for (const [path, operations] of Object.entries<Record<string, object>>(read.paths))
      for (const method of Object.keys(operations))
        for (const status of [403, 413, 414, 415, 418, 431])
          expect([path, schemaOf(path, method, status)]).toEqual([path, codeForm(status)]);
  });

  test('paths and methods that nothing takes stand beside the endpoints, in the form of their side', () => {
    const { '/': spot, '/api/v1': futures } = read['x-unrouted'];
    for (const status of [404, 405]) {
      expect(spot[status].content['application/json'].schema).toEqual(codeForm(status));
      expect(futures[status].content['application/json'].schema.$ref).toBe('#/components/schemas/FuturesError');
    }
    expect(Object.keys(spot)).toEqual(expect.arrayContaining(['400', '408', '413', '414', '417', '418', '431']));
  });
});

describe('the sample answer fits the schema', () => {
  test.each(endpointIds)('%s', (id) => {
    const { response } = catalogue[id] as AnyEndpoint;
    expect(response.safeParse(sampleOf(jsonSchemaOf(response))).error).toBeUndefined();
  });
});
