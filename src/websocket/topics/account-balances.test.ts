import { expect, test } from 'vitest';
import type { BalanceView } from '#model/account.ts';
import { as } from '#model/units.ts';
import { AccountBalances } from '#websocket/topics/account-balances.ts';

const image: readonly BalanceView[] = [{ asset: as(0), free: as(100n), held: as(5n) }];

test('changes before the image are told to nobody, and counted once', () => {
  const balances = new AccountBalances();
  expect(balances.change(as(6), as(0), 1n, 0n)).toBeNull();
  expect(balances.change(as(7), as(0), 10n, 0n)).toBeNull();
  expect(balances.change(as(8), as(0), 20n, 2n)).toBeNull();
  balances.start(as(7), image);
  expect(balances.change(as(9), as(0), -3n, 0n)).toEqual({ free: 117n, held: 7n });
});

test('an asset that the image does not hold begins with nothing', () => {
  const balances = new AccountBalances();
  balances.start(as(0), []);
  expect(balances.change(as(1), as(3), 4n, -0n)).toEqual({ free: 4n, held: 0n });
});
