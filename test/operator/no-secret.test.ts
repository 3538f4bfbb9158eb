import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { sampleOf, jsonSchemaOf } from '#http/documents/json-schema.ts';
import { catalogue } from '#operator-api/catalogue.ts';
import { type AnyOperatorEndpoint, operatorScopes } from '#operator-api/declaration/endpoint.ts';
import { rootToken, startTestOperator, type TestOperator } from './operator-harness.ts';
import { openWallet } from './wallet-stage.ts';

/*
 * No secret that a client sends, and none that the exchange makes, stands in a log line or in the answer of a refusal:
 * tried at every endpoint, in every place, with answers of 2xx, 4xx and 5xx. DEC-OPR-199.
 */

/** Recognisable, and of the form of a token, so that it is read wherever one is. */
const secret = 'deadbeefsecret'.padEnd(64, '5');
const endpoints = Object.entries<AnyOperatorEndpoint>(catalogue);
let operator: TestOperator;
/** Of an operator with a token that may do all but make tokens. */
let token: string;
let isFailing = false;

/** Queries of which each fails while `isFailing`, naming what it was asked. */
function failing<Queries extends object>(queries: Queries): Queries {
  return new Proxy(queries, {
    get: (target, name) => {
      const member = Reflect.get(target, name) as unknown;
      if (name === 'operatorToken' || typeof member === 'string') return member;
      if (typeof member === 'object' && member !== null) return failing(member);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => (isFailing ? Promise.reject(new Error('planted')) : member.apply(target, args));
    },
  });
}

beforeAll(async () => {
  operator = await startTestOperator({
    hasChains: true,
    context: (context) => ({ ...context, queries: failing(context.queries) }),
  });
  await openWallet(operator);
  const scopes = operatorScopes.filter((scope) => scope !== 'tokens:write');
  token = (await operator.ask('POST', '/v1/tokens', { actor: 'erin', scopes, validHours: 1000 })).body.token;
});
afterAll(() => operator.close());

/** A path with something in every place, the secret in the place of this name. */
const pathOf = ({ path, parameters }: AnyOperatorEndpoint, place: string | null): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name === place) return secret;
    const sample = sampleOf(jsonSchemaOf(parameters.shape[name] as z.ZodType, 'input'), name);
    return encodeURIComponent(name === 'uid' ? String(operator.alice.uid) : String(sample));
  });

/** A body as the document shows it, with the secret in the member of this name. */
function bodyOf({ body }: AnyOperatorEndpoint, place: string | null): object | undefined {
  if (body === null) return undefined;
  const sample = sampleOf(jsonSchemaOf(body, 'input')) as object;
  return place === null ? sample : { ...sample, [place]: secret };
}

const membersOf = (schema: z.ZodType | null): string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];

function expectSilence(text: string): void {
  for (const known of [secret, rootToken, token]) {
    expect(operator.logged.join('\n')).not.toContain(known);
    expect(text).not.toContain(known);
  }
}

describe('DEC-OPR-199: no secret in a log line or a refusal of the operator API', () => {
  test.each(endpoints)('%s', async (_id, endpoint) => {
    operator.logged.length = 0;
    const { method, parameters, query, body } = endpoint;
    const places: [path: string | null, inQuery: string | null, inBody: string | null][] = [
      [null, null, null],
      ...membersOf(parameters).map((name) => [name, null, null] as [string, null, null]),
      ...[...membersOf(query), 'extra'].map((name) => [null, name, null] as [null, string, null]),
      ...[...membersOf(body), 'extra'].map((name) => [null, null, name] as [null, null, string]),
    ];
    for (const asToken of [token, secret]) {
      // A token that is not known is refused before anything else is read.
      for (const [path, inQuery, inBody] of asToken === token ? places : places.slice(0, 2)) {
        isFailing = false;
        const address = `${pathOf(endpoint, path)}${inQuery === null ? '' : `?${inQuery}=${secret}`}`;
        const headers = {
          'idempotency-key': secret,
          'user-agent': secret,
          cookie: `a=${secret}`,
          'if-none-match': secret,
        };
        const { status, text } = await operator.ask(method, address, bodyOf(endpoint, inBody), {
          token: asToken,
          headers,
        });
        if (status >= 400) expectSilence(text);
        expectSilence('');
      }
    }
    isFailing = true;
    for (const [path, inQuery, inBody] of places) {
      const address = `${pathOf(endpoint, path)}${inQuery === null ? '' : `?${inQuery}=${secret}`}`;
      const { status, text } = await operator.ask(method, address, bodyOf(endpoint, inBody), { token });
      expectSilence(status >= 400 ? text : '');
    }
    isFailing = false;
  });

  test('of paths and methods that there are not', async () => {
    for (const address of [`/v1/${secret}`, `/${secret}?token=${secret}`, `/v1/assets/${secret}/${secret}`]) {
      for (const method of ['GET', 'POST', 'PATCH']) {
        const body = method === 'GET' ? undefined : { token: secret };
        expectSilence((await operator.ask(method, address, body, { token: secret })).text);
      }
    }
  });

  test('and 5xx were among them: what was planted is logged', async () => {
    isFailing = true;
    operator.logged.length = 0;
    expect((await operator.ask('GET', '/v1/assets')).status).toBe(500);
    isFailing = false;
    expect(operator.logged.join()).toContain('planted');
    expect(operator.logged.join()).toContain('/v1/assets');
  });
});
