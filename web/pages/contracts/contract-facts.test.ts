import { expect, test } from 'vitest';
import type { Contract } from '#web/data/contracts.ts';
import { leftText } from '#web/pages/contracts/contract-facts.ts';
import { riskTiers } from '#web/pages/contracts/risk-tiers.ts';

test('DEC-WEB-14: a countdown ends at nothing', () => {
  expect([leftText(3_661_999), leftText(0), leftText(-5), leftText(90_000_000)]).toEqual([
    '01:01:01',
    '00:00:00',
    '00:00:00',
    '25:00:00',
  ]);
});

test('DEC-WEB-14: each tier of risk adds to the one before', () => {
  const contract = {
    riskBaseVol: 100,
    riskIncrVol: 50,
    riskIncrMmr: 0.004,
    riskIncrImr: 0.004,
    maintenanceMarginRate: 0.004,
    initialMarginRate: 0.005,
    riskLevelLimit: 2,
    maxLeverage: 200,
  } as unknown as Contract;
  expect(riskTiers(contract)).toEqual([
    { level: 1, maxVol: 100, maintenanceRate: 0.004, initialRate: 0.005, maxLeverage: 200 },
    { level: 2, maxVol: 150, maintenanceRate: 0.008, initialRate: 0.009000000000000001, maxLeverage: 111 },
  ]);
});
