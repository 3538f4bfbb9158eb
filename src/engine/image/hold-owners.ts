import { assert } from '#base/assert.ts';
import { holdOwnerNumbers, type HoldOwnerKind } from '#model/hold.ts';
import type { Amount } from '#model/units.ts';
import { noOrder } from '#engine/book/order-table.ts';
import { noHold } from '#engine/ledger/hold-table.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Access to the owners of one kind, each of which stores the id of its hold. */
export interface HoldOwners {
  /** Hold of the owner with this id; `noHold` if there is no such owner or it has no hold. */
  holdOf(id: Amount): number;
  /** Sets the hold of an owner, read from an image. @throws InvariantBroken if there is no such owner. */
  setHold(id: Amount, hold: number): void;
}

/** Owners by the number of their kind. */
export type HoldOwnersByNumber = ReadonlyMap<number, HoldOwners>;

/** Owners of holds, by kind. A new kind of owner is added to images and audits by an entry here. */
export function holdOwnersOf(state: EngineState): HoldOwnersByNumber {
  const owners: Record<HoldOwnerKind, HoldOwners> = {
    order: orderOwners(state),
    withdrawal: withdrawalOwners(state),
    position: positionOwners(state),
  };
  return new Map(
    (Object.keys(holdOwnerNumbers) as HoldOwnerKind[]).map((kind) => [holdOwnerNumbers[kind], owners[kind]]),
  );
}

function orderOwners(state: EngineState): HoldOwners {
  const { orders, numbers } = state.tables;
  const find = (id: Amount): number => (typeof id === 'number' ? numbers.lookup(id) : noOrder);
  return {
    holdOf: (id) => {
      const slot = find(id);
      return slot === noOrder ? noHold : orders.hold(slot);
    },
    setHold: (id, hold) => {
      const slot = find(id);
      assert(slot !== noOrder, `order ${id} has a hold and is there`);
      orders.setHold(slot, hold);
    },
  };
}

const withdrawalOwners = ({ withdrawals }: EngineState): HoldOwners => ({
  holdOf: (id) => withdrawals.holdOf(id),
  setHold: (id, hold) => {
    assert(withdrawals.get(Number(id)) !== null, `withdrawal ${id} has a hold and is there`);
    withdrawals.setHold(Number(id), hold);
  },
});

const positionOwners = ({ positions }: EngineState): HoldOwners => ({
  holdOf: (id) => positions.byHoldOwner(Number(id))?.hold ?? noHold,
  setHold: (id, hold) => {
    const position = positions.byHoldOwner(Number(id));
    assert(position !== null, `position ${id} has a hold and is there`);
    position.hold = hold;
  },
});
