import type { AccountView, ApiKeyView } from '#domain/account.ts';
import { ApiError } from '#api/errors.ts';
import type { Call } from '#gateway/call.ts';
import type { EndpointPlan } from '#gateway/endpoint-plan.ts';
import type { Gateway } from '#gateway/gateway.ts';
import type { RequestParameters } from '#gateway/parameters.ts';
import { headerSafe } from '#gateway/percent-coding.ts';
import type { SignedParts } from '#gateway/signature.ts';
import { isSignature, isSignedBy, signedText } from '#gateway/signature.ts';

/** Longest text that the sandbox's header carries, encoded. */
const signedTextMax = 8192;

/** Only a sandbox tells what it signed: it helps who writes a client, and nobody else. DEC-CMP-05. */
function invalidSignature(call: Call, gateway: Gateway, parts: SignedParts): ApiError {
  if (gateway.context.settings.profile === 'sandbox') {
    call.signedText = headerSafe(signedText(parts)).slice(0, signedTextMax);
  }
  return new ApiError('signatureInvalid');
}

function verifyFor(call: Call, gateway: Gateway, account: AccountView | null): void {
  const { signature, bodyKind, bodyText } = call.parameters as RequestParameters;
  const key = call.key as ApiKeyView;
  const parts = { query: call.request.query, body: bodyText, bodyKind };
  if (account === null) throw new ApiError('unknownAccessKey');
  if (!isSignedBy(gateway.keyRing.secretOf(key, account.uid), signature as string, parts)) {
    throw invalidSignature(call, gateway, parts);
  }
  const { isMutating, isMoney, route } = call.plan as EndpointPlan;
  const use = { signature: signature as string, route, isMutating, isMoney };
  if (gateway.admission.signatureReuse.isReplay(use, call.request.receivedMonotonic)) {
    throw new ApiError('signatureInvalid', { why: 'it was used for another request' });
  }
  call.account = account;
}

/** Checks the signature: 602 when it is absent or malformed, 700002 when it does not match or was used elsewhere. */
export function verifySignature(call: Call, gateway: Gateway): void | Promise<void> {
  const { signature, signatureCount } = call.parameters as RequestParameters;
  if (signatureCount > 1) throw new ApiError('signatureInvalid', { why: 'two signatures were sent' });
  if (!isSignature(signature)) throw new ApiError('signatureMalformed');
  const found = gateway.context.queries.account((call.key as ApiKeyView).account);
  return found instanceof Promise
    ? found.then((account) => verifyFor(call, gateway, account))
    : verifyFor(call, gateway, found);
}
