import { mayOwe } from '#model/account.ts';
import { readCount } from '#model/codec/field-codec.ts';
import type { AccountId } from '#model/units.ts';
import type { StateTable } from '#engine/state/state-table.ts';
import type { EngineState } from '#engine/state/state.ts';

/**
 * Balances by account, then asset, without rows of zero; wallets of futures and accounts of the house are included.
 * Audit: conservation (I1), no negative balances but of those that may owe (I2).
 */
export function balancesTable(state: EngineState): StateTable {
  const { balances } = state.ledger;
  return {
    name: 'balances',
    version: 1,
    isInDigest: true,
    write: (writer) => {
      const rows: number[] = [];
      for (let row = 0; row < balances.count; row += 1)
        if (balances.free.get(row) !== 0n || balances.held.get(row) !== 0n) rows.push(row);
      rows.sort(
        (first, second) =>
          balances.accountOf(first) - balances.accountOf(second) || balances.assetOf(first) - balances.assetOf(second),
      );
      writer.varint(rows.length);
      for (const row of rows) {
        writer.varint(balances.accountOf(row));
        writer.varint(balances.assetOf(row));
        writer.i64(balances.free.get(row));
        writer.i64(balances.held.get(row));
      }
    },
    read: (reader) => {
      for (let left = readCount(reader); left > 0; left -= 1) {
        const account = reader.varint();
        const row = balances.row(account, reader.varint());
        balances.free.set(row, reader.i64());
        balances.held.set(row, reader.i64());
      }
    },
    audit: (faults) => {
      const assets = state.assets.all();
      const sums = assets.map(() => 0n);
      for (let row = 0; row < balances.count; row += 1) {
        const free = balances.free.get(row);
        const held = balances.held.get(row);
        sums[balances.assetOf(row)]! += free + held;
        const account = balances.accountOf(row) as AccountId;
        if ((free < 0n && !mayOwe(account)) || held < 0n)
          faults.push(`account ${account} is below zero in asset ${balances.assetOf(row)}`);
      }
      sums.forEach((sum, asset) => {
        if (sum !== 0n) faults.push(`asset ${assets[asset]!.code} sums to ${sum}, not to zero`);
      });
    },
  };
}
