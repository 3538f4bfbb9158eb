import type { AccountView } from '#domain/account.ts';
import type { AccountId } from '#domain/units.ts';
import { walletIdText } from '#domain/wallet-id.ts';
import { wireLimits } from '#api/limits.ts';
import { walletKindWord } from '#api/words.ts';
import type { GatewayContext } from '#gateway/gateway-context.ts';
import type { Handlers } from '#gateway/handlers/handlers.ts';
import { awaitHistory, windowOf } from '#gateway/handlers/history-window.ts';
import { ownSubAccount } from '#gateway/handlers/sub-account-keys.ts';
import { submitFor } from '#gateway/handlers/submit.ts';
import { listedAsset, readAmount } from '#gateway/handlers/wallet-terms.ts';
import type { Where } from '#history/history-store.ts';
import type { UniversalTransferRow } from '#history/rebate-tables.ts';
import { amountText, type SymbolDirectory } from '#projections/symbol-directory.ts';

const { historyWindowDefaultMs: defaultMs, transferReachMs: reachMs } = wireLimits.wallet;

/**
 * The account that one side of a transfer names: a sub-account of the master by its name, or the master itself, which
 * need not be named and else is named by its uid. DEC-SUB-51.
 * @throws ApiError 140001 for any other name.
 */
export async function transferSide(
  context: GatewayContext,
  master: AccountView,
  name: string | undefined,
  parameter: 'fromAccount' | 'toAccount',
): Promise<AccountId> {
  if (name === undefined) return master.account;
  if (name !== String(master.uid)) return (await ownSubAccount(context, master, name, parameter)).account;
  return (await context.queries.subAccounts.named(master.account, name))?.account ?? master.account;
}

/** How accounts of transfers are named: sub-accounts by name, the master by its uid. DEC-SUB-51. */
async function accountNames(
  { queries }: GatewayContext,
  accounts: Iterable<AccountId>,
): Promise<ReadonlyMap<AccountId, string>> {
  const names = [...new Set(accounts)].map(async (account): Promise<[AccountId, string]> => {
    const named = await queries.subAccounts.of(account);
    return [account, named?.name ?? String((await queries.account(account))?.uid ?? '')];
  });
  return new Map(await Promise.all(names));
}

/**
 * Transfers as their master sees them; each happened at once. SPEC-SUB-08, DEC-SUB-02.
 */
export async function universalTransferEntries(
  context: GatewayContext,
  directory: SymbolDirectory,
  rows: readonly UniversalTransferRow[],
) {
  const names = await accountNames(
    context,
    rows.flatMap(({ from, to }) => [from, to]),
  );
  return rows.map((row) => {
    const asset = directory.asset(row.asset);
    return {
      tranId: walletIdText('universalTransfer', row.transfer),
      fromAccount: names.get(row.from) ?? '',
      toAccount: names.get(row.to) ?? '',
      clientTranId: row.clientTranId,
      asset: asset.code,
      amount: amountText(asset, row.amount),
      fromAccountType: walletKindWord[row.fromWallet],
      toAccountType: walletKindWord[row.toWallet],
      fromSymbol: null,
      toSymbol: null,
      status: 'SUCCESS' as const,
      timestamp: row.at,
    };
  });
}

/** Handlers of transfers between a master and its sub-accounts. */
export function universalTransferHandlers(
  context: GatewayContext,
  directory: SymbolDirectory,
): Pick<Handlers, 'universalTransfer' | 'universalTransfers'> {
  return {
    universalTransfer: async ({ fromAccount, toAccount, ...terms }, { account: master }, request) => {
      const from = await transferSide(context, master, fromAccount, 'fromAccount');
      const to = await transferSide(context, master, toAccount, 'toAccount');
      const asset = listedAsset(directory, terms.asset, 'asset');
      const amount = readAmount(asset, terms.amount, 'insufficientBalance');
      const { fromAccountType: fromWallet, toAccountType: toWallet, clientTranId = null } = terms;
      const command = {
        kind: 'makeUniversalTransfer',
        master: master.account,
        from,
        fromWallet,
        to,
        toWallet,
        asset: asset.id,
        amount,
        clientTranId,
      } as const;
      const results = ['universalTransferMade', 'universalTransferRepeated'] as const;
      const names = { requestIdInUse: 'clientTranId' };
      const { transfer } = await submitFor(context, request, command, results, names);
      return { tranId: walletIdText('universalTransfer', transfer.transfer) };
    },
    universalTransfers: async ({ fromAccount, toAccount, startTime, endTime, page, limit, ...terms }, caller) => {
      const { account: master } = caller;
      const { fromAccountType: fromWallet, toAccountType: toWallet, clientTranId } = terms;
      const where: Where<UniversalTransferRow> = {
        master: master.account,
        fromWallet,
        toWallet,
        ...(fromAccount === undefined ? {} : { from: await transferSide(context, master, fromAccount, 'fromAccount') }),
        ...(toAccount === undefined ? {} : { to: await transferSide(context, master, toAccount, 'toAccount') }),
        ...(clientTranId === undefined ? {} : { clientTranId }),
      };
      const window = windowOf({ startTime, endTime, defaultMs, reachMs }, await awaitHistory(context));
      const asked = { limit, offset: (page - 1) * limit };
      const rows = await context.history.page('universalTransfers', where, window, asked);
      return universalTransferEntries(context, directory, rows);
    },
  };
}
