import type { AssetRules } from '#domain/asset.ts';
import type { DepositAddress, DepositStatus } from '#domain/wallet.ts';
import { refusalError } from '#api/errors.ts';
import { wireLimits } from '#api/limits.ts';
import { depositStatusNumber } from '#api/words.ts';
import type { GatewayContext } from '#gateway/gateway-context.ts';
import { DepositAddressSource } from '#gateway/handlers/deposit-address-source.ts';
import type { Handlers } from '#gateway/handlers/handlers.ts';
import { awaitHistory, windowOf } from '#gateway/handlers/history-window.ts';
import {
  filterAsset,
  listedAsset,
  type NetworkNames,
  networkNames,
  networkOf,
} from '#gateway/handlers/wallet-terms.ts';
import { type HistoryStore, pagedRowsMax, type Where, type Window } from '#history/history-store.ts';
import type { DepositRow } from '#history/wallet-tables.ts';
import { amountText, type SymbolDirectory } from '#projections/symbol-directory.ts';

const { wallet: limits } = wireLimits;

/** An address of an account, as one of an asset. */
const addressEntry = (asset: AssetRules, label: string, { network, address, memo }: DepositAddress) => ({
  coin: asset.code,
  network: label,
  netWork: network,
  address,
  memo,
});

type ShownStatus = keyof typeof depositStatusNumber;
type ShownDeposit = DepositRow & { readonly status: ShownStatus };
const isShown = (row: DepositRow): row is ShownDeposit => row.status !== 'removed';

/** A deposit as its account sees it. Its tag and its memo are one. SPEC-WAL-24. */
function depositEntry(asset: AssetRules, nameOf: NetworkNames, row: ShownDeposit) {
  return {
    amount: amountText(asset, row.amount),
    coin: asset.code,
    network: nameOf(row.asset, row.network),
    status: depositStatusNumber[row.status],
    address: row.address,
    addressTag: row.memo,
    txId: row.txId,
    insertTime: row.insertedAt,
    unlockConfirm: String(row.minConfirm),
    confirmTimes: String(row.confirmations),
    memo: row.memo,
  };
}

/** Rows of one question to history about deposits, newest first. */
interface DepositQuestion {
  readonly where: Where<DepositRow>;
  readonly window: Window;
  readonly limit: number;
}

/** Rows that are looked at together where some are not shown. */
const leastRowsRead = 100;

/** The newest deposits but the removed ones, which nobody is shown. DEC-WAL-77. */
async function shownDeposits(
  history: HistoryStore,
  { where, window, limit }: DepositQuestion,
): Promise<ShownDeposit[]> {
  const read = Math.max(limit, leastRowsRead);
  const shown: ShownDeposit[] = [];
  for (let offset = 0; offset < pagedRowsMax; offset += read) {
    const rows = await history.page('deposits', where, window, { limit: read, offset });
    shown.push(...rows.filter(isShown));
    if (rows.length < read || shown.length >= limit) break;
  }
  return shown.slice(0, limit);
}

/** The newest deposits of several statuses. */
async function depositsOfStatuses(
  history: HistoryStore,
  statuses: readonly DepositStatus[],
  { where, window, limit }: DepositQuestion,
): Promise<ShownDeposit[]> {
  const found = await Promise.all(
    statuses.map((status) => history.page('deposits', { ...where, status }, window, { limit })),
  );
  const rows = found.flat().filter(isShown);
  rows.sort((first, second) => second.insertedAt - first.insertedAt || second.deposit - first.deposit);
  return rows.slice(0, limit);
}

type DepositEndpoint = 'createDepositAddress' | 'depositAddresses' | 'deposits';

/** Handlers of deposit addresses and of deposits. */
export function walletDepositHandlers(
  context: GatewayContext,
  directory: SymbolDirectory,
): Pick<Handlers, DepositEndpoint> {
  const { queries, history, settings } = context;
  const { wallet } = queries;
  const source = new DepositAddressSource(context);
  return {
    createDepositAddress: async (parameters, caller, request) => {
      const asset = listedAsset(directory, parameters.coin, 'coin');
      const asked = { value: parameters.network, parameter: 'network' };
      const network = networkOf(await wallet.networks(), asset, asked);
      if (!network.depositEnabled) throw refusalError('depositsOff');
      const address = await source.addressOf(caller.account.account, network.network, request);
      const entry = addressEntry(asset, network.label, address);
      return settings.modelHabits ? entry : [entry];
    },
    depositAddresses: async (parameters, caller) => {
      const asset = listedAsset(directory, parameters.coin, 'coin');
      const networks = await wallet.networks();
      const asked =
        parameters.network === undefined
          ? networks.filter((network) => network.asset === asset.id)
          : [networkOf(networks, asset, { value: parameters.network, parameter: 'network' })];
      const { account } = caller.account;
      const entries = asked.map(async ({ network, label }) => {
        const address = await wallet.depositAddress(account, network);
        return address === null ? [] : [addressEntry(asset, label, address)];
      });
      return (await Promise.all(entries)).flat();
    },
    deposits: async ({ coin, status, startTime, endTime, limit }, caller) => {
      const where = { account: caller.account.account, ...filterAsset(directory, coin) };
      const now = await awaitHistory(context);
      const { historyWindowDefaultMs: defaultMs, historyReachMs: reachMs } = limits;
      const question = { where, window: windowOf({ startTime, endTime, defaultMs, reachMs }, now), limit };
      const rows =
        status === undefined
          ? await shownDeposits(history, question)
          : await depositsOfStatuses(history, status, question);
      const nameOf = await networkNames(context);
      return rows.map((row) => depositEntry(directory.asset(row.asset), nameOf, row));
    },
  };
}
