import type { IncomingMessage } from 'node:http';
import type { ClientAddress } from '#http/client-address.ts';
import type { RateLimits } from '#http/rate-limits.ts';
import type { WeightBudget } from '#http/weight-budget.ts';

/** Headers of a request as Node gives them: names in lower case. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A budget of an address, and the key of its bucket there. */
export interface AddressCharge {
  readonly budget: WeightBudget;
  readonly key: string;
}

/** One request: what came over the wire, from whom and when, and what its answer tells beside its body. */
export class RequestContext {
  readonly method: string;
  /** Path as it came, nothing decoded. */
  readonly path: string;
  /** Raw text behind the first `?`, one character per byte; empty without one. */
  readonly query: string;
  readonly headers: RequestHeaders;
  readonly client: ClientAddress;
  /** When the headers were complete, on the monotonic clock. */
  readonly receivedMonotonic: number;
  /** Bytes of the body as announced, or as they came in chunks. */
  bodyBytes = 0;
  /** The budget of the address that this request was charged to; `null` before that. */
  addressCharge: AddressCharge | null = null;
  /** What the fullest budget that this request was charged to has used. */
  usedWeight: number | null = null;
  /** Seconds to wait, on answers 429, 418 and 403. */
  retryAfterSeconds: number | null = null;
  /** Whether caches may keep the answer. */
  isCacheable = false;
  /** Further headers of the answer, names and values in turn. */
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
  }

  /** Notes what a budget has used now. */
  charge(used: number): void {
    this.usedWeight = Math.max(this.usedWeight ?? 0, used);
  }
}
