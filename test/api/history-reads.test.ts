import { expect, test } from 'vitest';
import { wireLimits } from '#http/limits.ts';
import type { HistoryStore } from '#history/history-store.ts';
import { startTestGateway } from './gateway-harness.ts';

const { atOnce, perOwnerMax } = wireLimits.historyReads;

/** A gateway whose history answers no list of rows before the test opens it. */
async function startSlow() {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const served: string[] = [];
  const slow = (history: HistoryStore): HistoryStore =>
    new Proxy(history, {
      get: (target, name) => {
        const method = Reflect.get(target, name) as (...args: unknown[]) => unknown;
        if (name !== 'rows') return method.bind(target);
        return async (...args: unknown[]) => {
          await opened;
          return method.apply(target, args);
        };
      },
    });
  const gateway = await startTestGateway({
    settings: { rateLimits: false, trustedProxies: ['127.0.0.1'] },
    context: (context) => ({ ...context, history: slow(context.history) }),
  });
  const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });
  const orders = async (address: string) => {
    const answer = await gateway.signed('GET', '/api/v3/allOrders', { symbol: 'BTCUSDT' }, from(address));
    served.push(address);
    return answer;
  };
  return { ...gateway, orders, from, served, open: () => open() };
}

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 2));
};

test('DEC-LIM-120, DEC-LIM-121: reads of history wait in turn by address, and are refused beyond its bound', async () => {
  const gateway = await startSlow();
  const { reads } = gateway.gateway.endpointLimits.access;
  const flood = '10.0.0.1';
  const asked = Array.from({ length: atOnce + perOwnerMax }, () => gateway.orders(flood));
  await until(() => reads.size === atOnce + perOwnerMax);

  const refused = await gateway.signed('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT' }, gateway.from(flood));
  expect(refused).toMatchObject({ status: 429, body: { code: 429 } });
  expect(refused.headers.get('retry-after')).toBe('1');
  const path = '/api/v1/contract/funding_rate/history?symbol=BTC_USDT';
  const contracts = await gateway.send('GET', path, gateway.from(flood));
  expect(contracts).toMatchObject({ status: 429, body: { success: false, code: 510 } });
  expect(contracts.headers.get('retry-after')).toBe('1');

  // What reads no history is answered meanwhile, and another address is served before the rest of the flood.
  expect((await gateway.send('GET', '/api/v3/ping', gateway.from(flood))).status).toBe(200);
  const other = gateway.orders('10.0.0.2');
  await until(() => reads.size === atOnce + perOwnerMax + 1);
  gateway.open();
  expect((await other).status).toBe(200);
  expect(gateway.served.length).toBeLessThan(perOwnerMax / 2);
  expect((await Promise.all(asked)).every(({ status }) => status === 200)).toBe(true);
  expect(reads.size).toBe(0);
  await gateway.close();
}, 60_000);

test('DEC-LIM-121: within the printed budget no read of history is refused', async () => {
  const gateway = await startTestGateway();
  const { gateway: running } = gateway;
  const range = { symbol: 'BTCUSDT', startTime: '0', endTime: String(gateway.exchange.clock.time) };
  const answers = await Promise.all(Array.from({ length: 100 }, () => gateway.get('/api/v3/aggTrades', range)));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(running.endpointLimits.access.reads.size).toBe(0);
  await gateway.close();
});
