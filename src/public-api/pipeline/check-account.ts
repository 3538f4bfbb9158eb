import type { AccountStatus, AccountView } from '#model/account.ts';
import { ApiError } from '#http/errors.ts';
import type { Gateway } from '#public-api/gateway.ts';
import type { EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';

/**
 * Refuses accounts that are not in normal state: 140002 for a frozen sub-account, else 60005. A frozen account may read
 * and cancel, an abnormal one nothing. DEC-REQ-61, DEC-SUB-48.
 */
export function checkAccount(request: EndpointRequest, { context }: Gateway): void | Promise<void> {
  const { account } = request.account as AccountView;
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
