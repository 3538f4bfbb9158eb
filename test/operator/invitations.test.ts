import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultRebateRates } from '#model/rebate.ts';
import { type OperatorReply, startTestOperator, type TestOperator } from './operator-harness.ts';

const minuteMs = 60_000;
let operator: TestOperator;
let alice: string;
let referCode: string;
beforeAll(async () => {
  operator = await startTestOperator();
  alice = `/v1/accounts/${operator.alice.uid}`;
  referCode = (await operator.ask('GET', alice)).body.referCode;
});
afterAll(() => operator.close());

const told = ({ status, body }: OperatorReply) => ({ status, code: body.code });
const named = (body: { errors?: readonly { pointer?: string; parameter?: string }[] }) =>
  (body.errors ?? []).map(({ pointer, parameter }) => pointer ?? parameter);
const inviteAs = async (name: string, inviteCode: string): Promise<number> =>
  (await operator.ask('POST', '/v1/accounts', { name, inviteCode })).body.uid;

describe('DEC-OPR-19: invite codes', () => {
  test('DEC-SUB-23: an account has its refer code from the start', async () => {
    const { body } = await operator.ask('GET', `${alice}/invite-codes`);
    expect(body).toEqual({
      items: [{ code: referCode, uid: operator.alice.uid, campaign: null, createdAt: expect.any(Number) }],
      nextCursor: null,
    });
    expect((await operator.ask('GET', `/v1/invite-codes/${referCode}`)).body).toEqual(body.items[0]);
  });

  test('DEC-SUB-27: further ones are made, with a campaign or without, and listed in their order', async () => {
    const createdAt = operator.exchange.clock.time;
    for (const [code, campaign] of [
      ['spring-26', 'Spring'],
      ['A-b', null],
      ['spring-27', 'Spring'],
    ] as const) {
      const reply = await operator.ask('POST', `${alice}/invite-codes`, { code, campaign });
      expect([reply.status, reply.body]).toEqual([201, { code, uid: operator.alice.uid, campaign, createdAt }]);
    }
    const first = (await operator.ask('GET', `${alice}/invite-codes?limit=3`)).body;
    const codes = ({ items }: { items: { code: string }[] }) => items.map(({ code }) => code);
    expect(codes(first)).toEqual([referCode, 'spring-26', 'A-b']);
    const rest = (await operator.ask('GET', `${alice}/invite-codes?limit=3&cursor=${first.nextCursor}`)).body;
    expect([codes(rest), rest.nextCursor]).toEqual([['spring-27'], null]);
  });

  test('belong to one account for ever', async () => {
    const digest = operator.digest();
    const bob = `/v1/accounts/${operator.bob.uid}`;
    for (const owner of [alice, bob]) {
      const reply = await operator.ask('POST', `${owner}/invite-codes`, { code: 'A-b' });
      expect(told(reply)).toEqual({ status: 409, code: 'inviteCodeInUse' });
    }
    expect(told(await operator.ask('POST', '/v1/accounts/1/invite-codes', { code: 'c-d' }))).toEqual({
      status: 404,
      code: 'unknownAccount',
    });
    expect(operator.digest()).toBe(digest);
    expect((await operator.ask('GET', '/v1/invite-codes/A-b')).body.uid).toBe(operator.alice.uid);
    expect((await operator.ask('GET', '/v1/invite-codes/a-B')).body.code).toBe('unknownInviteCode');
  });

  test.each([
    [{ code: '1a2b3' }, ['/code']],
    [{ code: 'ab' }, ['/code']],
    [{ code: 'a-'.repeat(11) }, ['/code']],
    [{ code: 'a-ü' }, ['/code']],
    [{ code: 'a-b', campaign: '' }, ['/campaign']],
    [{ code: 'a-b', campaign: 'x'.repeat(65) }, ['/campaign']],
    [{ campaign: 'x' }, ['/code']],
  ])('%j is refused by name', async (body, at) => {
    expect(named((await operator.ask('POST', `${alice}/invite-codes`, body)).body)).toEqual(at);
  });

  test('a repeated key makes no second code and answers the same', async () => {
    const key = { headers: { 'idempotency-key': 'code-1' } };
    const body = { code: 'once-1', campaign: 'Once' };
    const first = await operator.ask('POST', `${alice}/invite-codes`, body, key);
    const again = await operator.ask('POST', `${alice}/invite-codes`, body, key);
    expect([again.status, again.body]).toEqual([201, first.body]);
    const other = await operator.ask('POST', `${alice}/invite-codes`, { ...body, code: 'once-2' }, key);
    expect(told(other)).toEqual({ status: 422, code: 'idempotencyKeyInUse' });
  });
});

describe('DEC-OPR-19: clicks', () => {
  const clicks = (code: string, minute: number, count: number) =>
    operator.ask('POST', `/v1/invite-codes/${code}/clicks`, { minute, count });

  test('DEC-SUB-27: are told once a minute, in order, for codes of both kinds', async () => {
    const minute = Math.floor(operator.exchange.clock.time / minuteMs) * minuteMs;
    const at = minute - 5 * minuteMs;
    expect((await clicks('A-b', at, 7)).body).toEqual({ code: 'A-b', uid: operator.alice.uid, minute: at, count: 7 });
    expect((await clicks(referCode, at, 1)).status).toBe(201);
    expect(told(await clicks('A-b', at, 7))).toEqual({ status: 409, code: 'wrongState' });
    expect(told(await clicks('A-b', at - minuteMs, 7))).toEqual({ status: 409, code: 'wrongState' });
    expect((await clicks('A-b', at + minuteMs, 1_000_000_000)).status).toBe(201);
    expect(told(await clicks('A-b', minute + minuteMs, 1))).toEqual({ status: 409, code: 'wrongState' });
    expect(told(await clicks('no-one', at, 1))).toEqual({ status: 422, code: 'unknownInviteCode' });
    expect(named((await clicks('A-b', at + 1, 1)).body)).toEqual(['/minute']);
    for (const count of [0, 1_000_000_001, 1.5])
      expect(named((await clicks('A-b', minute, count)).body)).toEqual(['/count']);
  });
});

describe('DEC-OPR-19: rates', () => {
  const rates = { referralPpm: 300_000, subAffiliatePpm: 150_000, thirdPpm: 50_000, kickbackPpm: 300_000 };

  test('DEC-SUB-05: are the defaults until they are set, for one product at a time', async () => {
    const read = async (product: string) => (await operator.ask('GET', `${alice}/rebate-rates/${product}`)).body;
    const { uid } = operator.alice;
    for (const product of ['spot', 'futures', 'etf']) {
      expect(await read(product)).toEqual({ uid, product, ...defaultRebateRates });
    }
    const put = await operator.ask('PUT', `${alice}/rebate-rates/futures`, rates);
    expect([put.status, put.body]).toEqual([200, { uid, product: 'futures', ...rates }]);
    expect(await read('futures')).toEqual(put.body);
    expect(await read('spot')).toEqual({ uid, product: 'spot', ...defaultRebateRates });
    expect(named((await operator.ask('GET', `${alice}/rebate-rates/margin`)).body)).toEqual(['product']);
  });

  test.each([
    [{ thirdPpm: 50_001 }, ['/referralPpm']],
    [{ kickbackPpm: 300_001 }, ['/kickbackPpm']],
    [{ referralPpm: -1 }, ['/referralPpm', '/kickbackPpm']],
    [{ subAffiliatePpm: 500_001 }, ['/subAffiliatePpm', '/referralPpm']],
    [{ subAffiliatePpm: 0.5 }, ['/subAffiliatePpm']],
    [{ fourthPpm: 1 }, ['/fourthPpm']],
  ])('DEC-SUB-05: with %j they are refused by name', async (change, at) => {
    const digest = operator.digest();
    const reply = await operator.ask('PUT', `${alice}/rebate-rates/spot`, { ...rates, ...change });
    expect([reply.status, named(reply.body)]).toEqual([400, at]);
    expect(operator.digest()).toBe(digest);
  });
});

describe('invited accounts', () => {
  test('DEC-SUB-23: are listed newest first, by code and by time, and pages do not shift when more come', async () => {
    const { clock } = operator.exchange;
    const uids: number[] = [];
    for (const [name, code] of [
      ['tom', referCode],
      ['uma', 'A-b'],
      ['vic', 'A-b'],
      ['wes', referCode],
    ] as const) {
      clock.time += 1000;
      uids.push(await inviteAs(name, code));
    }
    const list = async (query: string) => (await operator.ask('GET', `${alice}/invitees?${query}`)).body;
    const uidsOf = ({ items }: { items: { uid: number }[] }) => items.map(({ uid }) => uid);
    const all = await list('');
    expect(uidsOf(all)).toEqual([...uids].reverse());
    const never = { firstDepositAt: null, lastDepositAt: null, firstTradeAt: null, lastTradeAt: null };
    expect(all.items[0]).toEqual({ uid: uids[3], code: referCode, invitedAt: clock.time, ...never });
    expect(uidsOf(await list('code=A-b'))).toEqual([uids[2], uids[1]]);
    const third = clock.time - 1000;
    expect(uidsOf(await list(`from=${third}`))).toEqual([uids[3], uids[2]]);
    expect(uidsOf(await list(`to=${third}`))).toEqual([uids[2], uids[1], uids[0]]);
    const first = await list('limit=3');
    expect(uidsOf(first)).toEqual([uids[3], uids[2], uids[1]]);
    clock.time += 1000;
    await inviteAs('xia', referCode);
    const second = await list(`limit=3&cursor=${first.nextCursor}`);
    expect([uidsOf(second), second.nextCursor]).toEqual([[uids[0]], null]);
    expect((await operator.ask('GET', `/v1/accounts/${uids[0]}/invitees`)).body).toEqual({
      items: [],
      nextCursor: null,
    });
    expect(named((await operator.ask('GET', `${alice}/invitees?code=a%20b`)).body)).toEqual(['code']);
  });
});

test('DEC-OPR-03: reading and writing need their scopes', async () => {
  const token = async (scopes: string[]): Promise<string> =>
    (await operator.ask('POST', '/v1/tokens', { actor: 'erin', scopes, validHours: 1 })).body.token;
  const reader = { token: await token(['rebates:read', 'accounts:read']) };
  expect((await operator.ask('GET', `${alice}/invite-codes`, undefined, reader)).status).toBe(200);
  for (const [method, path, body] of [
    ['POST', `${alice}/invite-codes`, { code: 'x-y' }],
    ['PUT', `${alice}/rebate-rates/spot`, { ...defaultRebateRates }],
    ['POST', '/v1/invite-codes/A-b/clicks', { minute: 0, count: 1 }],
    ['POST', `${alice}/rebates/rejections`, { day: '2023-11-14' }],
    ['POST', '/v1/accounts', { name: 'zoe' }],
    ['PUT', `${alice}/class`, { class: 'user' }],
  ] as const) {
    const reply = await operator.ask(method, path, body, reader);
    expect([path, told(reply)]).toEqual([path, { status: 403, code: 'insufficientScope' }]);
  }
  const writer = { token: await token(['rebates:write', 'accounts:write']) };
  const refused = await operator.ask('GET', `${alice}/rebates/pending`, undefined, writer);
  expect(told(refused)).toEqual({ status: 403, code: 'insufficientScope' });
});
