import * as field from '#operator-api/declaration/fields.ts';
import type { ApiKeyView } from '#model/account.ts';
import {
  longPermission,
  type Permission,
  permissionNames,
  permissionSet,
  permissions,
  shortPermissions,
} from '#model/permission.ts';
import { wireLimits } from '#http/limits.ts';
import { newApiKey, unboundLifeMs } from '#http/new-api-key.ts';
import { accountOfUid } from '#operator-api/accounts/find-account.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { pageByText } from '#operator-api/requests/paging.ts';
import { invalidBody, Problem } from '#operator-api/requests/problems.ts';
import { z } from 'zod';
import { engineLimits } from '#model/limits.ts';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import { operatorLimits } from '#operator-api/declaration/limits.ts';
import { bindingFault } from '#http/client-address.ts';

/** DEC-REQ-148. */
const boundAddress = z.string().superRefine((text, context) => {
  const message = bindingFault(text);
  if (message !== null) context.addIssue({ code: 'custom', message });
});
const members = {
  accessKey: field.accessKey(),
  note: field.text('What it is for.', engineLimits.subAccountNoteLength),
  permissions: z
    .array(field.word(permissions, 'What it may do.'))
    .min(1)
    .max(permissions.length)
    .meta({ description: 'What it may do.' }),
  ips: z
    .array(boundAddress)
    .max(operatorLimits.addressesPerApiKey)
    .meta({ description: 'Addresses or CIDR ranges that may use it; none: any may.', examples: [['203.0.113.7']] }),
};
/** Names as an operator may write them. SPEC-CNV-14. */
const writtenNames = [...permissions, ...shortPermissions] as [string, ...string[]];
const writtenPermissions = z
  .array(field.word(writtenNames, 'What it may do.'))
  .min(1)
  .max(writtenNames.length)
  .meta({ description: 'What it may do; `_R` and `_W` at the end of a name mean `_READ` and `_WRITE`.' });
const created = {
  createdAt: field.moment('When it was created.'),
  endsAt: field.moment('When it ends by itself; null: never.').nullable(),
};
const ofAccount = z.strictObject({ uid: field.uid() });

/** Endpoints of API keys (DEC-OPR-21): those of people are made here, those of sub-accounts by their masters too. */
export const apiKeyEndpoints = {
  listApiKeys: endpoint.get('/v1/accounts/{uid}/api-keys', {
    scope: 'accounts:read',
    name: 'List API keys',
    command: 'keys list',
    summary: 'Keys of an account, without their secrets.',
    parameters: ofAccount,
    query: z.strictObject(field.paging),
    answer: field.page(z.strictObject({ ...members, ...created })),
    problems: ['unknownAccount'],
  }),
  createApiKey: endpoint.post('/v1/accounts/{uid}/api-keys', {
    scope: 'keys:write',
    name: 'Create an API key',
    command: 'keys create',
    summary: 'Makes a key of an account. The answer shows its secret once; only its sealed form is kept.',
    notes:
      'A key of a customer of a broker binds to at most 4 addresses. A repeated Idempotency-Key is refused with 422, ' +
      'because the secret cannot be shown again.',
    parameters: ofAccount,
    body: z
      .strictObject({ note: members.note, permissions: writtenPermissions, ips: members.ips.default([]) })
      .meta({ examples: [{ note: 'trading bot', permissions: ['SPOT_DEAL_READ', 'SPOT_DEAL_WRITE'], ips: [] }] }),
    answer: z.strictObject({
      ...members,
      ...created,
      secretKey: z.string().meta({ description: 'The secret: 32 hex characters.', examples: ['0'.repeat(32)] }),
    }),
    status: 201,
    problems: ['unknownAccount', 'accountClosed', 'tooManyKeys'],
  }),
  deleteApiKey: endpoint.delete('/v1/accounts/{uid}/api-keys/{accessKey}', {
    scope: 'keys:write',
    name: 'Delete an API key',
    command: 'keys delete',
    asksFirst: true,
    summary: 'Makes a key invalid at once.',
    parameters: z.strictObject({ uid: field.uid(), accessKey: field.accessKey() }),
    answer: z.strictObject({ accessKey: field.accessKey() }),
    problems: ['unknownAccount', 'unknownKey'],
  }),
};

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
