import { exchange } from '#web/shell/exchange-facts.ts';

/** A refusal of the exchange, or no answer at all (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Whose requests are signed. */
export interface ApiKeys {
  readonly accessKey: string;
  readonly secretKey: string;
}

/** Parameters of a request; what is undefined is left out. */
export type Parameters = Readonly<Record<string, string | number | undefined>>;

/** Methods of the public API. */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

const encoder = new TextEncoder();
const attempts = 3;
const waitMaxMs = 15_000;
const timestampOutsideWindow = 700_003;

/** By how much the exchange's clock is ahead of this machine's; `null`: not asked yet. */
let clockOffset: Promise<number> | null = null;

/** The exchange's time in milliseconds. */
export const exchangeNow = async (): Promise<number> => Date.now() + (await (clockOffset ??= readOffset()));

async function readOffset(): Promise<number> {
  const began = Date.now();
  const { serverTime } = await ask<{ readonly serverTime: number }>('GET', '/api/v3/time', {});
  return serverTime - (began + Date.now()) / 2;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const queryOf = (parameters: Parameters): string =>
  Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');

async function signatureOf(secret: string, text: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  const digest = await crypto.subtle.sign('HMAC', key, encoder.encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function send<Answer>(method: Method, address: string, headers: Record<string, string>): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(address, { method, headers });
  } catch {
    throw new ApiError(0, 0, 'The exchange does not answer.');
  }
  const text = await response.text();
  let body: { readonly code?: number; readonly msg?: string };
  try {
    body = JSON.parse(text);
  } catch {
    throw new ApiError(response.status, 0, `The exchange answered ${response.status}.`);
  }
  if (response.ok) return body as Answer;
  const retryAfter = Number(response.headers.get('retry-after') ?? 0);
  throw Object.assign(new ApiError(response.status, body.code ?? 0, body.msg ?? `Refused: ${response.status}.`), {
    retryAfter,
  });
}

/** How long to wait before asking again; `null`: asking again is of no use. */
function waitAfter(error: unknown, attempt: number): number | null {
  if (!(error instanceof ApiError) || attempt >= attempts) return null;
  const { retryAfter = 0 } = error as ApiError & { readonly retryAfter?: number };
  if (error.status === 429) return retryAfter * 1000 <= waitMaxMs ? retryAfter * 1000 + 100 : null;
  return error.status === 0 || error.status >= 500 ? 400 * attempt : null;
}

/**
 * Asks the public API. What only reads is asked again after a lost answer, and after the wait that the exchange names;
 * what changes something is sent once.
 * @throws ApiError
 */
export async function ask<Answer>(method: Method, path: string, parameters: Parameters): Promise<Answer> {
  const query = queryOf(parameters);
  const base = path.startsWith('/api/v1/contract/') ? exchange.futuresUrl : '';
  const address = `${base}${path}${query === '' ? '' : `?${query}`}`;
  return again(method, () => send<Answer>(method, address, {}));
}

/**
 * As `ask`, signed with the keys. The secret signs here and is never sent. DEC-WEB-06.
 * @throws ApiError
 */
export async function askSigned<Answer>(
  keys: ApiKeys,
  method: Method,
  path: string,
  parameters: Parameters = {},
): Promise<Answer> {
  const once = async (): Promise<Answer> => {
    const query = queryOf({ ...parameters, recvWindow: 30_000, timestamp: Math.round(await exchangeNow()) });
    const signature = await signatureOf(keys.secretKey, query);
    const address = `${path}?${query}&signature=${signature}`;
    return send<Answer>(method, address, { [exchange.keyHeader]: keys.accessKey });
  };
  return again(method, async () => {
    try {
      return await once();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== timestampOutsideWindow) throw error;
      // The exchange's clock may have been moved: nothing happened, so that it may be sent once more.
      clockOffset = null;
      return once();
    }
  });
}

async function again<Answer>(method: Method, once: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once();
    } catch (error) {
      const wait = method === 'GET' ? waitAfter(error, attempt) : null;
      if (wait === null) throw error;
      await sleep(wait);
    }
  }
}

/** What to say of a failed request. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
