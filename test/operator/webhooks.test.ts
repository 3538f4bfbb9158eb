import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { engineLimits } from '#model/limits.ts';
import { bitcoinPair } from './bitcoin-pair.ts';
import { startTestOperator, type TestOperator } from './operator-harness.ts';
import { openWallet, pay, withdraw } from './wallet-stage.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../webhook-receiver.ts';

let operator: TestOperator;
let receiver: WebhookReceiver;
let path: string;
beforeAll(async () => {
  operator = await startTestOperator();
  receiver = await startWebhookReceiver();
  await openWallet(operator);
  operator.exchange.clock.time = Date.now();
  const kinds = ['deposit.credited', 'withdrawal.changed', 'account.frozen', 'account.released', 'pair.halted'];
  const created = await operator.ask('POST', '/v1/webhooks', { url: receiver.url, kinds });
  receiver.secret = created.body.secret;
  path = `/v1/webhooks/${created.body.id}`;
});
beforeEach(() => {
  receiver.received.length = 0;
});
afterAll(async () => {
  await receiver.close();
  await operator.close();
});

const freeze = (status: 'frozen' | 'normal') =>
  operator.ask('PUT', `/v1/accounts/${operator.bob.uid}/status`, { status });
const kindsOf = () => receiver.received.map(({ kind }) => kind);

describe('DEC-OPR-239, DEC-OPR-241: what is sent', () => {
  test('events of its kinds with names and whole coins, signed, in order', async () => {
    await freeze('frozen');
    await pay(operator, `0x${'d1'.repeat(32)}`, 10_000n);
    await operator.ask('PUT', `/v1/accounts/${operator.bob.uid}/kyc-level`, { kycLevel: 3 });
    await freeze('normal');
    const withdrawal = await withdraw(operator, 600n);
    await operator.deliver();
    expect(kindsOf()).toEqual([
      ...['account.frozen', 'deposit.credited', 'account.released', 'withdrawal.changed', 'withdrawal.changed'],
    ]);
    expect(receiver.received.every(({ isSigned }) => isSigned)).toBe(true);
    const [frozen, deposit, , asked] = receiver.received.map(({ data }) => data);
    expect(frozen).toEqual({ uid: operator.bob.uid, status: 'frozen' });
    expect(deposit).toMatchObject({ uid: operator.alice.uid, asset: 'USDT', amount: '10000', network: 'ETH' });
    expect(asked).toMatchObject({ uid: operator.alice.uid, withdrawal, asset: 'USDT', amount: '600', status: 'apply' });
    await operator.deliver();
    expect(receiver.received).toHaveLength(5);
  });

  test('a pair that halts, not one that is listed; nothing of other kinds', async () => {
    await operator.ask('PUT', '/v1/pairs/BTCUSDT', bitcoinPair);
    await operator.ask('PATCH', '/v1/pairs/BTCUSDT', { status: 'online' });
    await operator.ask('PATCH', '/v1/pairs/BTCUSDT', { status: 'paused' });
    await operator.deliver();
    expect(receiver.received.map(({ kind, data }) => [kind, data])).toEqual([
      ['pair.halted', { pair: 'BTCUSDT', status: 'paused' }],
    ]);
  });

  test('a test event, and why it was not taken', async () => {
    receiver.plan = ['take', 'fail'];
    const taken = await operator.ask('POST', `${path}/test`);
    expect(taken.body).toEqual({ delivered: true, failure: null });
    expect((await operator.ask('POST', `${path}/test`)).body.failure).toBe('it answered 500');
    expect(kindsOf()).toEqual(['test', 'test']);
    expect((await operator.ask('POST', '/v1/webhooks/0000000000000000/test')).status).toBe(404);
  });
});

test('DEC-OPR-240: what fails, redirects, hangs or dies is sent again, in order and with pauses; nothing is left out', async () => {
  receiver.plan = ['fail', 'redirect', 'hang', 'die', 'take', 'fail'];
  for (const status of ['frozen', 'normal', 'frozen', 'normal'] as const) await freeze(status);
  for (let tries = 0; tries < 4; tries += 1) {
    await operator.deliver();
    await operator.deliver();
    expect(receiver.received).toHaveLength(tries + 1);
    const { body } = await operator.ask('GET', path);
    expect(body.failingSince).not.toBeNull();
    operator.time.pass(1000 * 2 ** tries);
  }
  expect((await operator.ask('GET', path)).body.lastFailure).toMatch(/^the connection failed: ECONN/);
  await operator.deliver();
  operator.time.pass(1000);
  await operator.deliver();
  const { received } = receiver;
  expect(received.every((each) => each.path === '/bourse' && each.isSigned)).toBe(true);
  const taken = received.filter(({ answer }) => answer === 'take');
  expect(taken.map(({ kind }) => kind)).toEqual([
    ...['account.frozen', 'account.released', 'account.frozen', 'account.released'],
  ]);
  expect([...new Set(received.map(({ id }) => id))]).toEqual(taken.map(({ id }) => id));
  const { body } = await operator.ask('GET', path);
  const { seq } = await operator.exchange.queries.position();
  expect(body).toMatchObject({ active: true, failingSince: null, givenUpAt: null });
  expect(body.position.seq).toBeLessThan(seq);
  expect(`${body.position.seq}-1`).toBe(taken.at(-1)!.id);
});

test('DEC-OPR-240: one that is switched off goes on where it stopped; one that fails for a week is given up', async () => {
  const { body: known } = await operator.ask('GET', path);
  const change = (active: boolean) => operator.ask('PUT', path, { url: receiver.url, kinds: known.kinds, active });
  await change(false);
  await freeze('frozen');
  await operator.deliver();
  expect(receiver.received).toEqual([]);
  await change(true);
  operator.exchange.clock.time += 8 * 86_400_000;
  receiver.plan = Array.from({ length: 10 }, () => 'fail' as const);
  for (let tries = 0; tries < 12; tries += 1) {
    await operator.deliver();
    operator.time.pass(600_000);
  }
  const { body: givenUp } = await operator.ask('GET', path);
  expect([givenUp.active, givenUp.givenUpAt]).toEqual([false, expect.any(Number)]);
  // An attempt whose connection had just ended never came.
  expect(receiver.received.length).toBeGreaterThan(7);
  expect(receiver.received.length).toBeLessThanOrEqual(10);
  const alarms = await operator.history.rows('webhookEvents', {}, { from: 0, to: Number.MAX_SAFE_INTEGER } as never);
  expect(alarms.at(-1)).toMatchObject({
    event: 'alarm.raised',
    content: JSON.stringify({ alarm: 'webhook', id: known.id }),
  });
  expect((await change(true)).body.givenUpAt).toBeNull();
  operator.exchange.clock.time = Date.now();
  receiver.received.length = 0;
  await operator.deliver();
  expect(kindsOf()).toEqual(['account.frozen']);
  await freeze('normal');
  await operator.deliver();
});

describe('DEC-OPR-238: webhooks are created, changed and removed', () => {
  const create = (body: object) => operator.ask('POST', '/v1/webhooks', body);
  const kinds = ['alarm.raised'];

  test('the secret is shown once, and never again', async () => {
    const { status, body } = await create({ url: 'https://desk.example.com/', kinds });
    expect([status, body.secret]).toEqual([201, expect.stringMatching(/^[0-9a-f]{64}$/)]);
    const shown = await operator.ask('GET', `/v1/webhooks/${body.id}`);
    const acts = await operator.ask('GET', '/v1/acts?targetType=webhook');
    expect(shown.text + acts.text + operator.logged.join()).not.toContain(body.secret);
    expect(acts.body.items[0]).toMatchObject({ command: 'createWebhook', target: { type: 'webhook', id: body.id } });
    const stale = await operator.ask(
      'PUT',
      `/v1/webhooks/${body.id}`,
      { url: 'https://e.com', kinds, active: true },
      {
        headers: { 'if-match': '"0"' },
      },
    );
    expect(stale.status).toBe(412);
    expect((await operator.ask('DELETE', `/v1/webhooks/${body.id}`)).body).toEqual({ id: body.id });
    expect((await operator.ask('GET', `/v1/webhooks/${body.id}`)).status).toBe(404);
    expect((await operator.ask('DELETE', `/v1/webhooks/${body.id}`)).status).toBe(404);
  });

  test.each([
    [{ url: 'ftp://e.com', kinds }, '/url'],
    [{ url: 'https://a:b@e.com', kinds }, '/url'],
    [{ url: 'https://e.com/'.padEnd(2001, 'x'), kinds }, '/url'],
    [{ url: 'https://e.com', kinds: [] }, '/kinds'],
    [{ url: 'https://e.com', kinds: ['alarm.raised', 'alarm.raised'] }, '/kinds'],
    [{ url: 'https://e.com', kinds: ['nothing'] }, '/kinds/0'],
  ])('%j is refused by name', async (body, pointer) => {
    const before = operator.digest();
    const reply = await create(body);
    expect([reply.status, reply.body.errors[0].pointer]).toEqual([400, pointer]);
    expect(operator.digest()).toBe(before);
  });

  test('there is a bounded number of them', async () => {
    const { items } = (await operator.ask('GET', '/v1/webhooks')).body;
    for (let left = engineLimits.webhooks - items.length; left > 0; left -= 1)
      expect((await create({ url: 'https://e.com', kinds })).status).toBe(201);
    const { status, body } = await create({ url: 'https://e.com', kinds });
    expect([status, body.code]).toEqual([409, 'tooManyWebhooks']);
    expect((await operator.ask('GET', '/v1/webhooks?limit=5')).body.items).toHaveLength(5);
  });
});
