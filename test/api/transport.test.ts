import net from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keys, now, sign, startTestGateway, type TestGateway } from './gateway-harness.ts';

let gate: TestGateway;
beforeAll(async () => {
  gate = await startTestGateway({ settings: { rateLimits: false } });
});
afterAll(() => gate.close());

const patienceMs = 10_000;
const quietMs = 150;

interface RawReply {
  readonly answers: number[];
  readonly text: string;
  readonly closed: boolean;
}

/** Sends bytes as they are, and listens until the server closes, or some answers came and nothing follows them. */
function raw(bytes: string | Buffer, awaited = 1): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(gate.port, '127.0.0.1');
    let text = '';
    const answers = (): number[] => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
    const finish = (closed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ answers: answers(), text, closed });
    };
    let timer = setTimeout(() => finish(false), patienceMs);
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (data) => {
      text += data.toString('latin1');
      if (answers().length < awaited) return;
      clearTimeout(timer);
      timer = setTimeout(() => finish(false), quietMs);
    });
    socket.on('end', () => finish(true));
    socket.on('close', () => finish(true));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? finish(true) : reject(error),
    );
  });
}

/** As above, but listens until the server closes, however many answers came. */
const rawToTheEnd = (bytes: string | Buffer): Promise<RawReply> => raw(bytes, Number.POSITIVE_INFINITY);

const host = 'Host: x\r\n';
/** What an attacker would like the server to read as a request of its own. */
const smuggled = 'GET /api/v3/time?smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
const post = (headers: string, body = ''): string => `POST /api/v3/order HTTP/1.1\r\n${host}${headers}\r\n\r\n${body}`;

describe('G01: nothing is read twice', () => {
  const payloads: Readonly<Record<string, string>> = {
    'chunked and a length': post('Transfer-Encoding: chunked\r\nContent-Length: 4', `0\r\n\r\n${smuggled}`),
    'a length and chunked': post('Content-Length: 4\r\nTransfer-Encoding: chunked', `0\r\n\r\n${smuggled}`),
    'two lengths': post('Content-Length: 0\r\nContent-Length: 44', smuggled),
    'two equal lengths': post('Content-Length: 5\r\nContent-Length: 5', `aaaaa${smuggled}`),
    'a list of lengths': post('Content-Length: 5, 5', `aaaaa${smuggled}`),
    'a blank before the colon of the length': post('Content-Length : 5', `aaaaa${smuggled}`),
    'a tab before the colon of the length': post('Content-Length\t: 5', `aaaaa${smuggled}`),
    'a blank before the colon of the coding': post('Transfer-Encoding : chunked', `0\r\n\r\n${smuggled}`),
    'a blank before a name': post(' Content-Length: 5', `aaaaa${smuggled}`),
    'a folded header': post('X-A: b\r\n Content-Length: 5', `aaaaa${smuggled}`),
    'a folded coding': post('Transfer-Encoding:\r\n chunked', `0\r\n\r\n${smuggled}`),
    'a bare carriage return in a value': post('X-A: b\rContent-Length: 5', `aaaaa${smuggled}`),
    'a bare carriage return before a name': post('\rContent-Length: 5', `aaaaa${smuggled}`),
    'a bare line feed in a value': `POST /api/v3/order HTTP/1.1\nHost: x\nContent-Length: 5\n\naaaaa${smuggled}`,
    'a negative length': post('Content-Length: -1', smuggled),
    'a signed length': post('Content-Length: +5', `aaaaa${smuggled}`),
    'a hexadecimal length': post('Content-Length: 0x5', `aaaaa${smuggled}`),
    'a length with a suffix': post('Content-Length: 5a', `aaaaa${smuggled}`),
    'a fractional length': post('Content-Length: 5.0', `aaaaa${smuggled}`),
    'a length beyond all numbers': post('Content-Length: 99999999999999999999', smuggled),
    'an empty length': post('Content-Length: ', smuggled),
    'an unknown coding': post('Transfer-Encoding: gzip', `0\r\n\r\n${smuggled}`),
    'chunked before another coding': post('Transfer-Encoding: chunked, gzip', `0\r\n\r\n${smuggled}`),
    'chunked behind another coding': post('Transfer-Encoding: gzip, chunked', `0\r\n\r\n${smuggled}`),
    'identity and chunked': post('Transfer-Encoding: identity\r\nTransfer-Encoding: chunked', `0\r\n\r\n${smuggled}`),
    'chunked twice': post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', `0\r\n\r\n${smuggled}`),
    'a misspelt coding': post('Transfer-Encoding: xchunked', `0\r\n\r\n${smuggled}`),
    'a quoted coding': post('Transfer-Encoding: "chunked"', `0\r\n\r\n${smuggled}`),
    'a vertical tab before the coding': post('Transfer-Encoding: \x0bchunked', `0\r\n\r\n${smuggled}`),
    'a NUL in the coding': post('Transfer-Encoding: chun\0ked', `0\r\n\r\n${smuggled}`),
    'a chunk size with a sign': post('Transfer-Encoding: chunked', `+5\r\naaaaa\r\n0\r\n\r\n${smuggled}`),
    'a chunk size with a prefix': post('Transfer-Encoding: chunked', `0x5\r\naaaaa\r\n0\r\n\r\n${smuggled}`),
    'a chunk size beyond all numbers': post('Transfer-Encoding: chunked', `fffffffffffffffff\r\na\r\n${smuggled}`),
    'a chunk without its end': post('Transfer-Encoding: chunked', `5\r\naaaaaa\r\n0\r\n\r\n${smuggled}`),
    'a chunk ended by a line feed': post('Transfer-Encoding: chunked', `5\naaaaa\n0\n\n${smuggled}`),
    'a chunk extension with a line feed': post('Transfer-Encoding: chunked', `5;a\n\r\naaaaa\r\n0\r\n\r\n${smuggled}`),
    'two hosts': `POST /api/v3/order HTTP/1.1\r\n${host}${host}\r\n${smuggled}`,
    'no host': `POST /api/v3/order HTTP/1.1\r\n\r\n${smuggled}`,
    'a NUL in a header': post('X-A: a\0b', smuggled),
    'a control character in a name': post('X\x01A: b', smuggled),
    'a header without a colon': post('XA', smuggled),
    'an empty name': post(': b', smuggled),
    'a lower-case version': `POST /api/v3/order http/1.1\r\n${host}\r\n${smuggled}`,
    'a version of the future': `POST /api/v3/order HTTP/9.9\r\n${host}\r\n${smuggled}`,
    'two blanks in the first line': `POST  /api/v3/order HTTP/1.1 x\r\n${host}\r\n${smuggled}`,
    'a made-up method': `SMUGGLE /api/v3/order HTTP/1.1\r\n${host}\r\n${smuggled}`,
    'HTTP/0.9': `GET /api/v3/time\r\n\r\n${smuggled}`,
    'TLS on a plain port': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 not a request',
    'HTTP/2 without asking': `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${smuggled}`,
  };
  test.each(Object.entries(payloads))('%s: one refusal at most, then the connection closes', async (_name, payload) => {
    const { answers, text, closed } = await rawToTheEnd(Buffer.from(payload, 'latin1'));
    expect(text).not.toContain('serverTime');
    expect(answers.length).toBeLessThanOrEqual(1);
    for (const status of answers) expect(status).toBe(400);
    expect(closed).toBe(true);
  });

  test('a body that was refused before it was read does not become the next request', async () => {
    const { text, answers } = await raw(
      post('X-SVC-APIKEY: abc\r\nContent-Type: text/plain\r\nContent-Length: 50', smuggled.padEnd(50)),
    );
    expect(text).not.toContain('serverTime');
    expect(answers).toEqual([400]);
  });

  test('requests in a row on one connection are answered one by one', async () => {
    const get = `GET /api/v3/ping HTTP/1.1\r\n${host}\r\n`;
    expect((await raw(get + get + get, 3)).answers).toEqual([200, 200, 200]);
  });
});

describe('limits of the transport', () => {
  test('C15: a body over 8 KiB is refused with 413 and the connection closes', async () => {
    const { answers, closed, text } = await rawToTheEnd(
      post('Content-Length: 8193\r\nX-SVC-APIKEY: ' + keys.alice, 'a'.repeat(1000)),
    );
    expect(answers).toEqual([413]);
    expect(closed).toBe(true);
    expect(text).toContain('"code":413');
    const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`;
    const chunked = await rawToTheEnd(
      post(`Transfer-Encoding: chunked\r\nX-SVC-APIKEY: ${keys.alice}`, chunk.repeat(5)),
    );
    expect(chunked.answers).toEqual([413]);
    expect(chunked.closed).toBe(true);
  });

  test('DEC-LIM-09, G02, A29: more than 64 headers, or more than 16 KiB of them, are refused with 431', async () => {
    const many = Array.from({ length: 70 }, (_, index) => `X-H${index}: 1`).join('\r\n');
    expect((await raw(`GET /api/v3/ping HTTP/1.1\r\n${host}${many}\r\n\r\n`)).answers).toEqual([431]);
    for (const size of [17_000, 60_000]) {
      const { answers, text } = await raw(
        `GET /api/v3/ping HTTP/1.1\r\n${host}X-SVC-APIKEY: ${'a'.repeat(size)}\r\n\r\n`,
      );
      expect(answers).toEqual([431]);
      expect(text).toContain('"code":431');
    }
  });

  test('DEC-LIM-09: an address over 16 KiB is refused with 414', async () => {
    for (const size of [16_500, 60_000]) {
      const { answers } = await raw(`GET /api/v3/ping?a=${'a'.repeat(size)} HTTP/1.1\r\n${host}\r\n`);
      expect(answers).toEqual([414]);
    }
  });

  test('G06: only exact paths are routes', async () => {
    const paths = [
      '//api/v3/time',
      '/api//v3/time',
      '/api/v3/../v3/time',
      '/api/v3/%74ime',
      '/api/v3/%2e%2e/v3/time',
      '/API/v3/time',
      '/api/v3/Time',
      '/api/v3/time/',
      '/api/v3/time;a=1',
      '/api/v3/time%00',
      '/api/v3/time%20',
      '/api/v3/%zz',

      '/api',
      '/api/v3/__proto__',
      'http:///api/v3/time',
      'ftp://x/api/v3/time',
      'http://x//api/v3/time',
      'http://x/http://x/api/v3/time',
      '/docs/../api/v3/time',
      '/api/v3/time%3f',
    ];
    for (const path of paths) {
      const { answers, text } = await raw(`GET ${path} HTTP/1.1\r\n${host}\r\n`);
      expect({ path, answers }).toEqual({ path, answers: [404] });
      expect(text).toContain('"code":404');
    }
    for (const path of ['*', '/api/v3/ti me', '/api/v3/ti\0me']) {
      const { answers, text } = await raw(Buffer.from(`GET ${path} HTTP/1.1\r\n${host}\r\n`, 'latin1'));
      expect(text).not.toContain('serverTime');
      expect([400, 404]).toContain(answers[0]);
    }
  });

  test('DEC-REQ-48: a target in absolute form means what stands behind its host', async () => {
    for (const target of ['http://x/api/v3/time', 'HTTPS://x.example:443/api/v3/time?', 'http://other/healthz']) {
      const { answers } = await raw(`GET ${target} HTTP/1.1\r\n${host}\r\n`);
      expect({ target, answers }).toEqual({ target, answers: [200] });
    }
    const query = `timestamp=${now}`;
    const signed = `http://x/api/v3/uid?${query}&signature=${sign(query)}`;
    const { text } = await raw(`GET ${signed} HTTP/1.1\r\n${host}X-SVC-APIKEY: ${keys.alice}\r\n\r\n`);
    expect(text).toContain('{"uid":"1001"}');
    const long = await raw(`GET http://x/api/v3/ping?a=${'a'.repeat(16_500)} HTTP/1.1\r\n${host}\r\n`);
    expect(long.answers).toEqual([414]);
  });

  test('a known path with another method is 405 and tells which it knows', async () => {
    const reply = await gate.send('PUT', '/api/v3/order');
    expect([reply.status, reply.body.code, reply.headers.get('allow')]).toEqual([405, 405, 'POST, DELETE, GET']);
    for (const method of ['HEAD', 'TRACE', 'PATCH', 'PROPFIND']) {
      expect((await raw(`${method} /api/v3/time HTTP/1.1\r\n${host}\r\n`)).answers[0]).toBe(405);
    }
  });

  test('C12: a header named __proto__ does nothing', async () => {
    const { answers } = await raw(`GET /api/v3/ping HTTP/1.1\r\n${host}__proto__: {"x":1}\r\nconstructor: y\r\n\r\n`);
    expect(answers).toEqual([200]);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  test('C16: compressed bodies are refused with 415', async () => {
    const text = `timestamp=${now}`;
    const headers = { 'X-SVC-APIKEY': keys.alice, 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' };
    const reply = await gate.send('POST', `/api/v3/order?${text}&signature=${sign(text)}`, { headers, body: '{}' });
    expect([reply.status, reply.body.code]).toEqual([415, 415]);
  });

  test('DEC-REQ-11: a GET with a body is refused', async () => {
    const { text, answers } = await raw(`GET /api/v3/time HTTP/1.1\r\n${host}Content-Length: 3\r\n\r\nabc`);
    expect(answers).toEqual([400]);
    expect(text).toContain('"code":33333');
  });

  test('DEC-REQ-11: what is no media type is refused with 415', async () => {
    for (const type of [
      'text/plain',
      'multipart/form-data; boundary=x',
      ';;',
      'application/jsonx',
      'application',
      'x'.repeat(500),
    ]) {
      const reply = await gate.send('POST', `/api/v3/order?timestamp=${now}`, {
        headers: { 'X-SVC-APIKEY': keys.alice, 'Content-Type': type },
        body: 'a=1',
      });
      expect([type, reply.status, reply.body.code]).toEqual([type, 415, 415]);
    }
  });

  test('the server names neither itself nor its framework', async () => {
    const { headers } = await gate.send('GET', '/api/v3/nothing');
    expect(headers.get('server')).toBeNull();
    expect(headers.get('x-powered-by')).toBeNull();
  });
});

test('pages about the exchange answer without any key', async () => {
  expect((await gate.send('GET', '/healthz')).status).toBe(200);
  expect((await gate.send('GET', '/readyz')).body).toEqual({ status: 'ready' });
  expect((await gate.send('GET', '/version')).body).toEqual({ name: 'bourse', version: 'test' });
  expect((await gate.send('GET', '/metrics')).text).toContain(
    'bourse_http_answers_total{port="public",endpoint="unrouted",status="404"}',
  );
  expect((await gate.send('GET', '/openapi.json')).body.openapi).toBe('3.1.0');
  const page = await gate.send('GET', '/docs');
  expect(page.status).toBe(200);
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
  expect(page.text).not.toMatch(/https?:\/\//);
});
