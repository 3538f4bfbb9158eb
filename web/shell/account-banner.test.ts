import { expect, test } from 'vitest';
import { bannerText } from '#web/shell/account-banner.tsx';

const all = { canTrade: true, canWithdraw: true, canDeposit: true };

test('an account is told what it may not do before it tries; one that only never pays out by itself is told nothing', () => {
  expect(bannerText(all)).toBeNull();
  expect(bannerText({ canTrade: true, canWithdraw: false, canDeposit: false })).toBeNull();
  expect(bannerText({ canTrade: false, canWithdraw: false, canDeposit: false })).toMatch(/^This account is frozen/);
  expect(bannerText({ ...all, canTrade: false })).toMatch(/^Trading is switched off/);
  expect(bannerText({ ...all, canWithdraw: false })).toMatch(/^Withdrawals are switched off/);
});
