import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { OperatorClient } from './operator-client.ts';
import { startServer, verifyData } from './server-process.ts';
import { TradingClient } from './trading-client.ts';

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

const later = new URL('later-date.mjs', import.meta.url).pathname;
const often = ['--settle-every-ms', '50'];
const order = { symbol: 'BTCUSDT', type: 'LIMIT', quantity: '0.01', price: '50000' };
interface Amounts {
  readonly items: readonly { readonly day: string; readonly asset: string; readonly amount: string }[];
}
const amountsOf = ({ items }: Amounts): readonly string[] =>
  items.map(({ day, asset, amount }) => `${day} ${amount} ${asset}`);

// Two starts in processes of their own: nothing else shows that a started exchange settles by itself.
test('DEC-SUB-71: what was pending when the process was killed is paid at a start days later, once', {
  timeout: 120_000,
}, async () => {
  const data = mkdtempSync(join(tmpdir(), 'bourse-rebates-'));
  roots.push(data);
  const first = await startServer(data, often);
  const uidOf = (name: string): string => first.demo.accounts.find((each) => each.name === name)!.uid;
  const operator = new OperatorClient(first.demo);
  const alice = new TradingClient(first.demo, 'alice');
  const invitee = new TradingClient(first.demo, 'invitee');
  const gift = { toAccountType: 'UID', toAccount: uidOf('invitee'), asset: 'USDT', amount: '600' };
  for (const reply of [
    await alice.call('POST', '/api/v3/capital/transfer/internal', gift),
    await alice.call('POST', '/api/v3/order', { ...order, side: 'SELL' }),
    await invitee.call('POST', '/api/v3/order', { ...order, side: 'BUY' }),
  ])
    expect(reply).toMatchObject({ status: 200 });
  alice.close();
  invitee.close();
  const path = `/v1/accounts/${uidOf('partner')}/rebates`;
  const pending = amountsOf(await operator.must<Amounts>('GET', `${path}/pending`));
  expect(pending).toHaveLength(1);
  first.process.kill('SIGKILL');
  expect(await first.ended).toBe('SIGKILL');

  const second = await startServer(data, often, ['env', `NODE_OPTIONS=--import=${later}`, 'LATER_DAYS=3']);
  const again = new OperatorClient(second.demo);
  await expect
    .poll(async () => amountsOf(await again.must<Amounts>('GET', `${path}/payouts`)), { timeout: 60_000 })
    .toEqual(pending);
  expect(await again.must('GET', `${path}/pending`)).toEqual({ items: [], nextCursor: null });
  expect(await again.must('GET', '/v1/rebates/settlement')).toMatchObject({ dueDay: null });
  expect(amountsOf(await again.must<Amounts>('GET', `${path}/payouts`))).toEqual(pending);
  second.process.kill('SIGKILL');
  await second.ended;
  const { code, text } = await verifyData(data);
  expect([code, text]).toEqual([0, expect.stringContaining('All sound.')]);
});
