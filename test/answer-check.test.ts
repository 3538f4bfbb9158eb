import { describe, expect, test } from 'vitest';
import { catalogue } from '#api/catalogue.ts';
import { openApi } from '#api/derive/openapi.ts';
import { AnswerCheck } from './answer-check.ts';
import { expectRawDescribed } from './raw-answers.ts';

const check = new AnswerCheck(
  JSON.parse(
    JSON.stringify(
      openApi(catalogue, { version: '1', spotServer: '/', futuresServer: '/', keyHeader: 'X-SVC-APIKEY' }),
    ),
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

  test('answers in raw bytes are held against the requests in whose place they stand', () => {
    const sent = 'GET /api/v3/time HTTP/1.1\r\nHost: x\r\n\r\n';
    const received = (status: string, body: string) =>
      `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const time = received('200 OK', '{"serverTime":1}');
    const fault = received('400 Bad Request', '{"code":400,"msg":"a"}');
    expect(() => expectRawDescribed(check, sent + sent, time + fault)).not.toThrow();
    expect(() => expectRawDescribed(check, sent, received('200 OK', '{"serverTime":""}'))).toThrow('serverTime');
    expect(() => expectRawDescribed(check, sent, received('400 Bad Request', '{"code":7,"msg":"a"}'))).toThrow('code');
  });
});
