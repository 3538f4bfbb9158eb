import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { wireLimits } from '#http/limits.ts';
import { createNodeServer } from '#http/node-server.ts';
import { closesAfterAnswer, releaseSocket } from '#http/request-gate.ts';

/* The real server with a listener that answers when the test says so. */

interface Asked {
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  body: string;
}

const asked: Asked[] = [];
let answersAtOnce = false;
let server = createNodeServer(() => {});
let client: Socket;
let heard = '';
let isClosed = false;

async function open(): Promise<void> {
  heard = '';
  isClosed = false;
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
  client = socket;
  socket.on('data', (data) => {
    if (socket === client) heard += data.toString('latin1');
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    if (socket === client) isClosed = true;
  });
  socket.on('end', () => socket.end());
  await once(socket, 'connect');
}

beforeEach(async () => {
  asked.length = 0;
  answersAtOnce = false;
  server = createNodeServer((raw, response) => {
    const one: Asked = { raw, response, body: '' };
    asked.push(one);
    raw.on('data', (chunk: Buffer) => {
      one.body += chunk.toString('latin1');
    });
    raw.on('error', () => {});
    if (answersAtOnce) raw.on('end', () => answer(one));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await open();
});
afterEach(() => {
  client.destroy();
  server.closeAllConnections();
  server.close();
});

function answer({ raw, response }: Asked, text = `answer to ${raw.url}`): void {
  response.writeHead(200, { 'content-length': text.length });
  response.end(text);
}

async function until(claim: string, isSo: () => boolean): Promise<void> {
  const end = performance.now() + 10_000;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`waited in vain: ${claim}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Lets the server read what was sent. */
const quiet = () => new Promise((resolve) => setTimeout(resolve, 60));

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const urls = (): (string | undefined)[] => asked.map(({ raw }) => raw.url);

describe('DEC-REQ-100: one request of a socket is served at a time', () => {
  test('the next one is not even parsed before the answer is written, and none is lost', async () => {
    client.write(get('/a') + get('/b') + get('/c'));
    for (const [index, path] of ['/a', '/b', '/c'].entries()) {
      await until(`${path} is asked`, () => asked.length === index + 1);
      await quiet();
      expect(urls()).toHaveLength(index + 1);
      answer(asked[index]!);
      await until('the answer', () => heard.endsWith(`answer to ${path}`));
    }
    client.write(get('/d'));
    await until('/d is asked', () => asked.length === 4);
    answer(asked[3]!);
    await until('the answer', () => heard.endsWith('answer to /d'));
  });

  test('however long the queue is, the process keeps one request of it', async () => {
    answersAtOnce = true;
    let served = 0;
    let most = 0;
    server.prependListener('request', (_raw, response: ServerResponse) => {
      served += 1;
      most = Math.max(most, served);
      response.on('finish', () => {
        served -= 1;
      });
    });
    client.write(get('/a').repeat(1000));
    await until('all are answered', () => (heard.match(/answer to/g) ?? []).length === 1000);
    expect(asked).toHaveLength(1000);
    expect(most).toBe(1);
  });

  test('what waits is read in small pieces, not all of it again for each request', async () => {
    answersAtOnce = true;
    let largest = 0;
    server.prependListener('connection', (socket: Socket) => {
      const read = socket.read.bind(socket);
      socket.read = (size?: number) => {
        const bytes = read(size) as Buffer | null;
        largest = Math.max(largest, bytes?.length ?? 0);
        return bytes;
      };
    });
    await open();
    const body = 'b'.repeat(3 * wireLimits.connection.pieceBytes);
    const post = `POST /large HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    client.write((get('/a').repeat(200) + post).repeat(5));
    await until('all are answered', () => (heard.match(/answer to/g) ?? []).length === 1005);
    expect(asked.filter(({ raw }) => raw.url === '/large').map((one) => one.body)).toEqual(Array(5).fill(body));
    expect(largest).toBe(wireLimits.connection.pieceBytes);
  });

  test('a body belongs to its request, whatever stands in it', async () => {
    const blanks = 'x\r\n\r\n\n\nGET /no HTTP/1.1\r\nHost: x\r\n\r\n';
    const chunk = `${blanks.length.toString(16)};ext\r\n${blanks}\r\n`;
    client.write(
      `POST /length HTTP/1.1\r\nHost: x\r\nContent-Length: ${blanks.length}\r\n\r\n${blanks}` +
        'POST /chunks HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n' +
        `${chunk}${chunk}0\r\nTrailer: 1\r\n\r\n` +
        `\r\n\r\n${get('/plain')}`,
    );
    for (let index = 0; index < 3; index += 1) {
      await until('asked and whole', () => asked[index]?.raw.complete === true);
      await quiet();
      expect(asked).toHaveLength(index + 1);
      answer(asked[index]!);
    }
    await until('the last answer', () => heard.endsWith('answer to /plain'));
    expect(asked.map(({ body }) => body)).toEqual([blanks, blanks + blanks, '']);
  });

  test('an answer before the end of its body lets the rest of the body pass, and nothing else', async () => {
    client.write('POST /early HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345');
    await until('asked', () => asked.length === 1);
    answer(asked[0]!);
    await until('answered', () => heard.endsWith('answer to /early'));
    client.write(`67890${get('/next')}`);
    await until('the next is asked', () => asked.length === 2);
    expect(asked[0]!.body).toBe('1234567890');
    answer(asked[1]!);
    await until('answered', () => heard.endsWith('answer to /next'));
  });

  test('who ends his side gets the answers of what he sent before', async () => {
    client.end(get('/a') + get('/b') + get('/c'));
    for (let index = 0; index < 3; index += 1) {
      await until('asked', () => asked.length === index + 1);
      await quiet();
      answer(asked[index]!);
    }
    await until('the end', () => isClosed);
    expect(heard.match(/answer to \/[abc]/g)).toEqual(['answer to /a', 'answer to /b', 'answer to /c']);
  });

  test('HTTP/1.0 and Connection: close end the socket, and nothing behind them is parsed', async () => {
    for (const last of ['GET /old HTTP/1.0\r\n\r\n', get('/last', 'Connection: close\r\n')]) {
      asked.length = 0;
      client.write(get('/first') + last + get('/behind'));
      await until('asked', () => asked.length === 1);
      answer(asked[0]!);
      await until('asked', () => asked.length === 2);
      answer(asked[1]!);
      await until('the end', () => isClosed);
      expect(urls()).toHaveLength(2);
      expect(heard).not.toContain('400');
      await open();
    }
  });

  test('while an answer is not taken nothing is parsed', async () => {
    client.pause();
    client.write(get('/large') + get('/behind').repeat(20_000));
    await until('asked', () => asked.length === 1);
    answer(asked[0]!, 'x'.repeat(30_000_000));
    await quiet();
    await quiet();
    expect(urls()).toEqual(['/large']);
    client.resume();
    await until('the next is asked', () => asked.length === 2);
  });
});

test('DEC-REQ-100: what a closed socket held is not parsed', async () => {
  client.write(get('/a') + get('/b'));
  await until('asked', () => asked.length === 1);
  answer(asked[0]!);
  asked[0]!.raw.socket.destroy();
  await quiet();
  expect(urls()).toEqual(['/a']);
});

describe('DEC-REQ-101: behind an answer that closes nothing is read', () => {
  test('neither what came with it, nor what comes before it is sent', async () => {
    client.write(get('/a') + get('/b'));
    await until('asked', () => asked.length === 1);
    closesAfterAnswer(asked[0]!.raw.socket);
    client.write(`${get('/c')}NONSENSE\r\n\r\n`);
    await quiet();
    asked[0]!.response.setHeader('connection', 'close');
    answer(asked[0]!);
    await until('the end', () => isClosed);
    expect(urls()).toEqual(['/a']);
    expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
  });

  test('nor the rest of a body', async () => {
    client.write('POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n');
    await until('a part came', () => asked[0]?.body === '12345');
    closesAfterAnswer(asked[0]!.raw.socket);
    client.write('5\r\n67890\r\nNONSENSE\r\n\r\n');
    await quiet();
    expect(asked[0]!.body).toBe('12345');
  });
});

describe('an upgrade', () => {
  const upgrade = get('/ws', 'Connection: Upgrade\r\nUpgrade: websocket\r\n');

  test('waits for the answers before it, and gets every byte behind it', async () => {
    let taken = '';
    server.on('upgrade', (_request: IncomingMessage, socket: Socket, head: Buffer) => {
      releaseSocket(socket);
      taken += head.toString('latin1');
      socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
      socket.on('data', (data) => {
        taken += data.toString('latin1');
      });
    });
    client.write(`${get('/a') + get('/b') + upgrade}frames`);
    for (let index = 0; index < 2; index += 1) {
      await until('asked', () => asked.length === index + 1);
      await quiet();
      expect(heard).not.toContain('101');
      answer(asked[index]!);
    }
    await until('upgraded', () => heard.includes('101') && taken === 'frames');
    client.write(', more');
    await until('the rest', () => taken === 'frames, more');
    expect(heard.indexOf('answer to /b')).toBeLessThan(heard.indexOf('101'));
  });

  test('is a request like others where nobody takes it', async () => {
    answersAtOnce = true;
    client.write(upgrade + get('/a'));
    await until('both are answered', () => heard.endsWith('answer to /a'));
    expect(urls()).toEqual(['/ws', '/a']);
  });
});

/** Requests of every kind, with the bodies they carry. */
const requests = fc.array(
  fc.oneof(
    fc.constant({ text: get('/get'), body: '' }),
    fc.string({ unit: fc.constantFrom('a', '\r', '\n', '0', ' '), maxLength: 30 }).map((body) => ({
      text: `POST /length HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      body,
    })),
    fc
      .array(fc.string({ unit: fc.constantFrom('a', '\r', '\n', '0'), minLength: 1, maxLength: 12 }), { maxLength: 4 })
      .map((chunks) => ({
        text:
          'POST /chunks HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n' +
          `${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')}0\r\n\r\n`,
        body: chunks.join(''),
      })),
  ),
  { minLength: 1, maxLength: 8 },
);

test('DEC-REQ-100: wherever packets end, the same requests arrive with the same bodies', async () => {
  answersAtOnce = true;
  await fc.assert(
    fc.asyncProperty(requests, fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 12 }), async (sent, sizes) => {
      asked.length = 0;
      heard = '';
      let rest = sent.map(({ text }) => text).join('');
      for (const size of sizes) {
        client.write(rest.slice(0, size), 'latin1');
        rest = rest.slice(size);
        await new Promise((resolve) => setImmediate(resolve));
      }
      client.write(rest, 'latin1');
      await until('all are answered', () => (heard.match(/answer to/g) ?? []).length === sent.length);
      expect(asked.map(({ body }) => body)).toEqual(sent.map(({ body }) => body));
    }),
    { numRuns: 150 },
  );
});
