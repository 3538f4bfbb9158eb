import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOwnLocalPage } from '#http/asking-page.ts';
import { makeStreamExamples } from '../../tools/stream-documents/stream-examples.ts';
import { keys, secret, startTestGateway, type TestGateway } from './gateway-harness.ts';

const demoKeys = [{ name: 'alice', role: 'trader', accessKey: keys.alice, secretKey: secret }];
let gate: TestGateway;
beforeAll(async () => {
  gate = await startTestGateway({
    settings: { rateLimits: false, trustedProxies: ['127.0.0.1'] },
    context: (context) => ({ ...context, demoKeys }),
  });
});
afterAll(() => gate.close());

/** Asks with headers of one's choice, `Host` among them. */
function ask(path: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port: gate.port, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject).end();
  });
}

describe('the page at / names the others', () => {
  test('and each of them answers', async () => {
    const { body } = await gate.get('/');
    expect(body).toMatchObject({ name: 'bourse', version: 'test' });
    expect(Object.keys(body.pages)).toContain('metrics');
    for (const path of Object.values(body.pages as Record<string, string>))
      expect([path, (await gate.get(path)).status]).toEqual([path, 200]);
  });

  test('and leaves out metrics where they are not shown', async () => {
    const other = await startTestGateway({ hasMetrics: false });
    expect((await other.get('/')).body.pages).not.toHaveProperty('metrics');
    await other.close();
  });
});

test('browsers get an icon for the pages', async () => {
  const response = await fetch(`${gate.url}/favicon.ico`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/x-icon']);
  const icon = Buffer.from(await response.arrayBuffer());
  // One picture, 16 by 16, whose stated place and size are those of what follows.
  expect([icon.readUInt16LE(2), icon.readUInt16LE(4), icon[6], icon[7]]).toEqual([1, 1, 16, 16]);
  expect([icon.readUInt32LE(18), icon.readUInt32LE(18) + icon.readUInt32LE(14)]).toEqual([22, icon.length]);
});

test('DEC-STR-27: the document of streams has each example, and no field of a private channel without a meaning', async () => {
  const [{ body }, examples] = await Promise.all([gate.get('/asyncapi.json'), makeStreamExamples()]);
  const { messages, schemas } = body.components;
  for (const [id, list] of Object.entries(examples.pushes))
    for (const [index, { json, protobuf }] of list.entries()) {
      expect(JSON.stringify(messages[id].examples[index].payload)).toBe(json);
      const hex = Buffer.from(protobuf).toString('hex');
      expect(messages[id]['x-protobuf-examples'][index]).toMatchObject({ bytes: protobuf.length, hex });
    }
  for (const [index, { request, reply }] of examples.replies.entries()) {
    expect(messages.reply['x-requests'][index].request).toBe(request);
    expect(JSON.stringify(messages.reply.examples[index].payload)).toBe(reply);
  }
  for (const heading of [
    'The outer message',
    'Subscribing',
    'When pushes come, and in what order',
    'A local order book',
  ])
    expect(body.info.description).toContain(`## ${heading}\n`);
  for (const [name, schema] of Object.entries<{ properties: Record<string, { description?: string }> }>(schemas))
    for (const [field, { description = '' }] of name.startsWith('Private') ? Object.entries(schema.properties) : [])
      expect([name, field, description]).not.toEqual([name, field, '']);
});

describe('demo keys', () => {
  const path = '/docs/demo-keys.json';

  test('are handed to a page of this machine that asks from this machine', async () => {
    const { status, text } = await ask(path, { 'sec-fetch-site': 'same-origin' });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual(demoKeys);
    expect((await gate.get(path)).headers.get('cache-control')).toBe('no-store');
  });

  test.each([
    ['a page of another origin', { origin: 'http://evil.example' }],
    ['a page of another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a page of another port, by its site', { 'sec-fetch-site': 'same-site' }],
    ['a sandboxed page', { origin: 'null' }],
    ['a name that resolves to this machine', { host: 'rebound.example' }],
    ['a name that begins like this machine', { host: '127.0.0.1.example:80' }],
    ['an address of the network', { host: '192.168.1.7:8080' }],
    ['a client behind a proxy', { 'x-forwarded-for': '203.0.113.9' }],
    ['a client behind a proxy of this machine', { 'x-forwarded-for': '127.0.0.1' }],
    ['a client behind a proxy that speaks RFC 7239', { forwarded: 'for=203.0.113.9' }],
  ])('are not handed to %s', async (_, headers) => {
    const { status, text } = await ask(path, headers);
    expect(status).toBe(403);
    expect(text).not.toContain(secret);
  });

  test('are not there where there is no demo account', async () => {
    const other = await startTestGateway();
    expect((await other.get(path)).status).toBe(404);
    await other.close();
  });

  test.each(['localhost', 'localhost:8080', '127.0.0.1:8080', '127.9.9.9', '[::1]:8080'])(
    '%s is a name of this machine',
    (host) => {
      const asking = { host, origin: `http://${host}`, site: 'same-origin', forwardedFor: undefined };
      expect(isOwnLocalPage(asking)).toBe(true);
    },
  );
});
