import { expect, test } from 'vitest';
import { lackOf } from '#web/shell/account-banner.tsx';

const all = { canTrade: true, canWithdraw: true, canDeposit: true };

test('an account is told what it may not do before it tries; one that only never pays out by itself is told nothing', () => {
  expect(lackOf(all)).toBeNull();
  expect(lackOf({ canTrade: true, canWithdraw: false, canDeposit: false })).toBeNull();
  expect(lackOf({ canTrade: false, canWithdraw: false, canDeposit: false })).toMatch(/^This account is frozen/);
  expect(lackOf({ ...all, canTrade: false })).toMatch(/^Trading is switched off/);
  expect(lackOf({ ...all, canWithdraw: false })).toMatch(/^Withdrawals are switched off/);
});
