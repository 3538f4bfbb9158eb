import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startProposalUpkeep } from '#jobs/follow-proposals.ts';
import { startExchange } from '../exchange-harness.ts';
import { startTestOperator, type TestOperator } from './operator-harness.ts';
import { openWallet, rulesBody, usdtOnEth } from './wallet-stage.ts';
import { operated } from '../operated.ts';

const dayMs = 86_400_000;
let operator: TestOperator;
let erin: string;
let dan: string;
const ask = async (method: string, path: string, body?: unknown, token?: string, key?: string) => {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  const answer = await operator.ask(method, path, body, { headers, ...(token === undefined ? {} : { token }) });
  return [answer.status, answer.body] as const;
};
const tokenOf = async (actor: string): Promise<string> => {
  const scopes = ['assets:read', 'assets:write', 'proposals:review', 'withdrawals:read'];
  return (await ask('POST', '/v1/tokens', { actor, scopes, validHours: 1000 }))[1].token;
};
const put = (change: object, token = erin, key?: string) =>
  ask('PUT', '/v1/wallet/rules', { ...rulesBody, ...change }, token, key);
const review = (proposal: number, decision: string, token = dan) =>
  ask('POST', `/v1/proposals/${proposal}/review`, { decision }, token);
const rules = async () => (await ask('GET', '/v1/wallet/rules'))[1];

beforeEach(async () => {
  operator = await startTestOperator();
  await openWallet(operator);
  await operator.exchange.submit({ kind: 'recordProfile', profile: 'production' });
  erin = await tokenOf('erin');
  dan = await tokenOf('dan');
});
afterEach(() => operator.close());

describe('DEC-OPR-142: what lowers a protection in production', () => {
  test('is answered 202 with the proposal, and made by the second operator', async () => {
    const [status, made] = await put({ fourEyesAbove: null, waitMs: 9000 });
    expect([status, made]).toEqual([
      202,
      {
        proposal: 1,
        state: 'open',
        changes: 'walletRules',
        asset: null,
        network: null,
        lowered: ['fourEyesAbove'],
        change: { ...rulesBody, fourEyesAbove: null, waitMs: 9000 },
        madeBy: 'erin',
        madeAt: operator.exchange.clock.time,
        endsAt: operator.exchange.clock.time + dayMs,
        isAlone: false,
        decidedBy: null,
        decidedAt: null,
      },
    ]);
    expect(await rules()).toEqual(rulesBody);
    expect((await ask('GET', '/v1/proposals/1'))[1]).toEqual(made);
    expect((await ask('GET', '/v1/proposals?state=open'))[1].items).toEqual([made]);
    expect((await ask('GET', '/v1/safety'))[1]).toMatchObject({ isAlone: false, openProposals: [1] });
    const again = await tokenOf('ERIN');
    const before = operator.digest();
    for (const [token, problem] of [
      [erin, [409, 'sameOperator']],
      [again, [409, 'sameOperator']],
      [undefined, [403, 'mayMakeTokens']],
    ] as const) {
      const [refused, { code }] = await ask('POST', '/v1/proposals/1/review', { decision: 'approve' }, token);
      expect([refused, code]).toEqual(problem);
    }
    expect(operator.digest()).toBe(before);
    expect(await review(1, 'approve')).toMatchObject([200, { state: 'applied', decidedBy: 'dan' }]);
    expect(await rules()).toEqual({ ...rulesBody, fourEyesAbove: null, waitMs: 9000 });
    expect((await ask('GET', '/v1/safety'))[1].openProposals).toEqual([]);
    expect(operator.exchange.faults()).toEqual([]);
  });

  test('raising is made at once, and four eyes need two in either direction', async () => {
    const raised = { riskHoldAbove: '400', waitMs: 6000 };
    expect(await put(raised)).toEqual([200, { ...rulesBody, ...raised }]);
    expect((await put({ ...raised, fourEyesAbove: '900' }))[1]).toMatchObject({ lowered: ['fourEyesAbove'] });
  });

  test('terms of a network by PATCH and PUT, and prices for rules', async () => {
    const path = '/v1/assets/USDT/networks/ETH';
    const [patched, first] = await ask('PATCH', path, { minConfirm: 1 }, erin);
    const { asset, network, lowered } = first;
    expect([patched, asset, network, lowered, first.change.minConfirm]).toEqual([
      202,
      'USDT',
      'ETH',
      ['minConfirm'],
      1,
    ]);
    const [replaced] = await ask('PUT', path, { ...usdtOnEth, withdrawMax: '2000000' }, erin);
    const [removed, none] = await ask('DELETE', '/v1/prices/BTC/reference?reason=market', undefined, erin);
    const cheap = { price: '1', validHours: 1, reason: 'cheap' };
    const [lower, third] = await ask('PUT', '/v1/prices/BTC/reference', cheap, erin);
    expect([replaced, removed, none.change, lower, third.change]).toEqual([202, 202, null, 202, cheap]);
    expect((await ask('PUT', '/v1/prices/BTC/reference', { ...cheap, price: '101' }, erin))[0]).toBe(200);
    expect((await ask('PATCH', path, { withdrawEnabled: false, minConfirm: 20 }, erin))[0]).toBe(200);
    expect((await review(1, 'approve'))[1].code).toBe('proposalStale');
    expect((await review(1, 'cancel'))[1]).toMatchObject({ state: 'cancelled', decidedBy: 'dan' });
  });

  test('DEC-OPR-270: not the first price of an asset of which there is none: it counts at once, and the act tells who', async () => {
    const coin = { fullName: 'New coin', scale: 8, cap: '1000000', coinId: '1'.repeat(32) };
    const first = { price: '0.25', validHours: 24, reason: 'Listed today.' };
    expect((await ask('PUT', '/v1/assets/NEW', coin, erin))[0]).toBe(200);
    const [status, shown] = await ask('PUT', '/v1/prices/NEW/reference', first, erin);
    expect([status, shown.reference]).toMatchObject([200, { price: '0.25', actor: 'erin', isInForce: true }]);
    expect((await ask('PUT', '/v1/prices/NEW/reference', { ...first, price: '0.2' }, erin))[0]).toBe(202);
    expect((await ask('DELETE', '/v1/prices/NEW/reference?reason=gone', undefined, erin))[0]).toBe(202);
    const acts = (await ask('GET', '/v1/acts?actor=erin&command=setReferencePrice'))[1].items;
    expect(acts.map(({ actor, refusal }: { actor: string; refusal: unknown }) => [actor, refusal])).toEqual([
      ['erin', null],
      ['erin', null],
    ]);
  });

  test('a repeated request answers with the same proposal, also once it is decided', async () => {
    const [, made] = await put({ fourEyesAbove: null }, erin, 'lower-1');
    expect(await put({ fourEyesAbove: null }, erin, 'lower-1')).toEqual([202, made]);
    await review(1, 'approve');
    expect(await put({ fourEyesAbove: null }, erin, 'lower-1')).toMatchObject([202, { state: 'applied' }]);
    expect((await ask('GET', '/v1/proposals'))[1].items).toHaveLength(1);
    expect((await put({ waitMs: 8000, fourEyesAbove: null }, erin, 'raise-1'))[0]).toBe(200);
    expect((await put({ waitMs: 8000, fourEyesAbove: null }, erin, 'raise-1'))[0]).toBe(200);
  });

  test('what is broken is refused by its member, and is no proposal', async () => {
    expect((await put({ fourEyesAbove: '-1' }))[1].errors).toMatchObject([{ pointer: '/fourEyesAbove' }]);
    expect((await ask('GET', '/v1/proposals'))[1].items).toEqual([]);
  });
});

describe('DEC-OPR-144: a proposal', () => {
  test('is unknown, cancelled by anybody, or not to be decided again', async () => {
    expect((await review(1, 'approve'))[1].code).toBe('unknownProposal');
    expect((await ask('GET', '/v1/proposals/1'))[0]).toBe(404);
    await put({ fourEyesAbove: null });
    expect((await ask('DELETE', '/v1/proposals/1', undefined))[1]).toMatchObject({
      state: 'cancelled',
      decidedBy: 'root',
    });
    const [status, { code }] = await review(1, 'approve');
    expect([status, code]).toEqual([409, 'wrongState']);
    expect((await ask('DELETE', '/v1/proposals/1', undefined, erin))[1].code).toBe('wrongState');
    expect((await review(1, 'agree'))[1].errors).toMatchObject([{ pointer: '/decision' }]);
  });

  test('expires after a day of the exchange', async () => {
    await put({ fourEyesAbove: null });
    operator.exchange.clock.time += dayMs;
    const [status, { code }] = await review(1, 'approve');
    expect([status, code]).toEqual([409, 'proposalExpired']);
    expect(await rules()).toEqual(rulesBody);
  });

  test('is there after a restart', async () => {
    await put({ fourEyesAbove: null });
    const again = startExchange(undefined, operator.exchange.entries);
    expect(again.engine.digest()).toBe(operator.digest());
    const proposals = await again.queries.safety.proposals();
    expect(proposals).toEqual(await operator.exchange.queries.safety.proposals());
    await again.submit(operated('dan', { kind: 'approveProposal', proposal: 1 }));
    expect(again.engine.state.walletRules.value?.fourEyesAbove).toBeNull();
    await again.sequencer.close();
  });
});

describe('DEC-OPR-145: one operator alone', () => {
  /** Looks once, and answers the alarms of that look. */
  const upkeep = () => {
    const alarms: string[] = [];
    const { sequencer: ingress, queries, clock } = operator.exchange;
    const { run } = startProposalUpkeep({
      ...{ ingress, queries, clock, repeat: () => () => {}, everyMs: 1000 },
      notice: (message) => alarms.push(message),
      onTrouble: (what, error) => alarms.push(`${what}: ${error}`),
    });
    return async () => {
      await run();
      return alarms.splice(0);
    };
  };

  test('is told by an alarm, can cancel, and gets what he asked for after a day', async () => {
    expect(await ask('PUT', '/v1/alone', { enabled: true })).toEqual([200, { enabled: true }]);
    const look = upkeep();
    const root = (change: object) => ask('PUT', '/v1/wallet/rules', { ...rulesBody, ...change });
    expect((await root({ fourEyesAbove: null }))[1]).toMatchObject({ isAlone: true, madeBy: 'root' });
    await root({ riskHoldAbove: null });
    const [first, second] = await look();
    const end = new Date(operator.exchange.clock.time + dayMs).toISOString();
    expect(first).toBe(
      `Proposal 1: root asks to lower a protection (fourEyesAbove). It takes effect at ${end} unless it is cancelled.`,
    );
    expect(second).toContain('Proposal 2');
    expect(await look()).toEqual([]);
    // A process that starts anew tells again.
    expect(await upkeep()()).toHaveLength(2);
    await ask('DELETE', '/v1/proposals/2');
    operator.exchange.clock.time += dayMs - 1;
    const count = operator.exchange.entries.length;
    await look();
    expect([operator.exchange.entries.length, await rules()]).toEqual([count, rulesBody]);
    operator.exchange.clock.time += 1;
    await look();
    expect(await rules()).toEqual({ ...rulesBody, fourEyesAbove: null });
    expect((await ask('GET', '/v1/proposals/1'))[1]).toMatchObject({ state: 'applied', decidedBy: null });
    expect((await ask('GET', '/v1/alone'))[1]).toEqual({ enabled: true });
  });

  test('cannot be set by one of two, who are told to be two', async () => {
    await put({ waitMs: 6000 });
    const [status, made] = await ask('PUT', '/v1/alone', { enabled: true }, erin);
    expect([status, made.changes, made.lowered]).toEqual([202, 'alone', ['alone']]);
    expect((await ask('GET', '/v1/alone'))[1]).toEqual({ enabled: false });
    expect((await upkeep()())[0]).toContain('Another operator has to approve it before');
    expect((await review(1, 'approve'))[0]).toBe(200);
    expect((await ask('GET', '/v1/alone'))[1]).toEqual({ enabled: true });
    expect((await ask('PUT', '/v1/alone', { enabled: false }, erin))[0]).toBe(200);
  });
});
