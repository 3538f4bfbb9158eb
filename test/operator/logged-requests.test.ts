import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ApiKeyView, house } from '#model/account.ts';
import { openSandboxInterception, type SandboxInterception } from '#main/composition/sandbox-interception.ts';
import type { GatewaySettings } from '#public-api/gateway-context.ts';
import type { ObservedRequest } from '#http/request-observation.ts';
import { startTestOperator, type TestOperator } from './operator-harness.ts';

let operator: TestOperator;
let production: TestOperator;
let interception: SandboxInterception;
beforeAll(async () => {
  operator = await startTestOperator({
    context: (context) => {
      const settings = { keyHeader: 'X-SVC-APIKEY', keyHeaderAliases: [] } as unknown as GatewaySettings;
      interception = openSandboxInterception({ ...context, settings });
      return { ...context, requestLog: interception.requestLog };
    },
  });
  production = await startTestOperator();
});
afterEach(() => interception.requestLog.clear());
afterAll(async () => {
  interception.close();
  await Promise.all([operator.close(), production.close()]);
});

const path = '/v1/requests';
const alice = house.rebates + 1;
/** Logs a request of alice's. */
const log = (asked: string, status = 200): void => {
  const request = {
    ...{ method: 'GET', path: asked, query: '', headers: { host: 'here' }, body: null, client: { text: '127.0.0.1' } },
    ...{ route: null, refusal: status === 200 ? null : 'unknownPath', expectedSigning: null, answerHeaders: [] },
    ...{ receivedAt: operator.exchange.clock.now(), receivedMonotonic: operator.time.monotonic.now() },
    ...{ usedWeight: null, retryAfterSeconds: null },
    key: { accessKey: 'mx0aliceAAAAAAAAAA', account: alice } as unknown as ApiKeyView,
  } as unknown as ObservedRequest;
  interception.log.answered(request, { status, text: '{}', cutAfter: null, fault: null, carriedOut: null });
};
const get = (rest = '') => operator.ask('GET', path + rest);
const pathsOf = (body: { items: { path: string }[] }) => body.items.map((item) => item.path);

describe('DEC-KIT-27: logged requests over the operator API', () => {
  test('come newest first, page by page', async () => {
    for (let at = 1; at <= 5; at += 1) log(`/api/v3/${at}`);
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { status, body } = await get(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(status).toBe(200);
      found.push(...pathsOf(body));
      cursor = body.nextCursor;
    }
    expect(found).toEqual([5, 4, 3, 2, 1].map((at) => `/api/v3/${at}`));
    expect((await get('?cursor=nonsense')).body.errors[0].parameter).toBe('cursor');
  });

  test('are filtered, and shown as a whole', async () => {
    log('/api/v3/time');
    log('/api/v3/nothing', 404);
    expect(pathsOf((await get('?status=404')).body)).toEqual(['/api/v3/nothing']);
    expect(pathsOf((await get('?path=/api/v3/time&method=GET')).body)).toEqual(['/api/v3/time']);
    expect(pathsOf((await get(`?account=${operator.alice.uid}`)).body)).toHaveLength(2);
    expect(pathsOf((await get(`?account=${operator.bob.uid}`)).body)).toHaveLength(0);
    expect(pathsOf((await get('?kind=push')).body)).toEqual([]);
    const { items } = (await get('?refusal=unknownPath')).body;
    const { body } = await get(`/${items[0].id}`);
    expect(body).toMatchObject({ ...items[0], account: operator.alice.uid, headers: { host: 'here' }, answer: '{}' });
  });

  test.each([
    ['?account=99999999', 404, 'unknownAccount'],
    ['?kind=nothing', 400, 'invalidMember'],
    ['?status=0', 400, 'invalidMember'],
    ['?path=nothing', 400, 'invalidMember'],
    ['?colour=red', 400, 'invalidMember'],
    ['/999999', 404, 'unknownRequest'],
    ['/nothing', 400, 'invalidMember'],
    ['/export', 400, 'invalidMember'],
    ['/export?format=xml', 400, 'invalidMember'],
    ['/export?format=python&id=999999', 404, 'unknownRequest'],
  ])('%s is refused', async (rest, status, code) => {
    const reply = await get(rest);
    expect([reply.status, reply.body.code]).toEqual([status, code]);
  });

  test.each([
    ['GET', ''],
    ['GET', '/1'],
    ['GET', '/export?format=har'],
    ['GET', '/settings'],
    ['POST', '/await'],
    ['DELETE', ''],
  ])('in production there is no %s of %s', async (method, rest) => {
    const { status, body } = await production.ask(method, path + rest, method === 'POST' ? {} : undefined);
    expect([status, body.code]).toEqual([404, 'unknownPath']);
  });
});

describe('DEC-KIT-29, DEC-KIT-30, DEC-KIT-31: waiting, exports and settings', () => {
  const wait = (body: object) => operator.ask('POST', `${path}/await`, body);

  test('a request that comes is answered, and null where none does', async () => {
    expect((await wait({ seconds: 0 })).body).toEqual({ entry: null });
    const waiting = wait({ path: '/api/v3/time', seconds: 30 });
    while (interception.log.waits === 0) await new Promise((resolve) => setImmediate(resolve));
    log('/api/v3/other');
    log('/api/v3/time');
    const { entry } = (await waiting).body;
    expect(entry.path).toBe('/api/v3/time');
    expect((await wait({ after: entry.id - 2, seconds: 0 })).body.entry.path).toBe('/api/v3/other');
    expect((await wait({ seconds: 31 })).body.errors[0].pointer).toBe('/seconds');
    expect((await wait({ account: 99_999_999, seconds: 0 })).body.code).toBe('unknownAccount');
  });

  test('more than a hundred do not wait', async () => {
    const waiting = Array.from({ length: 100 }, () => interception.log.await({}, 30_000));
    expect((await wait({ seconds: 0 })).body.code).toBe('tooManyWait');
    interception.log.close();
    await Promise.all(waiting);
  });

  test('exports are text', async () => {
    log('/api/v3/time');
    const { body } = await get('/export?format=curl&path=/api/v3/time');
    expect([body.entries, body.text.split('\n').at(-2)]).toEqual([1, "curl -s 'http://here/api/v3/time'"]);
    expect(JSON.parse((await get('/export?format=har')).body.text).log.version).toBe('1.2');
  });

  test('settings are changed, and what is beyond their bounds is refused', async () => {
    const put = (body: object) => operator.ask('PUT', `${path}/settings`, body);
    expect((await put({ isOn: true, kept: 2 })).body).toEqual({ isOn: true, kept: 2 });
    for (let at = 0; at < 5; at += 1) log('/api/v3/time');
    expect((await get('')).body.items).toHaveLength(2);
    expect((await put({ isOn: true, kept: 0 })).body.errors[0].pointer).toBe('/kept');
    expect((await put({ isOn: true, kept: 10_001 })).body.errors[0].pointer).toBe('/kept');
    expect((await get('/settings')).body).toEqual({ isOn: true, kept: 2 });
    expect((await put({ isOn: true, kept: 1000 })).status).toBe(200);
    expect((await operator.ask('DELETE', path)).body).toEqual({ removed: 2 });
  });
});

describe('DEC-KIT-77: what operators change', () => {
  test('is kept with endpoint, members and answer, and listed where it is asked for', async () => {
    await operator.ask('PUT', '/v1/trading', { state: 'halted', reason: 'a look' });
    await operator.ask('PUT', '/v1/trading', { state: 'open', reason: 'over' });
    await operator.ask('PUT', '/v1/trading', { state: 'half-open' });
    await operator.ask('GET', '/v1/trading');
    expect((await get()).body.items).toEqual([]);
    const { items } = (await get('?kind=control')).body;
    expect(items).toMatchObject([
      { kind: 'control', method: 'PUT', path: '/v1/trading', status: 200, account: null, key: null },
      { kind: 'control' },
    ]);
    const { body } = await get(`/${items[1].id}`);
    expect(body).toMatchObject({ endpoint: 'putTrading', body: '{"state":"halted","reason":"a look"}' });
    expect(JSON.parse(body.answer)).toMatchObject({ state: 'halted' });
    expect((await get('?kind=control&path=/v1/pairs/*')).body.items).toEqual([]);
  });

  test('is not kept of tokens and of the log itself', async () => {
    await operator.ask('POST', '/v1/tokens', { actor: 'anna', scopes: ['pairs:read'] });
    await operator.ask('PUT', `${path}/settings`, { isOn: true, kept: 1000 });
    expect((await get('?kind=control')).body.items).toEqual([]);
  });
});
