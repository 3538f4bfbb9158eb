import { wallClock } from '#base/clock.ts';
import type { ClientOptions, CompleteOptions, FetchFunction } from '#client/client-options.ts';

const byThemselves: Omit<CompleteOptions, 'futuresBaseUrl' | 'wsUrl'> = {
  baseUrl: 'http://127.0.0.1:8080',
  apiKey: '',
  secretKey: '',
  keyHeader: 'X-SVC-APIKEY',
  orderPrefix: 'b-',
  recvWindow: 5000,
  now: () => wallClock.now(),
  answerTimeoutMs: 12_000,
  retries: 3,
  waitsForLimits: true,
  limitWaitMs: 60_000,
  outcomeWaitMs: 20_000,
  encoding: 'protobuf',
  listenKey: '',
  onListenKey: () => {},
  onError: (error) =>
    queueMicrotask(() => {
      throw error;
    }),
  // Browsers insist on a function that is called as a member of the page.
  fetch: (url, request) => (globalThis.fetch as unknown as FetchFunction)(url, request),
  WebSocket: null,
};

const numberBounds: Readonly<Record<string, readonly [min: number, max: number]>> = {
  recvWindow: [1, 59_999],
  answerTimeoutMs: [1, 600_000],
  retries: [0, 20],
  limitWaitMs: [0, 86_400_000],
  outcomeWaitMs: [0, 600_000],
};
/** How each of the others has to be. */
const kinds: Readonly<Record<string, string>> = {
  apiKey: 'string',
  secretKey: 'string',
  waitsForLimits: 'boolean',
  now: 'function',
  listenKey: 'string',
  onListenKey: 'function',
  onError: 'function',
  fetch: 'function',
  WebSocket: 'function',
};
const patterns: Readonly<Record<string, readonly [pattern: RegExp, what: string]>> = {
  baseUrl: [/^https?:\/\/[^/?#]+[^?#]*$/, 'an http address'],
  futuresBaseUrl: [/^https?:\/\/[^/?#]+[^?#]*$/, 'an http address'],
  wsUrl: [/^wss?:\/\/[^/?#]+[^?#]*$/, 'a ws address'],
  keyHeader: [/^[\w-]+$/, 'the name of a header'],
  orderPrefix: [/^[\w-]{0,11}$/, "at most 11 letters, digits, '-' and '_'"],
  encoding: [/^(?:protobuf|json)$/, 'protobuf or json'],
};

/** @throws TypeError by the name of the option that cannot be used. DEC-KIT-85. */
export function completeOptions(options: ClientOptions): CompleteOptions {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  for (const [name, value] of Object.entries(given)) checkOption(name, value);
  const complete = { ...byThemselves, ...given } as CompleteOptions;
  if ((complete.apiKey === '') !== (complete.secretKey === ''))
    throw new TypeError('apiKey and secretKey come together');
  const baseUrl = withoutSlash(complete.baseUrl);
  return {
    ...complete,
    baseUrl,
    futuresBaseUrl: withoutSlash(complete.futuresBaseUrl ?? baseUrl),
    wsUrl: complete.wsUrl ?? `${baseUrl.replace(/^http/, 'ws')}/ws`,
  };
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

function checkOption(name: string, value: unknown): void {
  const [min, max] = own(numberBounds, name) ?? [0, 0];
  const kind = own(kinds, name);
  const [pattern, what] = own(patterns, name) ?? [];
  if (max > 0) {
    if (!Number.isSafeInteger(value) || (value as number) < min || (value as number) > max)
      throw new TypeError(`${name} must be a whole number from ${min} to ${max}`);
  } else if (kind !== undefined) {
    if (typeof value !== kind) throw new TypeError(`${name} must be a ${kind}`);
  } else if (pattern === undefined) throw new TypeError(`there is no option ${name}`);
  else if (typeof value !== 'string' || !pattern.test(value)) throw new TypeError(`${name} must be ${what}`);
}

const own = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;
