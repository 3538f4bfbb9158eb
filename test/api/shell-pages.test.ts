import { readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keys, secret, startTestGateway, type TestGateway } from './gateway-harness.ts';

/** What the build tells of the pages of the public port. */
const built = JSON.parse(readFileSync(new URL('../../dist/web/public/pages.json', import.meta.url), 'utf8')) as {
  readonly script: string;
  readonly styles: readonly string[];
  readonly files: Readonly<Record<string, string>>;
};

const accept = 'text/html,*/*;q=0.8';
const page = (gate: TestGateway, path = '/') => gate.send('GET', path, { headers: { accept } });
const json = (gate: TestGateway, accepted = '*/*') => gate.send('GET', '/', { headers: { accept: accepted } });
const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** What a document tells its scripts. */
function factsOf(html: string): Record<string, unknown> {
  const content = /<meta name="exchange" content="([^"]*)">/.exec(html)?.[1] ?? '{}';
  return JSON.parse(unescaped(content));
}

describe('pages of a sandbox', () => {
  let gate: TestGateway;
  beforeAll(async () => {
    gate = await startTestGateway({
      settings: { rateLimits: false },
      context: (context) => ({
        ...context,
        demoKeys: [{ name: 'alice', role: 'trader', accessKey: keys.alice, secretKey: secret }],
        operatorUrl: () => 'http://127.0.0.1:8081',
      }),
    });
  });
  afterAll(() => gate.close());

  test('DEC-REQ-62: / answers JSON to programs and a page to browsers, and caches keep them apart', async () => {
    for (const accepted of ['*/*', 'application/json', 'application/json, text/plain, */*']) {
      const { headers, body } = await json(gate, accepted);
      expect([headers.get('content-type'), headers.get('vary')]).toEqual([
        'application/json;charset=utf-8',
        'accept, accept-encoding',
      ]);
      expect(body).toMatchObject({ name: 'bourse', version: 'test', pages: { docs: '/docs/' } });
    }
    const { status, headers, text } = await page(gate);
    expect([status, headers.get('content-type'), headers.get('vary')]).toEqual([
      200,
      'text/html;charset=utf-8',
      'accept, accept-encoding',
    ]);
    expect(text).toMatch(/^<!doctype html>/);
  });

  test('DEC-WEB-52: no address leads to another server', async () => {
    const tried = [
      '//elsewhere.example',
      '//elsewhere.example/docs',
      '/\\elsewhere.example',
      '/docs//elsewhere.example',
    ];
    for (const path of [...tried, '/docs/../..//elsewhere.example', '/%0d%0alocation:%20http://elsewhere.example']) {
      const { headers } = await fetch(gate.url + path, { headers: { accept }, redirect: 'manual' });
      expect([path, headers.get('location')]).toEqual([path, null]);
    }
  });

  test('DEC-WEB-01: every path of a page answers its document, and what stands in the path is not in it', async () => {
    const hostile = '/trade/%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E';
    for (const path of ['/', '/trade', '/trade/BTCUSDT', '/contracts/BTC_USDT', hostile]) {
      const { status, text } = await page(gate, path);
      expect([path, status]).toEqual([path, 200]);
      expect(text).toContain('<div id="app"></div>');
      expect(text).toContain('needs JavaScript');
      expect(text).not.toContain('alert');
      expect(text.match(/<script/g)).toHaveLength(1);
      expect(text).not.toMatch(/ (?:style|on\w+)=/);
    }
    for (const path of ['/trades', '/trade.js', '/assets/', '/assets/none.js', '/assets/../pages.json']) {
      expect([path, (await gate.send('GET', path)).status]).toEqual([path, 404]);
    }
  });

  test('DEC-WEB-01: HEAD answers what GET does, without the body', async () => {
    for (const path of ['/', '/trade/BTCUSDT', `/${built.script}`]) {
      const sending = { headers: { accept, 'accept-encoding': 'identity' } };
      const head = await gate.send('HEAD', path, sending);
      const whole = await gate.send('GET', path, sending);
      expect([path, head.status, head.text]).toEqual([path, 200, '']);
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(whole.text)));
      expect(head.headers.get('etag')).toBe(whole.headers.get('etag'));
    }
  });

  test('DEC-WEB-02: a file is sent as the build compressed it, and may be kept for ever', async () => {
    const folder = new URL('../../dist/web/public/', import.meta.url);
    const plain = readFileSync(new URL(built.script, folder));
    expect(brotliDecompressSync(readFileSync(new URL(`${built.script}.br`, folder))).equals(plain)).toBe(true);
    expect(gunzipSync(readFileSync(new URL(`${built.script}.gz`, folder))).equals(plain)).toBe(true);
    for (const path of [built.script, ...built.styles]) {
      const { status, headers, text } = await gate.send('GET', `/${path}`, { headers: { 'accept-encoding': 'br' } });
      expect([status, headers.get('content-encoding'), headers.get('cache-control')]).toEqual([
        200,
        'br',
        'public, max-age=31536000, immutable',
      ]);
      expect(headers.get('content-type')).toBe(built.files[path]);
      expect(text).toBe(readFileSync(new URL(path, folder), 'utf8'));
    }
  });

  test('DEC-WEB-02: a document tells public facts and no key, and is asked for anew', async () => {
    const { headers, text } = await page(gate, '/trade/BTCUSDT');
    expect(factsOf(text)).toEqual({
      name: 'bourse',
      version: 'test',
      profile: 'sandbox',
      keyHeader: 'X-SVC-APIKEY',
      futuresUrl: '',
      hasDemoKeys: true,
      operatorUrl: 'http://127.0.0.1:8081',
    });
    for (const hidden of [secret, keys.alice, 'alice']) expect(text).not.toContain(hidden);
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('etag')).toMatch(/^"/);
  });

  test('DEC-WEB-03: the policy of a page lets nothing in but files of this server', async () => {
    const { headers } = await page(gate);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('DEC-WEB-70: reference and streams are such pages: one for each endpoint, and none for what is no endpoint', async () => {
    for (const path of ['/docs', '/docs/', '/docs/streams', '/docs/placeOrder', '/docs/futuresTicker']) {
      const { status, headers, text } = await page(gate, path);
      expect([path, status, headers.get('content-security-policy')?.includes('unsafe')]).toEqual([path, 200, false]);
      expect(text).toContain('<div id="app"></div>');
    }
    for (const path of ['/docs/none', '/docs/constructor', '/docs/placeOrder/', '/docs/js/scalar.js'])
      expect([path, (await gate.send('GET', path)).status]).toEqual([path, 404]);
  });
});

test('DEC-WEB-02: production tells no accounts and no operator, and connects to a futures port of its own', async () => {
  const gate = await startTestGateway({
    settings: { profile: 'production' },
    hasMetrics: false,
    context: (context) => ({
      ...context,
      demoKeys: [{ name: 'alice', role: 'trader', accessKey: keys.alice, secretKey: secret }],
      operatorUrl: () => 'http://127.0.0.1:8081',
      baseUrls: () => ({ spot: 'https://a.example', futures: 'https://f.example/futures' }),
    }),
  });
  const { headers, text } = await page(gate);
  expect(factsOf(text)).toMatchObject({
    profile: 'production',
    futuresUrl: 'https://f.example/futures',
    hasDemoKeys: false,
    operatorUrl: null,
  });
  expect(headers.get('content-security-policy')).toContain("connect-src 'self' https://f.example;");
  await gate.close();
});

test('an address that may request no page gets none here either', async () => {
  const gate = await startTestGateway({ settings: { deniedAddresses: ['127.0.0.1'] } });
  for (const path of ['/', '/trade/BTCUSDT', `/${built.script}`]) expect((await page(gate, path)).status).toBe(403);
  expect((await json(gate)).status).toBe(403);
  await gate.close();
});

test('DEC-WEB-01: pages count in the budget of their address', async () => {
  const gate = await startTestGateway();
  const { headers } = await page(gate);
  expect(Number(headers.get('x-svc-used-weight'))).toBe(1);
  const file = await gate.send('GET', `/${built.script}`);
  expect(Number(file.headers.get('x-svc-used-weight'))).toBe(2);
  await gate.close();
});
