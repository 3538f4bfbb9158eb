import { expect, test } from 'vitest';
import { shippedScenarios } from '#testing/shipped-scenarios.ts';
import { runScenario } from '#testing/testing.ts';

/** The scenarios that Bourse brings along, without a bot beside them. */

/** A day of one takes a while: it runs with the variable alone. */
const long = ['trading-day'];
const isLong = process.env['BOURSE_TEST_SCENARIOS'] !== undefined;
const names = shippedScenarios().filter((name) => isLong || !long.includes(name));

test('DEC-KIT-79: there is a scenario for each thing that bites', () => {
  expect(shippedScenarios()).toEqual([
    'clock-drift',
    'depeg',
    'deposit-reorganisation',
    'exchange-halt',
    'flash-crash',
    'funding-spike',
    'gap-and-resync',
    'liquidation-cascade',
    'listen-key-expiry',
    'maintenance-restart',
    'partial-fill-then-cancel',
    'rate-limit-storm',
    'slow-consumer',
    'thin-book',
    'trading-day',
    'unknown-outcome',
    'withdrawal-rejected',
  ]);
});

test.each(names)('DEC-KIT-79: %s runs as its file says', async (name) => {
  expect((await runScenario(name)).steps).toBeGreaterThan(10);
});
