import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { EndpointId } from '#public-api/catalogue.ts';
import { catalogue, endpointIds, groups } from '#public-api/catalogue.ts';
import type { AnyEndpoint } from '#public-api/declaration/endpoint.ts';
import { costOf, hardenedPermission } from '#public-api/declaration/endpoint.ts';
import { factsOf } from '#public-api/declaration/fields.ts';
import { parameterNames, parseRequest } from '#public-api/declaration/request.ts';
import { permissions } from '#model/permission.ts';
import type { EndpointFact } from './spec-facts.ts';
import { endpointFacts, longPermission, vocabulary } from './spec-facts.ts';

const all: Readonly<Record<string, AnyEndpoint>> = catalogue;
const factOf = (endpoint: AnyEndpoint): EndpointFact | undefined =>
  endpointFacts.find(({ method, path }) => method === endpoint.method && path === endpoint.path);
const own = endpointIds.filter((id) => all[id]?.aliasOf === undefined);
const aliases = endpointIds.filter((id) => all[id]?.aliasOf !== undefined);

/** Parameters that are served beyond the specified ones. DEC-MKT-11, DEC-WAL-70, DEC-SUB-54. */
const parametersBeyond: Readonly<Record<string, readonly string[]>> = {
  '/api/v3/ticker/24hr': ['symbols'],
  '/api/v3/ticker/price': ['symbols'],
  '/api/v3/ticker/bookTicker': ['symbols'],
  '/api/v1/contract/depth/{symbol}': ['limit'],
  'POST /api/v3/capital/transfer': ['clientTranId'],
  'POST /api/v3/capital/transfer/internal': ['clientTranId'],
  '/api/v3/broker/capital/withdraw/apply': ['memo', 'withdrawOrderId'],
  'POST /api/v3/broker/sub-account/universalTransfer': ['clientTranId'],
};

/** Words that are printed, and the spelling of clients that is read as one of them. */
const withAlias = (words: readonly string[]): readonly string[] =>
  words.includes('FUTURES') ? [...words, 'FUTURE'] : words;

/** Fields of the example of a contract, as the specification names them. SPEC-FUT-17. */
const contractSample = [
  'countryConfigContractMaxLeverage',
  'baseCoinName',
  'quoteCoinName',
  'futureType',
  'conceptPlateId',
  'isNew',
  'isHot',
  'isHidden',
  'marketOrderMaxLevel',
  'marketOrderPriceLimitRate1',
  'marketOrderPriceLimitRate2',
  'triggerProtect',
  'appraisal',
  'showAppraisalCountdown',
  'automaticDelivery',
  'depthStepList',
  'limitMaxVol',
  'threshold',
  'baseCoinIconUrl',
  'id',
  'vid',
  'baseCoinId',
  'createTime',
  'openingTime',
  'openingCountdownOption',
  'showBeforeOpen',
  'isMaxLeverage',
  'isZeroFeeRate',
  'isZeroFeeSymbol',
  'riskLimitMode',
  'riskLimitCustom',
  'liquidationFeeRate',
  'feeRateMode',
  'leverageFeeRates',
  'tieredFeeRates',
  'tieredDealAmount',
  'tieredEffectiveDay',
  'tieredAppointContract',
  'tieredExcludeContractId',
  'tieredContractIds',
  'tieredExcludeZeroFee',
  'stopOnlyFair',
  'statisticType',
  'fixedStartTime',
  'fixedEndTime',
];

/**
 * Members that are answered beyond the specified ones, by path, or by method and path. DEC-WAL-73, DEC-SUB-57,
 * SPEC-FUT-17.
 */
const membersBeyond: Readonly<Record<string, readonly string[]>> = {
  '/api/v1/contract/detail': contractSample,
  '/api/v3/capital/deposit/address': ['netWork'],
  '/api/v3/broker/capital/deposit/subHisrec/getall': ['subAccount', 'insertTime'],
  // What a fee in the token costs, which nobody outside could reckon otherwise: DEC-WEB-18.
  'GET /api/v3/svcDeduct/enable': ['token'],
};

/** Members of an answer, or of its entries where it is a list; of all forms it may have. */
function membersOf(schema: z.ZodType): readonly string[] {
  if (schema instanceof z.ZodArray) return membersOf(schema.element as z.ZodType);
  if (schema instanceof z.ZodUnion)
    return [...new Set(schema.options.flatMap((option) => membersOf(option as z.ZodType)))];
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}
const sorted = (names: readonly string[]): readonly string[] => [...names].sort();

test('every specified endpoint is in the catalogue', () => {
  const served = new Set(own.map((id) => `${catalogue[id].method} ${catalogue[id].path}`));
  for (const { method, path } of endpointFacts) {
    const name = `${method} ${path}`;
    expect([name, served.has(name)]).toEqual([name, true]);
  }
  expect(served.size).toBe(own.length);
});

test('every endpoint has a short name of its own, by which users look for it', () => {
  const names = Object.values(all).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(groups.filter(({ name }) => names.includes(name))).toEqual([]);
  for (const name of names) {
    expect(name).toMatch(/^[A-Z][^.]*$/);
    expect(name.split(' ').length).toBeLessThanOrEqual(5);
  }
});

describe.each(own)('%s', (id: EndpointId) => {
  const endpoint = all[id] as AnyEndpoint;
  const fact = factOf(endpoint) as EndpointFact;

  test('DEC-STR-13, SPEC-CNV-06, SPEC-CNV-13, SPEC-CNV-14: asks for the specified permission', () => {
    expect(endpoint.access.kind).toBe(fact.signed ? 'signed' : 'public');
    if (endpoint.access.kind === 'public') return;
    expect(endpoint.access.permission).toBe(longPermission(fact.permission ?? ''));
    expect(endpoint.access.caller).toBe(fact.caller ?? 'any');
  });

  test('SPEC-CNV-06, DEC-REQ-04: weighs what is specified', () => {
    for (const budget of ['ip', 'uid'] as const) {
      const weight = endpoint.weight[budget];
      const { several: _beyond, ...printed } = typeof weight === 'object' ? weight : { several: undefined };
      expect(typeof weight === 'object' ? printed : weight).toEqual(fact.weight[budget]);
    }
    expect(endpoint.callsPerSecond).toBe(fact.callsPerSecond);
  });

  test('takes the specified parameters with their defaults, maximums and words', () => {
    const taken = parameterNames(endpoint).map((name) => {
      const facts = factsOf(endpoint.request.shape[name] as z.ZodType);
      return { name, required: facts.required, default: facts.default, max: facts.max, values: facts.values };
    });
    const printed = fact.parameters.map((parameter) => {
      const found = taken.find(({ name }) => name === parameter.name);
      return {
        name: parameter.name,
        // A parameter with a default need not be sent. SPEC-FUT-15, SPEC-FUT-16.
        required: parameter.required && parameter.default === undefined,
        default: parameter.default,
        max: parameter.max ?? parameter.itemsMax ?? found?.max,
        values: parameter.values === undefined ? found?.values : withAlias(parameter.values),
      };
    });
    const beyond = parametersBeyond[endpoint.path] ?? parametersBeyond[`${endpoint.method} ${endpoint.path}`] ?? [];
    const names = [...printed.map(({ name }) => name), ...beyond];
    expect(sorted(taken.map(({ name }) => name))).toEqual(sorted(names));
    for (const parameter of printed) expect(taken.find(({ name }) => name === parameter.name)).toEqual(parameter);
  });

  test('answers the specified members', () => {
    if (fact.tuple !== undefined) {
      const tuple = (endpoint.response as z.ZodArray).element as z.ZodTuple;
      expect(tuple.def.items).toHaveLength(fact.tuple);
      return;
    }
    const { method, path } = endpoint;
    const beyond = membersBeyond[`${method} ${path}`] ?? membersBeyond[path] ?? [];
    expect(sorted(membersOf(endpoint.response))).toEqual(sorted([...fact.answer, ...beyond]));
  });

  test('wraps its answer as specified', () => {
    const members = {
      bare: undefined,
      codeDataMsg: ['code', 'data', 'msg'],
      codeDataMsgTimestamp: ['code', 'data', 'msg', 'timestamp'],
      group: ['code', 'data', 'msg', 'timestamp'],
      broker: ['code', 'data', 'message'],
      affiliatePage: ['success', 'code', 'message', 'data'],
      futures: ['success', 'code', 'data'],
    } as const;
    expect(members[endpoint.envelope]).toEqual(fact.envelope);
  });

  test('its example is a request it accepts', () => {
    expect(() => parseRequest(endpoint, endpoint.example ?? {})).not.toThrow();
  });
});

test('SPEC-MKT-05, DEC-ORD-38: a pair carries every specified field, and its greatest quantity', () => {
  const pairs = catalogue.exchangeInfo.response.shape.symbols.element;
  expect(sorted(Object.keys(pairs.shape))).toEqual(
    sorted([...(vocabulary['symbolFields'] as readonly string[]), 'maxQuantity']),
  );
});

test('SPEC-WAL-01: a network carries every specified field', () => {
  const network = catalogue.coinConfiguration.response.element.shape.networkList.element;
  expect(sorted(Object.keys(network.shape))).toEqual(sorted(vocabulary['networkFields'] as readonly string[]));
});

test('SPEC-ACC-04: a balance carries every specified field', () => {
  const balance = catalogue.account.response.shape.balances.element;
  expect(sorted(Object.keys(balance.shape))).toEqual(sorted(vocabulary['balanceFields'] as readonly string[]));
});

describe('DEC-CMP-01, DEC-CMP-02, DEC-CMP-03: an alias', () => {
  test.each(aliases)('%s costs and permits what it repeats', (id) => {
    const alias = all[id] as AnyEndpoint;
    const original = all[alias.aliasOf as string] as AnyEndpoint;
    expect(alias.weight).toEqual(original.weight);
    expect(alias.access).toEqual(original.access);
    expect(alias.method).toBe(original.method);
    expect(factOf(alias)).toBeUndefined();
  });
});

test('SPEC-CNV-02, SPEC-CNV-26: paths carry the version of their side, and no two endpoints are one', () => {
  const names = endpointIds.map((id) => `${catalogue[id].method} ${catalogue[id].path}`);
  expect(new Set(names).size).toBe(names.length);
  for (const id of endpointIds) {
    expect(catalogue[id].path.startsWith(catalogue[id].surface === 'spot' ? '/api/v3/' : '/api/v1/contract/')).toBe(
      true,
    );
  }
});

test('SPEC-CNV-13: the permissions are the specified ones in their order', () => {
  expect(permissions).toEqual(vocabulary['permissions']);
});

test('SPEC-MKT-20, SPEC-CNV-21, DEC-MKT-11: a weight may depend on a parameter', () => {
  const { ip } = catalogue.ticker24h.weight;
  expect(costOf(ip, (name) => (name === 'symbol' ? 'BTCUSDT' : ''))).toBe(1);
  expect(costOf(ip, () => '')).toBe(40);
  const several = (names: string) => costOf(ip, (name) => (name === 'symbols' ? names : ''));
  expect(several('BTCUSDT,ETHUSDT,BTCUSDT')).toBe(2);
  expect(several('["BTCUSDT","ETHUSDT","SOLUSDT"]')).toBe(3);
  expect(several(Array.from({ length: 60 }, (_, index) => `P${index}USDT`).join(','))).toBe(40);
  expect([several('['), several('[]')]).toEqual([1, 1]);
  expect(costOf(undefined, () => 'BTCUSDT')).toBe(0);
});

test('DEC-REQ-28: hardened, a writing endpoint demands the WRITE twin of a READ permission', () => {
  const read = { kind: 'signed', permission: 'SPOT_ACCOUNT_READ', caller: 'any' } as const;
  expect(hardenedPermission(read, { method: 'POST' })).toBe('SPOT_ACCOUNT_WRITE');
  expect(hardenedPermission(read, { method: 'GET' })).toBe('SPOT_ACCOUNT_READ');
  expect(hardenedPermission(read, { method: 'POST', opensReading: true })).toBe('SPOT_ACCOUNT_READ');
});
