import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { as } from '#model/units.ts';
import { type OperatorReply, startTestOperator, type TestOperator } from './operator-harness.ts';

let operator: TestOperator;
let alice: string;
beforeAll(async () => {
  operator = await startTestOperator();
  alice = `/v1/accounts/${operator.alice.uid}`;
});
afterAll(() => operator.close());

const told = ({ status, body }: OperatorReply) => ({ status, code: body.code });
const named = (body: { errors?: readonly { pointer?: string }[] }) => (body.errors ?? []).map(({ pointer }) => pointer);
const register = (body: object, key?: string) =>
  operator.ask('POST', '/v1/accounts', body, key === undefined ? {} : { headers: { 'idempotency-key': key } });
const count = async (): Promise<number> => (await operator.exchange.queries.accounts()).length;

describe('DEC-OPR-17: accounts are registered', () => {
  test('with a uid of the exchange, as a user of level 1 whom nobody invited, unless the request says more', async () => {
    const { status, body } = await register({ name: 'carol' });
    expect(status).toBe(201);
    expect(body).toEqual({
      uid: expect.any(Number),
      name: 'carol',
      masterUid: body.uid,
      class: 'user',
      status: 'normal',
      switches: { trade: true, withdraw: true, api: true },
      kycLevel: 1,
      email: null,
      mobile: null,
      allowListEnabled: false,
      simulated: false,
      openedAt: operator.exchange.clock.time,
      referCode: expect.stringMatching(/^[0-9a-z]{5}$/),
      invitation: null,
      subAccount: null,
    });
    expect(body.uid).toBeGreaterThanOrEqual(90_000_000);
    expect(body.uid).toBeLessThan(100_000_000);
    expect((await operator.ask('GET', `/v1/accounts/${body.uid}`)).body).toEqual(body);
  });

  test('with everything that the request says, and who invited them', async () => {
    const { referCode } = (await operator.ask('GET', alice)).body;
    const sent = {
      uid: 31_000_001,
      name: 'dora',
      class: 'affiliate',
      kycLevel: 3,
      email: 'dora@example.com',
      mobile: '44 7700900777',
    };
    const { status, body } = await register({ ...sent, inviteCode: referCode });
    expect(status).toBe(201);
    const invitedAt = operator.exchange.clock.time;
    const invitation = { inviterUid: operator.alice.uid, code: referCode, invitedAt };
    expect(body).toMatchObject({ ...sent, masterUid: sent.uid, simulated: false, invitation });
    expect((await operator.ask('GET', '/v1/accounts?email=dora@example.com')).body.items).toEqual([body]);
  });

  test('but not with what is taken or unknown: then nothing happens', async () => {
    const digest = operator.digest();
    const free = { uid: 31_000_002, name: 'eve' };
    expect(told(await register({ ...free, uid: operator.bob.uid }))).toEqual({ status: 409, code: 'uidInUse' });
    expect(told(await register({ ...free, uid: 1 }))).toEqual({ status: 409, code: 'uidInUse' });
    const contact = await register({ ...free, email: 'DORA@example.com' });
    expect(told(contact)).toEqual({ status: 409, code: 'contactInUse' });
    for (const inviteCode of ['no-such', 'zzzzz']) {
      const reply = await register({ ...free, inviteCode });
      expect([inviteCode, told(reply)]).toEqual([inviteCode, { status: 422, code: 'unknownInviteCode' }]);
    }
    expect(operator.digest()).toBe(digest);
    expect((await operator.ask('GET', '/v1/accounts/31000002')).body.code).toBe('unknownAccount');
  });

  test.each([
    [{}, ['/name']],
    [{ name: '' }, ['/name']],
    [{ name: 'x'.repeat(65) }, ['/name']],
    [{ name: 'x', kycLevel: 5 }, ['/kycLevel']],
    [{ name: 'x', class: 'house' }, ['/class']],
    [{ name: 'x', inviteCode: 'a b' }, ['/inviteCode']],
    [{ name: 'x', email: 'x' }, ['/email']],
    [{ name: 'x', uid: 0 }, ['/uid']],
    [{ name: 'x', simulated: true }, ['/simulated']],
    [{ name: 'x', master: 10000001 }, ['/master']],
  ])('%j is refused by name', async (body, at) => {
    const before = await count();
    const reply = await register(body);
    expect([reply.status, named(reply.body)]).toEqual([400, at]);
    expect(await count()).toBe(before);
  });
});

describe('DEC-OPR-17: a repeated key', () => {
  test('registers nobody a second time and answers the same account', async () => {
    const first = await register({ name: 'fred' }, 'fred-1');
    const before = await count();
    operator.exchange.clock.time += 5000;
    for (const body of [{ name: 'fred' }, { name: 'fred', kycLevel: 1, email: null }]) {
      const again = await register(body, 'fred-1');
      expect([again.status, again.body]).toEqual([201, first.body]);
    }
    expect(await count()).toBe(before);
    const other = await register({ name: 'frida' }, 'fred-1');
    expect(told(other)).toEqual({ status: 422, code: 'idempotencyKeyInUse' });
  });

  test('answers by the uid where the request named it, whatever has the same name', async () => {
    const sent = { uid: 31_000_010, name: 'gus' };
    const first = await register(sent, 'gus-1');
    await register({ ...sent, uid: 31_000_011 });
    expect((await register(sent, 'gus-1')).body).toEqual(first.body);
  });

  test('tells when the account cannot be told from another one of the same name and moment', async () => {
    await register({ name: 'hugo' }, 'hugo-1');
    await register({ name: 'hugo' }, 'hugo-2');
    const before = await count();
    const again = await register({ name: 'hugo' }, 'hugo-1');
    expect(told(again)).toEqual({ status: 422, code: 'idempotencyKeyInUse' });
    expect(again.body.detail).toContain('registered before');
    expect(await count()).toBe(before);
  });
});

describe('DEC-OPR-18: the class of an account', () => {
  test('can be set, to and from broker only without sub-accounts', async () => {
    expect((await operator.ask('PUT', `${alice}/class`, { class: 'affiliate' })).body.class).toBe('affiliate');
    expect((await operator.ask('PUT', `${alice}/class`, { class: 'broker' })).body.class).toBe('broker');
    const details = { note: 'desk', passwordHash: null, atMost: 10 };
    const shape = { kind: 'openSubAccount', master: operator.alice.account, name: 'customer1', ...details } as const;
    await operator.exchange.submit(shape);
    expect(told(await operator.ask('PUT', `${alice}/class`, { class: 'user' }))).toEqual({
      status: 409,
      code: 'wrongState',
    });
    expect((await operator.ask('GET', alice)).body.class).toBe('broker');
    expect(named((await operator.ask('PUT', `${alice}/class`, { class: 'house' })).body)).toEqual(['/class']);
    expect((await operator.ask('PUT', '/v1/accounts/1/class', { class: 'user' })).body.code).toBe('unknownAccount');
  });
});

describe('DEC-OPR-18: sub-accounts of an account', () => {
  test('are listed page by page in the order in which they were opened, with note and futures', async () => {
    for (const name of ['customer2', 'customer3', 'customer4', 'customer5']) {
      await operator.exchange.submit({
        kind: 'openSubAccount',
        master: operator.alice.account,
        name,
        note: `note of ${name}`,
        passwordHash: null,
        atMost: 10,
      });
    }
    const third = await operator.exchange.queries.subAccounts.named(operator.alice.account, 'customer3');
    await operator.exchange.submit({
      kind: 'enableFutures',
      master: operator.alice.account,
      account: as(third!.account),
    });
    const seen = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: OperatorReply = await operator.ask(
        'GET',
        `${alice}/sub-accounts?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      expect(page.body.items.length).toBeGreaterThan(0);
      seen.push(...page.body.items);
      cursor = page.body.nextCursor;
    }
    expect(seen.map(({ name, subAccount }) => [name, subAccount])).toEqual([
      ['customer1', { note: 'desk', futuresEnabled: false }],
      ['customer2', { note: 'note of customer2', futuresEnabled: false }],
      ['customer3', { note: 'note of customer3', futuresEnabled: true }],
      ['customer4', { note: 'note of customer4', futuresEnabled: false }],
      ['customer5', { note: 'note of customer5', futuresEnabled: false }],
    ]);
    for (const each of seen) expect(each).toMatchObject({ masterUid: operator.alice.uid, referCode: null });
    expect((await operator.ask('GET', `/v1/accounts/${seen[0].uid}`)).body).toEqual(seen[0]);
    const bob = `/v1/accounts/${operator.bob.uid}`;
    expect((await operator.ask('GET', `${bob}/sub-accounts`)).body).toEqual({ items: [], nextCursor: null });
    expect((await operator.ask('GET', '/v1/accounts/1/sub-accounts')).body.code).toBe('unknownAccount');
  });

  test('have no class of their own', async () => {
    const { items } = (await operator.ask('GET', `${alice}/sub-accounts?limit=1`)).body;
    const reply = await operator.ask('PUT', `/v1/accounts/${items[0].uid}/class`, { class: 'affiliate' });
    expect(reply.status).toBe(409);
    expect((await operator.ask('GET', `/v1/accounts/${items[0].uid}`)).body.class).toBe('user');
  });
});
