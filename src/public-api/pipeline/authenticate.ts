import type { KeyObject } from 'node:crypto';
import type { AccountView, ApiKeyView } from '#model/account.ts';
import { ApiError, invalidParameter } from '#http/errors.ts';
import { wireLimits } from '#http/limits.ts';
import type { EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import type { Route } from '#public-api/pipeline/route.ts';
import type { Gateway } from '#public-api/gateway.ts';
import type { RequestParameters } from '#public-api/pipeline/parameters.ts';
import { headerSafe } from '#public-api/signing/percent-coding.ts';
import { type SignedParts, isSignature, isSignedBy, signatureOf, signedText } from '#public-api/signing/signature.ts';
import { isAccessKey, isBoundTo } from '#public-api/signing/key-ring.ts';
import type { ClaimVerdict } from '#sequencer/signature-authority.ts';
import type { RequestHeaders } from '#http/request-context.ts';
import type { EndpointLimits } from '#public-api/pipeline/endpoint-limits.ts';

/**
 * The access key from any of its header names. A header sent twice arrives joined and is malformed. An empty header
 * counts as absent, because clients without a key send one. SPEC-CNV-05, DEC-REQ-47.
 */
function accessKeyOf(headers: RequestHeaders, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = headers[name];
    if (value !== undefined && value !== '') return typeof value === 'string' ? value : value.join(',');
  }
  return undefined;
}

/** Its record goes at the next poll; it is not valid until then. DEC-REQ-147. */
const hasEnded = ({ endsAt }: ApiKeyView, now: number): boolean => endsAt !== null && endsAt <= now;

function admitKey(request: EndpointRequest, key: ApiKeyView | null, { limits }: Gateway): void {
  if (key === null || hasEnded(key, request.receivedAt)) throw new ApiError('unknownAccessKey');
  if (limits.isKeyBanned(key.accessKey)) throw new ApiError('unknownAccessKey');
  if (key.ips.length > 0 && !isBoundTo(key, request.client)) {
    throw new ApiError('addressNotAllowed', { why: `IP [${request.client.text}]` });
  }
  request.key = key;
}

/**
 * Finds the API key of a signed request: 400 if there is none, 700001, 10072, also for one that operators banned;
 * 700006 from an address it is not bound to. SPEC-CNV-15, DEC-OPR-176.
 */
export function identifyKey(request: EndpointRequest, gateway: Gateway): void | Promise<void> {
  const accessKey = accessKeyOf(request.headers, gateway.keyHeaders);
  if (accessKey === undefined) throw new ApiError('apiKeyRequired', { why: `send header ${gateway.keyHeaderName}` });
  if (!isAccessKey(accessKey)) throw new ApiError('apiKeyMalformed');
  const found = gateway.context.queries.usableKey(accessKey);
  return found instanceof Promise
    ? found.then((key) => admitKey(request, key, gateway))
    : admitKey(request, found, gateway);
}

const { signing } = wireLimits;
const wholePattern = /^(?:0|[1-9]\d{0,14})$/;
/** However long it is: what is too large is told so. */
const windowPattern = /^(?:0|[1-9]\d*)$/;

/**
 * Checks the timestamp of a signed request against the time when its headers were complete: 10073, 33333, 700005,
 * 700003. SPEC-CNV-12, DEC-REQ-17.
 */
export function checkTime(request: EndpointRequest, { endpointLimits }: Gateway): void {
  const { values } = request.parameters as RequestParameters;
  const { timestamp, recvWindow } = values;
  if (timestamp === undefined || !wholePattern.test(timestamp)) {
    throw new ApiError('invalidRequestTime', { parameter: 'timestamp', why: 'must be whole milliseconds since 1970' });
  }
  let windowMs: number = signing.recvWindowDefaultMs;
  if (recvWindow !== undefined) {
    if (!windowPattern.test(recvWindow)) throw invalidParameter('recvWindow', 'must be whole milliseconds');
    windowMs = Number(recvWindow);
    if (windowMs >= signing.recvWindowBelowMs) throw new ApiError('recvWindowTooLarge');
  }
  const madeAt = Number(timestamp);
  const now = request.receivedAt;
  if (madeAt >= now + signing.aheadBelowMs || now - madeAt > windowMs) throw new ApiError('timestampOutsideWindow');
  if (endpointLimits.signatureReuse.guards(request.route as Route) && isFromBefore(request, endpointLimits, madeAt)) {
    throw new ApiError('timestampOutsideWindow', { why: 'it is from before this server was started' });
  }
}

/**
 * Whether a request may have been served by a process before this one, whose memory of signatures is lost. Where the
 * exchange's clock was set back since, the start is as long ago as it was. DEC-REQ-15.
 */
function isFromBefore(request: EndpointRequest, { servingSince }: EndpointLimits, madeAt: number): boolean {
  const elapsed = request.receivedInWindow - servingSince.inWindow;
  return madeAt < Math.min(servingSince.at, request.receivedAt - elapsed);
}

/** Longest signed text in the sandbox's header, encoded. */
const signedTextMax = 8192;

/**
 * The error of a wrong signature. Only the sandbox returns the expected signed text, to help client authors.
 * DEC-CMP-05.
 */
function invalidSignature(
  request: EndpointRequest,
  { context: { settings, requestObserver: observer } }: Gateway,
  parts: SignedParts,
  secret: KeyObject,
): ApiError {
  const text = signedText(parts);
  if (settings.profile === 'sandbox') {
    request.answerHeaders.push('x-bourse-signed-text', headerSafe(text).slice(0, signedTextMax));
  }
  if (observer?.isOn === true) request.expectedSigning = { text, signature: signatureOf(secret, text) };
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

/**
 * Takes the signature for this request. In a cluster the leader has to grant what a guarded route serves, so that two
 * nodes do not serve the same request, and is told of all else. DEC-REQ-15, DEC-CLU-20.
 */
function takeSignature(request: EndpointRequest, gateway: Gateway): void | Promise<void> {
  const { signatures } = gateway.context;
  const { signatureReuse } = gateway.endpointLimits;
  const { parameters, receivedInWindow } = request;
  const { signature, values } = parameters as RequestParameters;
  const { isMutating, isMoney, takesMoney, methodAndPath: route } = request.route as Route;
  const use = { signature: signature as string, route, isMutating, isMoney, takesMoney };
  if (signatures === undefined || !signatureReuse.guards(use)) {
    if (signatureReuse.isReplay(use, receivedInWindow)) requireGranted('used');
    if (signatureReuse.isOn) signatures?.seen({ signature: bytesOf(use.signature), route });
    return;
  }
  if (signatureReuse.wasUsed(use, receivedInWindow)) requireGranted('used');
  const claim = { signature: bytesOf(use.signature), route, isOnce: takesMoney, madeAt: Number(values['timestamp']) };
  return signatures
    .claim(claim)
    .then(requireGranted, () => requireGranted('tooSoon'))
    .then(() => signatureReuse.remember(use, receivedInWindow));
}

const bytesOf = (signature: string): Uint8Array => Buffer.from(signature, 'hex');

function requireGranted(verdict: ClaimVerdict): void {
  if (verdict === 'used') throw new ApiError('signatureInvalid', { why: 'it was used before' });
  if (verdict === 'fromBefore')
    throw new ApiError('timestampOutsideWindow', { why: 'it is from before the leader began' });
  if (verdict === 'tooSoon') throw new ApiError('serviceUnavailable');
}

function verifyFor(request: EndpointRequest, gateway: Gateway, account: AccountView | null): void | Promise<void> {
  const { signature, bodyKind, bodyText } = request.parameters as RequestParameters;
  const key = request.key as ApiKeyView;
  const parts = { query: request.query, body: bodyText, bodyKind };
  if (account === null) throw new ApiError('unknownAccessKey');
  const secret = gateway.keyRing.secretOf(key, account.uid);
  const isSigned = (signed: SignedParts): boolean => isSignedBy(secret, signature as string, signed);
  if (!isSigned(parts) && !(mayLeaveOutBody(request, gateway) && isSigned({ ...parts, body: '', bodyKind: 'none' }))) {
    throw invalidSignature(request, gateway, parts, secret);
  }
  request.account = account;
  tellEnd(request, key);
  return takeSignature(request, gateway);
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
