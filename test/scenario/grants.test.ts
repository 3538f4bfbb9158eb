import { expect, test } from 'vitest';
import { as, type Balance } from '#model/units.ts';
import { alice, networkOf, outside, refusals } from './deposit-desk.ts';
import { WithdrawalDesk } from './withdrawal-desk.ts';

const grants = 2 ** 27;
const part = 2n ** 60n;
const owedMost = 2n ** 62n;

/** A desk with an asset worth next to nothing whose cap is all but the greatest. */
function deskWithGreatAsset(): { readonly desk: WithdrawalDesk; readonly great: number } {
  const desk = new WithdrawalDesk();
  const asset = { code: 'GREAT', fullName: 'Great', scale: 2, cap: as<Balance>(2n * part), coinId: '0'.repeat(32) };
  desk.run({ kind: 'configureAsset', asset });
  const great = desk.engine.state.assets.find('GREAT')!.id;
  const terms = { network: 'NET', contract: '0x9e', withdrawMax: as<Balance>(2n * part), withdrawFee: as<Balance>(0n) };
  expect(refusals(desk.run({ kind: 'configureAssetNetwork', network: networkOf(great, terms) }))).toEqual([]);
  const price = { asset: as<never>(great as never), digits: as<Balance>(1n), decimals: 18, validMs: 10 ** 12 };
  desk.run({ kind: 'setReferencePrice', ...price, reason: 'test' });
  return { desk, great };
}

test('DEC-WAL-85: granting and withdrawing in turn is refused before grants or outside reach 2^62', () => {
  const { desk, great } = deskWithGreatAsset();
  const grant = (amount: bigint) =>
    refusals(desk.run({ kind: 'creditFunds', account: as(alice), asset: as(great), amount: as(amount) }));
  const withdraw = (): readonly string[] => {
    const refused = refusals(desk.request({ asset: as(great), amount: as(part) }));
    if (refused.length > 0) return refused;
    const { lastWithdrawal } = desk.engine.state.withdrawals;
    for (const step of ['assess', 'begin', 'sign', 'broadcast', 'confirm'] as const) desk.step(lastWithdrawal, step);
    expect(desk.status(lastWithdrawal)).toBe('success');
    return [];
  };
  for (let given = 0; given < 3; given += 1) {
    expect(grant(part)).toEqual([]);
    expect(withdraw()).toEqual([]);
  }
  expect([desk.balance(grants, great), desk.balance(outside, great)]).toEqual([-3n * part, 3n * part]);
  // The cap has all its room again, but one more part would make 2^62.
  expect(grant(part)).toEqual(['aboveAssetCap']);
  expect(grant(part - 1n)).toEqual([]);
  expect(grant(1n)).toEqual(['aboveAssetCap']);
  expect(desk.balance(grants, great)).toBe(1n - owedMost);
  expect(desk.faults()).toEqual([]);
  desk.restore();
  expect(desk.balance(alice, great)).toBe(part - 1n);
});
