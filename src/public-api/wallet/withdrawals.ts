import type { walletWithdrawalEndpoints } from '#public-api/wallet/withdrawal-endpoints.ts';
import type { AssetRules } from '#model/asset.ts';
import type { RejectReason } from '#model/rejection.ts';
import { type TimestampMs, as } from '#model/units.ts';
import type { WalletIds } from '#model/wallet-id.ts';
import type { SavedAddress } from '#model/wallet.ts';
import { type ApiError, refusalError } from '#http/errors.ts';
import { wireLimits } from '#http/limits.ts';
import { withdrawalStatusNumber } from '#http/words.ts';
import type { Caller } from '#public-api/pipeline/endpoint-request.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import type { HandlersOf } from '#public-api/handlers.ts';
import { awaitHistory, windowOf } from '#public-api/history/history-reads.ts';
import { requestWithdrawal } from '#public-api/wallet/request-withdrawal.ts';
import { submit } from '#public-api/submit.ts';
import { filterAsset, type NetworkNames, networkNames, pageNumbers } from '#public-api/wallet/wallet-parameters.ts';
import { refuseWithPassword } from '#public-api/broker/withdrawal-passwords.ts';
import type { WithdrawalRow } from '#history/tables/wallet-tables.ts';
import { amountText, type SymbolDirectory } from '#market-data/symbol-directory.ts';

const { wallet: limits } = wireLimits;
const allTime = { from: as<TimestampMs>(0), to: as<TimestampMs>(Number.MAX_SAFE_INTEGER) };

/** A withdrawal as its account sees it. SPEC-WAL-22, SPEC-WAL-25. */
const withdrawalEntry = (ids: WalletIds, asset: AssetRules, nameOf: NetworkNames, row: WithdrawalRow) => ({
  id: ids.text('withdrawal', row.withdrawal),
  withdrawOrderId: row.withdrawOrderId,
  txId: row.txId,
  coin: asset.code,
  network: nameOf(row.asset, row.network),
  address: row.address,
  amount: amountText(asset, row.amount),
  transferType: row.isInside ? (1 as const) : (0 as const),
  status: withdrawalStatusNumber(row.status),
  transactionFee: amountText(asset, row.fee),
  confirmNo: row.txId === null ? null : row.confirmations,
  applyTime: row.requestedAt,
  updateTime: row.updatedAt,
  remark: row.remark,
  memo: row.memo,
  transHash: row.txId,
  coinId: asset.coinId,
  vcoinId: asset.coinId,
});

const savedEntry = (asset: AssetRules, label: string, saved: SavedAddress) => ({
  coin: asset.code,
  network: label,
  netWork: saved.network,
  address: saved.address,
  addressTag: saved.tag === '' ? null : saved.tag,
  memo: saved.memo,
});

/** Why a withdrawal cannot be cancelled: one that the engine forgot is over, if it was of this account. DEC-WAL-24. */
async function refusedCancel(
  context: GatewayContext,
  { account }: Caller,
  withdrawal: number,
  reason: RejectReason,
): Promise<ApiError> {
  if (reason !== 'unknownWithdrawal') return refusalError(reason);
  await awaitHistory(context);
  const where = { account: account.account, withdrawal };
  const [row] = await context.history.page('withdrawals', where, allTime, { limit: 1 });
  return refusalError(row === undefined ? 'unknownWithdrawal' : 'notCancellable');
}

/** Handlers of withdrawals and of the addresses that an account pays. */
export function walletWithdrawalHandlers(
  context: GatewayContext,
  directory: SymbolDirectory,
): HandlersOf<typeof walletWithdrawalEndpoints> {
  const { queries, history } = context;
  return {
    withdraw: async ({ netWork, ...terms }, caller, request) => {
      await refuseWithPassword(context, caller);
      const asked = { ...terms, network: { value: netWork, parameter: 'netWork' } };
      return { id: await requestWithdrawal(context, directory, asked, caller, request) };
    },
    withdrawApply: async ({ network, ...terms }, caller, request) => {
      await refuseWithPassword(context, caller);
      const asked = { ...terms, network: { value: network, parameter: 'network' } };
      return [{ id: await requestWithdrawal(context, directory, asked, caller, request) }];
    },
    cancelWithdrawal: async ({ id }, caller, request) => {
      const withdrawal = context.walletIds.numberOf('withdrawal', id);
      if (withdrawal === null) throw refusalError('unknownWithdrawal');
      const { account } = caller.account;
      const { events } = await submit(context, request, { kind: 'cancelWithdrawal', account, withdrawal });
      const refusal = events.find((event) => event.kind === 'commandRefused');
      if (refusal !== undefined) throw await refusedCancel(context, caller, withdrawal, refusal.reason);
      return { id };
    },
    withdrawals: async ({ coin, status, limit, startTime, endTime }, caller) => {
      const { account } = caller.account;
      const where = { account, ...filterAsset(directory, coin), ...(status === undefined ? {} : { status }) };
      const now = await awaitHistory(context);
      const { historyWindowDefaultMs: defaultMs, historyReachMs: reachMs } = limits;
      const window = windowOf({ startTime, endTime, defaultMs, reachMs }, now);
      const rows = await history.page('withdrawals', where, window, { limit });
      const nameOf = await networkNames(context);
      return rows.map((row) => withdrawalEntry(context.walletIds, directory.asset(row.asset), nameOf, row));
    },
    savedAddresses: async ({ coin, page, limit = limits.savedAddressesDefault }, caller) => {
      const { asset } = filterAsset(directory, coin);
      const saved = await queries.wallet.savedAddresses(caller.account.account);
      const asked = saved.filter((each) => asset === undefined || each.asset === asset);
      const rows = asked.toReversed().slice((page - 1) * limit, page * limit);
      const nameOf = await networkNames(context);
      return {
        data: rows.map((each) => savedEntry(directory.asset(each.asset), nameOf(each.asset, each.network), each)),
        ...pageNumbers(asked.length, page, limit),
      };
    },
  };
}
