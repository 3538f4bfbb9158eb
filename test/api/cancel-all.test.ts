import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Command } from '#model/command.ts';
import type { OrderRequest } from '#model/order.ts';
import { as } from '#model/units.ts';
import { type CommandIngress, IngressRefused } from '#sequencer/command-ingress.ts';
import { expectCode, expectShape } from './answer-shape.ts';
import { startTestGateway, type TestGateway } from './gateway-harness.ts';

/** An account whose cap lets it have more open orders than one entry cancels. */

let gate: TestGateway;
/** Whether a command is taken. */
let takes: (command: Command) => boolean;
beforeEach(async () => {
  takes = () => true;
  gate = await startTestGateway({
    context: (context) => {
      const submit: CommandIngress['submit'] = (command) =>
        takes(command) ? context.ingress.submit(command) : Promise.reject(new IngressRefused('full'));
      return { ...context, ingress: { submit, post: context.ingress.post.bind(context.ingress) } };
    },
  });
});
afterEach(() => gate.close());

/** Places orders of alice, each for the least amount. */
async function openLadder(count: number): Promise<void> {
  const { exchange, accounts } = gate;
  const account = accounts.alice;
  await gate.configure({ minNotional: as(1) });
  await exchange.submit({
    ...{ kind: 'setTradingRules', account, makerFeePpm: null, takerFeePpm: null, openOrdersMax: 2000 },
  });
  const order = (index: number): OrderRequest => ({
    ...{ symbol: as(0), side: 'buy', kind: 'limit', price: as(1_000_000 + (index % 7)), quantity: as(1000) },
    ...{ budget: null, clientOrderId: null, stpMode: 'none' },
  });
  for (let index = 0; index < count; index += 1)
    await exchange.submit({ kind: 'placeOrder', account, order: order(index) });
  expect(await open()).toBe(count);
}
const open = async (): Promise<number> => (await gate.exchange.queries.openOrders(gate.accounts.alice, null)).length;
const cancelAll = () => gate.signed('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' });
/** What was journaled last. */
const kinds = (count: number): string[] => gate.exchange.entries.slice(-count).map(({ command }) => command.kind);

describe('DEC-ORD-30: cancel-all', () => {
  test('of more orders than one entry cancels goes in several, the oldest first, and one answer tells all', async () => {
    await openLadder(1100);
    const reply = await cancelAll();
    expectShape('cancelOpenOrders', reply);
    const ids: string[] = reply.body.map(({ orderId }: { orderId: string }) => orderId);
    expect([ids.length, ids]).toEqual([1100, ids.toSorted()]);
    expect([await open(), gate.exchange.faults()]).toEqual([0, []]);
    expect(kinds(4)).toEqual(['placeOrder', ...Array(3).fill('cancelSomeOrders')]);
  });

  test('of as many as one entry cancels is one entry', async () => {
    await openLadder(500);
    expect((await cancelAll()).body).toHaveLength(500);
    expect([kinds(2), await open()]).toEqual([['placeOrder', 'cancelOrders'], 0]);
  });

  test('that ends after some is 504, because something happened; a repetition cancels the rest', async () => {
    await openLadder(1100);
    let pieces = 0;
    takes = ({ kind }) => kind !== 'cancelSomeOrders' || (pieces += 1) < 3;
    expectCode(await cancelAll(), 504, 504);
    expect(await open()).toBe(100);
    takes = ({ kind }) => kind !== 'cancelOrders';
    expectCode(await cancelAll(), 503, 503);
    takes = () => true;
    expect((await cancelAll()).body).toHaveLength(100);
  });
});
