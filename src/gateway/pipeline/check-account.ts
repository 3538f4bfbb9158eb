import type { AccountView } from '#domain/account.ts';
import { ApiError } from '#api/errors.ts';
import type { EndpointRequest } from '#gateway/endpoint-request.ts';

/**
 * Refuses accounts that are not in normal state: 140002 for a frozen sub-account, else 60005. Cancels are always
 * allowed.
 */
export function checkAccount(request: EndpointRequest): void {
  const account = request.account as AccountView;
  if (account.status === 'normal' || request.route?.mayBeFrozen === true) return;
  const isFrozenSub = account.status === 'frozen' && account.master !== account.account;
  throw new ApiError(isFrozenSub ? 'subAccountForbidden' : 'accountAbnormal');
}
