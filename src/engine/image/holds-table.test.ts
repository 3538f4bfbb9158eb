import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InvariantBroken } from '#base/assert.ts';
import { ByteReader, ByteWriter } from '#base/bytes.ts';
import { house } from '#model/account.ts';
import type { Command } from '#model/command.ts';
import { createEventRecorder } from '#model/event-record.ts';
import type { HoldOwnerNumber } from '#model/hold.ts';
import { as, toAmount, type AccountId, type Amount, type AssetId } from '#model/units.ts';
import { audit } from '#engine/image/audit.ts';
import { StateMachine } from '#engine/create-engine.ts';
import { holdOwnersOf, type HoldOwners } from '#engine/image/hold-owners.ts';
import { holdsTable } from '#engine/image/holds-table.ts';
import type { StateTable } from '#engine/state/state-table.ts';
import { stateTablesOf } from '#engine/image/state-tables.ts';
import { noHold } from '#engine/ledger/hold-table.ts';
import type { EngineState } from '#engine/state/state.ts';

/** A kind of owner that has no commands yet. */
const transferNumber = 99 as number as HoldOwnerNumber;
const asset = as<AssetId>(0);
const users = [4, 5].map((account) => as<AccountId>(account));

/** Transfers that wait: nothing but their holds. */
class Transfers implements HoldOwners {
  readonly holds = new Map<Amount, number>();
  holdOf(id: Amount): number {
    return this.holds.get(id) ?? noHold;
  }
  setHold(id: Amount, hold: number): void {
    this.holds.set(id, hold);
  }
}

/** An engine with two users, each with 2^60 of an asset, and transfers. */
function createHarness(): { engine: StateMachine; transfers: Transfers; owners: ReturnType<typeof holdOwnersOf> } {
  const engine = new StateMachine();
  const run = (command: Command): void =>
    engine.apply({ seq: as(engine.seq + 1), epoch: as(0), at: as(1), command }, createEventRecorder());
  const fullName = 'asset';
  for (const code of ['BTC', 'USDT'])
    run({
      kind: 'configureAsset',
      asset: { code, fullName, scale: 8, cap: as(10n ** 18n * 4n), coinId: 'c'.repeat(32) },
    });
  for (const account of users) {
    const uid = as<never>((10_000_000 + account) as never);
    const profile = { name: '', master: null, class: 'user', kycLevel: 1, simulated: false } as const;
    run({ kind: 'openAccount', uid, ...profile });
    run({ kind: 'creditFunds', account, asset, amount: as(2n ** 60n) });
  }
  const transfers = new Transfers();
  return { engine, transfers, owners: withTransfers(engine.state, transfers) };
}

const withTransfers = (state: EngineState, transfers: Transfers): ReturnType<typeof holdOwnersOf> =>
  new Map([...holdOwnersOf(state), [transferNumber, transfers]]);

/** All tables of a state, with transfers among the owners of holds. */
const tablesOf = (state: EngineState, transfers: Transfers): StateTable[] =>
  stateTablesOf(state).map((table) =>
    table.name === 'holds' ? holdsTable(state, withTransfers(state, transfers)) : table,
  );

function imageOf(state: EngineState, transfers: Transfers): Uint8Array {
  const writer = new ByteWriter();
  for (const table of tablesOf(state, transfers)) table.write(writer);
  return writer.take();
}

function restored(image: Uint8Array): { engine: StateMachine; transfers: Transfers } {
  const engine = new StateMachine();
  const transfers = new Transfers();
  const reader = new ByteReader(image);
  for (const table of tablesOf(engine.state, transfers)) table.read(reader, table.version);
  return { engine, transfers };
}

function faultsOf(state: EngineState, transfers: Transfers): string[] {
  const faults: string[] = [];
  for (const table of tablesOf(state, transfers)) table.audit(faults);
  return faults;
}

const amount = fc.oneof(
  fc.bigInt({ min: 1n, max: 9n }),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
  fc.bigInt({ min: 1n, max: 2n ** 59n }),
);
const step = fc.record({
  what: fc.constantFrom('open', 'pay', 'release', 'close'),
  user: fc.constantFrom(...users),
  id: fc.oneof(fc.bigInt({ min: 1n, max: 5n }), fc.bigInt({ min: 2n ** 62n, max: 2n ** 62n + 5n })),
  amount,
});

test('holds of a kind with an entry of its own keep their exact amounts through images and audits', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { engine, transfers } = createHarness();
      const { ledger, holds } = engine.state;
      const expected = new Map<Amount, bigint>();
      for (const { what, user, id: anyId, amount: wanted } of steps) {
        const id = toAmount(anyId);
        const hold = transfers.holdOf(id);
        if (what === 'open' && hold === noHold) {
          const row = ledger.balances.row(user, asset);
          if (!ledger.canPay(row, wanted)) continue;
          transfers.setHold(id, ledger.openHold(row, wanted, { kind: transferNumber, id }, 'transfer'));
          expected.set(id, wanted);
        } else if (what !== 'open' && hold !== noHold) {
          const left = expected.get(id)!;
          const part = left === 0n ? 0n : (wanted % left) + 1n;
          if (what === 'close') {
            ledger.closeHold(hold, 'transfer');
            transfers.holds.delete(id);
            expected.delete(id);
          } else if (part > 0n && what === 'release') {
            ledger.release(hold, part, 'transfer');
            expected.set(id, left - part);
          } else if (part > 0n) {
            ledger.payFromHold(hold, part, 'transfer');
            ledger.post(ledger.balances.row(house.outside, asset), part, 'transfer', null);
            expected.set(id, left - part);
          }
        }
        ledger.assertBalanced();
        expect(faultsOf(engine.state, transfers)).toEqual([]);
      }
      expect(holds.count).toBe(expected.size);
      const image = imageOf(engine.state, transfers);
      const again = restored(image);
      expect(faultsOf(again.engine.state, again.transfers)).toEqual([]);
      expect(imageOf(again.engine.state, again.transfers)).toEqual(image);
      for (const [id, left] of expected)
        expect(BigInt(again.engine.state.holds.amount(again.transfers.holdOf(id)))).toBe(left);
      expect(again.engine.state.holds.count).toBe(expected.size);
    }),
    { numRuns: 100 },
  );
});

test('an audit tells of a hold whose owner has another or is not there, and of held money without a hold', () => {
  const { engine, transfers } = createHarness();
  const { ledger } = engine.state;
  const row = ledger.balances.row(users[0]!, asset);
  const owner = { kind: transferNumber, id: 2n ** 62n };
  const hold = ledger.openHold(row, 2n ** 55n, owner, 'transfer');
  const stray = `a hold is not the one that its owner ${2n ** 62n} of kind 99 has`;
  expect(faultsOf(engine.state, transfers)).toEqual([stray]);
  transfers.setHold(owner.id, hold);
  expect(faultsOf(engine.state, transfers)).toEqual([]);
  expect(audit(engine.state)).toEqual([stray]);
  transfers.setHold(owner.id, ledger.openHold(row, 1, owner, 'transfer'));
  expect(faultsOf(engine.state, transfers)).toEqual([stray]);
  ledger.closeHold(transfers.holdOf(owner.id), 'transfer');
  transfers.setHold(owner.id, hold);
  ledger.balances.held.add(row, 1);
  ledger.balances.free.add(row, -1);
  expect(faultsOf(engine.state, transfers)).toEqual(['account 4 holds another amount of asset 0 than its holds cover']);
});

test('an image with holds of a kind that is not known, or of an order that is not there, is not read', () => {
  const { engine, transfers, owners } = createHarness();
  const { ledger } = engine.state;
  const row = ledger.balances.row(users[0]!, asset);
  transfers.setHold(1, ledger.openHold(row, 1, { kind: transferNumber, id: 1 }, 'transfer'));
  expect(() => engine.snapshot()).toThrow(InvariantBroken);
  const writer = new ByteWriter();
  holdsTable(engine.state, owners).write(writer);
  const image = writer.take();
  expect(() => holdsTable(engine.state).read(new ByteReader(image), 1)).toThrow('99 is the number of a kind of owner');
  const orders = new ByteWriter();
  const asOrders = new Map([[1, transfers]]);
  const other = createHarness();
  const id = 99;
  transfers.setHold(id, other.engine.state.holds.open(row, 1, { kind: 1, id }));
  holdsTable(other.engine.state, asOrders).write(orders);
  expect(() => holdsTable(createHarness().engine.state).read(new ByteReader(orders.take()), 1)).toThrow(
    'order 99 has a hold and is there',
  );
});
