import type { AccountView, ApiKeyView, AccountStatus } from '#model/account.ts';
import { permissions, permissionSet } from '#model/permission.ts';
import { ApiError } from '#http/errors.ts';
import type { EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import type { Gateway } from '#public-api/gateway.ts';
import type { Route } from '#public-api/pipeline/route.ts';

/**
 * Refuses accounts that are not in normal state: 140002 for a frozen sub-account, else 60005. A frozen account may read
 * and cancel, an abnormal one nothing, nor one that operators banned. DEC-REQ-61, DEC-SUB-48, DEC-OPR-176.
 */
export function checkAccount(request: EndpointRequest, { context, limits }: Gateway): void | Promise<void> {
  const { account } = request.account as AccountView;
  if (limits.isAccountBanned(account)) throw new ApiError('accountAbnormal');
  const found = context.queries.statusOf(account);
  return found instanceof Promise ? found.then((status) => judge(request, status)) : judge(request, found);
}

function judge(request: EndpointRequest, status: AccountStatus): void {
  if (status === 'normal') return;
  const account = request.account as AccountView;
  const isFrozen = status === 'frozen';
  if (isFrozen && request.route?.mayBeFrozen === true) return;
  const isFrozenSub = isFrozen && account.master !== account.account;
  throw new ApiError(isFrozenSub ? 'subAccountForbidden' : 'accountAbnormal');
}

const isOwnMaster = ({ account, master }: AccountView): boolean => account === master;

/** Refuses who is no sub-account of a broker: a broker itself 730003, everybody else 700007. DEC-SUB-15. */
function checkBrokerSub(account: AccountView, gateway: Gateway): void | Promise<void> {
  if (isOwnMaster(account)) throw new ApiError(account.class === 'broker' ? 'unsupportedOperation' : 'noPermission');
  const judge = (master: AccountView | null): void => {
    if (master?.class !== 'broker') throw new ApiError('noPermission');
  };
  const found = gateway.context.queries.account(account.master);
  return found instanceof Promise ? found.then(judge) : judge(found);
}

/** Rights to deposit and withdraw. No sub-account has them but those of brokers, whoever made its key. DEC-SUB-104. */
const chainPermissions = permissionSet(permissions.filter((name) => /^SPOT_(?:WITHDRAW|DEPOSIT)_/.test(name)));

/** Refuses an API key without the permission of the endpoint, and an account of another class: 700007. SPEC-CNV-13. */
export function checkPermission(request: EndpointRequest, gateway: Gateway): void | Promise<void> {
  const { permission } = request.route as Route;
  const key = request.key as ApiKeyView;
  if ((key.permissions & permission) !== permission) throw new ApiError('noPermission');
  const account = request.account as AccountView;
  if ((permission & chainPermissions) === 0 || isOwnMaster(account)) return checkClass(request, gateway);
  const judge = (master: AccountView | null): void | Promise<void> => {
    if (master?.class !== 'broker') throw new ApiError('noPermission');
    return checkClass(request, gateway);
  };
  const found = gateway.context.queries.account(account.master);
  return found instanceof Promise ? found.then(judge) : judge(found);
}

/** Refuses an account of another class than the endpoint asks for. */
function checkClass(request: EndpointRequest, gateway: Gateway): void | Promise<void> {
  const { endpoint } = request.route as Route;
  const account = request.account as AccountView;
  const caller = endpoint.access.kind === 'signed' ? endpoint.access.caller : 'any';
  switch (caller) {
    case 'any':
      return undefined;
    case 'brokerSub':
      return checkBrokerSub(account, gateway);
    case 'master':
      if (!isOwnMaster(account)) throw new ApiError('noPermission');
      return undefined;
    case 'broker':
    case 'affiliate':
      if (account.class !== caller) throw new ApiError('noPermission');
      return undefined;
  }
}
