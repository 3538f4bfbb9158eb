import type { AccountView, ApiKeyView } from '#model/account.ts';
import { ApiError } from '#http/errors.ts';
import { wireLimits } from '#http/limits.ts';
import type { EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import type { Route } from '#public-api/pipeline/route.ts';
import type { Gateway } from '#public-api/gateway.ts';
import type { RequestParameters } from '#public-api/pipeline/parameters.ts';
import { headerSafe } from '#public-api/signing/percent-coding.ts';
import type { SignedParts } from '#public-api/signing/signature.ts';
import { isSignature, isSignedBy, signedText } from '#public-api/signing/signature.ts';

/** Longest signed text in the sandbox's header, encoded. */
const signedTextMax = 8192;

/**
 * The error of a wrong signature. Only the sandbox returns the expected signed text, to help client authors.
 * DEC-CMP-05.
 */
function invalidSignature(request: EndpointRequest, gateway: Gateway, parts: SignedParts): ApiError {
  if (gateway.context.settings.profile === 'sandbox') {
    request.answerHeaders.push('x-bourse-signed-text', headerSafe(signedText(parts)).slice(0, signedTextMax));
  }
  return new ApiError('signatureInvalid');
}

const brokerPaths = '/api/v3/broker/';
/**
 * Whether it is enough that the query was signed: for JSON POSTs of brokers, where the setting says so. DEC-REQ-51,
 * DEC-SUB-55.
 */
function mayLeaveOutBody({ route, parameters }: EndpointRequest, { context: { settings } }: Gateway): boolean {
  const { method, path } = (route as Route).endpoint;
  const { bodyKind, isQuerySigning } = parameters as RequestParameters;
  const isBrokerPost = method === 'POST' && path.startsWith(brokerPaths);
  return settings.brokerQueryOnlySignature && isBrokerPost && bodyKind === 'json' && isQuerySigning;
}

function verifyFor(request: EndpointRequest, gateway: Gateway, account: AccountView | null): void {
  const { signature, bodyKind, bodyText } = request.parameters as RequestParameters;
  const key = request.key as ApiKeyView;
  const parts = { query: request.query, body: bodyText, bodyKind };
  if (account === null) throw new ApiError('unknownAccessKey');
  const secret = gateway.keyRing.secretOf(key, account.uid);
  const isSigned = (signed: SignedParts): boolean => isSignedBy(secret, signature as string, signed);
  if (!isSigned(parts) && !(mayLeaveOutBody(request, gateway) && isSigned({ ...parts, body: '', bodyKind: 'none' }))) {
    throw invalidSignature(request, gateway, parts);
  }
  const { isMutating, isMoney, takesMoney, methodAndPath } = request.route as Route;
  const use = { signature: signature as string, route: methodAndPath, isMutating, isMoney, takesMoney };
  if (gateway.endpointLimits.signatureReuse.isReplay(use, request.receivedMonotonic)) {
    throw new ApiError('signatureInvalid', { why: 'it was used before' });
  }
  request.account = account;
  tellEnd(request, key);
}

/** Tells whoever signs with a key that ends soon when that is. DEC-REQ-147. */
function tellEnd({ receivedAt, answerHeaders }: EndpointRequest, { endsAt }: ApiKeyView): void {
  if (endsAt === null || endsAt - receivedAt > wireLimits.signing.keyEndToldMs) return;
  answerHeaders.push('x-bourse-key-ends', String(endsAt));
}

/**
 * Verifies the signature: 602 if it is absent or malformed, 700002 if it does not match or was used for another
 * request.
 */
export function verifySignature(request: EndpointRequest, gateway: Gateway): void | Promise<void> {
  const { signature, signatureCount } = request.parameters as RequestParameters;
  if (signatureCount > 1) throw new ApiError('signatureInvalid', { why: 'two signatures were sent' });
  if (!isSignature(signature)) throw new ApiError('signatureMalformed');
  const found = gateway.context.queries.account((request.key as ApiKeyView).account);
  return found instanceof Promise
    ? found.then((account) => verifyFor(request, gateway, account))
    : verifyFor(request, gateway, found);
}
