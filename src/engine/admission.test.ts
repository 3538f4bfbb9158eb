import { expect, test } from 'vitest';
import type { CommandKind } from '#model/command.ts';
import { tableBounds } from '#model/limits.ts';
import { hasRoomFor } from '#engine/admission.ts';
import { createEngine } from '#engine/create-engine.ts';

const kinds = (state: ReturnType<typeof createEngine>['state'], bounds: Partial<Record<keyof typeof tableBounds, 0>>) =>
  (
    [
      'placeOrder',
      'placeOrders',
      'requote',
      'openAccount',
      'openSubAccount',
      'registerAccount',
      'creditFunds',
      'makeUniversalTransfer',
      'cancelOrder',
      'advanceClock',
      'reportDeposit',
      'reviewDeposit',
      'removeDeposit',
      'requestWithdrawal',
      'cancelWithdrawal',
      'advanceWithdrawal',
      'saveAddress',
      'reducePosition',
      'setLeverage',
    ] as const
  ).filter((kind: CommandKind) => !hasRoomFor(state, { kind }, { ...tableBounds, ...bounds } as typeof tableBounds));

test('DEC-ORD-37: a full table refuses the commands that add to it, and no others', () => {
  const { state } = createEngine();
  const placing = ['placeOrder', 'placeOrders', 'requote', 'reducePosition'];
  const deposits = ['reportDeposit', 'reviewDeposit'];
  expect(kinds(state, {})).toEqual([]);
  expect(kinds(state, { orders: 0 })).toEqual(placing);
  expect(kinds(state, { priceBlocks: 0 })).toEqual(placing);
  expect(kinds(state, { positions: 0 })).toEqual([...placing, 'setLeverage']);
  expect(kinds(state, { holds: 0 })).toEqual([...placing.slice(0, 3), 'requestWithdrawal', 'reducePosition']);
  expect(kinds(state, { accounts: 0 })).toEqual(['openAccount', 'openSubAccount', 'registerAccount']);
  expect(kinds(state, { balances: 0 })).toEqual([
    'placeOrder',
    'placeOrders',
    'requote',
    'creditFunds',
    'makeUniversalTransfer',
    ...deposits,
    'requestWithdrawal',
    'reducePosition',
  ]);
  expect(kinds(state, { withdrawals: 0 })).toEqual(['requestWithdrawal']);
  expect(kinds(state, { savedAddresses: 0 })).toEqual(['saveAddress']);
  expect(kinds(state, { deposits: 0 })).toEqual(deposits);
  expect(kinds(state, { liveDeposits: 0 })).toEqual(['reportDeposit', 'requestWithdrawal']);
});
