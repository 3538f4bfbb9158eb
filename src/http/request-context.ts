import type { IncomingMessage } from 'node:http';
import type { ClientAddress } from '#http/client-address.ts';
import type { RateLimits } from '#http/rate-limits.ts';
import type { WeightBudget } from '#http/weight-budget.ts';

const slash = 0x2f;
const schemeAndAuthority = /^https?:\/\/[^/?#]+/i;

/**
 * Removes scheme and host from an absolute request target (`GET http://host/path`), which servers must accept by RFC
 * 9112, section 3.2.2. Other targets are returned unchanged. DEC-REQ-48.
 */
export function originForm(target: string): string {
  if (target.charCodeAt(0) === slash) return target;
  const start = schemeAndAuthority.exec(target)?.[0].length ?? 0;
  if (start === 0) return target;
  const rest = target.slice(start);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Headers of a request as Node gives them: names in lower case. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The bucket of a budget that a request was charged to, and its limit. */
export interface AddressCharge {
  readonly budget: WeightBudget;
  readonly key: string;
  readonly limit: number;
}

/** One request: what was received, from which client and when, and the headers that its response needs. */
export class RequestContext {
  readonly method: string;
  /** Path as received, not decoded. */
  readonly path: string;
  /** Raw text behind the first `?`, one character per byte; empty without one. */
  readonly query: string;
  readonly headers: RequestHeaders;
  readonly client: ClientAddress;
  /** When the headers were complete, on the monotonic clock. */
  readonly receivedMonotonic: number;
  /** The same on the clock of rate windows. */
  readonly receivedInWindow: number;
  /** The path of the route, with the names of its parts: for logs, because clients put secrets into paths. */
  routePath: string | null = null;
  /** Size of the body: as announced, or as received if it is chunked. */
  bodyBytes = 0;
  /** The address budget that this request was charged to; `null` before that. */
  addressCharge: AddressCharge | null = null;
  /** Used weight of the fullest budget that this request was charged to. */
  usedWeight: number | null = null;
  /** Value of Retry-After on responses 429, 418 and 403. */
  retryAfterSeconds: number | null = null;
  /** Whether the connection closes after the response: its address is banned or denied. DEC-LIM-100. */
  isLast = false;
  /** Whether caches may store the response. */
  isCacheable = false;
  /** Further headers of the response, names and values in turn. */
  readonly answerHeaders: string[] = [];

  constructor(raw: IncomingMessage, limits: RateLimits) {
    const { url = '' } = raw;
    const mark = url.indexOf('?');
    this.method = raw.method ?? '';
    this.path = mark < 0 ? url : url.slice(0, mark);
    this.query = mark < 0 ? '' : url.slice(mark + 1);
    this.headers = raw.headers;
    this.client = limits.clientOf(raw);
    this.receivedMonotonic = limits.monotonic.now();
    this.receivedInWindow = limits.windows.now();
  }

  /** Records the used weight of a budget. */
  charge(used: number): void {
    this.usedWeight = Math.max(this.usedWeight ?? 0, used);
  }
}
