import type { AccountView } from '#domain/account.ts';
import { ApiError } from '#api/errors.ts';
import type { EndpointRequest } from '#gateway/endpoint-request.ts';

/**
 * Refuses accounts that are not in normal state: 140002 for a frozen sub-account, else 60005. A frozen account may read
 * and cancel, an abnormal one nothing. DEC-REQ-61, DEC-SUB-48.
 */
export function checkAccount(request: EndpointRequest): void {
  const account = request.account as AccountView;
  if (account.status === 'normal') return;
  const isFrozen = account.status === 'frozen';
  if (isFrozen && request.route?.mayBeFrozen === true) return;
  const isFrozenSub = isFrozen && account.master !== account.account;
  throw new ApiError(isFrozenSub ? 'subAccountForbidden' : 'accountAbnormal');
}
