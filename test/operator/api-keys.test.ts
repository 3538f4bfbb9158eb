import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { permissionSet } from '#model/permission.ts';
import { startTestOperator, type TestOperator } from './operator-harness.ts';

let operator: TestOperator;
let path: string;
beforeAll(async () => {
  operator = await startTestOperator();
  path = `/v1/accounts/${operator.alice.uid}/api-keys`;
});
afterAll(() => operator.close());

describe('DEC-OPR-21: API keys of an account', () => {
  const body = { note: 'bot', permissions: ['SPOT_DEAL_READ', 'SPOT_DEAL_WRITE'], ips: ['203.0.113.7', '10.0.0.0/8'] };

  test('a new key is shown with its secret once, kept sealed, listed without it, and deleted', async () => {
    const made = await operator.ask('POST', path, body);
    expect(made.status).toBe(201);
    const { secretKey, ...key } = made.body;
    expect(key).toEqual({
      ...body,
      accessKey: expect.stringMatching(/^mx0[A-Za-z0-9]{15}$/),
      createdAt: key.createdAt,
      endsAt: null,
    });
    expect(secretKey).toMatch(/^[0-9a-f]{32}$/);
    expect(await operator.exchange.queries.apiKey(key.accessKey)).toMatchObject({
      account: operator.alice.account,
      sealedSecret: `sealed ${secretKey}`,
      permissions: permissionSet(['SPOT_DEAL_READ', 'SPOT_DEAL_WRITE']),
    });
    expect((await operator.ask('GET', path)).body).toEqual({ items: [key], nextCursor: null });
    expect(operator.logged.join('\n')).not.toContain(secretKey);
    expect((await operator.ask('DELETE', `${path}/${key.accessKey}`)).body).toEqual({ accessKey: key.accessKey });
    expect((await operator.ask('DELETE', `${path}/${key.accessKey}`)).body.code).toBe('unknownKey');
    expect((await operator.ask('GET', path)).body.items).toEqual([]);
  });

  test.each([
    [{ permissions: ['EVERYTHING'] }, '/permissions/0'],
    [{ permissions: [] }, '/permissions'],
    [{ ips: ['nowhere'] }, '/ips/0'],
    [{ ips: ['0.0.0.0/0'] }, '/ips/0'],
    [{ ips: ['203.0.113.7', '10.0.0.1/8'] }, '/ips/1'],
    [{ ips: ['fe80::1%eth0'] }, '/ips/0'],
    [{ ips: Array.from({ length: 21 }, (_, index) => `10.0.0.${index}`) }, '/ips'],
    [{ note: 'x'.repeat(65) }, '/note'],
  ])('%o is refused by name and changes nothing', async (change, pointer) => {
    const before = operator.digest();
    const reply = await operator.ask('POST', path, { ...body, ...change });
    expect([reply.status, reply.body.errors[0].pointer]).toEqual([400, pointer]);
    expect(operator.digest()).toBe(before);
  });

  test('SPEC-CNV-14, DEC-OPR-21: short names of permissions mean the long ones', async () => {
    const short = { ...body, permissions: ['SPOT_DEAL_R', 'SPOT_DEAL_W', 'SPOT_DEAL_READ'] };
    const made = await operator.ask('POST', path, short);
    expect([made.status, made.body.permissions]).toEqual([201, ['SPOT_DEAL_READ', 'SPOT_DEAL_WRITE']]);
    expect((await operator.ask('DELETE', `${path}/${made.body.accessKey}`)).status).toBe(200);
    const wrong = await operator.ask('POST', path, { ...body, permissions: ['SPOT_DEAL_X'] });
    expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([400, '/permissions/0']);
  });

  test("DEC-REQ-148, DEC-OPR-21: a key of a broker's customer binds to 4 addresses, that of a master's sub-account to 20", async () => {
    const ips = (count: number) => Array.from({ length: count }, (_, index) => `10.0.0.${index}`);
    const uidOf = async (name: string, type: 'broker' | 'user'): Promise<number> => {
      const { body: master } = await operator.ask('POST', '/v1/accounts', { name, kycLevel: 1 });
      await operator.ask('PUT', `/v1/accounts/${master.uid}/class`, { class: type });
      const { account } = (await operator.exchange.queries.accountByUid(master.uid))!;
      const terms = { name: `${name}desk`, note: 'x', passwordHash: null, atMost: 10 } as const;
      const { events } = await operator.exchange.submit({ kind: 'openSubAccount', master: account, ...terms });
      const opened = events.find((event) => event.kind === 'accountOpened');
      if (opened === undefined) throw new TypeError(JSON.stringify(events));
      return opened.account.uid;
    };
    const customer = `/v1/accounts/${await uidOf('bindbroker', 'broker')}/api-keys`;
    const refused = await operator.ask('POST', customer, { ...body, ips: ips(5) });
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      [{ pointer: '/ips', detail: 'must have at most 4: the account is a customer of a broker' }],
    ]);
    expect((await operator.ask('POST', customer, { ...body, ips: ips(4) })).status).toBe(201);
    const own = `/v1/accounts/${await uidOf('bindmaster', 'user')}/api-keys`;
    expect((await operator.ask('POST', own, { ...body, ips: ips(20) })).status).toBe(201);
  });

  test("another account's key is unknown, and a repeated Idempotency-Key makes no second one", async () => {
    const headers = { 'Idempotency-Key': 'one-key' };
    const first = await operator.ask('POST', path, body, { headers });
    expect(first.status).toBe(201);
    expect((await operator.ask('POST', path, body, { headers })).body.code).toBe('idempotencyKeyInUse');
    const elsewhere = `/v1/accounts/${operator.bob.uid}/api-keys/${first.body.accessKey}`;
    expect((await operator.ask('DELETE', elsewhere)).body.code).toBe('unknownKey');
    expect((await operator.ask('GET', path)).body.items).toHaveLength(1);
  });

  test('an account has at most 30 keys', async () => {
    for (let count = (await operator.ask('GET', path)).body.items.length; count < 30; count += 1)
      expect((await operator.ask('POST', path, body)).status).toBe(201);
    expect((await operator.ask('POST', path, body)).body.code).toBe('tooManyKeys');
  });
});
