import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EndpointId } from '#api/catalogue.ts';
import { catalogue, endpointIds } from '#api/catalogue.ts';
import type { AnyEndpoint, SignedAccess } from '#api/endpoint.ts';
import { permissions } from '#domain/permission.ts';
import { startTestGateway, type TestGateway } from '../api/gateway-harness.ts';

/* D01: every signed route with keys that lack only its permission, and with keys that hold only it. */

let gate: TestGateway;
const all: Readonly<Record<EndpointId, AnyEndpoint>> = catalogue;
const signedIds = endpointIds.filter((id) => all[id].access.kind === 'signed');
const permissionOf = (id: EndpointId): string | null => (all[id].access as SignedAccess).permission;
const keyWithOnly = (permission: string): string =>
  `mx0only${permissions.indexOf(permission as never)}`.padEnd(18, 'o');
const keyWithout = (permission: string): string =>
  `mx0without${permissions.indexOf(permission as never)}`.padEnd(18, 'w');

beforeAll(async () => {
  gate = await startTestGateway();
  for (const permission of permissions) {
    await gate.addKey(gate.accounts.alice, keyWithOnly(permission), [permission]);
    await gate.addKey(
      gate.accounts.bob,
      keyWithout(permission),
      permissions.filter((name) => name !== permission),
    );
  }
});
afterAll(() => gate.close());

describe('D01, SPEC-CNV-13: a key without the printed permission is refused, whatever else it may', () => {
  test.each(signedIds)('%s', async (id) => {
    const { method, path, example = {} } = all[id];
    const permission = permissionOf(id) as string;
    const before = gate.digest();
    gate.monotonic.time += 10_000;
    const refused = await gate.signed(method, path, example, { key: keyWithout(permission) });
    expect([refused.status, refused.body.code]).toEqual([400, 700007]);
    for (const other of permissions.filter((name) => name !== permission)) {
      gate.monotonic.time += 10_000;
      const answer = await gate.signed(method, path, example, { key: keyWithOnly(other) });
      expect([other, answer.body.code]).toEqual([other, 700007]);
    }
    expect(gate.digest()).toBe(before);
    gate.monotonic.time += 10_000;
    const allowed = await gate.signed(method, path, example, { key: keyWithOnly(permission) });
    expect(allowed.body.code).not.toBe(700007);
  });
});
