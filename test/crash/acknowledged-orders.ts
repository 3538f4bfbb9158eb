import type { ServerProcess } from './server-process.ts';
import { type Acknowledged, type Trader, traders } from './market-load.ts';
import { TradingClient } from './trading-client.ts';

interface Shown {
  readonly orderId: string;
  readonly clientOrderId: string;
  readonly time: number;
  readonly status: string;
  readonly side: string;
  readonly executedQty: string;
}

const states: ReadonlySet<string> = new Set(['NEW', 'PARTIALLY_FILLED', 'FILLED', 'CANCELED', 'PARTIALLY_CANCELED']);
const pageSize = 1000;

/**
 * Holds orders that were acknowledged against what the exchange has: each is there once, in a state that orders have,
 * and on each pair as much was bought as was sold. Answers what is wrong.
 */
export async function faultsOfOrders(
  server: ServerProcess,
  acknowledged: readonly Acknowledged[],
  from: number,
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const symbol of new Set(acknowledged.map((order) => order.symbol))) {
    let balance = 0n;
    for (const account of traders) {
      const shown = await ordersOf(server, { account, symbol, from });
      balance += boughtBy(shown);
      const known = new Map(shown.map((order) => [order.orderId, order]));
      const names = new Set(shown.map(({ clientOrderId }) => clientOrderId));
      if (names.size !== shown.length) faults.push(`${account} has a client order id of ${symbol} twice`);
      for (const order of acknowledged) {
        if (order.account !== account || order.symbol !== symbol) continue;
        const found = known.get(order.orderId);
        if (found === undefined) faults.push(`${order.clientOrderId} of ${symbol} was acknowledged and is gone`);
        else if (found.clientOrderId !== order.clientOrderId || !states.has(found.status))
          faults.push(`${order.clientOrderId} is ${found.status} as ${found.clientOrderId}`);
      }
    }
    if (balance !== 0n) faults.push(`${symbol}: ${balance} more bought than sold`);
  }
  return faults;
}

/** Every order of an account on a pair, page after page. */
async function ordersOf(
  { demo }: ServerProcess,
  { account, symbol, from }: { readonly account: Trader; readonly symbol: string; readonly from: number },
): Promise<readonly Shown[]> {
  const client = new TradingClient(demo, account);
  const found = new Map<string, Shown>();
  for (let startTime = from; ; ) {
    const terms = { symbol, startTime: String(startTime), limit: String(pageSize) };
    const reply = await client.call('GET', '/api/v3/allOrders', terms);
    if (reply?.status !== 200) throw new Error(`orders of ${account}: ${JSON.stringify(reply?.body)}`);
    const page = reply.body as readonly Shown[];
    const last = page.at(-1)?.time ?? startTime;
    for (const order of page) found.set(order.orderId, order);
    if (page.length < pageSize) break;
    if (last === startTime) throw new Error(`more than ${pageSize} orders of ${account} in one millisecond`);
    startTime = last;
  }
  client.close();
  return [...found.values()];
}

/** In smallest units: more than 2^53 of them are no concern of a test. */
const boughtBy = (orders: readonly Shown[]): bigint =>
  orders.reduce((sum, { side, executedQty }) => {
    const quantity = BigInt(Math.round(Number(executedQty) * 1e8));
    return side === 'BUY' ? sum + quantity : sum - quantity;
  }, 0n);
