import type { brokerSubAccountEndpoints } from '#public-api/broker/sub-account-endpoints.ts';
import type { ApiKeyView } from '#model/account.ts';
import { permissionNames } from '#model/permission.ts';
import type { SubAccountView } from '#model/sub-account.ts';
import { refusalError } from '#http/errors.ts';
import { wireLimits } from '#http/limits.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import type { HandlersOf } from '#public-api/handlers.ts';
import { type PasswordHashes, waitForPassword } from '#public-api/broker/password-hashes.ts';
import { makeKey, ownSubAccount, readBoundAddresses, removeKey } from '#public-api/accounts/sub-account-keys.ts';
import { submit, submitFor } from '#public-api/submit.ts';

const { boundAddresses } = wireLimits.broker;

/** A sub-account as its broker sees it. */
const subAccountEntry = ({ name, note, openedAt }: SubAccountView) => ({
  subAccount: name,
  note,
  timestamp: String(openedAt),
});

/** What answers about a key have in common. */
const keyEntry = ({ note, permissions, ips }: ApiKeyView) => ({
  note,
  permissions: permissionNames(permissions).join(','),
  ip: ips.join(','),
});

/** Handlers of sub-accounts of brokers and of their keys. `passwords`: one for all handlers. */
export function brokerSubAccountHandlers(
  context: GatewayContext,
  passwords: PasswordHashes,
): HandlersOf<typeof brokerSubAccountEndpoints> {
  const { queries, settings } = context;
  return {
    openBrokerSubAccount: async ({ subAccount: name, note, password }, caller, request) => {
      const { account: master } = caller.account;
      const terms = { master, name, note, atMost: settings.subAccountsPerBroker };
      const plain = { kind: 'openSubAccount', ...terms, passwordHash: null } as const;
      if (password === undefined) {
        const opened = await submitFor(context, request, plain, ['subAccountChanged']);
        return [subAccountEntry(opened.subAccount)];
      }
      // A password is hashed for what will be opened only.
      const early = await queries.subAccounts.refusalOfOpening(plain);
      if (early !== null) throw refusalError(early);
      const asker = { broker: master, account: master };
      const passwordHash = await waitForPassword(request, passwords.hash(password, asker));
      const received = { receivedMonotonic: context.monotonic.now() };
      const opened = await submitFor(context, received, { ...plain, passwordHash }, ['subAccountChanged']);
      return [subAccountEntry(opened.subAccount)];
    },
    brokerSubAccounts: async ({ subAccount: name, page, limit }, { account: { account } }) => {
      const { items } = await queries.subAccounts.page(account, { name, offset: (page - 1) * limit, limit });
      return items.map(subAccountEntry);
    },
    brokerSubAccountStatus: async ({ subAccount }, { account }) => {
      const owner = await ownSubAccount(context, account, subAccount);
      const status = await queries.statusOf(owner.account);
      return { status: status === 'normal' ? ('1' as const) : ('2' as const) };
    },
    createBrokerKey: async ({ subAccount, note, permissions, ip }, { account }, request) => {
      const owner = await ownSubAccount(context, account, subAccount);
      const ips = readBoundAddresses(ip, boundAddresses);
      const { key, secretKey } = await makeKey(context, request, owner, { note, permissions, ips });
      return {
        subAccount: owner.name,
        ...keyEntry(key),
        apikey: key.accessKey,
        secretKey,
        createTime: key.createdAt,
      };
    },
    brokerKeys: async ({ subAccount }, { account }) => {
      const owner = await ownSubAccount(context, account, subAccount);
      const keys = await queries.apiKeysOf(owner.account);
      return {
        subAccount: keys.map((key) => ({
          ...keyEntry(key),
          apiKey: key.accessKey,
          creatTime: key.createdAt,
          endTime: key.endsAt,
        })),
      };
    },
    deleteBrokerKey: async ({ subAccount, apiKey }, { account }, request) => {
      const owner = await ownSubAccount(context, account, subAccount);
      await removeKey(context, request, owner, apiKey);
      return { subAccount: owner.name };
    },
    enableBrokerFutures: async ({ subAccount }, { account: broker }, request) => {
      const { account, name } = await ownSubAccount(context, broker, subAccount);
      const { events, at } = await submit(context, request, { kind: 'enableFutures', master: broker.account, account });
      for (const event of events)
        if (event.kind === 'commandRefused') throw refusalError(event.reason, undefined, 'subAccount');
      return [{ subAccount: name, isFuturesEnabled: true, timestamp: String(at) }];
    },
  };
}
