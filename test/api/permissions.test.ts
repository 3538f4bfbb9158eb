import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '#api/catalogue.ts';
import type { AnyEndpoint } from '#api/endpoint.ts';
import { permissions, type Permission } from '#domain/permission.ts';
import { expectCode } from './answer-shape.ts';
import { startTestGateway, type TestGateway } from './gateway-harness.ts';

let gate: TestGateway;
const without = (index: number): string => `mx0without${String(index).padStart(8, '0')}`;
const only = (index: number): string => `mx0only${String(index).padStart(11, '0')}`;

beforeAll(async () => {
  gate = await startTestGateway({ settings: { rateLimits: false } });
  const { alice, bob } = gate.accounts;
  for (const [index, name] of permissions.entries()) {
    await gate.addKey(
      alice,
      without(index),
      permissions.filter((other) => other !== name),
    );
    await gate.addKey(bob, only(index), [name]);
  }
});
afterAll(() => gate.close());

const demanded = Object.entries(catalogue as Record<string, AnyEndpoint>).flatMap(([id, endpoint]) =>
  endpoint.access.kind === 'signed' && endpoint.access.permission !== null
    ? [{ id, endpoint, permission: endpoint.access.permission as Permission }]
    : [],
);

describe('D01: every signed endpoint and every permission', () => {
  test.each(demanded)('$id demands $permission and nothing else', async ({ endpoint, permission }) => {
    const { method, path, example = {} } = endpoint;
    const before = gate.digest();
    expectCode(await gate.signed(method, path, example, { key: without(permissions.indexOf(permission)) }), 700007);
    for (const [index, name] of permissions.entries()) {
      if (name !== permission) expectCode(await gate.signed(method, path, example, { key: only(index) }), 700007);
    }
    expect(gate.digest()).toBe(before);
    const granted = await gate.signed(method, path, example, { key: only(permissions.indexOf(permission)) });
    expect(granted.body?.code).not.toBe(700007);
  });

  test('there are endpoints to look at', () => {
    expect(demanded.length).toBeGreaterThan(15);
  });
});

describe('the addresses a key is bound to', () => {
  const uid = (gateway: TestGateway, key: string, headers: Record<string, string> = {}) =>
    gateway.signed('GET', '/api/v3/uid', {}, { key, headers });

  test('SPEC-CNV-15, D06, D07, D10: another address is refused, whatever it claims to have been forwarded for', async () => {
    await gate.addKey(gate.accounts.alice, 'mx0boundElsewhere1', ['SPOT_ACCOUNT_READ'], ['203.0.113.7']);
    const reply = await uid(gate, 'mx0boundElsewhere1');
    expectCode(reply, 700006);
    expect(reply.body.msg).toContain('127.0.0.1');
    expectCode(await uid(gate, 'mx0boundElsewhere1', { 'X-Forwarded-For': '203.0.113.7' }), 700006);
  });

  test('an address or range that holds the caller is let in', async () => {
    await gate.addKey(gate.accounts.bob, 'mx0boundHere000001', ['SPOT_ACCOUNT_READ'], ['10.0.0.0/8', '127.0.0.0/8']);
    expect((await uid(gate, 'mx0boundHere000001')).status).toBe(200);
  });

  test('D08: behind a trusted proxy the last address that is none counts', async () => {
    const behind = await startTestGateway({ settings: { trustedProxies: ['127.0.0.1'], rateLimits: false } });
    await behind.addKey(behind.accounts.alice, 'mx0boundElsewhere1', ['SPOT_ACCOUNT_READ'], ['203.0.113.7']);
    const from = (chain: string) => uid(behind, 'mx0boundElsewhere1', { 'X-Forwarded-For': chain });
    expectCode(await from('203.0.113.7, 198.51.100.9'), 700006);
    expect((await from('198.51.100.9, 203.0.113.7')).status).toBe(200);
    expect((await from('evil, 203.0.113.7')).status).toBe(200);
    await behind.close();
  });
});
