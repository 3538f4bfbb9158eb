import type { brokerWalletEndpoints } from '#public-api/broker/wallet-endpoints.ts';
import type { AccountId } from '#model/units.ts';
import { wireLimits } from '#http/limits.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { type AddressDesk, addressesOf, type AssetAddress, makeAddress } from '#public-api/wallet/asset-addresses.ts';
import {
  type AskedDeposits,
  depositPage,
  depositTerms,
  ownDeposits,
  subAccountDeposits,
} from '#public-api/wallet/deposit-pages.ts';
import type { HandlersOf } from '#public-api/handlers.ts';
import { awaitHistory, windowOf } from '#public-api/history/history-reads.ts';
import type { PasswordHashes } from '#public-api/broker/password-hashes.ts';
import { requestWithdrawal } from '#public-api/wallet/request-withdrawal.ts';
import { filterAsset, networkNames } from '#public-api/wallet/wallet-parameters.ts';
import { WithdrawalPasswords } from '#public-api/broker/withdrawal-passwords.ts';

const { broker: limits, wallet } = wireLimits;

/** An address as brokers read it. SPEC-BRK-05. */
const addressEntry = ({ asset, label, address }: AssetAddress) => ({
  address: address.address,
  coin: asset.code,
  network: label,
  memo: address.memo,
});

/** Rows of a page. */
const rowsOfPage = (terms: {
  readonly status?: AskedDeposits['statuses'];
  readonly page: number;
  readonly limit: number;
}): AskedDeposits => ({ statuses: terms.status, limit: terms.limit, offset: (terms.page - 1) * terms.limit });

/** Names of sub-accounts by id. */
async function namesOf({ queries }: GatewayContext, accounts: Iterable<AccountId>) {
  const named = [...new Set(accounts)].map(
    async (account) => [account, (await queries.subAccounts.of(account))?.name ?? ''] as const,
  );
  return new Map(await Promise.all(named));
}

/** Handlers of deposits and withdrawals of sub-accounts of brokers. `hashes`: one for all handlers. */
export function brokerWalletHandlers(
  desk: AddressDesk,
  hashes: PasswordHashes,
): HandlersOf<typeof brokerWalletEndpoints> {
  const { context, directory } = desk;
  const { history } = context;
  const passwords = new WithdrawalPasswords(context, hashes);
  return {
    createBrokerDepositAddress: async (asked, caller, request) =>
      addressEntry(await makeAddress(desk, asked, caller, request)),
    brokerDepositAddresses: async ({ coin }, caller) =>
      (await addressesOf(context, directory, { coin }, caller)).map(addressEntry),
    brokerDeposits: async ({ coin, startTime, endTime, ...terms }, caller) => {
      const where = { account: caller.account.account, ...filterAsset(directory, coin) };
      const times = { startTime, endTime, defaultMs: limits.depositsWindowDefaultMs, reachMs: wallet.historyReachMs };
      const window = windowOf(times, await awaitHistory(context));
      const rows = await depositPage(ownDeposits(history, where, window), rowsOfPage(terms));
      const nameOf = await networkNames(context);
      return rows.map((row) => ({
        ...depositTerms(context.walletIds, directory.asset(row.asset), nameOf, row),
        addressTag: row.memo,
      }));
    },
    allBrokerDeposits: async ({ coin, startTime, endTime, ...terms }, caller) => {
      const where = { master: caller.account.account, ...filterAsset(directory, coin) };
      const { allDepositsReachMs: reachMs } = limits;
      const window = windowOf({ startTime, endTime, defaultMs: reachMs, reachMs }, await awaitHistory(context));
      const rows = await depositPage(subAccountDeposits(history, where, window), rowsOfPage(terms));
      const nameOf = await networkNames(context);
      const names = await namesOf(
        context,
        rows.map(({ account }) => account),
      );
      return rows.map((row) => ({
        ...depositTerms(context.walletIds, directory.asset(row.asset), nameOf, row),
        subAccount: names.get(row.account) as string,
        insertTime: row.insertedAt,
      }));
    },
    brokerWithdraw: async ({ network, password, ...terms }, caller, request) => {
      const check = await passwords.checkOf(caller, password, request);
      const asked = { ...terms, network: { value: network, parameter: 'network' } };
      return { id: await requestWithdrawal(context, directory, asked, caller, request, check) };
    },
  };
}
