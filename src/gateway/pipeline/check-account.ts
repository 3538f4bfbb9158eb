import type { AccountView } from '#domain/account.ts';
import { ApiError } from '#api/errors.ts';
import type { Call } from '#gateway/call.ts';

/** Refuses accounts that may not act: 140002 for a frozen sub-account, else 60005. Cancels are always allowed. */
export function checkAccount(call: Call): void {
  const account = call.account as AccountView;
  if (account.status === 'normal' || call.plan?.mayBeFrozen === true) return;
  const isFrozenSub = account.status === 'frozen' && account.master !== account.account;
  throw new ApiError(isFrozenSub ? 'subAccountForbidden' : 'accountAbnormal');
}
