import type { AccountView, ApiKeyView } from '#domain/account.ts';
import { ApiError } from '#api/errors.ts';
import type { EndpointRequest } from '#gateway/endpoint-request.ts';
import type { Route } from '#gateway/route.ts';
import type { CallerClass } from '#api/endpoint.ts';

function isOfClass(account: AccountView, wanted: CallerClass): boolean {
  switch (wanted) {
    case 'any':
      return true;
    case 'master':
      return account.master === account.account;
    case 'brokerSub':
      return account.master !== account.account;
    case 'broker':
    case 'affiliate':
      return account.class === wanted;
  }
}

/** Refuses an API key without the permission of the endpoint, and an account of another class: 700007. SPEC-CNV-13. */
export function checkPermission(request: EndpointRequest): void {
  const { permission, endpoint } = request.route as Route;
  const key = request.key as ApiKeyView;
  if ((key.permissions & permission) !== permission) throw new ApiError('noPermission');
  const { access } = endpoint;
  if (access.kind === 'signed' && !isOfClass(request.account as AccountView, access.caller))
    throw new ApiError('noPermission');
}
