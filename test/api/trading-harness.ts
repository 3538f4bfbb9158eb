import { expect } from 'vitest';
import type { SymbolListing } from '#model/symbol.ts';
import { keys, type Reply, startTestGateway, type TestGateway } from './gateway-harness.ts';

export type Terms = Record<string, string>;

/** The pair of most stories. */
export const symbol = 'BTCUSDT';
/** One unit at the last price that `emptyBook` leaves. */
export const sell = { symbol, side: 'SELL', type: 'LIMIT', quantity: '1', price: '100' } as const;
export const buy = { ...sell, side: 'BUY' } as const;

/** Amounts small enough not to be in the way. */
const anyAmount: Partial<SymbolListing> = { minNotional: 1 as never, minNotionalMarket: 1 as never };

/** What stories of orders need: an exchange without rate limits, and the requests of a trader. */
export interface TradingHarness {
  readonly gate: TestGateway;
  place(terms: Terms, key?: string): Promise<Reply>;
  /** The order as GET order answers it. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at, member by member, by tests
  order(orderId: string, key?: string): Promise<any>;
  /** Places an order that must be taken; answers its state afterwards. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at, member by member, by tests
  placed(terms: Terms, key?: string): Promise<any>;
  /** Free and held amounts by asset. */
  balances(key?: string): Promise<Record<string, [string, string]>>;
  /** Changes rules of the pair; amounts stay unbounded below. */
  configure(changes?: Partial<SymbolListing>): Promise<void>;
  /** An hour later, no order rests and the last price is 100. */
  emptyBook(): Promise<void>;
}

export async function startTradingHarness(): Promise<TradingHarness> {
  const gate = await startTestGateway({ settings: { rateLimits: false } });
  const place: TradingHarness['place'] = (terms, key = keys.alice) =>
    gate.signed('POST', '/api/v3/order', terms, { key });
  const order: TradingHarness['order'] = async (orderId, key = keys.alice) =>
    (await gate.signed('GET', '/api/v3/order', { symbol, orderId }, { key })).body;
  const placed: TradingHarness['placed'] = async (terms, key = keys.alice) => {
    const { status, body } = await place(terms, key);
    expect([status, body]).toEqual([200, body]);
    return order(body.orderId, key);
  };
  const configure: TradingHarness['configure'] = (changes = {}) => gate.configure({ ...anyAmount, ...changes });
  const cancelAll = async (): Promise<void> => {
    for (const key of Object.values(keys)) await gate.signed('DELETE', '/api/v3/openOrders', { symbol }, { key });
  };
  return {
    gate,
    place,
    order,
    placed,
    configure,
    balances: async (key = keys.alice) => {
      const { body } = await gate.signed('GET', '/api/v3/account', {}, { key });
      return Object.fromEntries(
        body.balances.map((balance: { asset: string; free: string; locked: string }) => [
          balance.asset,
          [balance.free, balance.locked],
        ]),
      );
    },
    emptyBook: async () => {
      gate.exchange.clock.time += 3_600_000;
      await cancelAll();
      await configure({ bidMultiplierUpPpm: null, askMultiplierDownPpm: null });
      await placed({ ...sell, quantity: '0.01' }, keys.broker);
      await placed({ ...buy, quantity: '0.01' }, keys.broker);
      await configure();
    },
  };
}
