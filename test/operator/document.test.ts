import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { catalogue, groups } from '#operator-api/catalogue.ts';
import { type AnyOperatorEndpoint, commandsOf, isWrite, operatorScopes } from '#operator-api/declaration/endpoint.ts';
import { createHandlers } from '#operator-api/create-handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { AnswerCheck } from '../answer-check.ts';
import { startTestOperator, type TestOperator } from './operator-harness.ts';

const endpoints = Object.entries<AnyOperatorEndpoint>(catalogue);

let operator: TestOperator;
let production: TestOperator;
let check: AnswerCheck;
beforeAll(async () => {
  operator = await startTestOperator({ hasChains: true });
  check = new AnswerCheck(operator.document);
  production = await startTestOperator();
});
afterAll(async () => {
  await operator.close();
  await production.close();
});

describe('the catalogue', () => {
  test('is what the groups hold, in their order', () => {
    expect(groups.flatMap((group) => Object.keys(group.endpoints))).toEqual(Object.keys(catalogue));
  });

  test('names every endpoint once, by method and path, and by its name', () => {
    for (const of of [
      ({ method, path }: AnyOperatorEndpoint) => `${method} ${path}`,
      ({ name }: AnyOperatorEndpoint) => name,
    ]) {
      const names = endpoints.map(([, endpoint]) => of(endpoint));
      expect(new Set(names).size).toBe(names.length);
    }
  });

  test.each(endpoints)('%s: the members of its path are its parameters', (_id, { path, parameters }) => {
    const members = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    expect(Object.keys(parameters.shape)).toEqual(members);
  });

  test('DEC-OPR-260: gives every endpoint words of the command line that no other has', () => {
    const words = endpoints.flatMap(([, endpoint]) => commandsOf(endpoint).map((command) => command.words));
    expect(words.filter((each) => !/^[a-z]+(?:-[a-z]+)*(?: [a-z]+(?:-[a-z]+)*)?$/.test(each))).toEqual([]);
    expect(words.filter((each, at) => words.indexOf(each) !== at)).toEqual([]);
    for (const [id, endpoint] of endpoints) expect([id, commandsOf(endpoint).length]).not.toEqual([id, 0]);
  });

  test('DEC-OPR-260, DEC-OPR-263: what words fix, and what is asked about, is what the body takes', () => {
    for (const [id, endpoint] of endpoints) {
      const { asksFirst = {} } = endpoint;
      if (asksFirst === true) expect([id, isWrite(endpoint)]).toEqual([id, true]);
      const asked = Object.entries(asksFirst === true ? {} : asksFirst).flatMap(([name, values]) =>
        values.map((value) => [name, value] as const),
      );
      const said = commandsOf(endpoint).flatMap(({ fixed }) => Object.entries(fixed));
      const members = (endpoint.body as z.ZodObject | null)?.shape ?? {};
      for (const [name, value] of [...asked, ...said])
        expect([id, name, members[name]?.safeParse(value).success]).toEqual([id, name, true]);
    }
  });

  test('uses every scope', () => {
    const used = new Set(endpoints.map(([, { scope }]) => scope));
    expect(operatorScopes.filter((scope) => !used.has(scope))).toEqual([]);
  });

  test('has exactly one handler for each endpoint', () => {
    const handlers = createHandlers({ queries: {}, clock: { now: () => 0 } } as unknown as OperatorContext);
    expect(Object.keys(handlers).sort()).toEqual(Object.keys(catalogue).sort());
  });
});

describe('the OpenAPI document', () => {
  test('is of version 3.1 and describes every endpoint that is served', () => {
    expect(operator.document.openapi).toBe('3.1.0');
    const ids = (document: { paths: Record<string, Record<string, { operationId: string }>> }) =>
      Object.values(document.paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    expect(ids(operator.document).sort()).toEqual(Object.keys(catalogue).sort());
  });

  test('DEC-OPR-16: chain controls are not in it where there are no simulated chains', () => {
    expect(Object.keys(production.document.paths).filter((path) => path.startsWith('/v1/chains'))).toEqual([]);
    expect(Object.keys(operator.document.paths).filter((path) => path.startsWith('/v1/chains'))).not.toEqual([]);
  });

  test('every reference in it leads somewhere', () => {
    const references = [...JSON.stringify(operator.document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      (match) => match[1]!,
    );
    expect(references.length).toBeGreaterThan(10);
    for (const reference of references) {
      const found = reference.split('/').reduce((at, name) => at?.[name], operator.document);
      expect([reference, typeof found]).toEqual([reference, 'object']);
    }
  });

  test.each(endpoints)('the examples of %s are what its schemas describe', (_id, { method, path }) => {
    const operation = operator.document.paths[path][method.toLowerCase()];
    const at = ['paths', path, method.toLowerCase()];
    const faultsOf = (content: Record<string, { example: unknown }>, place: readonly string[]) =>
      Object.entries(content)
        .filter(([type]) => type !== 'text/csv')
        .flatMap(([type, { example }]) => check.schemaFaults([...at, ...place, 'content', type, 'schema'], example));
    expect(faultsOf(operation.requestBody?.content ?? {}, ['requestBody'])).toEqual([]);
    const status = Object.keys(operation.responses).find((each) => Number(each) < 300)!;
    const { content } = operation.responses[status];
    expect(Object.keys(content)).not.toEqual([]);
    expect(faultsOf(content, ['responses', status])).toEqual([]);
  });

  test('every endpoint tells its scope and every problem that any request can get', () => {
    for (const [id, { method, path, scope }] of endpoints) {
      const operation = operator.document.paths[path][method.toLowerCase()];
      expect([id, operation.security]).toEqual([id, [{ bearer: scope === null ? [] : [scope] }]]);
      const statuses = Object.keys(operation.responses);
      for (const status of ['400', '401', '403', '500', '503'])
        expect([id, statuses]).toEqual([id, expect.arrayContaining([status])]);
    }
  });
});
