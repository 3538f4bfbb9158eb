import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { groups } from '#public-api/catalogue.ts';
import { openApi } from '#public-api/documents/openapi.ts';
import { AnswerCheck } from './answer-check.ts';
import { faultOf } from './described-answers.ts';
import { Conversation, type HeardAnswer, watchSocket } from './watched-socket.ts';

const check = new AnswerCheck(
  JSON.parse(
    JSON.stringify(openApi(groups, { version: '1', spotServer: '/', futuresServer: '/', keyHeader: 'X-SVC-APIKEY' })),
  ),
);

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => {
  const all: Record<string, string> = { 'content-type': 'application/json;charset=utf-8', ...headers };
  return { status, header: (name: string) => all[name.toLowerCase()] ?? null, text: JSON.stringify(body) };
};
const faultsOf = (target: string, ...given: Parameters<typeof answer>) => check.faults('GET', target, answer(...given));

describe('DEC-REQ-160: an answer is one that the document has', () => {
  const refused = { success: false, code: 33333, message: 'Parameter error.', data: null };
  const report = '/api/v3/rebate/affiliate/campaign?page=1';

  test('what is described is not found fault with', () => {
    expect(faultsOf('/api/v3/time', 200, { serverTime: 1 })).toEqual([]);
    expect(faultsOf(report, 400, refused)).toEqual([]);
    expect(faultsOf('/api/v3/time', 429, { code: 429, msg: 'a' }, { 'retry-after': '1' })).toEqual([]);
    expect(faultsOf('/api/v1/contract/depth/A_B', 200, { success: false, code: 1001, message: 'a' })).toEqual([]);
    expect(faultsOf('/api/v1/nothing', 404, { success: false, code: 404, message: 'a' })).toEqual([]);
  });

  test.each([
    ['another status', '/api/v3/time', 201, { serverTime: 1 }, {}],
    ['another content type', '/api/v3/time', 200, { serverTime: 1 }, { 'content-type': 'text/html' }],
    ['a missing member', '/api/v3/time', 200, {}, {}],
    ['an undeclared member', '/api/v3/time', 200, { serverTime: 1, zone: 'UTC' }, {}],
    ['a member of another type', '/api/v3/time', 200, { serverTime: '1' }, {}],
    ['a failure in the form of others', report, 400, { code: 33333, msg: 'a' }, {}],
    ['a code that the endpoint does not have', report, 400, { ...refused, code: 30004 }, {}],
    ['429 without Retry-After', '/api/v3/time', 429, { code: 429, msg: 'a' }, {}],
    ['404 of the other side', '/api/v1/nothing', 404, { code: 404, msg: 'a' }, {}],
    ['a success at a path that nothing serves', '/api/v3/nothing', 200, {}, {}],
  ] as const)('%s is a fault', (_name, target, status, body, headers) => {
    expect(faultsOf(target, status, body, headers)).not.toEqual([]);
  });

  const time = 'GET /api/v3/time HTTP/1.1\r\nHost: x\r\n\r\n';
  const received = (status: string, body: string) =>
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const goodTime = received('200 OK', '{"serverTime":1}');
  const malformed = received('400 Bad Request', '{"code":400,"msg":"a"}');

  /** What is found in the answers to what was sent, both cut into pieces. */
  function heard(sent: string, answered: string, piece: number): readonly (string | null)[] {
    const found: HeardAnswer[] = [];
    const conversation = new Conversation((answer) => found.push(answer));
    for (let at = 0; at < sent.length; at += piece) conversation.sent(sent.slice(at, at + piece));
    for (let at = 0; at < answered.length; at += piece) conversation.received(answered.slice(at, at + piece));
    return found.map(faultOf);
  }

  test.each([1, 7, 10_000])(
    'answers on a socket are held against the requests in their places, in pieces of %s',
    (piece) => {
      const body = `POST /api/v3/order HTTP/1.1\r\nHost: x\r\nContent-Length: ${time.length}\r\n\r\n${time}`;
      const refused = received('400 Bad Request', '{"code":602,"msg":"a"}');
      expect(heard(time + body + time, goodTime + refused + goodTime, piece)).toEqual([null, null, null]);
      expect(heard(`${time}NONSENSE\r\n\r\n`, goodTime + malformed, piece)).toEqual([null, null]);
      const [fine, fault, other] = heard(
        time + time + body,
        goodTime + received('200 OK', '{"serverTime":""}') + received('400 Bad Request', '{"code":7,"msg":"a"}'),
        piece,
      );
      expect([fine, fault, other]).toEqual([
        null,
        expect.stringContaining('serverTime'),
        expect.stringContaining('code'),
      ]);
    },
  );

  test('whatever client a test uses, its answers are heard', async () => {
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json').end('{"serverTime":1}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const found: HeardAnswer[] = [];
    const hear = (message: unknown): void =>
      watchSocket((message as { readonly socket: Socket }).socket, (answer) => found.push(answer));
    subscribe('net.client.socket', hear);
    try {
      await (await fetch(`http://127.0.0.1:${port}/api/v3/time`)).text();
      const agent = new Agent();
      const [answer] = await once(request({ port, path: '/api/v3/time', agent }).end(), 'response');
      for await (const _bytes of answer) {
      }
      const socket = connect(port, '127.0.0.1');
      socket.write(time);
      await once(socket, 'data');
      socket.destroy();
      agent.destroy();
    } finally {
      unsubscribe('net.client.socket', hear);
      server.close();
      server.closeAllConnections();
    }
    const target = '/api/v3/time';
    expect(found.map(({ request: asked, status }) => [asked, status])).toEqual(
      Array.from({ length: 3 }, () => [{ method: 'GET', target }, 200]),
    );
    expect(found.map(faultOf)).toEqual([null, null, null]);
  });
});
