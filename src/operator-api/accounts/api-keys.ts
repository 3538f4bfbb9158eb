import type { ApiKeyView } from '#model/account.ts';
import { longPermission, type Permission, permissionNames, permissionSet } from '#model/permission.ts';
import { wireLimits } from '#http/limits.ts';
import { newApiKey, unboundLifeMs } from '#http/new-api-key.ts';
import type { apiKeyEndpoints } from '#operator-api/accounts/api-key-endpoints.ts';
import { accountOfUid } from '#operator-api/accounts/find-account.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { pageByText } from '#operator-api/requests/paging.ts';
import { invalidBody, Problem } from '#operator-api/requests/problems.ts';

const { boundAddresses } = wireLimits.broker;
const keyPattern = /^[A-Za-z0-9]{10,64}$/;

const shown = ({ accessKey, note, permissions, ips, createdAt, endsAt }: ApiKeyView) => ({
  accessKey,
  note,
  permissions: [...permissionNames(permissions)],
  ips: [...ips],
  createdAt,
  endsAt,
});

/** Handlers of API keys. */
export function apiKeyHandlers({
  queries,
  sealApiKey,
  newSecret,
  settings,
}: OperatorContext): HandlersOf<typeof apiKeyEndpoints> {
  return {
    listApiKeys: async ({ path, query }) => {
      const { account } = await accountOfUid(queries, path.uid);
      const keys = [...(await queries.apiKeysOf(account))].sort((one, other) =>
        one.accessKey < other.accessKey ? -1 : 1,
      );
      return pageByText(keys, query, { item: shown, key: ({ accessKey }) => accessKey, pattern: keyPattern });
    },
    createApiKey: async ({ path, body, act }) => {
      const { account, uid, master } = await accountOfUid(queries, path.uid);
      const { accessKey, secretKey } = newApiKey(newSecret);
      const permissions = permissionSet(body.permissions.map((name) => longPermission(name) as Permission));
      const ips = [...new Set(body.ips)];
      const isOfBroker = master !== account && (await queries.account(master))?.class === 'broker';
      if (isOfBroker && ips.length > boundAddresses)
        throw invalidBody('/ips', `must have at most ${boundAddresses}: the account is a customer of a broker`);
      const sealedSecret = sealApiKey(secretKey, { accessKey, uid, permissions, ips });
      const terms = { accessKey, sealedSecret, note: body.note, permissions, ips };
      await act({ kind: 'createApiKey', account, ...terms, unboundLifeMs: unboundLifeMs(settings) });
      const created = await queries.apiKey(accessKey);
      if (created === null) throw new Problem('unknownKey');
      return { ...shown(created), secretKey };
    },
    deleteApiKey: async ({ path, act }) => {
      const { account } = await accountOfUid(queries, path.uid);
      await act({ kind: 'deleteApiKey', account, accessKey: path.accessKey });
      return { accessKey: path.accessKey };
    },
  };
}
