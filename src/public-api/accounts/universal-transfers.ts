import type { universalTransferEndpoints } from '#public-api/accounts/sub-account-endpoints.ts';
import type { brokerTransferEndpoints } from '#public-api/broker/transfer-endpoints.ts';
import type { AccountView } from '#model/account.ts';
import type { AccountId } from '#model/units.ts';
import type { WalletKind } from '#model/wallet.ts';
import { wireLimits } from '#http/limits.ts';
import { walletKindWord } from '#http/words.ts';
import type { EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import type { HandlersOf } from '#public-api/handlers.ts';
import { awaitHistory, windowOf } from '#public-api/history/history-reads.ts';
import { ownSubAccount } from '#public-api/accounts/sub-account-keys.ts';
import { submitFor } from '#public-api/submit.ts';
import { listedAsset, readAmount } from '#public-api/wallet/wallet-parameters.ts';
import type { Where } from '#history/history-store.ts';
import type { UniversalTransferRow } from '#history/tables/rebate-tables.ts';
import { amountText, type SymbolDirectory } from '#market-data/symbol-directory.ts';

/* Transfers between a master, or a broker, and its sub-accounts. */

const { historyWindowDefaultMs: defaultMs, transferReachMs: reachMs } = wireLimits.wallet;

/** The two wallets that a request names. */
interface Sides {
  readonly fromAccount?: string | undefined;
  readonly toAccount?: string | undefined;
  readonly fromAccountType: WalletKind;
  readonly toAccountType: WalletKind;
}

/** A transfer as it is asked for. */
interface AskedTransfer extends Sides {
  readonly asset: string;
  readonly amount: string;
  readonly clientTranId?: string | undefined;
}

/** Which transfers are asked for. */
interface AskedTransfers extends Sides {
  readonly clientTranId?: string | undefined;
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
  readonly page: number;
  readonly limit: number;
}

/**
 * The account that one side of a transfer names: a sub-account of the master by its name, or the master itself, which
 * need not be named and else is named by its uid. DEC-SUB-51.
 * @throws ApiError 140001 for any other name.
 */
async function accountOfSide(
  context: GatewayContext,
  master: AccountView,
  name: string | undefined,
  parameter: 'fromAccount' | 'toAccount',
): Promise<AccountId> {
  if (name === undefined) return master.account;
  if (name !== String(master.uid)) return (await ownSubAccount(context, master, name, parameter)).account;
  return (await context.queries.subAccounts.named(master.account, name))?.account ?? master.account;
}

/** Moves money between wallets; answers the public id of the transfer. @throws ApiError if it is refused. */
async function transferBetween(
  context: GatewayContext,
  directory: SymbolDirectory,
  master: AccountView,
  { fromAccount, toAccount, ...terms }: AskedTransfer,
  request: EndpointRequest,
): Promise<{ readonly tranId: string }> {
  const from = await accountOfSide(context, master, fromAccount, 'fromAccount');
  const to = await accountOfSide(context, master, toAccount, 'toAccount');
  const asset = listedAsset(directory, terms.asset, 'asset');
  const amount = readAmount(asset, terms.amount, 'insufficientBalance');
  const { fromAccountType: fromWallet, toAccountType: toWallet, clientTranId = null } = terms;
  const wallets = { master: master.account, from, fromWallet, to, toWallet };
  const command = { kind: 'makeUniversalTransfer', ...wallets, asset: asset.id, amount, clientTranId } as const;
  const results = ['universalTransferMade', 'universalTransferRepeated'] as const;
  const names = { requestIdInUse: 'clientTranId', futuresNotEnabled: 'toAccount' };
  const { transfer } = await submitFor(context, request, command, results, names);
  return { tranId: context.walletIds.text('universalTransfer', transfer.transfer) };
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

/** Transfers as their master sees them, newest first; each happened at once. SPEC-SUB-08, DEC-SUB-02. */
async function transfersBetween(
  context: GatewayContext,
  directory: SymbolDirectory,
  master: AccountView,
  { fromAccount, toAccount, startTime, endTime, page, limit, ...terms }: AskedTransfers,
) {
  const { fromAccountType: fromWallet, toAccountType: toWallet, clientTranId } = terms;
  const where: Where<UniversalTransferRow> = {
    master: master.account,
    fromWallet,
    toWallet,
    ...(fromAccount === undefined ? {} : { from: await accountOfSide(context, master, fromAccount, 'fromAccount') }),
    ...(toAccount === undefined ? {} : { to: await accountOfSide(context, master, toAccount, 'toAccount') }),
    ...(clientTranId === undefined ? {} : { clientTranId }),
  };
  const window = windowOf({ startTime, endTime, defaultMs, reachMs }, await awaitHistory(context));
  const asked = { limit, offset: (page - 1) * limit };
  const rows = await context.history.page('universalTransfers', where, window, asked);
  const names = await accountNames(
    context,
    rows.flatMap(({ from, to }) => [from, to]),
  );
  return rows.map((row) => {
    const asset = directory.asset(row.asset);
    return {
      tranId: context.walletIds.text('universalTransfer', row.transfer),
      fromAccount: names.get(row.from) as string,
      toAccount: names.get(row.to) as string,
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

/** Handlers of transfers between a master, or a broker, and its sub-accounts. */
export function universalTransferHandlers(
  context: GatewayContext,
  directory: SymbolDirectory,
): HandlersOf<typeof universalTransferEndpoints & typeof brokerTransferEndpoints> {
  return {
    universalTransfer: (terms, { account }, request) => transferBetween(context, directory, account, terms, request),
    universalTransfers: (terms, { account }) => transfersBetween(context, directory, account, terms),
    brokerTransfer: (terms, { account }, request) => transferBetween(context, directory, account, terms, request),
    brokerTransfers: (terms, { account }) => transfersBetween(context, directory, account, terms),
  };
}
