import { afterAll, beforeAll, beforeEach } from 'vitest';
import { keys, type Reply, startTestGateway, type TestGateway } from './gateway-harness.ts';

type Terms = Readonly<Record<string, string>>;

/** The exchange of the test file that called `useOrderHarness`. */
export let gate: TestGateway;

/** Opens an exchange without rate limits for a test file; each test finds it an hour later and without orders. */
export function useOrderHarness(): void {
  beforeAll(async () => {
    gate = await startTestGateway({ settings: { rateLimits: false } });
  });
  afterAll(() => gate.close());
  beforeEach(async () => {
    gate.exchange.clock.time += 3_600_000;
    await gate.configure({});
    for (const key of [keys.alice, keys.bob])
      await gate.signed('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' }, { key });
  });
}

export const path = '/api/v3/order';
export const limit = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.5', price: '30000' } as const;

export const place = (terms: Terms, key: string = keys.alice): Promise<Reply> =>
  gate.signed('POST', path, terms, { key });
/** Bob places the same order but for `terms`. */
export const bob = (terms: Terms): Promise<Reply> => place({ ...limit, ...terms }, keys.bob);
export const query = (orderId: string, key: string = keys.alice): Promise<Reply> =>
  gate.signed('GET', path, { symbol: 'BTCUSDT', orderId }, { key });
