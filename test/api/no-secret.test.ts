import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '#public-api/catalogue.ts';
import type { AnyEndpoint } from '#public-api/declaration/endpoint.ts';
import { parameterNames } from '#public-api/declaration/request.ts';
import { keys, secret, sign, startTestGateway, type TestGateway } from './gateway-harness.ts';

/*
 * No secret that a client sends stands in a log line or in a refusal of the public API: tried at every endpoint, in
 * every place, with answers of 2xx, 4xx and 5xx. DEC-OPR-199.
 */

/** Recognisable; clients paste secrets where they do not belong. */
const pasted = 'deadbeefsecret'.padEnd(64, '5');
const endpoints = Object.entries(catalogue as Record<string, AnyEndpoint>);
let gate: TestGateway;
let listenKey: string;
let isFailing = false;

/** Queries of which each fails while `isFailing`. */
function failing<Queries extends object>(queries: Queries): Queries {
  return new Proxy(queries, {
    get: (target, name) => {
      const member = Reflect.get(target, name) as unknown;
      // Keys are looked up all the same, so that requests come further than their authentication.
      if (typeof member === 'object' && member !== null) return failing(member);
      if (typeof member !== 'function' || /key|account$/i.test(String(name))) return member;
      return (...args: unknown[]) => (isFailing ? Promise.reject(new Error('planted')) : member.apply(target, args));
    },
  });
}

beforeAll(async () => {
  gate = await startTestGateway({
    settings: { rateLimits: false },
    context: (context) => ({ ...context, queries: failing(context.queries) }),
  });
  listenKey = ((await gate.signed('POST', '/api/v3/userDataStream')).body as { listenKey: string }).listenKey;
});
afterAll(() => gate.close());

function expectSilence(text: string, signature: string): void {
  for (const known of [pasted, secret, signature, listenKey]) {
    expect(gate.logged.join('\n')).not.toContain(known);
    expect(text).not.toContain(known);
  }
}

/** Asks with each parameter, and a name that there is not, set to the secret; signed with `signedBy`. */
async function askAll({ method, path, request }: AnyEndpoint & { request: unknown }, key: string, signedBy: string) {
  const names = [...parameterNames({ request } as AnyEndpoint), 'extra', 'password', 'listenKey', null];
  for (const name of names) {
    const parameters = name === null ? {} : { [name]: pasted };
    const text = new URLSearchParams({ ...parameters, timestamp: String(gate.exchange.clock.time) }).toString();
    const signature = sign(text, signedBy);
    const headers = { 'X-SVC-APIKEY': key, 'user-agent': pasted, cookie: `a=${pasted}` };
    const reply = await gate.send(method, `${path}?${text}&signature=${signature}`, { headers });
    expectSilence(reply.status >= 400 ? reply.text : '', signature);
  }
}

describe('DEC-OPR-199: no secret in a log line or a refusal of the public API', () => {
  test.each(endpoints)('%s', async (_id, endpoint) => {
    gate.logged.length = 0;
    await askAll(endpoint, keys.alice, secret);
    await askAll(endpoint, keys.alice, pasted);
    await askAll(endpoint, pasted, pasted);
    isFailing = true;
    await askAll(endpoint, keys.alice, secret);
    isFailing = false;
  });

  test('of paths that there are not', async () => {
    for (const path of [`/${pasted}`, `/api/v3/${pasted}?signature=${pasted}`, `/ws?listenKey=${pasted}`])
      expectSilence((await gate.send('GET', path)).text, pasted);
  });

  test('and 5xx were among them: what was planted is logged', async () => {
    isFailing = true;
    gate.logged.length = 0;
    const { status } = await gate.signed('GET', '/api/v3/account');
    isFailing = false;
    expect(status).toBe(500);
    expect(gate.logged.join()).toContain('planted');
  });
});
