import { expect, test } from 'vitest';
import { wireLimits } from '#http/limits.ts';
import { engineLimits } from '#model/limits.ts';
import { defaultOf } from '#main/configuration-schema.ts';
import { limitFacts } from './spec-facts.ts';

const fact = (group: string, name: string): number => {
  const value = limitFacts[group]?.[name];
  if (value === undefined) throw new Error(`no such fact: ${group}.${name}`);
  return value;
};
const second = 1000;
const hour = 3600 * second;
const day = 24 * hour;

test('SPEC-CNV-21, DEC-LIM-01, DEC-LIM-07: weights and calls per window are the specified ones', () => {
  expect(wireLimits.rate.weightPerWindow).toBe(fact('rate', 'weightPerWindow'));
  expect(wireLimits.rate.windowMs).toBe(fact('rate', 'windowSeconds') * second);
  expect(wireLimits.rate.futuresCallsPerWindow).toBe(fact('rate', 'futuresCalls'));
  expect(wireLimits.rate.futuresWindowMs).toBe(fact('rate', 'futuresSeconds') * second);
});

test('SPEC-CNV-22, DEC-LIM-02, DEC-LIM-04: bans and the firewall follow the specified ladder', () => {
  expect(wireLimits.ban).toEqual({
    violations: fact('ban', 'violations'),
    violationWindowMs: fact('ban', 'withinSeconds') * second,
    firstMs: fact('ban', 'firstSeconds') * second,
    longestMs: fact('ban', 'longestSeconds') * second,
    memoryMs: fact('ban', 'memorySeconds') * second,
  });
  expect(wireLimits.firewall).toEqual({
    malformedPerWindow: fact('firewall', 'malformed'),
    windowMs: fact('firewall', 'withinSeconds') * second,
  });
});

test('SPEC-CNV-11, SPEC-CNV-12, DEC-REQ-15: the time window of a signature is the specified one', () => {
  const { signing } = wireLimits;
  expect(signing.recvWindowDefaultMs).toBe(fact('signing', 'recvWindowDefaultMs'));
  expect(signing.recvWindowBelowMs).toBe(fact('signing', 'recvWindowBelowMs'));
  expect(signing.aheadBelowMs).toBe(fact('signing', 'aheadBelowMs'));
  expect(signing.signatureHexDigits).toBe(fact('signing', 'signatureHexDigits'));
  expect(signing.signatureMemoryMs).toBe(fact('signing', 'signatureMemorySeconds') * second);
});

test('SPEC-ORD-06, SPEC-ORD-07, SPEC-ORD-11, SPEC-ORD-16, SPEC-ORD-18, SPEC-ACC-05: bounds of orders', () => {
  const { orders } = wireLimits;
  expect(orders.perBatch).toBe(fact('orders', 'perBatch'));
  expect(engineLimits.ordersPerBatch).toBe(orders.perBatch);
  expect(orders.symbolsPerCancelAll).toBe(fact('orders', 'symbolsPerCancelAll'));
  expect(engineLimits.symbolsPerCancelAll).toBe(orders.symbolsPerCancelAll);
  expect(orders.heavyCallsPerSecond).toBe(fact('orders', 'batchCallsPerSecond'));
  expect(orders.heavyCallsPerSecond).toBe(fact('orders', 'accountCallsPerSecond'));
  expect(orders.allOrdersWindowDefaultMs).toBe(fact('orders', 'allOrdersWindowHours') * hour);
  expect(orders.allOrdersWindowMs).toBe(fact('orders', 'allOrdersReachDays') * day);
  expect(orders.myTradesWindowMs).toBe(fact('orders', 'myTradesReachDays') * day);
});

test('SPEC-CNV-27, DEC-LIM-06, DEC-REQ-25, DEC-REQ-26: the engine keeps the specified caps', () => {
  expect(engineLimits.openOrdersPerAccount).toBe(fact('orders', 'openPerAccount'));
  expect(engineLimits.clientOrderIdLength).toBe(fact('orders', 'clientOrderIdLength'));
  expect(wireLimits.orders.clientOrderIdLength).toBe(engineLimits.clientOrderIdLength);
  expect(engineLimits.clientOrderIdKeptMs).toBe(fact('orders', 'clientOrderIdKeptSeconds') * second);
  expect(engineLimits.keysPerAccount).toBe(fact('keys', 'perAccount'));
  expect(engineLimits.stpGroupsPerMaster).toBe(fact('stp', 'groupsPerMaster'));
});

test('DEC-MKT-04: averages cover the specified span', () => {
  expect(wireLimits.market.averagePriceMinutes).toBe(fact('market', 'averagePriceMinutes'));
});

test('settings start from the stated limits', () => {
  const { ban, connection, firewall } = wireLimits;
  const stated = {
    connectionsMax: connection.total,
    connectionsPerAddressMax: connection.perAddress,
    banAfter: ban.violations,
    banFirstSeconds: ban.firstMs / second,
    banMostSeconds: ban.longestMs / second,
    banMemoryHours: ban.memoryMs / hour,
    faultsPerWindow: firewall.malformedPerWindow,
  } as const;
  for (const [name, value] of Object.entries(stated)) {
    expect([name, defaultOf(name as keyof typeof stated, 'production')]).toEqual([name, value]);
  }
});
