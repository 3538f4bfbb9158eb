import type { AccountId, AssetId } from '#model/units.ts';
import { type AccountRange, type BalancePage, pageRowsMax } from '#history/history-store.ts';
import type { SqliteConnection } from '#history/sqlite/sqlite-connection.ts';
import type { LedgerBalance, LedgerMoment } from '#history/tables/ledger-tables.ts';

const lines = 'ledgerLines INDEXED BY ledger_lines_by_asset';
const nextAsset = `SELECT min(asset) FROM ${lines} WHERE asset > ?`;
const nextAccount = `SELECT min(account) FROM ${lines} WHERE asset = ? AND account > ? AND account <= ?`;
// Positions rise with time: only lines behind the position are passed over, those since the question was asked.
const lastBalance = `SELECT CAST(balance AS TEXT) FROM ${lines}
  WHERE asset = ? AND account = ? AND at <= ? AND seq <= ? ORDER BY at DESC, seq DESC, line DESC LIMIT 1`;

/**
 * Balances of ledger accounts as of a moment, by asset, then account. Steps from one asset and account to the next in
 * the index, and to the last line of each: what it takes does not grow with the number of lines.
 * @throws RangeError for a page of no rows, or of too many.
 */
export function storedBalances(
  database: SqliteConnection,
  { from, to }: AccountRange,
  { at, seq }: LedgerMoment,
  { limit, after }: BalancePage,
): LedgerBalance[] {
  if (!(limit >= 1 && limit <= pageRowsMax)) throw new RangeError(`a page of history has 1 to ${pageRowsMax} rows`);
  const found: LedgerBalance[] = [];
  const first = (sql: string, values: readonly number[]): number | string | null =>
    (database.one(sql, values)?.[0] ?? null) as number | string | null;
  let asset = after === null ? (first(nextAsset, [-1]) as number | null) : after.asset;
  let account = after === null ? from - 1 : after.account;
  while (asset !== null && found.length < limit) {
    const next = first(nextAccount, [asset, account, to]) as number | null;
    if (next === null) {
      asset = first(nextAsset, [asset]) as number | null;
      account = from - 1;
      continue;
    }
    account = next;
    const balance = first(lastBalance, [asset, account, at, seq]);
    found.push({ asset: asset as AssetId, account: account as AccountId, balance: BigInt(balance ?? 0) });
  }
  return found;
}
