import { afterAll, beforeAll, expect, test } from 'vitest';
import { keys, startTestGateway, type TestGateway } from '../api/gateway-harness.ts';

let gate: TestGateway;
beforeAll(async () => {
  gate = await startTestGateway();
});
afterAll(() => gate.close());

const path = '/api/v3/userDataStream';
const ask = (method: string, listenKey?: string, key: string = keys.alice) =>
  gate.signed(method, path, listenKey === undefined ? {} : { listenKey }, { key });
const minutes = (count: number): number => count * 60_000;

test('SPEC-LKEY-01, SPEC-LKEY-02: each call makes another key of 64 hex characters, listed with what is left', async () => {
  const first = (await ask('POST')).body.listenKey as string;
  const second = (await ask('POST')).body.listenKey as string;
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(second).not.toBe(first);
  const { body } = await ask('GET');
  expect([...body.listenKey].sort()).toEqual([first, second].sort());
  expect([body.total, body.available]).toEqual([60, 58]);
});

test('SPEC-LKEY-01, SPEC-LKEY-03: a key ends 60 minutes after it was made or renewed', async () => {
  const { listenKey } = (await ask('POST', undefined, keys.bob)).body;
  gate.exchange.clock.time += minutes(59);
  expect((await ask('PUT', listenKey, keys.bob)).body).toEqual({ listenKey });
  gate.exchange.clock.time += minutes(59);
  expect((await ask('GET', undefined, keys.bob)).body.listenKey).toEqual([listenKey]);
  gate.exchange.clock.time += minutes(2);
  expect((await ask('GET', undefined, keys.bob)).body).toMatchObject({ listenKey: [], available: 60 });
  expect((await ask('PUT', listenKey, keys.bob)).body.code).toBe(33333);
});

test('SPEC-LKEY-04, G17, DEC-STR-01: only its owner may renew or end a key, and an ended one is unknown', async () => {
  const { listenKey } = (await ask('POST', undefined, keys.broker)).body;
  for (const method of ['PUT', 'DELETE']) {
    const foreign = await ask(method, listenKey, keys.alice);
    const unknown = await ask(method, '0'.repeat(64), keys.alice);
    expect([foreign.status, foreign.body]).toEqual([unknown.status, unknown.body]);
    expect([unknown.status, unknown.body.code]).toEqual([400, 33333]);
  }
  expect((await ask('DELETE', listenKey, keys.broker)).body).toEqual({ listenKey });
  expect((await ask('DELETE', listenKey, keys.broker)).body.code).toBe(33333);
});

test('SPEC-LKEY-05, C22, DEC-STR-01: the 61st valid key of an account is refused with 730003', async () => {
  for (let count = 0; count < 60; count += 1) expect((await ask('POST', undefined, keys.sub)).status).toBe(200);
  const before = gate.digest();
  const refused = await ask('POST', undefined, keys.sub);
  expect([refused.status, refused.body.code]).toEqual([400, 730003]);
  expect(gate.digest()).toBe(before);
  expect((await ask('GET', undefined, keys.sub)).body.available).toBe(0);
  gate.exchange.clock.time += minutes(61);
  expect((await ask('POST', undefined, keys.sub)).status).toBe(200);
});
