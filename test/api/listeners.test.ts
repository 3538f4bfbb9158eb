import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { Profile } from '#model/profile.ts';
import { type Configuration, defaultOf, settingNames } from '#main/configuration-schema.ts';
import { openServers, type Servers } from '#main/composition/servers.ts';
import { createPriceIndex } from '#market-data/price-index/index-mean.ts';
import { createOperatorFeed } from '#market-data/price-index/operator-feed.ts';
import { httpMetrics } from '#main/metrics/http-metrics.ts';
import { processMetrics } from '#main/metrics/process-metrics.ts';
import { streamMetrics } from '#main/metrics/stream-metrics.ts';
import { readScrape } from '../scraped-metrics.ts';
import { startTestGateway } from './gateway-harness.ts';

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

const none = (): never => {
  throw new Error('there are no webhooks here');
};

/** The real servers over an exchange in memory, futures on a port of their own. */
async function open(profile: Profile, changes: Partial<Configuration> = {}): Promise<Servers['addresses']> {
  const { exchange, gateway, wall, close } = await startTestGateway();
  const defaults = Object.fromEntries(settingNames.map((name) => [name, defaultOf(name, profile)])) as Configuration;
  const config = { ...defaults, profile, port: 0, futuresPort: 0, operatorPort: 0, ...changes };
  const operatorFeed = createOperatorFeed();
  const index = { operatorFeed, priceIndex: createPriceIndex([operatorFeed]) };
  const servers = await openServers(
    config,
    {
      ...{ ...gateway.context, ...index, wall, rootToken: null, settings: config },
      payingState: () => null,
      webhooks: { stateOf: none, test: none, faultOfUrl: none, seal: none },
      metricSources: [],
    },
    exchange.sequencer,
  );
  closings.push(close, servers.close);
  return servers.addresses;
}

const get = async (url: string): Promise<{ status: number; text: string }> => {
  const response = await fetch(url);
  return { status: response.status, text: await response.text() };
};

test('DEC-REQ-45: production shows its metrics to the operator, and to nobody on the public ports', async () => {
  const { baseUrl, futuresBaseUrl, operatorUrl } = await open('production');
  await get(`${baseUrl}/api/v3/ping`);
  await get(`${futuresBaseUrl}/api/v1/nothing`);
  for (const url of [baseUrl, futuresBaseUrl]) {
    const { status, text } = await get(`${url}/metrics`);
    expect({ url, status, code: JSON.parse(text).code }).toEqual({ url, status: 404, code: 404 });
  }
  expect((await get(`${operatorUrl}/metrics`)).status).toBe(200);
});

test('DEC-REQ-45: the operator sees the answers of every port, and the process', async () => {
  const { baseUrl, futuresBaseUrl, operatorUrl } = await open('production');
  for (let count = 0; count < 3; count += 1) await get(`${baseUrl}/api/v3/ping`);
  await get(`${futuresBaseUrl}/api/v1/nothing`);
  await get(`${operatorUrl}/nothing`);
  const { text } = await get(`${operatorUrl}/metrics`);
  expect(text).toContain('bourse_http_answers_total{port="public",endpoint="ping",status="200"} 3\n');
  expect(text).toContain('bourse_http_answers_total{port="futures",endpoint="unrouted",status="404"} 1\n');
  expect(text).toContain('bourse_http_answers_total{port="operator",endpoint="unrouted",status="404"} 1\n');
  expect(text).toContain('bourse_stream_connections 0\n');
  const numberOf = (name: string): number => {
    const line = text.split('\n').find((each) => each.startsWith(`${name} `));
    return Number(line?.slice(name.length + 1));
  };
  const memory = (kind: string): number => numberOf(`bourse_memory_bytes{kind="${kind}"}`);
  expect(memory('heapUsed')).toBeGreaterThan(1_000_000);
  expect(memory('heapTotal')).toBeGreaterThanOrEqual(memory('heapUsed'));
  expect(memory('resident')).toBeGreaterThan(memory('heapUsed'));
  expect(memory('external')).toBeGreaterThanOrEqual(memory('arrayBuffers'));
  for (const percentile of ['50', '99', '100']) {
    expect(numberOf(`bourse_event_loop_delay_seconds{percentile="${percentile}"}`)).toBeGreaterThanOrEqual(0);
  }
  if (process.platform === 'linux') expect(numberOf('bourse_open_descriptors')).toBeGreaterThan(3);
});

test('DEC-OPR-285: refusals are counted by port and code, and who is not who he says on each port', async () => {
  const { baseUrl, futuresBaseUrl, operatorUrl } = await open('production');
  const signedWith = (headers: Record<string, string>) =>
    fetch(`${baseUrl}/api/v3/account?timestamp=1&signature=${'0'.repeat(64)}`, { headers });
  await signedWith({ 'X-SVC-APIKEY': 'mx0nobodyNNNNNNNNN' });
  await signedWith({ 'X-SVC-APIKEY': 'mx0nobodyNNNNNNNNN' });
  await signedWith({});
  for (const authorization of ['Bearer 0123456789abcdef', 'Bearer fedcba9876543210'])
    await fetch(`${operatorUrl}/v1/assets`, { headers: { authorization } });
  await fetch(`${operatorUrl}/v1/assets`);
  const scrape = readScrape((await get(`${operatorUrl}/metrics`)).text);
  const refusals = (port: string, code: string) => scrape.value('bourse_http_refusals_total', { port, code });
  expect(refusals('public', '10072')).toBe(2);
  expect(refusals('public', '400')).toBe(1);
  expect(refusals('operator', 'invalidToken')).toBe(2);
  expect(refusals('operator', 'tokenRequired')).toBe(1);
  const failed = (port: string) => scrape.value('bourse_authentication_failures_total', { port });
  expect([failed('public'), failed('futures'), failed('operator')]).toEqual([2, 0, 2]);
  expect(scrape.value('bourse_bans_active')).toBe(0);
  expect(futuresBaseUrl).not.toBe(baseUrl);
  const times = { port: 'public', endpoint: 'account' };
  expect(scrape.value('bourse_http_answer_seconds_count', times)).toBe(3);
  expect(scrape.value('bourse_http_answer_seconds_bucket', { ...times, le: '+Inf' })).toBe(3);
});

test('DEC-OPR-280: a scrape tells the kind of every metric of the reference', async () => {
  const { operatorUrl } = await open('production');
  const { kinds } = readScrape((await get(`${operatorUrl}/metrics`)).text);
  const ofServers = [httpMetrics, streamMetrics, processMetrics].flatMap(({ metrics }) => Object.entries(metrics));
  expect(Object.fromEntries(kinds)).toEqual(Object.fromEntries(ofServers.map(([name, { kind }]) => [name, kind])));
});

test('SPEC-FUT-01: the futures port serves contracts, and the public port pairs', async () => {
  const { baseUrl, futuresBaseUrl } = await open('production');
  const statusOf = async (url: string) => (await get(url)).status;
  const paths = ['/api/v1/contract/ping', '/api/v3/ping'];
  const answers = (base: string) => Promise.all(paths.map((path) => statusOf(base + path)));
  expect([await answers(futuresBaseUrl), await answers(baseUrl)]).toEqual([
    [200, 404],
    [404, 200],
  ]);
});

test.each([
  ['the setting publicMetrics', 'production', { publicMetrics: true }],
  ['the sandbox', 'sandbox', {}],
] as const)('DEC-REQ-45: %s shows metrics on the public ports too', async (_name, profile, changes) => {
  const { baseUrl, futuresBaseUrl } = await open(profile, changes);
  for (const url of [baseUrl, futuresBaseUrl]) {
    const { status, text } = await get(`${url}/metrics`);
    expect(status).toBe(200);
    expect(text).toContain('bourse_memory_bytes{kind="resident"}');
  }
});

describe('DEC-LIM-08: an address is one and the same on every port of the process', () => {
  test('what it used and what it did wrong on one port counts on the others', async () => {
    const { baseUrl, futuresBaseUrl, operatorUrl } = await open('production', { faultsPerWindow: 5 });
    const used = async (url: string) => {
      const response = await fetch(url);
      return [response.status, response.headers.get('x-svc-used-weight')];
    };
    expect(await used(`${futuresBaseUrl}/api/v1/nothing`)).toEqual([404, '1']);
    expect(await used(`${baseUrl}/api/v3/nothing`)).toEqual([404, '2']);
    expect(await used(`${operatorUrl}/nothing`)).toEqual([404, '3']);
    for (let fault = 3; fault < 6; fault += 1) await get(`${futuresBaseUrl}/api/v1/nothing`);
    for (const url of [`${baseUrl}/api/v3/time`, `${futuresBaseUrl}/api/v1/contract/ping`, `${operatorUrl}/nothing`]) {
      expect([url, (await get(url)).status]).toEqual([url, 403]);
    }
  });

  test('so do its connections', async () => {
    const { baseUrl, futuresBaseUrl, operatorUrl } = await open('production', { connectionsPerAddressMax: 2 });
    const sockets: Socket[] = [];
    /** Whether a new connection is answered. */
    const isServed = async (url: string): Promise<boolean> => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      sockets.push(socket);
      socket.on('error', () => {});
      const served = new Promise<boolean>((resolve) => {
        socket.once('data', () => resolve(true));
        socket.once('close', () => resolve(false));
      });
      socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
      return served;
    };
    expect([await isServed(baseUrl), await isServed(futuresBaseUrl)]).toEqual([true, true]);
    expect([await isServed(operatorUrl), await isServed(baseUrl)]).toEqual([false, false]);
    for (const socket of sockets) socket.destroy();
  });

  test('tables that ports share are told once', async () => {
    const { operatorUrl } = await open('production');
    const { text } = await get(`${operatorUrl}/metrics`);
    expect(text.match(/bourse_gateway_table_entries\{port="[a-z]+",table="bans"\}/g)).toEqual([
      'bourse_gateway_table_entries{port="all",table="bans"}',
    ]);
    expect(text).toContain('bourse_gateway_table_entries{port="futures",table="unsealedKeys"} 0');
  });
});

test('DEC-WEB-02: pages and the OpenAPI document name the address of contracts where it is another one', async () => {
  const { baseUrl, futuresBaseUrl } = await open('sandbox');
  const page = await fetch(`${baseUrl}/contracts`);
  expect(await page.text()).toContain(`futuresUrl&quot;:&quot;${futuresBaseUrl}&quot;`);
  expect(page.headers.get('content-security-policy')).toContain(futuresBaseUrl);
  expect((await get(`${baseUrl}/openapi.json`)).text).toContain(`"url":"${futuresBaseUrl}"`);
});
