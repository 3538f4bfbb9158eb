import type { AssetRules } from '#model/asset.ts';
import { shownTxId, type WalletIds } from '#model/wallet-id.ts';
import type { DepositStatus } from '#model/wallet.ts';
import { depositStatusNumber } from '#http/words.ts';
import type { NetworkNames } from '#public-api/wallet/wallet-parameters.ts';
import { type HistoryStore, pagedRowsMax, pageRowsMax, type Where, type Window } from '#history/history-store.ts';
import type { DepositRow, SubAccountDepositRow } from '#history/tables/wallet-tables.ts';
import { amountText } from '#market-data/symbol-directory.ts';

/* Deposits as accounts are shown them: those of one account, or of all sub-accounts of a master. */

type ShownStatus = keyof typeof depositStatusNumber;
/** A deposit that may be shown. */
export type Shown<Row extends DepositRow> = Row & { readonly status: ShownStatus };
const isShown = <Row extends DepositRow>(row: Row): row is Shown<Row> => row.status !== 'removed';

/** What every history of deposits tells of one. SPEC-WAL-24. */
export const depositTerms = (ids: WalletIds, asset: AssetRules, nameOf: NetworkNames, row: Shown<DepositRow>) => ({
  amount: amountText(asset, row.amount),
  coin: asset.code,
  network: nameOf(row.asset, row.network),
  status: depositStatusNumber[row.status],
  address: row.address,
  txId: shownTxId(ids, row.txId),
  unlockConfirm: String(row.minConfirm),
  confirmTimes: String(row.confirmations),
});

/** Where deposits are read, and how rows are told there that are wanted. */
export interface DepositSource<Row extends DepositRow> {
  /** `null`: of every status. Newest first. */
  readonly page: (
    status: DepositStatus | null,
    page: { readonly limit: number; readonly offset: number },
  ) => Promise<readonly Row[]>;
  readonly count: (status: DepositStatus) => Promise<number>;
}

/** Deposits of one account. */
export const ownDeposits = (
  history: HistoryStore,
  where: Where<DepositRow>,
  window: Window,
): DepositSource<DepositRow> => ({
  page: (status, page) => history.page('deposits', status === null ? where : { ...where, status }, window, page),
  count: (status) => history.count('deposits', { ...where, status }, window),
});

/** Deposits of all sub-accounts of a master. SPEC-BRK-07. */
export const subAccountDeposits = (
  history: HistoryStore,
  where: Where<SubAccountDepositRow>,
  window: Window,
): DepositSource<SubAccountDepositRow> => ({
  page: (status, page) =>
    history.page('subAccountDeposits', status === null ? where : { ...where, status }, window, page),
  count: (status) => history.count('subAccountDeposits', { ...where, status }, window),
});

/** Rows that are read together where some are not shown. */
const leastRowsRead = 100;

/** Rows of an answer about deposits, newest first. */
export interface AskedDeposits {
  /** `undefined`: all but the removed ones, which nobody is shown. DEC-WAL-77. */
  readonly statuses?: readonly DepositStatus[] | undefined;
  readonly limit: number;
  /** So many shown rows are passed over. */
  readonly offset?: number;
}

/** The deposits that are asked for. Reads `pagedRowsMax` of them at most. */
export function depositPage<Row extends DepositRow>(
  source: DepositSource<Row>,
  { statuses, limit, offset = 0 }: AskedDeposits,
): Promise<readonly Shown<Row>[]> {
  const asked = { limit, offset };
  return statuses === undefined ? shownRows(source, asked) : rowsOfStatuses(source, statuses, asked);
}

interface Place {
  readonly limit: number;
  readonly offset: number;
}

async function shownRows<Row extends DepositRow>(
  source: DepositSource<Row>,
  { limit, offset }: Place,
): Promise<readonly Shown<Row>[]> {
  // Where nothing was removed, the rows before the page need not be read.
  const start = offset > 0 && (await source.count('removed')) === 0 ? offset : 0;
  const last = offset - start + limit;
  const shown: Shown<Row>[] = [];
  const read = Math.min(Math.max(last, leastRowsRead), pageRowsMax);
  for (let at = start; at < pagedRowsMax; at += read) {
    const rows = await source.page(null, { limit: read, offset: at });
    shown.push(...rows.filter(isShown));
    if (rows.length < read || shown.length >= last) break;
  }
  return shown.slice(last - limit, last);
}

async function rowsOfStatuses<Row extends DepositRow>(
  source: DepositSource<Row>,
  statuses: readonly DepositStatus[],
  { limit, offset }: Place,
): Promise<readonly Shown<Row>[]> {
  const [only, ...more] = statuses;
  if (only === undefined) return [];
  if (more.length === 0) return (await source.page(only, { limit, offset })).filter(isShown);
  const last = Math.min(offset + limit, pagedRowsMax);
  const found = await Promise.all(statuses.map((status) => firstRows(source, status, last)));
  const rows = found.flat().filter(isShown);
  rows.sort((first, second) => second.insertedAt - first.insertedAt || second.deposit - first.deposit);
  return rows.slice(offset, offset + limit);
}

/** The newest rows of a status. */
async function firstRows<Row extends DepositRow>(
  source: DepositSource<Row>,
  status: DepositStatus,
  count: number,
): Promise<readonly Row[]> {
  const first: Row[] = [];
  while (first.length < count) {
    const limit = Math.min(pageRowsMax, count - first.length);
    const rows = await source.page(status, { limit, offset: first.length });
    first.push(...rows);
    if (rows.length < limit) break;
  }
  return first;
}
