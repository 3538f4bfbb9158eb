import type { RequestEntry } from '#sandbox/request-log/log-entry.ts';
import type { HideSecrets } from '#sandbox/request-log/without-secrets.ts';

/** What writes a request anew. */
export interface CopyParts {
  readonly hide: HideSecrets;
  /** Name of the header of the access key. */
  readonly keyHeader: string;
  /** Whether a key is one of the demo accounts, whose secrets the sandbox gives to this machine. */
  readonly isDemoKey: (accessKey: string) => boolean;
}

/** Where programs of this machine find the keys of the demo accounts. */
export const demoKeysPath = '/docs/demo-keys.json';

/** Where a request came to. */
export const baseUrlOf = ({ request: { headers } }: RequestEntry): string =>
  `http://${String(headers['host'] ?? 'localhost')}`;

/** The access key with which a request is signed anew; `null`: it needs no signature, or named no key that there is. */
export const signingKeyOf = ({ request: { key, route } }: RequestEntry): string | null =>
  key === null || route?.isSigned !== true ? null : key.accessKey;

/** A request without what signed it, so that whoever has the secret can sign it anew. */
export interface UnsignedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
  readonly contentType: string;
  /** `recvWindow` as it was sent; `null`: it was not. */
  readonly recvWindow: string | null;
}

const signing = new Set(['timestamp', 'signature', 'recvWindow']);
const nameOf = (pair: string): string => pair.split('=', 1)[0] as string;
const withoutSigning = (pairs: string): string =>
  pairs
    .split('&')
    .filter((pair) => pair !== '' && !signing.has(nameOf(pair)))
    .join('&');

/** Members of a JSON body that are no signing; a body that is no object stays as it is. */
function bodyWithoutSigning(body: string, isJson: boolean): string {
  if (!isJson) return withoutSigning(body);
  try {
    const members = JSON.parse(body) as object;
    return JSON.stringify(Object.fromEntries(Object.entries(members).filter(([name]) => !signing.has(name))));
  } catch {
    // It is shown as it came.
    return body;
  }
}

/** What a request asked for, without what signed it and without secrets. */
export function unsignedRequest({ request }: RequestEntry, hide: HideSecrets): UnsignedRequest {
  const { method, path, query, body, headers } = request;
  const text = body?.toString('utf8') ?? '';
  const contentType = String(headers['content-type'] ?? '');
  const window = /(?:^|[&?"])recvWindow(?:=|":\s*"?)(\d+)/.exec(`${query}&${text}`)?.[1] ?? null;
  return {
    method,
    path: hide(path),
    query: hide(withoutSigning(query)),
    body: text === '' ? '' : hide(bodyWithoutSigning(text, contentType.includes('json'))),
    contentType,
    recvWindow: window,
  };
}
