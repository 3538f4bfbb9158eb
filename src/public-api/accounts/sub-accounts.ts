import type { subAccountEndpoints } from '#public-api/accounts/sub-account-endpoints.ts';
import type { ApiKeyView } from '#model/account.ts';
import { permissionNames } from '#model/permission.ts';
import type { SubAccountView } from '#model/sub-account.ts';
import { wireLimits } from '#http/limits.ts';
import { ApiError } from '#http/errors.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import type { HandlersOf } from '#public-api/handlers.ts';
import {
  makeKey,
  ownSubAccount,
  readBoundAddresses,
  removeKey,
  subAccountsAtMost,
} from '#public-api/accounts/sub-account-keys.ts';
import { submitFor } from '#public-api/submit.ts';
import { amountText, type SymbolDirectory } from '#market-data/symbol-directory.ts';

const { addressesPerKey } = wireLimits.subAccounts;

/** A key as its master sees it, without its secret. SPEC-SUB-03. */
const keyEntry = ({ name }: SubAccountView, key: ApiKeyView) => ({
  subAccount: name,
  note: key.note,
  apiKey: key.accessKey,
  permissions: permissionNames(key.permissions).join(','),
  ip: key.ips.join(','),
  creatTime: key.createdAt,
});

/** Handlers of sub-accounts of a master and of their keys. */
export function subAccountHandlers(
  context: GatewayContext,
  directory: SymbolDirectory,
): HandlersOf<typeof subAccountEndpoints> {
  const { queries } = context;
  return {
    openSubAccount: async ({ subAccount: name, note }, { account: master }, request) => {
      const atMost = subAccountsAtMost(context, master);
      const terms = { master: master.account, name, note, passwordHash: null, atMost };
      await submitFor(context, request, { kind: 'openSubAccount', ...terms }, ['subAccountChanged']);
      return { subAccount: name, note };
    },
    subAccounts: async ({ subAccount: name, isFreeze: isFrozen, page, limit }, { account }) => {
      const asked = { name, isFrozen, offset: (page - 1) * limit, limit };
      const { items } = await queries.subAccounts.page(account.account, asked);
      const statuses = await Promise.all(items.map((item) => queries.statusOf(item.account)));
      const entries = items.map((item, index) => ({
        subAccount: item.name,
        isFreeze: statuses[index] === 'frozen' || statuses[index] === 'closed',
        createTime: item.openedAt,
        uid: String(item.uid),
      }));
      return { subAccounts: entries };
    },
    createSubAccountKey: async ({ subAccount, note, permissions, ip }, { account }, request) => {
      const owner = await ownSubAccount(context, account, subAccount);
      const ips = readBoundAddresses(ip, addressesPerKey);
      const { key, secretKey } = await makeKey(context, request, owner, { note, permissions, ips });
      return { ...keyEntry(owner, key), secretKey };
    },
    subAccountKeys: async ({ subAccount }, { account }) => {
      const owner = await ownSubAccount(context, account, subAccount);
      const keys = await queries.apiKeysOf(owner.account);
      return { subAccount: keys.map((key) => ({ ...keyEntry(owner, key), endTime: key.endsAt })) };
    },
    deleteSubAccountKey: async ({ subAccount, apiKey }, { account }, request) => {
      const owner = await ownSubAccount(context, account, subAccount);
      await removeKey(context, request, owner, apiKey);
      return { subAccount };
    },
    subAccountAssets: async ({ subAccount, accountType }, { account }) => {
      const owner = await ownSubAccount(context, account, subAccount);
      if (accountType === 'futures') throw new ApiError('subsystemNotSupported', { parameter: 'accountType' });
      const balances = await queries.balances(owner.account);
      return {
        balances: balances.map(({ asset: id, free, held }) => {
          const asset = directory.asset(id);
          return { asset: asset.code, free: amountText(asset, free), locked: amountText(asset, held) };
        }),
      };
    },
  };
}
