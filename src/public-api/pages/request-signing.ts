/**
 * Script of the reference page, served as `/docs/request-signing.js`: signs requests by SPEC-CNV-08 and SPEC-CNV-09,
 * using only what every browser and Node offer.
 */
export const requestSigningScript = String.raw`
/** Which operations of an OpenAPI document need a signature, and the header that carries the access key. */
export function signingRules(document) {
  const signed = new Set();
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, { security = [] }] of Object.entries(operations)) {
      if (security.length > 0) signed.add(method.toUpperCase() + ' ' + path);
    }
  }
  return {
    keyHeader: document.components.securitySchemes.accessKey.name,
    isSigned: (method, path) => signed.has(method + ' ' + path),
  };
}

/** HMAC SHA-256 as lower-case hex. */
async function hmac(secret, text) {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  const digest = await crypto.subtle.sign('HMAC', key, encoder.encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What this script makes itself, and what a form leaves empty. */
const isLeftOut = (pair) => pair === '' || /^(signature=.*|timestamp=|recvWindow=)$/.test(pair);

/**
 * The same request with timestamp, signature and access key. The signature covers the query followed by the body, both
 * as they are sent. A timestamp that the user gave stays.
 */
export async function signRequest(request, { keyHeader, accessKey, secretKey, timestamp }) {
  const address = new URL(request.url);
  const pairs = address.search.slice(1).split('&').filter((pair) => !isLeftOut(pair));
  if (!pairs.some((pair) => pair.startsWith('timestamp='))) pairs.push('timestamp=' + timestamp);
  const query = pairs.join('&');
  const body = await request.text();
  address.search = query + '&signature=' + (await hmac(secretKey, query + body));
  const headers = new Headers(request.headers);
  headers.set(keyHeader, accessKey);
  return new Request(address, {
    method: request.method,
    headers,
    body: body === '' ? undefined : body,
    signal: request.signal,
  });
}
`;
