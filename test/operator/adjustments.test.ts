import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { innerHouse } from '#model/account.ts';
import { as } from '#model/units.ts';
import { operated } from '../operated.ts';
import { startExchange } from '../exchange-harness.ts';
import { startTestOperator, type TestOperator } from './operator-harness.ts';
import { openWallet, rulesBody } from './wallet-stage.ts';

let operator: TestOperator;
let erin: string;
let dan: string;
const tokenOf = async (actor: string, scopes: readonly string[]): Promise<string> =>
  (await operator.ask('POST', '/v1/tokens', { actor, scopes, validHours: 1000 })).body.token;
const adjust = async (body: object, token = erin, key?: string) => {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  const answer = await operator.ask('POST', '/v1/adjustments', { reason: 'a reason', ...body }, { headers, token });
  return [answer.status, answer.body] as const;
};
const list = async (query: string) => (await operator.ask('GET', `/v1/adjustments?${query}`)).body.items;
const credit = (amount: string) => ({ uid: operator.alice.uid, asset: 'USDT', amount, kind: 'credit' });
const freeOf = async (uid: number) => {
  const { spot } = (await operator.ask('GET', `/v1/accounts/${uid}/balances`)).body;
  return spot.find(({ asset }: { asset: string }) => asset === 'USDT').free;
};

beforeAll(async () => {
  operator = await startTestOperator();
  await openWallet(operator);
  await operator.exchange.submit({ kind: 'recordProfile', profile: 'production' });
  const scopes = ['adjustments:write', 'ledger:read', 'assets:read', 'assets:write', 'proposals:review'];
  erin = await tokenOf('erin', scopes);
  dan = await tokenOf('dan', scopes);
  // What the two accounts have was granted before there was a profile: the operator brings it.
  const [status] = await adjust({ house: 'capital', asset: 'USDT', amount: '2100000', kind: 'capitalIn' });
  expect(status).toBe(202);
  await operator.ask('POST', '/v1/proposals/1/review', { decision: 'approve' }, { token: dan });
});
afterAll(() => operator.close());

describe('DEC-OPR-180: an adjustment', () => {
  test('answers what was made, which is listed and looked at, newest first', async () => {
    const before = await freeOf(operator.alice.uid);
    const [status, made] = await adjust({ ...credit('12.5'), reference: 'T-17' });
    expect([status, made]).toEqual([
      201,
      {
        adjustment: 2,
        ...{ uid: operator.alice.uid, wallet: 'spot', house: null, asset: 'USDT', amount: '12.5', kind: 'credit' },
        ...{ reason: 'a reason', reference: 'T-17', madeBy: 'erin', approvedBy: null, proposal: null },
        at: operator.exchange.clock.time,
      },
    ]);
    expect(await freeOf(operator.alice.uid)).toBe(String(Number(before) + 12.5));
    expect((await operator.ask('GET', '/v1/adjustments/2')).body).toEqual(made);
    operator.exchange.clock.time += 1000;
    const [, taken] = await adjust({ ...credit('-2.5'), wallet: 'spot', kind: 'correction' });
    expect(taken).toMatchObject({ adjustment: 3, amount: '-2.5', kind: 'correction', reference: null });
    expect(await list('limit=2')).toEqual([taken, made]);
    expect(await list('kind=credit')).toEqual([made]);
    expect(await list(`from=${taken.at}`)).toEqual([taken]);
    expect(await list(`uid=${operator.bob.uid}`)).toEqual([]);
    expect(await list(`uid=${operator.alice.uid}&asset=USDT&to=${made.at}`)).toEqual([made]);
    expect(await list('house=capital')).toMatchObject([{ adjustment: 1, house: 'capital', approvedBy: 'dan' }]);
    const { body } = await operator.ask('GET', '/v1/adjustments?limit=1');
    const next = await operator.ask('GET', `/v1/adjustments?limit=1&cursor=${body.nextCursor}`);
    expect(next.body.items).toEqual([made]);
  });

  test('stands in the ledger with its other side, and as the act of its operator', async () => {
    const lines = async (path: string) => (await operator.ask('GET', path)).body.items;
    const [line] = await lines(`/v1/accounts/${operator.alice.uid}/ledger/spot?limit=1`);
    expect(line).toMatchObject({ change: '-2.5', reason: 'adjustment' });
    expect(await lines('/v1/ledger/house/adjustments/lines?limit=1')).toMatchObject([{ change: '2.5', seq: line.seq }]);
    expect(await lines('/v1/ledger/house/capital/lines')).toMatchObject([{ change: '2100000', reason: 'capital' }]);
    expect((await lines('/v1/acts?limit=1'))[0]).toMatchObject({ actor: 'erin', command: 'adjustBalance' });
  });

  test('a repeated Idempotency-Key answers as before and does nothing again', async () => {
    const first = await adjust(credit('1'), erin, 'credit-1');
    const before = operator.digest();
    expect(await adjust(credit('1'), erin, 'credit-1')).toEqual(first);
    expect((await adjust(credit('2'), erin, 'credit-1'))[1].code).toBe('idempotencyKeyInUse');
    expect(operator.digest()).toBe(before);
    // Of two at the same time one is made.
    const both = await Promise.all([adjust(credit('3'), erin, 'credit-2'), adjust(credit('3'), erin, 'credit-2')]);
    expect(both[0]).toEqual(both[1]);
    expect(await list('kind=credit&limit=1')).toEqual([both[0]![1]]);
  });
});

describe('DEC-OPR-180: what is wrong with a request', () => {
  const valid = { uid: 10_000_001, asset: 'USDT', amount: '1', kind: 'credit', reason: 'why' };
  test.each([
    ['/uid', { uid: undefined }, 400],
    ['/uid', { uid: 5 }, 400],
    ['/uid', { uid: 0 }, 400],
    ['/house', { house: 'gas' }, 400],
    ['/house', { uid: undefined, house: 'outside' }, 400],
    ['/house', { uid: undefined, house: '__proto__' }, 400],
    ['/house', { kind: 'capitalIn' }, 400],
    ['/house', { kind: 'revenueOut', uid: undefined, house: 'gas' }, 400],
    ['/house', { uid: undefined, house: 'revenue' }, 400],
    ['/wallet', { wallet: 'margin' }, 400],
    ['/wallet', { wallet: 'spot', uid: undefined, house: 'gas' }, 400],
    ['/asset', { asset: 'NOPE' }, 400],
    ['/amount', { amount: '0' }, 400],
    ['/amount', { amount: '-1' }, 400],
    ['/amount', { amount: 1 }, 400],
    ['/amount', { amount: '1.0000000001' }, 400],
    ['/amount', { amount: '99999999999999999', kind: 'debit' }, 400],
    ['/kind', { kind: 'gift' }, 400],
    ['/reason', { reason: '' }, 400],
    ['/reason', { reason: 'x'.repeat(501) }, 400],
    ['/reason', { reason: 'a\nb' }, 400],
    ['/reference', { reference: 'x'.repeat(129) }, 400],
    ['/note', { note: 'x' }, 400],
  ])('%s: %o', async (pointer, change, status) => {
    const before = operator.digest();
    const body = JSON.parse(JSON.stringify({ ...valid, ...change }));
    const answer = await operator.ask('POST', '/v1/adjustments', body, { token: erin });
    expect([answer.status, answer.body.errors?.[0]?.pointer]).toEqual([status, pointer]);
    expect(operator.digest()).toBe(before);
  });

  test('nobody without the scope, nothing that is not there', async () => {
    const reader = await tokenOf('reader', ['ledger:read']);
    expect((await adjust(credit('1'), reader))[1].code).toBe('insufficientScope');
    expect((await operator.ask('GET', '/v1/adjustments/999')).body).toMatchObject({
      code: 'unknownAdjustment',
      status: 404,
    });
    expect((await operator.ask('GET', '/v1/adjustments?uid=5')).body.code).toBe('unknownAccount');
    expect((await operator.ask('GET', '/v1/adjustments?asset=NOPE')).body.errors[0].parameter).toBe('asset');
  });

  test('money that is not there is 409, with what is', async () => {
    const [status, problem] = await adjust({ ...credit('2000000'), kind: 'debit' });
    expect([status, problem.code, problem.errors[0].pointer]).toEqual([409, 'notEnoughFunds', '/amount']);
    expect(problem.detail).toBe(
      `The account does not have that much: it has ${await freeOf(operator.alice.uid)} USDT free.`,
    );
    const [, none] = await adjust({ ...credit('1'), asset: 'BTC' });
    expect(none.detail).toMatch(/much: the house owns 0 BTC after all that it owes\.$/);
    const [taken, less] = await adjust({ house: 'fees', asset: 'USDT', amount: '1', kind: 'revenueOut' });
    expect([taken, less.code]).toEqual([409, 'houseHasTooLittle']);
    const house = 'it has 0 USDT; the house owns 99986 USDT after all that it owes.';
    expect(less.detail).toBe(`The house account does not have that much: ${house}`);
  });
});

describe('DEC-OPR-183: an adjustment above the bound', () => {
  const debit = (amount: string) => ({ ...credit(amount), kind: 'debit' });
  const approve = async (proposal: number, token = dan) => {
    const { status, body } = await operator.ask(
      'POST',
      `/v1/proposals/${proposal}/review`,
      { decision: 'approve' },
      { token },
    );
    return [status, body] as const;
  };

  test('is a proposal with all that it asks for, approved by another person once', async () => {
    const before = await freeOf(operator.alice.uid);
    const [status, made] = await adjust({ ...debit('5000'), reference: 'court order' }, erin, 'seize-1');
    expect([status, made]).toMatchObject([
      202,
      {
        ...{ state: 'open', changes: 'adjustment', asset: 'USDT', network: null, lowered: ['amount'], madeBy: 'erin' },
        change: {
          ...{ uid: operator.alice.uid, wallet: 'spot', house: null, asset: 'USDT', amount: '5000', kind: 'debit' },
          ...{ reason: 'a reason', reference: 'court order' },
        },
      },
    ]);
    expect(await adjust({ ...debit('5000'), reference: 'court order' }, erin, 'seize-1')).toEqual([202, made]);
    expect((await approve(made.proposal, erin))[1].code).toBe('sameOperator');
    expect(await freeOf(operator.alice.uid)).toBe(before);
    const both = await Promise.all([approve(made.proposal), approve(made.proposal)]);
    expect(both.map(([code]) => code).sort()).toEqual([200, 409]);
    expect(await freeOf(operator.alice.uid)).toBe(String(Number(before) - 5000));
    expect((await list('limit=1'))[0]).toMatchObject({
      amount: '5000',
      madeBy: 'erin',
      approvedBy: 'dan',
      proposal: made.proposal,
    });
    expect((await adjust({ ...debit('5000'), reference: 'court order' }, erin, 'seize-1'))[1].state).toBe('applied');
  });

  test('survives a restart, and money that went meanwhile is not taken', async () => {
    const all = await freeOf(operator.bob.uid);
    const [, made] = await adjust({ ...debit(all), uid: operator.bob.uid });
    const again = startExchange(undefined, operator.exchange.entries);
    const { transfer } = {
      transfer: { from: 'spot', to: 'futures', asset: as<never>(0 as never), amount: as<never>(1n as never) },
    } as const;
    await again.submit({ kind: 'transferFunds', account: operator.bob.account, ...transfer, clientTranId: null });
    const review = { kind: 'approveProposal', proposal: made.proposal } as const;
    const { events } = await again.submit(operated('dan', review));
    expect(events).toContainEqual({ kind: 'commandRefused', reason: 'notEnoughFunds' });
    await again.sequencer.close();
    expect((await approve(made.proposal))[0]).toBe(200);
    expect((await operator.ask('GET', `/v1/accounts/${operator.bob.uid}/balances`)).body.spot).toEqual([]);
    expect(operator.exchange.faults()).toEqual([]);
  });

  test('raising the bound is one itself', async () => {
    const put = (bound: string) =>
      operator.ask('PUT', '/v1/wallet/rules', { ...rulesBody, adjustFourEyesAbove: bound }, { token: erin });
    expect([(await put('1001')).status, (await put('999')).status]).toEqual([202, 200]);
  });
});

test('DEC-OPR-184: gas is funded by capital, and the whole trial balance stays at zero', async () => {
  const [, made] = await adjust({ house: 'gas', asset: 'BTC', amount: '0.5', kind: 'capitalIn' });
  expect(made).toMatchObject({ house: 'gas', uid: null, wallet: null, amount: '0.5' });
  expect(await operator.exchange.queries.houseBalance(innerHouse.gas, as(1))).toBe(50_000_000n);
  const { items } = (await operator.ask('GET', '/v1/ledger/trial-balance')).body;
  expect(items.map(({ sum }: { sum: string }) => sum)).toEqual(['0', '0']);
  expect(items[1]).toMatchObject({ house: [{ account: 'gas', balance: '0.5' }], outside: '-0.5' });
});
