import { afterAll, beforeAll, expect, test } from 'vitest';
import { noopSink } from '#model/event-record.ts';
import type { Sandbox } from '../simulation/sandbox-harness.ts';
import { startMarket } from '../simulation/sandbox-harness.ts';
import { startTestOperator, type TestOperator } from './operator-harness.ts';

/** New markets and halts at the operator API of a sandbox whose traders act. */

let sandbox: Sandbox;
let operator: TestOperator;
let without: TestOperator;
beforeAll(async () => {
  sandbox = await startMarket('opening');
  const { sequencer, queries, clock, simulation } = sandbox;
  const parts = { ingress: sequencer, feed: sequencer, queries, clock, simulation };
  operator = await startTestOperator({ hasChains: true, context: (context) => ({ ...context, ...parts }) });
  without = await startTestOperator();
}, 60_000);
afterAll(async () => {
  await operator.close();
  await without.close();
  await sandbox.simulation.stop();
});
const seq = async () => (await sandbox.queries.position()).seq;

test('DEC-KIT-54, DEC-KIT-55: a pair and a contract are opened in one call each, as acts of the operator', async () => {
  const acts: string[] = [];
  const end = sandbox.sequencer.subscribe({
    ...noopSink,
    fact: (fact) => {
      if (fact.kind === 'operatorActed') acts.push(fact.act.commandKind);
    },
  });
  const asked = { base: 'NOVA', price: '12.5', fullName: 'Nova', grant: '250.5' };
  const pair = await operator.ask('POST', '/v1/market/pairs', asked);
  expect([pair.status, pair.body]).toEqual([
    201,
    { market: 'NOVAUSDT', base: 'NOVA', quote: 'USDT', usd: '12.5000000000' },
  ]);
  expect((await operator.ask('GET', '/v1/pairs/NOVAUSDT')).body).toMatchObject({ status: 'online', fullName: 'Nova' });
  const contract = await operator.ask('POST', '/v1/market/contracts', { base: 'NOVA' });
  expect([contract.status, contract.body.market]).toEqual([201, 'NOVA_USDT']);
  end();
  expect((await operator.ask('GET', '/v1/contracts/NOVA_USDT')).body).toMatchObject({
    state: 'enabled',
    mark: { fund: '500000' },
  });
  for (const command of ['configureAsset', 'setReferencePrice', 'creditFunds', 'configureSymbol', 'configureContract'])
    expect(acts).toContain(command);
  const { markets } = (await operator.ask('GET', '/v1/market')).body;
  const open = { base: 'NOVA', isHalted: false };
  expect(markets).toMatchObject(
    expect.arrayContaining(['NOVAUSDT', 'NOVA_USDT'].map((market) => expect.objectContaining({ market, ...open }))),
  );
});

test.each([
  ['pairs', { base: 'NOVA', price: '1' }, 422, '/price'],
  ['pairs', { base: 'NOVA' }, 422, '/quote'],
  ['pairs', { base: 'MORE' }, 422, '/price'],
  ['pairs', { base: 'MORE', price: '-1' }, 400, '/price'],
  ['pairs', { base: 'more', price: '1' }, 400, '/base'],
  ['pairs', { base: 'LTC', quote: 'BTC' }, 422, '/base'],
  ['pairs', { base: 'MORE', quote: 'NOPE', price: '1' }, 422, '/quote'],
  ['pairs', { base: 'MORE', price: '1', depth: 1 }, 400, '/depth'],
  ['contracts', { base: 'NOPE' }, 422, '/base'],
  ['contracts', { base: 'BTC' }, 422, '/base'],
])('DEC-KIT-54, DEC-KIT-55: %s of %j are refused by name, and nothing changes', async (path, body, status, pointer) => {
  const before = await seq();
  const answer = await operator.ask('POST', `/v1/market/${path}`, body);
  expect([answer.status, answer.body.errors[0].pointer]).toEqual([status, pointer]);
  expect(await seq()).toBe(before);
});

test('DEC-KIT-66: a halt stops pair and contract for everybody, and ends by the clock of the exchange', async () => {
  const at = '/v1/market/halts';
  const now = sandbox.clock.now();
  const { status, body } = await operator.ask('POST', at, { markets: ['ETHUSDT', 'ETH_USDT'], seconds: 5 });
  const resumesAt = now + 5_000;
  expect([status, body.markets]).toEqual([
    200,
    [
      { market: 'ETHUSDT', isHalted: true, resumesAt },
      { market: 'ETH_USDT', isHalted: true, resumesAt: resumesAt + 2_000 },
    ],
  ]);
  const states = async () => [
    (await operator.ask('GET', '/v1/pairs/ETHUSDT')).body.status,
    (await operator.ask('GET', '/v1/contracts/ETH_USDT')).body.state,
  ];
  const trades = (): number => sandbox.trades[sandbox.symbolId('ETHUSDT')]!.length;
  const before = trades();
  await sandbox.pass(4_800);
  expect([await states(), trades()]).toEqual([['paused', 'paused'], before]);
  await sandbox.pass(400);
  expect(await states()).toEqual(['online', 'paused']);
  await sandbox.pass(2_000);
  expect(await states()).toEqual(['online', 'enabled']);

  await operator.ask('POST', at, { markets: ['ETHUSDT', 'ETH_USDT'] });
  await sandbox.pass(10_000);
  expect(await states()).toEqual(['paused', 'paused']);
  const { markets } = (await operator.ask('GET', '/v1/market')).body;
  const halted = markets.filter(({ isHalted }: { readonly isHalted: boolean }) => isHalted);
  expect(halted.map(({ market }: { readonly market: string }) => market)).toEqual(['ETHUSDT', 'ETH_USDT']);
  expect(halted[0].price).toMatch(/^\d+\.?\d*$/);
  for (const market of ['ETHUSDT', 'ETH_USDT', 'ETHUSDT'])
    expect((await operator.ask('DELETE', `${at}/${market}`)).body).toEqual({
      market,
      isHalted: false,
      resumesAt: null,
    });
  expect(await states()).toEqual(['online', 'enabled']);
  expect(sandbox.troubles).toEqual([]);
});

test.each([
  [{ markets: ['ETHUSDT', 'NOPEUSDT'] }, 400, '/markets/1'],
  [{ markets: ['ETHUSDT', 'SOLUSDT'] }, 422, '/markets/1'],
  [{ markets: [] }, 400, '/markets'],
  [{ markets: ['ETHUSDT'], seconds: 0 }, 400, '/seconds'],
  [{ markets: ['ETHUSDT'], seconds: 86_401 }, 400, '/seconds'],
])('DEC-KIT-66: a halt of %j is refused by name, and nothing changes', async (body, status, pointer) => {
  await operator.ask('PATCH', '/v1/pairs/SOLUSDT', { status: 'offline' });
  const before = await seq();
  const answer = await operator.ask('POST', '/v1/market/halts', body);
  expect([answer.status, answer.body.errors[0].pointer]).toEqual([status, pointer]);
  expect(await seq()).toBe(before);
  expect((await operator.ask('DELETE', '/v1/market/halts/SOLUSDT')).body.code).toBe('wrongState');
});

test('DEC-KIT-54, DEC-KIT-66, DEC-KIT-67, DEC-KIT-68: without a sandbox there are no such paths', async () => {
  for (const [path, body] of [
    ['pairs', { base: 'NOVA', price: '1' }],
    ['contracts', { base: 'BTC' }],
    ['halts', { markets: ['BTCUSDT'] }],
    ['fundings', { contract: 'BTC_USDT' }],
    ['liquidations', { uid: 10_000_001, contract: 'BTC_USDT' }],
  ] as const)
    expect((await without.ask('POST', `/v1/market/${path}`, body)).body.code).toBe('unknownPath');
  expect((await without.ask('DELETE', '/v1/market/halts/BTCUSDT')).body.code).toBe('unknownPath');
});
