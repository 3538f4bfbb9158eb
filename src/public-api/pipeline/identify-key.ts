import type { ApiKeyView } from '#model/account.ts';
import { ApiError } from '#http/errors.ts';
import type { EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import type { Gateway } from '#public-api/gateway.ts';
import { isAccessKey, isBoundTo } from '#public-api/signing/key-ring.ts';
import type { RequestHeaders } from '#http/request-context.ts';

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

/** Its record goes at the next look; it is not valid until then. DEC-REQ-147. */
const hasEnded = ({ endsAt }: ApiKeyView, now: number): boolean => endsAt !== null && endsAt <= now;

function admitKey(request: EndpointRequest, key: ApiKeyView | null): void {
  if (key === null || hasEnded(key, request.receivedAt)) throw new ApiError('unknownAccessKey');
  if (key.ips.length > 0 && !isBoundTo(key, request.client)) {
    throw new ApiError('addressNotAllowed', { why: `IP [${request.client.text}]` });
  }
  request.key = key;
}

/**
 * Finds the API key of a signed request: 400 if there is none, 700001, 10072; 700006 from an address it is not bound
 * to. SPEC-CNV-15.
 */
export function identifyKey(request: EndpointRequest, gateway: Gateway): void | Promise<void> {
  const accessKey = accessKeyOf(request.headers, gateway.keyHeaders);
  if (accessKey === undefined) throw new ApiError('apiKeyRequired', { why: `send header ${gateway.keyHeaderName}` });
  if (!isAccessKey(accessKey)) throw new ApiError('apiKeyMalformed');
  const found = gateway.context.queries.apiKey(accessKey);
  return found instanceof Promise ? found.then((key) => admitKey(request, key)) : admitKey(request, found);
}
