import type { AccountView, ApiKeyView } from '#model/account.ts';
import { type Permission, permissionSet } from '#model/permission.ts';
import type { SubAccountView } from '#model/sub-account.ts';
import { ApiError, invalidParameter } from '#http/errors.ts';
import type { EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { submitAccepted, submitFor } from '#public-api/submit.ts';
import { bindingFault, isAddressRange } from '#http/client-address.ts';
import { newApiKey, unboundLifeMs } from '#http/new-api-key.ts';

/*
 * What masters and brokers have in common: the sub-account that a request names, and keys for it.
 */

/** Greatest number of sub-accounts of an account. DEC-SUB-01. */
export const subAccountsAtMost = ({ settings }: GatewayContext, master: AccountView): number =>
  master.class === 'broker' ? settings.subAccountsPerBroker : settings.subAccountsPerMaster;

/**
 * The caller's sub-account of this name. Others' are not found by any name.
 * @throws ApiError 140001 if there is none. DEC-SUB-10.
 */
export async function ownSubAccount(
  { queries }: GatewayContext,
  master: AccountView,
  name: string,
  parameter = 'subAccount',
): Promise<SubAccountView> {
  const found = await queries.subAccounts.named(master.account, name);
  if (found === null) throw new ApiError('unknownSubAccount', { parameter });
  return found;
}

/**
 * Addresses of a list, each once, in the order of the list; none for an absent one. DEC-SUB-10.
 * @throws ApiError 730703 for more than `most`, 730704 for a malformed one, 33333 by DEC-REQ-148.
 */
export function readBoundAddresses(text: string | undefined, most: number): readonly string[] {
  if (text === undefined || text === '') return [];
  const addresses = [...new Set(text.split(',').map((each) => each.trim()))];
  if (addresses.length > most) {
    throw new ApiError('tooManyBoundAddresses', { parameter: 'ip', why: `at most ${most} can be bound` });
  }
  if (addresses.some((each) => !isAddressRange(each))) {
    throw new ApiError('boundAddressMalformed', { parameter: 'ip', why: 'an item is no address and no CIDR range' });
  }
  const fault = addresses.map(bindingFault).find((each) => each !== null);
  if (fault != null) throw invalidParameter('ip', fault);
  return addresses;
}

/** What a new key of a sub-account is asked to be. */
export interface AskedKey {
  readonly note: string;
  readonly permissions: readonly Permission[];
  readonly ips: readonly string[];
}

/**
 * Makes a key of a sub-account. Its secret is sealed before it leaves this call and shown to this caller only. A frozen
 * sub-account gets none. DEC-SUB-12.
 * @throws ApiError 140002 where the sub-account is frozen, 730705 where it has as many keys as an account may have.
 */
export async function makeKey(
  context: GatewayContext,
  request: EndpointRequest,
  { account, uid }: SubAccountView,
  asked: AskedKey,
): Promise<{ readonly key: ApiKeyView; readonly secretKey: string }> {
  if ((await context.queries.statusOf(account)) !== 'normal')
    throw new ApiError('subAccountForbidden', { parameter: 'subAccount' });
  const { note, ips } = asked;
  const permissions = permissionSet(asked.permissions);
  const { accessKey, secretKey } = newApiKey(context.newSecret);
  const sealedSecret = context.sealApiKey(secretKey, { accessKey, uid, permissions, ips });
  const life = unboundLifeMs(context.settings);
  const command = {
    kind: 'createApiKey',
    account,
    accessKey,
    sealedSecret,
    note,
    permissions,
    ips,
    unboundLifeMs: life,
  } as const;
  const { key } = await submitFor(context, request, command, ['apiKeyCreated']);
  return { key, secretKey };
}

/** Removes a key of a sub-account. @throws ApiError 730706 where it has no such key. */
export async function removeKey(
  context: GatewayContext,
  request: EndpointRequest,
  { account }: SubAccountView,
  accessKey: string,
): Promise<void> {
  await submitAccepted(context, request, { kind: 'deleteApiKey', account, accessKey });
}
