import { type Acknowledged, type Trader, traders } from './market-load.ts';
import { OperatorClient } from './operator-client.ts';
import type { ServerProcess } from './server-process.ts';
import { TradingClient } from './trading-client.ts';

/** In the order in which a pair goes through them. */
const lives = ['none', 'paused', 'online', 'offline', 'delisted'] as const;
type Life = (typeof lives)[number];

/** A pair that an operator listed, as he was answered. */
export interface ListedPair {
  readonly name: string;
  /** What he was told last. */
  acknowledged: Life;
  /** What he asked for last: that, or what he was told, is true after a kill. */
  asked: Life;
  /** The commission that he was told last, and the one that he asked for last. */
  readonly fees: { acknowledged: number; asked: number };
  /** Orders on it that were acknowledged. */
  readonly orders: Acknowledged[];
}

/** LTC for BTC, which nobody trades otherwise. */
const rules = {
  ...{ base: 'LTC', quote: 'BTC', priceDecimals: 5, quantityDecimals: 3 },
  ...{ minQuantity: '0.001', minAmount: '0.00001', minAmountMarket: '0.00001', maxAmount: '10', maxAmountMarket: '10' },
  ...{ orderKinds: ['limit', 'immediateOrCancel'], sideType: 'all', apiTradingAllowed: true },
  ...{ makerFeePpm: 0, collarPpm: 50_000, bidMultiplierUpPpm: null, askMultiplierDownPpm: null },
  ...{ fullName: 'Litecoin', contractAddress: '', specialTreatment: false },
};
const firstFee = 500;

/** Lists pairs of the same assets one after the other, changes, trades and delists each, until nobody answers. */
export async function changePairsUntilKilled(server: ServerProcess, pairs: ListedPair[]): Promise<void> {
  const operator = new OperatorClient(server.demo);
  const clients = new Map(traders.map((trader) => [trader, new TradingClient(server.demo, trader)]));
  for (let isThere = true; isThere; ) {
    const fees = { acknowledged: firstFee, asked: firstFee };
    const pair: ListedPair = { name: `LTCBTC${pairs.length}`, acknowledged: 'none', asked: 'none', fees, orders: [] };
    pairs.push(pair);
    isThere =
      (await bring(operator, pair, 'paused')) &&
      (await bring(operator, pair, 'online')) &&
      (await trade(clients, pair)) &&
      (await changeFee(operator, pair)) &&
      (await bring(operator, pair, 'offline')) &&
      (await bring(operator, pair, 'delisted'));
  }
  for (const client of clients.values()) client.close();
}

/** Brings a pair to its next state; answers whether the exchange is still there. */
async function bring(operator: OperatorClient, pair: ListedPair, asked: Life): Promise<boolean> {
  const path = `/v1/pairs/${pair.name}`;
  pair.asked = asked;
  const reply =
    asked === 'paused'
      ? await operator.call('PUT', path, { ...rules, takerFeePpm: firstFee })
      : asked === 'delisted'
        ? await operator.call('DELETE', `${path}?reason=It%20ends.`)
        : await operator.call('PATCH', path, { status: asked });
  if (reply === null || reply.status >= 500) return false;
  const { status } = reply.body as { status?: unknown };
  if (reply.status !== 200 || status !== asked)
    throw new Error(`${path} to ${asked}: ${reply.status} ${JSON.stringify(reply.body)}`);
  pair.acknowledged = asked;
  return true;
}

async function changeFee(operator: OperatorClient, pair: ListedPair): Promise<boolean> {
  pair.fees.asked = firstFee + 100;
  const reply = await operator.call('PATCH', `/v1/pairs/${pair.name}`, { takerFeePpm: pair.fees.asked });
  if (reply?.status !== 200) return false;
  pair.fees.acknowledged = pair.fees.asked;
  return true;
}

/** One order of alice that bob takes in part, so that the pair goes offline with an open order. */
async function trade(clients: ReadonlyMap<Trader, TradingClient>, pair: ListedPair): Promise<boolean> {
  const terms = { symbol: pair.name, price: '0.001' };
  const orders = {
    alice: { side: 'SELL', type: 'LIMIT', quantity: '0.03' },
    bob: { side: 'BUY', type: 'IMMEDIATE_OR_CANCEL', quantity: '0.02' },
  };
  for (const trader of traders) {
    const clientOrderId = `${pair.name}-${trader}`;
    const order = { ...terms, ...orders[trader], newClientOrderId: clientOrderId };
    const reply = await clients.get(trader)!.call('POST', '/api/v3/order', order);
    if (reply === null || reply.status >= 500) return false;
    if (reply.status !== 200) throw new Error(`${clientOrderId}: ${JSON.stringify(reply.body)}`);
    const { orderId } = reply.body as { orderId: string };
    pair.orders.push({ account: trader, symbol: pair.name, orderId, clientOrderId });
  }
  return true;
}

/**
 * After a restart: each pair is what was said of it last, or what was asked for and not answered. Delists those that
 * are left, so that their assets are free. Answers what is wrong.
 */
export async function endPairs(server: ServerProcess, pairs: readonly ListedPair[]): Promise<readonly string[]> {
  const faults: string[] = [];
  const operator = new OperatorClient(server.demo);
  for (const pair of pairs) {
    const { name, acknowledged, asked, fees } = pair;
    const reply = await operator.call('GET', `/v1/pairs/${name}`);
    const shown = reply?.body as { status: Life; takerFeePpm: number };
    const found = reply?.status === 404 ? 'none' : shown.status;
    if (found !== acknowledged && found !== asked)
      faults.push(`${name} is ${found}: ${acknowledged} was acknowledged, ${asked} asked for`);
    if (found === 'none') continue;
    if (shown.takerFeePpm !== fees.acknowledged && shown.takerFeePpm !== fees.asked)
      faults.push(`${name} takes ${shown.takerFeePpm}: ${fees.acknowledged} was acknowledged`);
    pair.acknowledged = found;
    for (const next of ['offline', 'delisted'] as const)
      if (lives.indexOf(found) < lives.indexOf(next)) await bring(operator, pair, next);
    // What was asked for before the kill is settled.
    pair.asked = pair.acknowledged;
    fees.acknowledged = shown.takerFeePpm;
    fees.asked = shown.takerFeePpm;
  }
  return faults;
}
