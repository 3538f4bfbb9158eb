import { execFileSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ExportFormat } from '#sandbox/request-log/log-controls.ts';
import { openSandboxInterception, type SandboxInterception } from '#main/composition/sandbox-interception.ts';
import { encode, keys, secret, sign, startTestGateway, type TestGateway } from './gateway-harness.ts';

let gate: TestGateway;
let interception: SandboxInterception;
beforeAll(async () => {
  gate = await startTestGateway({
    settings: { rateLimits: false },
    context: (context) => {
      const demoKeys = [{ name: 'alice', role: 'test', accessKey: keys.alice, secretKey: secret }];
      interception = openSandboxInterception({ ...context, demoKeys });
      return { ...context, requestInterceptor: interception.faults.requests, requestObserver: interception.log };
    },
  });
});
afterEach(() => {
  interception.faults.clear();
  interception.requestLog.clear();
});
afterAll(async () => {
  interception.close();
  await gate.close();
});

const terms = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '30000' };
const place = (sending = {}) => gate.signed('POST', '/api/v3/order', terms, sending);
const all: { readonly before: number | null; readonly limit: number } = { before: null, limit: 100 };
/** The newest entry as a whole. */
const newest = async (filter = {}) => {
  const [summary] = await interception.requestLog.page(filter, all);
  return (await interception.requestLog.entry(summary!.id))!;
};

describe('DEC-KIT-27: the log of requests', () => {
  test('a request with its answer', async () => {
    const { body, text } = await place();
    expect(body.orderId).toBeDefined();
    expect(await newest()).toMatchObject({
      ...{ kind: 'request', method: 'POST', path: '/api/v3/order', endpoint: 'placeOrder', status: 200, answer: text },
      ...{ account: 1001, key: keys.alice, refusal: null, fault: null, carriedOut: null, cutAfter: null },
      ...{ at: gate.exchange.clock.time, body: null, signedText: null, expectedSignature: null },
      headers: { 'x-svc-apikey': keys.alice, host: `127.0.0.1:${gate.port}` },
    });
    expect((await newest()).query).toContain('symbol=BTCUSDT&side=BUY');
  });

  test('a body, and a signature that is wrong, with what was to be signed', async () => {
    const text = encode({ timestamp: String(gate.exchange.clock.time) });
    const body = encode(terms);
    const headers = { 'X-SVC-APIKEY': keys.alice, 'content-type': 'application/x-www-form-urlencoded' };
    const signature = sign('something else');
    await gate.send('POST', `/api/v3/order?${text}&signature=${signature}`, { headers, body });
    expect(await newest()).toMatchObject({
      ...{ status: 400, refusal: 'signatureInvalid', body, account: 1001 },
      ...{ signedText: text + body, expectedSignature: sign(text + body) },
    });
  });

  test.each([
    ['an unknown path', () => gate.send('GET', '/api/v3/nothing'), 404, 'unknownPath'],
    ['another method', () => gate.send('PUT', '/api/v3/time'), 405, 'methodNotAllowed'],
    ['an unknown key', () => place({ key: 'mx0nobodyNNNNNNNNN' }), 400, 'unknownAccessKey'],
    [
      'a body that is too large',
      () => gate.send('POST', '/api/v3/order', { body: 'x'.repeat(9000), headers: { 'X-SVC-APIKEY': keys.alice } }),
      413,
      'bodyTooLarge',
    ],
  ])('%s', async (_what, ask, status, refusal) => {
    expect((await ask()).status).toBe(status);
    expect(await newest()).toMatchObject({ status, refusal, body: null });
  });

  test('what a fault touched, with the status that it had else', async () => {
    const failure = { status: 504, code: null, message: 'Lost.', retryAfterSeconds: null };
    await interception.faults.add({
      id: 'lost',
      match: {},
      count: 1,
      forMs: null,
      fault: { kind: 'failAfter', ...failure },
    });
    await interception.faults.add({
      id: 'cut',
      match: {},
      count: 1,
      forMs: null,
      fault: { kind: 'drop', at: 'request' },
    });
    await place();
    expect(await newest()).toMatchObject({ status: 504, fault: 'lost', carriedOut: 200 });
    await expect(place()).rejects.toThrow();
    expect(await newest()).toMatchObject({ status: null, answer: null, fault: 'cut', carriedOut: null });
    const touched = await interception.requestLog.page({ fault: 'cut' }, all);
    expect(touched).toHaveLength(1);
  });

  test('filters and pages, newest first', async () => {
    await place();
    await place({ key: keys.bob });
    await gate.get('/api/v3/time');
    await gate.get('/api/v3/nothing');
    const paths = async (filter: object, page = all) =>
      (await interception.requestLog.page(filter, page)).map(({ path }) => path);
    expect(await paths({})).toEqual(['/api/v3/nothing', '/api/v3/time', '/api/v3/order', '/api/v3/order']);
    expect(await paths({ path: '/api/v3/order' })).toHaveLength(2);
    expect(await paths({ account: gate.accounts.bob })).toHaveLength(1);
    expect(await paths({ key: keys.alice })).toHaveLength(1);
    expect(await paths({ status: 404 })).toEqual(['/api/v3/nothing']);
    expect(await paths({ method: 'POST', status: 404 })).toEqual([]);
    expect(await paths({ refusal: 'unknownPath' })).toEqual(['/api/v3/nothing']);
    expect(await paths({ from: gate.exchange.clock.time + 1 })).toEqual([]);
    const [first, second] = await interception.requestLog.page({}, { before: null, limit: 1 });
    expect(second!.id).toBe(first!.id - 1);
    expect(await paths({}, { before: second!.id, limit: 100 })).toHaveLength(2);
    expect(await paths({ after: second!.id })).toEqual(['/api/v3/nothing']);
  });

  test('DEC-KIT-31: it is switched off, forgets and keeps fewer', async () => {
    const { requestLog } = interception;
    for (let count = 0; count < 3; count += 1) await gate.get('/api/v3/time');
    expect(requestLog.set({ isOn: false, kept: 2 })).toEqual({ isOn: false, kept: 2 });
    await gate.get('/api/v3/time');
    expect(await requestLog.page({}, all)).toHaveLength(2);
    expect([requestLog.clear(), await requestLog.page({}, all)]).toEqual([2, []]);
    requestLog.set({ isOn: true, kept: 1000 });
  });
});

describe('DEC-KIT-28: no secret in what is shown', () => {
  test('secrets of keys, passwords, listen keys, and secrets that were pasted elsewhere', async () => {
    const subAccount = 'subtrader1';
    await gate.signed('POST', '/api/v3/sub-account/virtualSubAccount', { subAccount, note: 'n' });
    const made = await gate.signed('POST', '/api/v3/sub-account/apiKey', {
      ...{ subAccount, note: 'n', permissions: 'SPOT_ACCOUNT_READ' },
    });
    const { listenKey } = (await gate.signed('POST', '/api/v3/userDataStream')).body as { listenKey: string };
    await gate.signed('PUT', '/api/v3/userDataStream', { listenKey });
    await gate.signed('GET', '/api/v3/order', { symbol: 'BTCUSDT', origClientOrderId: secret });
    const cookie = `session=${secret}`;
    await gate.send('GET', `/api/v3/order?password=${secret}`, { headers: { cookie, 'X-SVC-APIKEY': secret } });
    const entries = await interception.requestLog.page({}, all);
    const shown = await Promise.all(entries.map(({ id }) => interception.requestLog.entry(id)));
    const exports = await Promise.all(
      (['har', 'curl', 'ccxt', 'python'] as const).map((format) => interception.requestLog.export({}, format)),
    );
    const text = JSON.stringify([shown, exports]);
    expect(entries).toHaveLength(6);
    expect(made.body).toMatchObject({ secretKey: expect.any(String) as string });
    for (const known of [secret, listenKey, made.body.secretKey as string]) expect(text).not.toContain(known);
    expect(text).toContain(made.body.apiKey ?? made.body.accessKey);
  });
});

describe('DEC-KIT-29: waiting for a request', () => {
  test('one that comes, one that is there, and none', async () => {
    const { requestLog } = interception;
    const waiting = requestLog.await({ path: '/api/v3/order', method: 'POST' }, 10_000);
    await gate.get('/api/v3/time');
    await place();
    const entry = (await waiting)!;
    expect(entry).toMatchObject({ path: '/api/v3/order', status: 200 });
    expect((await requestLog.await({ after: entry.id - 1, path: '/api/v3/order' }, 10_000))?.id).toBe(entry.id);
    expect(await requestLog.await({ path: '/api/v3/order' }, 0)).toBe(null);
  });

  test('too many do not wait, and those who do end with the sandbox', async () => {
    const { requestLog, log } = interception;
    const waiting = Array.from({ length: 100 }, () => requestLog.await({ status: 599 }, 10_000));
    await expect(requestLog.await({}, 10_000)).rejects.toThrow();
    log.close();
    expect(await Promise.all(waiting)).toEqual(Array.from({ length: 100 }, () => null));
  });
});

describe('DEC-KIT-30: exports', () => {
  test('HAR has requests with their answers', async () => {
    await place();
    await gate.get('/api/v3/depth', { symbol: 'BTCUSDT' });
    const { entries, text } = await interception.requestLog.export({}, 'har');
    const har = JSON.parse(text) as {
      log: { version: string; entries: { request: { url: string }; response: object }[] };
    };
    expect([entries, har.log.version]).toEqual([2, '1.2']);
    expect(har.log.entries.map(({ request }) => request)).toMatchObject([
      { method: 'POST', bodySize: 0 },
      {
        method: 'GET',
        url: `${gate.url}/api/v3/depth?symbol=BTCUSDT`,
        queryString: [{ name: 'symbol', value: 'BTCUSDT' }],
      },
    ]);
    expect(har.log.entries[1]!.response).toMatchObject({ status: 200, statusText: 'OK' });
  });

  test('calls of ccxt have the names that it gives to endpoints', async () => {
    await place();
    await gate.get('/api/v1/contract/depth/BTC_USDT', { limit: '5' });
    await gate.send('GET', '/api/v3/nothing');
    const { entries, text } = await interception.requestLog.export({}, 'ccxt');
    expect(entries).toBe(2);
    expect(text).toContain(`await exchange.spotPrivatePostOrder(${JSON.stringify(terms)});`);
    expect(text).toContain('await exchange.contractPublicGetDepthSymbol({"symbol":"BTC_USDT","limit":"5"});');
  });

  test('one alone has what it needs, and a demo account the way to its secret', async () => {
    await place();
    await place({ key: keys.bob });
    await gate.send('GET', '/api/v3/nothing');
    const [none, ofBob, ofAlice] = await interception.requestLog.page({}, all);
    const textOf = async (id: number, format: ExportFormat) =>
      (await interception.requestLog.export({ id }, format)).text;
    const ccxt = await textOf(ofAlice!.id, 'ccxt');
    expect(ccxt).toContain(`const base = "http://127.0.0.1:${gate.port}";`);
    expect(ccxt).toContain('process.env.BOURSE_SECRET ?? (await (await fetch(base + "/docs/demo-keys.json"))');
    expect(await textOf(ofBob!.id, 'ccxt')).toContain('const secret = process.env.BOURSE_SECRET;\n');
    for (const format of ['curl', 'python'] as const) {
      expect(await textOf(ofAlice!.id, format)).toContain('/docs/demo-keys.json');
      expect(await textOf(ofBob!.id, format)).not.toContain('/docs/demo-keys.json');
      expect((await textOf(ofBob!.id, format)).split('answered')).toHaveLength(2);
    }
    expect(await interception.requestLog.export({ id: none!.id }, 'ccxt')).toEqual({ entries: 0, text: '' });
  });

  const hasTools = (tools: readonly string[]): boolean =>
    tools.every((tool) => {
      try {
        return execFileSync('which', [tool]).length > 0;
      } catch {
        return false;
      }
    });
  const languages = [
    ['curl', 'bash', ['bash', 'curl', 'openssl']] as const,
    ['python', 'python3', ['python3']] as const,
  ];
  test.each(languages.filter(([, , tools]) => hasTools(tools)))(
    '%s does once more what was done, signed anew',
    async (format, program) => {
      await place();
      const headers = { 'X-SVC-APIKEY': keys.alice, 'content-type': 'application/json' };
      const body = JSON.stringify({
        ...terms,
        newClientOrderId: "it's",
        timestamp: gate.exchange.clock.time,
        recvWindow: 3000,
      });
      const sent = JSON.stringify({ ...(JSON.parse(body) as object), signature: sign(body) });
      await gate.send('POST', '/api/v3/order', { headers, body: sent });
      await gate.get('/api/v3/depth', { symbol: 'BTCUSDT' });
      const { text } = await interception.requestLog.export({}, format);
      interception.requestLog.clear();
      const { execFile } = await import('node:child_process');
      const out = await new Promise<string>((resolve, reject) => {
        execFile(program, ['-c', text], { env: { ...process.env, BOURSE_SECRET: secret } }, (error, printed) =>
          error === null ? resolve(printed) : reject(error),
        );
      });
      expect(out).toContain('"lastUpdateId"');
      const again = await interception.requestLog.page({ method: 'POST' }, all);
      expect(again.map(({ status, refusal }) => [status, refusal])).toEqual([
        [400, expect.anything()],
        [200, null],
      ]);
    },
  );
});
