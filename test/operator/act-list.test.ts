import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { followedBy, noActs } from '#model/act.ts';
import { bitcoinPair } from './bitcoin-pair.ts';
import { startTestOperator, type TestOperator } from './operator-harness.ts';
import { openWallet, rulesBody } from './wallet-stage.ts';

let operator: TestOperator;
let erin: string;
let dan: string;
const tokenOf = async (actor: string, scopes: readonly string[]): Promise<string> =>
  (await operator.ask('POST', '/v1/tokens', { actor, scopes, validHours: 1000 })).body.token;
const list = async (query = '') => (await operator.ask('GET', `/v1/acts${query}`)).body.items;
const newest = async () => (await list('?limit=1'))[0];
const by = (token: string, method: string, path: string, body?: object) => operator.ask(method, path, body, { token });

beforeAll(async () => {
  operator = await startTestOperator();
  await openWallet(operator);
  await operator.exchange.submit({ kind: 'recordProfile', profile: 'production' });
  erin = await tokenOf('Erin', ['assets:write', 'accounts:write', 'pairs:write', 'proposals:review']);
  dan = await tokenOf('dan', ['assets:write', 'proposals:review']);
});
afterAll(() => operator.close());

describe('DEC-OPR-195: an act as it is answered', () => {
  test('has its target, parameters, old and new values, reason, token, address and hash', async () => {
    const path = `/v1/accounts/${operator.alice.uid}/status`;
    await by(erin, 'PUT', path, { status: 'frozen', reason: 'The owner asks for it.' });
    const act = await newest();
    expect(act).toEqual({
      number: operator.exchange.engine.state.acts.head.count,
      at: operator.exchange.clock.time,
      seq: operator.exchange.engine.seq,
      actor: 'erin',
      token: expect.stringMatching(/^[0-9a-f]{16}$/),
      address: '127.0.0.1',
      idempotencyKey: null,
      reason: 'The owner asks for it.',
      command: 'setAccountStatus',
      target: { type: 'account', id: String(operator.alice.uid) },
      parameters: { account: operator.alice.uid, status: 'frozen' },
      changes: [{ member: 'status', before: 'normal', after: 'frozen' }],
      refusal: null,
      hash: operator.exchange.engine.state.acts.head.hash,
    });
    expect((await operator.ask('GET', `/v1/acts/${act.number}`)).body).toEqual(act);
    await by(erin, 'PUT', path, { status: 'normal' });
  });

  test('tells amounts in whole coins and members of a pair in its decimals', async () => {
    await by(erin, 'PUT', '/v1/pairs/BTCUSDT', bitcoinPair);
    await by(erin, 'PATCH', '/v1/pairs/BTCUSDT', { minQuantity: '0.002', takerFeePpm: 700 });
    expect(await newest()).toMatchObject({
      command: 'configureSymbol',
      target: { type: 'pair', id: 'BTCUSDT' },
      changes: [
        { member: 'minLots', before: bitcoinPair.minQuantity, after: '0.002' },
        { member: 'takerFeePpm', before: bitcoinPair.takerFeePpm, after: 700 },
      ],
    });
    await by(erin, 'PUT', '/v1/wallet/rules', { ...rulesBody, waitMs: 9000, largeDeposit: '1000' });
    expect(await newest()).toMatchObject({
      target: { type: 'walletRules', id: null },
      changes: [
        { member: 'largeDeposit', before: rulesBody.largeDeposit, after: '1000' },
        { member: 'waitMs', before: rulesBody.waitMs, after: 9000 },
      ],
    });
  });

  test('of a proposal: the number that it got, and what its approval changed', async () => {
    await by(erin, 'PUT', '/v1/wallet/rules', { ...rulesBody, waitMs: 9000, largeDeposit: '5000' });
    expect(await newest()).toMatchObject({ changes: [{ member: 'proposal', before: null, after: 1 }], refusal: null });
    await by(dan, 'POST', '/v1/proposals/1/review', { decision: 'approve', reason: 'agreed by phone' });
    expect(await newest()).toMatchObject({
      actor: 'dan',
      target: { type: 'proposal', id: '1' },
      reason: 'agreed by phone',
      changes: [
        { member: 'largeDeposit', before: '1000', after: '5000' },
        { member: 'state', before: 'open', after: 'applied' },
      ],
    });
  });

  test('a refused one has its code and changes nothing', async () => {
    await by(dan, 'POST', '/v1/proposals/9/review', { decision: 'approve' });
    expect(await newest()).toMatchObject({ refusal: 'unknownProposal', changes: [], target: { id: '9' } });
  });

  test('DEC-OPR-194: a made token and an API key are told without a secret', async () => {
    const answered = await operator.ask('POST', `/v1/accounts/${operator.bob.uid}/api-keys`, {
      note: 'bot',
      permissions: ['SPOT_ACCOUNT_READ'],
      ips: [],
    });
    expect(answered.status).toBe(201);
    const text = JSON.stringify(await list('?limit=500'));
    for (const secret of [erin, dan, answered.body.secretKey]) {
      expect(secret).toMatch(/^[0-9a-f]{32,64}$/);
      expect(text).not.toContain(secret);
    }
    // Besides the hashes of the acts there is nothing of the length of one.
    expect(text.replaceAll(/"hash":"[0-9a-f]{64}"/g, '')).not.toMatch(/sealed|[0-9a-f]{64}/);
  });
});

describe('DEC-OPR-195: acts are found', () => {
  test.each([
    ['by operator, however the name is written', '?actor=ERIN', ({ actor }: Told) => actor === 'erin'],
    ['by what they were about', '?targetType=account', ({ target }: Told) => target.type === 'account'],
    ['by one thing', '?targetType=pair&targetId=BTCUSDT', ({ target }: Told) => target.id === 'BTCUSDT'],
    ['by command', '?command=configureWallet', ({ command }: Told) => command === 'configureWallet'],
    ['those that were refused', '?refused=true', ({ refusal }: Told) => refusal !== null],
    ['those that were done', '?refused=false', ({ refusal }: Told) => refusal === null],
    [
      'by several of these',
      '?actor=dan&command=approveProposal&refused=true',
      ({ actor, command, refusal }: Told) => actor === 'dan' && command === 'approveProposal' && refusal !== null,
    ],
  ])('%s', async (_, query, isWanted) => {
    const all: Told[] = await list('?limit=500');
    const wanted = all.filter(isWanted);
    expect(wanted.length).toBeGreaterThan(0);
    expect(wanted.length).toBeLessThan(all.length);
    expect(await list(`${query}&limit=500`)).toEqual(wanted);
  });

  test('in a window, page by page, each once', async () => {
    const all: Told[] = await list('?limit=500');
    const { at } = all[3]!;
    expect(await list(`?from=${at}&to=${at}&limit=500`)).toEqual(all.filter((act) => act.at === at));
    const read: Told[] = [];
    let next: string | null = '';
    while (next !== null) {
      const { body } = await operator.ask('GET', `/v1/acts?limit=4${next && `&cursor=${next}`}`);
      read.push(...body.items);
      next = body.nextCursor;
    }
    expect(read).toEqual(all);
  });

  test('DEC-OPR-193: together they are the chain whose head the engine has', async () => {
    const rows = await operator.ask('GET', '/v1/acts?limit=500');
    expect(rows.body.items.at(-1).number).toBe(1);
    const stored = await operator.history.rows('operatorActs', {}, { from: 0 as never, to: Infinity as never });
    expect(stored.reduce(followedBy, noActs)).toEqual(operator.exchange.engine.state.acts.head);
  });

  test.each([
    ['a target without its type', '?targetId=1', 'targetType'],
    ['a type that is none', '?targetType=planet', 'targetType'],
    ['a command that is none', '?command=launchRocket', 'command'],
    ['a member of every object', '?command=toString', 'command'],
    ['neither refused nor done', '?refused=maybe', 'refused'],
    ['a cursor of another list', '?cursor=MTox', 'cursor'],
  ])('not by %s', async (_, query, parameter) => {
    const { status, body } = await operator.ask('GET', `/v1/acts${query}`);
    expect([status, body.code, body.errors.map((each: { parameter: string }) => each.parameter)]).toEqual([
      400,
      'invalidMember',
      [parameter],
    ]);
  });

  test('one that there is not is unknown, and reading needs its scope', async () => {
    expect((await operator.ask('GET', '/v1/acts/1000000')).body).toMatchObject({ status: 404, code: 'unknownAct' });
    expect((await by(erin, 'GET', '/v1/acts')).status).toBe(403);
  });
});

interface Told {
  readonly at: number;
  readonly actor: string;
  readonly command: string;
  readonly target: { readonly type: string; readonly id: string | null };
  readonly refusal: string | null;
}
