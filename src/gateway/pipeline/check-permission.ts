import type { AccountView, ApiKeyView } from '#domain/account.ts';
import { ApiError } from '#api/errors.ts';
import type { Call } from '#gateway/call.ts';
import type { EndpointPlan } from '#gateway/endpoint-plan.ts';
import type { CallerClass } from '#api/endpoint.ts';

function isOfClass(account: AccountView, wanted: CallerClass): boolean {
  switch (wanted) {
    case 'any':
      return true;
    case 'master':
      return account.master === account.account;
    case 'broker':
    case 'affiliate':
      return account.class === wanted;
  }
}

/** 700007 for a key without the endpoint's permission and for an account of another class. SPEC-CNV-13. */
export function checkPermission(call: Call): void {
  const { permission, endpoint } = call.plan as EndpointPlan;
  const key = call.key as ApiKeyView;
  if ((key.permissions & permission) !== permission) throw new ApiError('noPermission');
  const { access } = endpoint;
  if (access.kind === 'signed' && !isOfClass(call.account as AccountView, access.caller))
    throw new ApiError('noPermission');
}
