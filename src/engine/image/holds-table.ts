import { assert } from '#base/assert.ts';
import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { readCount } from '#model/codec/field-codec.ts';
import { innerHouse, ledgerSections } from '#model/account.ts';
import type { HoldOwnerNumber } from '#model/hold.ts';
import { toAmount } from '#model/units.ts';
import { holdOwnersOf, type HoldOwners, type HoldOwnersByNumber } from '#engine/image/hold-owners.ts';
import type { StateTable } from '#engine/state/state-table.ts';
import type { EngineState } from '#engine/state/state.ts';

const { innerFrom, sectionSize } = ledgerSections;

/**
 * Holds by kind of owner, then id. Balances and owners are read before them. Audit: the held amount of each balance is
 * the sum of its holds (I3), and every hold is the one that its owner stores.
 */
export function holdsTable(state: EngineState, owners: HoldOwnersByNumber = holdOwnersOf(state)): StateTable {
  return {
    name: 'holds',
    version: 1,
    isInDigest: true,
    write: (writer) => {
      const kinds = [...owners].sort(([first], [second]) => first - second);
      writer.varint(kinds.length);
      let written = 0;
      for (const [kind, ownersOfKind] of kinds) written += writeKind(writer, state, kind, ownersOfKind);
      assert(written === state.holds.count, 'every hold has an owner of a known kind');
    },
    read: (reader) => {
      for (let left = readCount(reader); left > 0; left -= 1) readKind(reader, state, owners);
    },
    audit: (faults) => auditHolds(state, owners, faults),
  };
}

/** Writes all holds of one kind; returns their number. */
function writeKind(writer: ByteWriter, state: EngineState, kind: number, owners: HoldOwners): number {
  const { holds, ledger } = state;
  const ofKind = holds.all().filter((hold) => holds.ownerKind(hold) === kind);
  // Sorting ids is many times faster than sorting holds by their ids.
  const ids = BigInt64Array.from(ofKind, (hold) => BigInt(holds.ownerId(hold))).sort();
  writer.varint(kind);
  writer.varint(ids.length);
  for (const id of ids) {
    const hold = owners.holdOf(toAmount(id));
    assert(holds.isOpen(hold) && BigInt(holds.ownerId(hold)) === id, 'an owner has the hold that is set aside for it');
    const row = holds.row(hold);
    writer.i64(id);
    writer.varint(ledger.accountOf(row));
    writer.varint(ledger.assetOf(row));
    writer.i64(BigInt(holds.amount(hold)));
  }
  return ids.length;
}

function readKind(reader: ByteReader, state: EngineState, owners: HoldOwnersByNumber): void {
  const { accounts, assets, holds, ledger } = state;
  const kind = reader.varint() as HoldOwnerNumber;
  const ownersOfKind = owners.get(kind);
  assert(ownersOfKind !== undefined, `${kind} is the number of a kind of owner`);
  for (let left = readCount(reader); left > 0; left -= 1) {
    const id = toAmount(reader.i64());
    const account = reader.varint();
    const asset = reader.varint();
    const amount = toAmount(reader.i64());
    const isOfUser = account < innerFrom && account % sectionSize < accounts.size;
    assert((isOfUser || account === innerHouse.refunds) && assets.has(asset) && amount >= 0, 'a hold is of a balance');
    ownersOfKind.setHold(id, holds.open(ledger.balances.row(account, asset), amount, { kind, id }));
  }
}

function auditHolds(state: EngineState, owners: HoldOwnersByNumber, faults: string[]): void {
  const { balances } = state.ledger;
  const { holds } = state;
  const held = new Map<number, bigint>();
  for (const hold of holds.all()) {
    const row = holds.row(hold);
    const amount = BigInt(holds.amount(hold));
    held.set(row, (held.get(row) ?? 0n) + amount);
    const owner = `owner ${holds.ownerId(hold)} of kind ${holds.ownerKind(hold)}`;
    if (amount < 0n) faults.push(`the hold of ${owner} is below zero`);
    if (owners.get(holds.ownerKind(hold))?.holdOf(holds.ownerId(hold)) !== hold)
      faults.push(`a hold is not the one that its ${owner} has`);
  }
  for (let row = 0; row < balances.count; row += 1) {
    if (balances.held.get(row) !== (held.get(row) ?? 0n)) {
      const owner = `account ${balances.accountOf(row)}`;
      faults.push(`${owner} holds another amount of asset ${balances.assetOf(row)} than its holds cover`);
    }
  }
}
