import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { expectCode, expectShape } from './answer-shape.ts';
import { keys, startTestGateway, type TestGateway } from './gateway-harness.ts';

const path = '/api/v3/userDataStream';
const minute = 60_000;

let gate: TestGateway;
beforeAll(async () => {
  gate = await startTestGateway({ settings: { rateLimits: false } });
});
afterAll(() => gate.close());
beforeEach(async () => {
  gate.exchange.clock.time += 61 * minute;
});

const create = async (key: string = keys.alice): Promise<string> =>
  (await gate.signed('POST', path, {}, { key })).body.listenKey;
const list = async (key: string = keys.alice) => (await gate.signed('GET', path, {}, { key })).body;

test('SPEC-LKEY-01, DEC-STR-01: each POST makes another key of 64 hex characters', async () => {
  const reply = await gate.signed('POST', path);
  expectShape('createListenKey', reply);
  expect(reply.body.listenKey).toMatch(/^[0-9a-f]{64}$/);
  expect(await create()).not.toBe(reply.body.listenKey);
});

test('SPEC-LKEY-02: GET answers the valid keys of the account, the quota and what is left of it', async () => {
  expect(await list()).toEqual({ total: 60, listenKey: [], available: 60 });
  const made = [await create(), await create()];
  await create(keys.bob);
  const reply = await gate.signed('GET', path);
  expectShape('listenKeys', reply);
  expect(reply.body).toEqual({ total: 60, listenKey: made, available: 58 });
});

test('SPEC-LKEY-03, G18: a key lives 60 minutes, from PUT on again', async () => {
  const listenKey = await create();
  gate.exchange.clock.time += 59 * minute + 59_000;
  expect((await list()).listenKey).toEqual([listenKey]);
  const renewed = await gate.signed('PUT', path, { listenKey });
  expectShape('renewListenKey', renewed);
  expect(renewed.body).toEqual({ listenKey });
  gate.exchange.clock.time += 60 * minute - 1;
  expect((await list()).listenKey).toEqual([listenKey]);
  gate.exchange.clock.time += 1;
  expect((await list()).listenKey).toEqual([]);
  expectCode(await gate.signed('PUT', path, { listenKey }), 33333);
});

test('SPEC-LKEY-04: DELETE ends a key, once', async () => {
  const listenKey = await create();
  const deleted = await gate.signed('DELETE', path, { listenKey });
  expectShape('deleteListenKey', deleted);
  expect(deleted.body).toEqual({ listenKey });
  expectCode(await gate.signed('DELETE', path, { listenKey }), 33333);
});

test('G17, DEC-STR-01: the key of another account is as unknown as one that never was, and as one that is no key', async () => {
  const listenKey = await create();
  for (const method of ['PUT', 'DELETE']) {
    const foreign = await gate.signed(method, path, { listenKey }, { key: keys.bob });
    const unknown = await gate.signed(method, path, { listenKey: '0'.repeat(64) }, { key: keys.bob });
    expectCode(foreign, 33333);
    expect(foreign.body.msg).toBe("Parameter 'listenKey' is invalid: it is not a valid key of this account.");
    expect(foreign.text).toBe(unknown.text);
    for (const text of ['x', '0'.repeat(63), listenKey.toUpperCase().replace(/^/, 'A').slice(0, 64)]) {
      const malformed = await gate.signed(method, path, { listenKey: text });
      expectCode(malformed, 33333);
      expect(malformed.text).toBe(unknown.text);
    }
    expectCode(await gate.signed(method, path), 44444);
  }
  expect((await list()).listenKey).toEqual([listenKey]);
});

test('SPEC-LKEY-05, G15: the 61st key is refused with 730003, which names the quota; an expired one makes room', async () => {
  for (let count = 0; count < 60; count += 1) await create();
  const before = gate.digest();
  const refused = await gate.signed('POST', path);
  expectCode(refused, 730003);
  expect(refused.body.msg).toBe('Unsupported operation: an account holds at most 60 valid listen keys.');
  expect(gate.digest()).toBe(before);
  expect((await list()).available).toBe(0);
  gate.exchange.clock.time += 60 * minute;
  expect(await create()).toMatch(/^[0-9a-f]{64}$/);
});

test('the exchange holds keys sealed and by hash, never in clear', async () => {
  const listenKey = await create();
  const journaled = JSON.stringify(gate.exchange.entries, (_name, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  expect(journaled).toContain('createListenKey');
  expect(journaled.split(listenKey)).toHaveLength(2);
  const [command] = gate.exchange.entries.filter((entry) => entry.command.kind === 'createListenKey').slice(-1);
  expect(command?.command).toMatchObject({ sealedKey: expect.stringContaining(listenKey) });
  expect(command?.command).toMatchObject({ keyHash: expect.not.stringContaining(listenKey) });
});
