import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { EndpointId } from '#public-api/catalogue.ts';
import { catalogue, endpointIds } from '#public-api/catalogue.ts';
import type { AnyEndpoint, CallerClass } from '#public-api/declaration/endpoint.ts';
import { costOf } from '#public-api/declaration/endpoint.ts';
import type { FieldFacts } from '#public-api/declaration/fields.ts';
import { factsOf } from '#public-api/declaration/fields.ts';
import { permissions } from '#model/permission.ts';
import type { Reply, TestGateway } from '../api/gateway-harness.ts';
import { keys, startTestGateway } from '../api/gateway-harness.ts';
import { groupOf } from './endpoint-group.ts';

/* Every endpoint of the spot side over HTTP: what it costs, and what it answers to parameters that are wrong. */

let gate: TestGateway;
const all: Readonly<Record<EndpointId, AnyEndpoint>> = catalogue;
const spotIds = endpointIds.filter((id) => all[id].surface === 'spot');
const customerKey = 'mx0customer0000001';
/** Keys of accounts of each class. */
const keyOfCaller: Readonly<Partial<Record<CallerClass, string>>> = {
  broker: keys.broker,
  brokerSub: customerKey,
  affiliate: keys.bob,
};
beforeAll(async () => {
  gate = await startTestGateway();
  const customer = { name: 'customer001', note: '', passwordHash: null, atMost: 1 };
  const master = gate.accounts.broker;
  await gate.exchange.submit({ kind: 'openSubAccount', master, ...customer });
  const opened = await gate.exchange.queries.subAccounts.named(master, customer.name);
  await gate.addKey(opened!.account, customerKey, permissions);
  await gate.exchange.submit({ kind: 'setAccountClass', account: gate.accounts.bob, class: 'affiliate' });
});
afterAll(() => gate.close());

async function ask(id: EndpointId, parameters: Record<string, string>): Promise<Reply> {
  const { access, method, path } = all[id];
  gate.monotonic.time += 10_000;
  if (access.kind === 'public') return gate.get(path, parameters);
  return gate.signed(method, path, parameters, { key: keyOfCaller[access.caller] ?? keys.alice });
}

interface Case {
  readonly id: EndpointId;
  readonly name: string;
  readonly facts: FieldFacts;
}
const cases: readonly Case[] = spotIds.flatMap((id) =>
  Object.entries(all[id].request.shape as Record<string, z.ZodType>).map(([name, field]) => ({
    id,
    name,
    facts: factsOf(field),
  })),
);
const examples = (id: EndpointId): Record<string, string> => ({ ...all[id].example });
const told = (cases: readonly Case[]): readonly (readonly [string, Case])[] =>
  cases.map((one) => [`${one.id} ${one.name}`, one]);

describe('SPEC-CNV-20, SPEC-CNV-21, SPEC-MKT-20: a call costs its specified weight', () => {
  test.each(spotIds)('%s', async (id) => {
    const parameters = examples(id);
    const { headers } = await ask(id, parameters);
    const { ip, uid } = all[id].weight;
    const cost = (weight: typeof ip): number => costOf(weight, (name) => parameters[name] ?? '');
    const printed = [cost(ip), cost(uid)].filter((weight) => weight > 0);
    expect(printed).toContain(Number(headers.get('x-svc-used-weight')));
  });
});

/** DEC-REQ-22: endpoints that move money have codes of their own for a missing amount and a missing asset. */
const moneyCodes: Readonly<Record<string, number>> = { amount: 10095, coin: 10222, asset: 10222 };
/** SPEC-CNV-18: those of sub-accounts and of keys have codes for theirs. */
const keyCodes: Readonly<Record<string, number>> = { subAccount: 730600, permissions: 730701, apiKey: 730707 };
const missingCodeOf = (id: EndpointId, name: string): number => {
  const group = groupOf(id);
  if (group === 'Wallet') return moneyCodes[name] ?? 44444;
  if (group !== 'Sub-accounts' && group !== 'Broker') return 44444;
  if (name === 'note') return all[id].path.endsWith('/virtualSubAccount') ? 730602 : 730700;
  return moneyCodes[name] ?? keyCodes[name] ?? 44444;
};

describe('DEC-REQ-21, DEC-REQ-22: a required parameter that is missing is 44444 or a code of its own, and named', () => {
  test.each(told(cases.filter(({ facts, name }) => facts.required && name !== 'type')))(
    '%s',
    async (_title, { id, name }) => {
      const { [name]: _gone, ...rest } = examples(id);
      const { status, body } = await ask(id, rest);
      expect([status, body.code]).toEqual([400, missingCodeOf(id, name)]);
      expect(body.msg).toContain(`'${name}'`);
    },
  );
});

describe('SPEC-CNV-25, DEC-REQ-21, SPEC-MKT-11: a limit beyond its bounds is 33333, at them it is taken', () => {
  test.each(told(cases.filter(({ name }) => name === 'limit')))('%s', async (_title, { id, facts }) => {
    for (const limit of ['0', '-1', '1.5', 'abc', `${(facts.max as number) + 1}`]) {
      const { status, body } = await ask(id, { ...examples(id), limit });
      expect([limit, status, body.code]).toEqual([limit, 400, 33333]);
      expect(body.msg).toContain("'limit'");
    }
    for (const limit of ['1', `${facts.max}`]) expect((await ask(id, { ...examples(id), limit })).status).toBe(200);
  });
});

describe('DEC-REQ-23: an unknown symbol is 10007 on queries and cancels, 30014 on order entry', () => {
  test.each(told(cases.filter(({ name }) => name.startsWith('symbol'))))('%s', async (_title, { id, name }) => {
    const code = all[id].drafts === true ? 30014 : 10007;
    for (const symbol of ['NOSUCHPAIR', 'btcusdt', 'ＢＴＣＵＳＤＴ', 'A'.repeat(300)]) {
      const { status, body } = await ask(id, { ...examples(id), [name]: symbol });
      expect([symbol, status, body.code]).toEqual([symbol, 400, code]);
    }
  });
});

describe('DEC-REQ-21: a word that is not one of the specified ones is 33333 and named', () => {
  test.each(told(cases.filter(({ facts }) => facts.values !== undefined)))(
    '%s',
    async (_title, { id, name, facts }) => {
      for (const text of ['nonsense', `${facts.values?.[0]} `]) {
        const { status, body } = await ask(id, { ...examples(id), [name]: text });
        expect([text, status, body.code]).toEqual([text, 400, 33333]);
        expect(body.msg ?? body.message).toContain(`Parameter '${name}' is invalid: `);
      }
    },
  );
});

describe('DEC-ORD-26, DEC-SUB-04: a start after the end is 33333, a start in 1970 is moved, or refused by 30 days', () => {
  test.each(told(cases.filter(({ name }) => name === 'startTime')))('%s', async (_title, { id }) => {
    const { status, body } = await ask(id, { ...examples(id), startTime: '1700000000000', endTime: '1699999999999' });
    expect([status, body.code]).toEqual([400, 33333]);
    const since1970 = await ask(id, { ...examples(id), startTime: '0', endTime: '1700000000000' });
    expect(since1970.status).toBe(id === 'affiliateCommissionDetail' ? 400 : 200);
  });
});

describe('SPEC-MKT-14, DEC-MKT-07: aggTrades takes both ends or none', () => {
  test.each(['startTime', 'endTime'])('only %s', async (name) => {
    const { status, body } = await ask('aggregatedTrades', { symbol: 'BTCUSDT', [name]: '1700000000000' });
    expect([status, body.code]).toEqual([400, 33333]);
  });
});

describe('SPEC-ORD-09, SPEC-ORD-12: an order is named by one of two ids', () => {
  test.each(['order', 'cancelOrder'] as const)('%s', async (id) => {
    expect((await ask(id, { symbol: 'BTCUSDT' })).body.code).toBe(700004);
    for (const orderId of ['1', 'C02__100000000000000999', 'C02__999', 'x']) {
      expect([orderId, (await ask(id, { symbol: 'BTCUSDT', orderId })).body.code]).toEqual([orderId, -2011]);
    }
    expect((await ask(id, { symbol: 'BTCUSDT', origClientOrderId: 'nobody' })).body.code).toBe(-2011);
    expect((await ask(id, { symbol: 'BTCUSDT', origClientOrderId: '<script>' })).body.code).toBe(700008);
  });
});

describe('SPEC-MKT-08, SPEC-ORD-14: lists of names', () => {
  test('exchangeInfo answers the named pairs, once each', async () => {
    const { body } = await ask('exchangeInfo', { symbols: 'BTCUSDT,BTCUSDT' });
    expect(body.symbols.map(({ symbol }: { symbol: string }) => symbol)).toEqual(['BTCUSDT']);
    expect((await ask('exchangeInfo', { symbols: 'BTCUSDT,' })).body.code).toBe(33333);
    expect((await ask('exchangeInfo', { symbols: 'BTCUSDT,NOSUCH' })).body.code).toBe(10007);
  });

  test.each(['openOrders', 'cancelOpenOrders', 'cancelAllOrders'] as const)(
    'C22: %s takes five names, not six',
    async (id) => {
      const names = ['BTCUSDT', 'A1', 'A2', 'A3', 'A4', 'A5'];
      expect((await ask(id, { symbol: names.join(',') })).body.code).toBe(33333);
      expect((await ask(id, { symbol: names.slice(0, 5).join(',') })).body.code).toBe(10007);
      expect((await ask(id, { symbol: 'BTCUSDT, BTCUSDT' })).status).toBe(200);
    },
  );
});

describe('SPEC-ORD-06: a batch holds 1 to 20 orders of one symbol, as JSON', () => {
  const item = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT_ORDER', quantity: 0.001, price: 1e4 };
  test.each([
    ['an empty list', '[]'],
    ['21 orders', JSON.stringify(Array(21).fill(item))],
    ['two symbols', JSON.stringify([item, { ...item, symbol: 'ETHUSDT' }])],
    ['no list', JSON.stringify(item)],
    ['no JSON', '[{]'],
    ['nested values', '[{"symbol":{"a":1}}]'],
    ['a member twice', '[{"symbol":"BTCUSDT","symbol":"BTCUSDT"}]'],
  ])('%s: 33333', async (_title, batchOrders) => {
    const { status, body } = await ask('placeOrders', { batchOrders });
    expect([status, body.code]).toEqual([400, 33333]);
  });
});
