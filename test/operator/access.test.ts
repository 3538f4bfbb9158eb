import { request as httpRequest } from 'node:http';
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '#operator-api/catalogue.ts';
import { type AnyOperatorEndpoint, operatorScopes } from '#operator-api/declaration/endpoint.ts';
import { tokenHashOf } from '#operator-api/requests/authenticate.ts';
import { rootToken, startTestOperator, type TestOperator } from './operator-harness.ts';

let operator: TestOperator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.close());

const endpoints = Object.entries<AnyOperatorEndpoint>(catalogue).filter(
  ([, { sandboxOnly }]) => sandboxOnly === undefined,
);
/** A path of an endpoint, with something in every place of it. */
const pathOf = ({ path }: AnyOperatorEndpoint): string =>
  path
    .replace('{uid}', '10000001')
    .replace('{account}', 'dust')
    .replace('{id}', 'ab'.repeat(32))
    .replace(/\{(deposit|withdrawal)\}/, '1')
    .replace(/\{\w+\}/g, 'ETH');

async function createToken(scopes: readonly string[], validHours = 1, actor = 'erin'): Promise<string> {
  const { status, body } = await operator.ask('POST', '/v1/tokens', { actor, scopes, validHours });
  expect(status).toBe(201);
  return body.token;
}

/** Sends header lines as they are, names and values in turn. */
function askRaw(lines: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = ['Host', 'localhost', ...lines];
    const sent = httpRequest({ host: '127.0.0.1', port: operator.port, path: '/v1/assets', headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject).end();
  });
}

describe('DEC-OPR-01: pages', () => {
  test('health, readiness, version, metrics and documents need no token', async () => {
    for (const path of ['/healthz', '/readyz', '/version', '/metrics', '/openapi.json', '/docs/', '/favicon.ico']) {
      const { status } = await operator.ask('GET', path, undefined, { token: null });
      expect([path, status]).toEqual([path, 200]);
    }
    expect((await operator.ask('GET', '/metrics', undefined, { token: null })).text).toBe('bourse_up 1\n');
  });
});

describe('DEC-OPR-02: who has no valid token gets 401', () => {
  test.each(endpoints)('%s needs a token', async (_id, endpoint) => {
    const { status, body, headers } = await operator.ask(endpoint.method, pathOf(endpoint), undefined, { token: null });
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'tokenRequired' });
    expect(headers.get('www-authenticate')).toBe('Bearer realm="bourse operator"');
  });

  test.each([
    ['an unknown token', `Bearer ${'f'.repeat(64)}`],
    ['another scheme', `Basic ${Buffer.from(`root:${rootToken}`).toString('base64')}`],
    ['a token without a scheme', rootToken],
    ['a token that begins like the right one', `Bearer ${rootToken.slice(0, -1)}`],
    ['a token that goes on after the right one', `Bearer ${rootToken}0`],
    ['a token with blanks in it', `Bearer ${rootToken} x`],
    ['a token of 129 characters', `Bearer ${'a'.repeat(129)}`],
    ['nothing behind the scheme', 'Bearer '],
    ['the hash of the token', `Bearer ${createHash('sha256').update(rootToken).digest('hex')}`],
  ])('%s is refused', async (_, authorization) => {
    const headers = { authorization };
    const {
      status,
      body,
      headers: answered,
    } = await operator.ask('GET', '/v1/assets', undefined, { token: null, headers });
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'invalidToken' });
    expect(answered.get('www-authenticate')).toBe('Bearer realm="bourse operator", error="invalid_token"');
  });

  test('two Authorization headers are refused, whichever comes first', async () => {
    const [good, bad] = [`Bearer ${rootToken}`, `Bearer ${'f'.repeat(64)}`];
    expect(await askRaw(['Authorization', good])).toBe(200);
    expect(await askRaw(['Authorization', good, 'authorization', bad])).toBe(401);
    expect(await askRaw(['Authorization', good, 'authorization', good])).toBe(401);
  });

  test('the scheme is read in any case', async () => {
    expect(await askRaw(['Authorization', `bEARER ${rootToken}`])).toBe(200);
  });

  test('without a token in the configuration nobody is root', async () => {
    const other = await startTestOperator({ context: (context) => ({ ...context, rootToken: null }) });
    expect((await other.ask('GET', '/v1/assets')).body.code).toBe('invalidToken');
    await other.close();
  });

  test('the body of a request without a token is not read', async () => {
    const { status } = await operator.ask('POST', '/v1/tokens', undefined, { token: null, rawBody: '{"broken' });
    expect(status).toBe(401);
  });
});

describe('DEC-OPR-03: scopes', () => {
  const scoped = endpoints.filter(([, { scope }]) => scope !== null);

  test.each(scoped)('%s answers 403 to a token with every scope but its own', async (_id, endpoint) => {
    const others = operatorScopes.filter((scope) => scope !== endpoint.scope && scope !== 'tokens:write');
    const token = await createToken(others);
    const before = operator.digest();
    const { status, body, headers } = await operator.ask(endpoint.method, pathOf(endpoint), undefined, { token });
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'insufficientScope' });
    expect(body.detail).toContain(endpoint.scope);
    expect(headers.get('www-authenticate')).toContain(`error="insufficient_scope", scope="${endpoint.scope}"`);
    expect(operator.digest()).toBe(before);
  });

  test.each(scoped)('%s lets a token with its scope alone through', async (_id, endpoint) => {
    // Who makes tokens is another one than who approves.
    const token = await createToken([endpoint.scope!], 1, endpoint.scope === 'tokens:write' ? 'tess' : 'erin');
    const { status } = await operator.ask(endpoint.method, pathOf(endpoint), undefined, { token });
    expect([401, 403]).not.toContain(status);
  });
});

test('DEC-OPR-03: any token may look at itself, and sees no other', async () => {
  const token = await createToken(['ledger:read']);
  const own = await operator.ask('GET', '/v1/token', undefined, { token });
  const [listed] = (await operator.ask('GET', '/v1/tokens?limit=500')).body.items.filter(
    ({ id }: { id: string }) => id === tokenHashOf(token),
  );
  const { actor, scopes, expiresAt } = listed;
  expect(own.body).toEqual({ actor, scopes, expiresAt });
  const root = await operator.ask('GET', '/v1/token');
  expect(root.body).toEqual({ actor: 'root', scopes: operatorScopes, expiresAt: null });
  expect((await operator.ask('GET', '/v1/token', undefined, { token: null })).status).toBe(401);
});

describe('DEC-OPR-04: failed authentications count for the firewall', () => {
  let guarded: TestOperator;
  afterEach(() => guarded.close());

  test('after too many of them the address gets 403, also with a valid token', async () => {
    guarded = await startTestOperator({ settings: { faultsPerWindow: 5 } });
    for (let count = 0; count < 6; count += 1) {
      const { status } = await guarded.ask('GET', '/v1/assets', undefined, { token: 'f'.repeat(64) });
      expect([count, status]).toEqual([count, 401]);
    }
    const { status, body, headers } = await guarded.ask('GET', '/v1/assets');
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'accessDenied' });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await guarded.ask('GET', '/healthz')).status).toBe(200);
  });

  test('a valid token and refused members do not', async () => {
    guarded = await startTestOperator({ settings: { faultsPerWindow: 5 } });
    for (let count = 0; count < 10; count += 1) await guarded.ask('GET', '/v1/assets?limit=0');
    expect((await guarded.ask('GET', '/v1/assets')).status).toBe(200);
  });
});

describe('DEC-OPR-11: the token of the configuration', () => {
  test('acts as root, with every scope', async () => {
    await operator.ask('PUT', '/v1/accounts/10000001/status', { status: 'normal' });
    expect(operator.exchange.entries.at(-1)?.command).toMatchObject({ kind: 'operate', actor: 'root' });
  });
  test('is in no log', () => {
    expect(operator.logged.filter((line) => line.includes(rootToken))).toEqual([]);
  });
});

describe('DEC-OPR-12: created tokens', () => {
  test('are 32 bytes as hex, shown once; journal and state have only their hash', async () => {
    const { body } = await operator.ask('POST', '/v1/tokens', { actor: 'dan', scopes: ['ledger:read'], validHours: 1 });
    expect(body.token).toMatch(/^[0-9a-f]{64}$/);
    expect(body.id).toBe(createHash('sha256').update(body.token).digest('hex'));
    const { body: list } = await operator.ask('GET', '/v1/tokens?limit=500');
    const { token, ...others } = body;
    expect(list.items).toContainEqual(others);
    expect(
      JSON.stringify(operator.exchange.entries, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
    ).not.toContain(token);
    expect(operator.logged.filter((line) => line.includes(token))).toEqual([]);
  });

  test('act under their own name', async () => {
    const token = await createToken(['accounts:write'], 1, 'frank');
    await operator.ask('PUT', '/v1/accounts/10000002/status', { status: 'normal' }, { token });
    expect(operator.exchange.entries.at(-1)?.command).toMatchObject({ kind: 'operate', actor: 'frank' });
  });

  test('expire at their moment, not before', async () => {
    const token = await createToken(['assets:read'], 2);
    const began = operator.exchange.clock.time;
    operator.exchange.clock.time = began + 7_199_999;
    expect((await operator.ask('GET', '/v1/assets', undefined, { token })).status).toBe(200);
    operator.exchange.clock.time = began + 7_200_000;
    expect((await operator.ask('GET', '/v1/assets', undefined, { token })).body.code).toBe('invalidToken');
  });

  test('are invalid as soon as they are revoked', async () => {
    const token = await createToken(['assets:read']);
    const id = createHash('sha256').update(token).digest('hex');
    expect((await operator.ask('DELETE', `/v1/tokens/${id}`)).body).toEqual({ id });
    expect((await operator.ask('GET', '/v1/assets', undefined, { token })).body.code).toBe('invalidToken');
    expect((await operator.ask('DELETE', `/v1/tokens/${id}`)).body.code).toBe('unknownOperatorToken');
  });

  test('have at most the scopes of their creator', async () => {
    const token = await createToken(['tokens:write', 'ledger:read'], 1, 'tess');
    const body = { actor: 'mallory', scopes: ['withdrawals:review'], validHours: 1 };
    const { status, body: refusal } = await operator.ask('POST', '/v1/tokens', body, { token });
    expect({ status, code: refusal.code }).toEqual({ status: 403, code: 'insufficientScope' });
    const allowed = await operator.ask('POST', '/v1/tokens', { ...body, scopes: ['ledger:read'] }, { token });
    expect(allowed.status).toBe(201);
  });

  test.each([
    ['a letter of another alphabet', { actor: '\u0435rin' }, '/actor'],
    ['wide letters', { actor: 'ｒｏｏｔ' }, '/actor'],
    ['a name with a blank', { actor: 'a b' }, '/actor'],
    ['no scope', { scopes: [] }, '/scopes'],
    ['an unknown scope', { scopes: ['assets:all'] }, '/scopes/0'],
    ['no life', { validHours: 0 }, '/validHours'],
    ['a life beyond 366 days', { validHours: 8785 }, '/validHours'],
  ])('cannot have %s', async (_, change, pointer) => {
    const body = { actor: 'erin', scopes: ['assets:read'], validHours: 1, ...change };
    const { status, body: refusal } = await operator.ask('POST', '/v1/tokens', body);
    expect({ status, pointers: refusal.errors.map((each: { pointer: string }) => each.pointer) }).toEqual({
      status: 400,
      pointers: [pointer],
    });
  });

  test.each([
    ['DEC-OPR-140: the name root', { actor: 'root' }, '/actor'],
    ['DEC-OPR-140: the name Root', { actor: 'Root' }, '/actor'],
    ['DEC-OPR-140: the name ROOT', { actor: 'ROOT' }, '/actor'],
    [
      'DEC-OPR-141: both tokens and reviews of withdrawals',
      { scopes: ['tokens:write', 'withdrawals:review'] },
      '/scopes',
    ],
    ['DEC-OPR-141: both reviews of deposits and tokens', { scopes: ['deposits:review', 'tokens:write'] }, '/scopes'],
  ])('cannot have %s', async (_, change, pointer) => {
    const before = operator.digest();
    const body = { actor: 'erin', scopes: ['assets:read'], validHours: 1, ...change };
    const { status, body: refusal } = await operator.ask('POST', '/v1/tokens', body);
    expect([status, refusal.code, refusal.errors[0].pointer]).toEqual([422, 'invalidConfiguration', pointer]);
    expect(operator.digest()).toBe(before);
  });
});
