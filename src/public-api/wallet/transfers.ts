import type { walletTransferEndpoints } from '#public-api/wallet/transfer-endpoints.ts';
import { assert } from '#base/assert.ts';
import type { WalletIds } from '#model/wallet-id.ts';
import { ApiError, refusalError } from '#http/errors.ts';
import { wireLimits } from '#http/limits.ts';
import { walletKindWord } from '#http/words.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import type { HandlersOf } from '#public-api/handlers.ts';
import { awaitHistory, windowOf } from '#public-api/history/history-reads.ts';
import { submit } from '#public-api/submit.ts';
import { listedAsset, readAmount } from '#public-api/wallet/wallet-parameters.ts';
import type { Where } from '#history/history-store.ts';
import type { TransferRow } from '#history/tables/wallet-tables.ts';
import { amountText, type SymbolDirectory } from '#market-data/symbol-directory.ts';

const { historyWindowDefaultMs: defaultMs, transferReachMs: reachMs } = wireLimits.wallet;

/** A transfer as its account sees it; it happened at once. SPEC-WAL-26, DEC-WAL-31. */
function transferEntry(ids: WalletIds, directory: SymbolDirectory, row: TransferRow) {
  const asset = directory.asset(row.asset);
  return {
    tranId: ids.text('transfer', row.transfer),
    clientTranId: row.clientTranId,
    asset: asset.code,
    amount: amountText(asset, row.amount),
    fromAccountType: walletKindWord[row.from],
    toAccountType: walletKindWord[row.to],
    symbol: null,
    status: 'SUCCESS' as const,
    timestamp: row.at,
  };
}

/** Handlers of transfers between the wallets of an account. */
export function walletTransferHandlers(
  context: GatewayContext,
  directory: SymbolDirectory,
): HandlersOf<typeof walletTransferEndpoints> {
  const { history, settings, walletIds } = context;
  return {
    transfer: async (parameters, { account: { account } }, request) => {
      const { fromAccountType: from, toAccountType: to, clientTranId = null } = parameters;
      const asset = listedAsset(directory, parameters.asset, 'asset');
      const amount = readAmount(asset, parameters.amount, 'insufficientBalance');
      const command = { kind: 'transferFunds', account, from, to, asset: asset.id, amount, clientTranId } as const;
      const { events } = await submit(context, request, command);
      const result = events.find(
        (event) =>
          event.kind === 'fundsTransferred' || event.kind === 'transferRepeated' || event.kind === 'commandRefused',
      );
      assert(result !== undefined, 'a transfer has an event with its result');
      if (result.kind === 'commandRefused') {
        const { reason } = result;
        throw refusalError(reason, undefined, reason === 'requestIdInUse' ? 'clientTranId' : undefined);
      }
      const answer = { tranId: walletIds.text('transfer', result.transfer.transfer) };
      return settings.modelHabits ? answer : [answer];
    },
    transfers: async ({ fromAccountType: from, toAccountType: to, startTime, endTime, page, size }, caller) => {
      const where: Where<TransferRow> = { account: caller.account.account, from, to };
      const window = windowOf({ startTime, endTime, defaultMs, reachMs }, await awaitHistory(context));
      const asked = { limit: size, offset: (page - 1) * size };
      const [rows, total] = await Promise.all([
        history.page('transfers', where, window, asked),
        history.count('transfers', where, window),
      ]);
      const printed = rows.map((row) => ({
        ...transferEntry(walletIds, directory, row),
        fromSymbol: null,
        toSymbol: null,
      }));
      return { rows: printed, total };
    },
    transferById: async ({ tranId }, caller) => {
      const transfer = walletIds.numberOf('transfer', tranId);
      if (transfer === null) throw new ApiError('recordNotFound', { parameter: 'tranId' });
      const window = windowOf({ defaultMs: reachMs, reachMs }, await awaitHistory(context));
      const where = { account: caller.account.account, transfer };
      const [row] = await history.page('transfers', where, window, { limit: 1 });
      if (row === undefined) throw new ApiError('recordNotFound', { parameter: 'tranId' });
      return transferEntry(walletIds, directory, row);
    },
  };
}
