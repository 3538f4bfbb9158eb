import { describe, expect, test } from 'vitest';
import { as, type AssetId, type Balance } from '#model/units.ts';
import { seenWith } from '../chain-sight.ts';
import { AdjustmentDesk } from './adjustment-desk.ts';
import { networkOf } from './deposit-desk.ts';
import { assets, people } from './wallet-harness.ts';

const hourMs = 3_600_000;
const set = (desk: AdjustmentDesk, actor: string, asset: AssetId, digits = 5n) => {
  const terms = { digits: as<Balance>(digits), decimals: 0, validMs: hourMs, reason: 'listed today' };
  return desk.by(actor, { kind: 'setReferencePrice', asset, ...terms });
};
const remove = (desk: AdjustmentDesk, asset: AssetId) =>
  desk.by('erin', { kind: 'removeReferencePrice', asset, reason: 'gone' });
const inForce = (desk: AdjustmentDesk, asset: AssetId) =>
  desk.engine.state.referencePrices.inForce(asset, as(desk.at))?.digits ?? null;

/** A payment of NIL to alice that custody has seen. */
function pay(desk: AdjustmentDesk, confirmations: number): void {
  const asset = assets.NIL;
  const network = { ...networkOf(asset), network: 'NET', contract: '0xc0', sharesAddress: false, scale: 4 };
  desk.run({ kind: 'configureAssetNetwork', network });
  const place = { account: people.alice, network: 'NET', index: 0, address: '0xa', memo: null };
  desk.run({ kind: 'assignDepositAddress', ...place });
  const payment = { network: 'NET', txId: 'one', output: 0, asset, address: '0xa', memo: null };
  desk.run({ kind: 'reportDeposit', ...payment, amount: as<Balance>(500n), sight: seenWith(confirmations) });
}

describe('DEC-OPR-270: the first reference price of an asset', () => {
  test('is set by one operator at once while there is none of the asset, also by root', () => {
    const desk = new AdjustmentDesk();
    expect([set(desk, 'erin', assets.NIL), inForce(desk, assets.NIL)]).toEqual(['referencePriceSet', 5n]);
    expect([set(desk, 'root', assets.DOG), inForce(desk, assets.DOG)]).toEqual(['referencePriceSet', 5n]);
    expect(desk.engine.state.operators.all()).toEqual([]);
  });

  test('is a proposal while the house has some of it, and once all of it is gone it is none', () => {
    const desk = new AdjustmentDesk({ adjustFourEyesAbove: null });
    desk.adjust('erin', 'capitalIn', { house: 'capital' }, 1n, assets.NIL);
    expect([set(desk, 'erin', assets.NIL), inForce(desk, assets.NIL)]).toEqual(['proposalChanged', null]);
    desk.adjust('erin', 'correction', { house: 'capital' }, -1n, assets.NIL);
    expect(set(desk, 'erin', assets.NIL)).toBe('referencePriceSet');
  });

  test('is a proposal while a customer has some of it, free or held', () => {
    const desk = new AdjustmentDesk({ adjustFourEyesAbove: null });
    desk.adjust('erin', 'capitalIn', { house: 'capital' }, 1n, assets.BTC);
    desk.adjust('erin', 'credit', { of: 'alice' }, 1n, assets.BTC);
    const order = { symbol: as<never>(1 as never), side: 'sell', kind: 'limit', price: as<never>(1 as never) } as const;
    const rest = { quantity: as<never>(1 as never), budget: null, clientOrderId: null, stpMode: 'none' } as const;
    expect(set(desk, 'erin', assets.BTC)).toBe('proposalChanged');
    desk.run({ kind: 'placeOrder', account: people.alice, order: { ...order, ...rest } });
    expect([set(desk, 'erin', assets.BTC), inForce(desk, assets.BTC)]).toEqual(['proposalChanged', null]);
  });

  test.each([0, 1, 3])('is a proposal when a deposit of it has %i confirmations', (confirmations) => {
    const desk = new AdjustmentDesk();
    pay(desk, confirmations);
    expect(set(desk, 'erin', assets.NIL)).toBe('proposalChanged');
    expect([desk.approve('erin'), desk.approve('dan')]).toEqual(['sameOperator', 'proposalChanged']);
    expect(inForce(desk, assets.NIL)).toBe(5n);
  });

  test('is not a later one: lower, removed, or set again after the first has ended', () => {
    const desk = new AdjustmentDesk();
    set(desk, 'erin', assets.NIL);
    expect([set(desk, 'erin', assets.NIL, 4n), remove(desk, assets.NIL)]).toEqual(Array(2).fill('proposalChanged'));
    desk.at += hourMs;
    expect(set(desk, 'erin', assets.NIL, 4n)).toBe('proposalChanged');
    expect(inForce(desk, assets.NIL)).toBeNull();
  });

  test('that is too low is raised by any one operator, and lowered again by two only', () => {
    const desk = new AdjustmentDesk();
    set(desk, 'erin', assets.NIL, 1n);
    pay(desk, 3);
    expect(set(desk, 'dan', assets.NIL, 100n)).toBe('referencePriceSet');
    expect([set(desk, 'erin', assets.NIL, 99n), inForce(desk, assets.NIL)]).toEqual(['proposalChanged', 100n]);
  });

  test('is the same after a restart from an image', () => {
    const desk = new AdjustmentDesk({ adjustFourEyesAbove: null });
    desk.adjust('erin', 'capitalIn', { house: 'capital' }, 1n, assets.NIL);
    desk.adjust('erin', 'correction', { house: 'capital' }, -1n, assets.NIL);
    desk.restore();
    expect(set(desk, 'erin', assets.NIL)).toBe('referencePriceSet');
  });
});
