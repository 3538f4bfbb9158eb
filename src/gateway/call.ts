import type { AccountView, ApiKeyView } from '#domain/account.ts';
import type { ClientAddress } from '#gateway/client-address.ts';
import type { EndpointPlan } from '#gateway/endpoint-plan.ts';
import type { RequestParameters } from '#gateway/parameters.ts';
import type { WeightBudget } from '#gateway/weight-budget.ts';

/** Headers of a request as Node gives them: names in lower case. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Who calls a signed endpoint: the account of a key that signed the request. */
export interface Caller {
  readonly account: AccountView;
  readonly key: ApiKeyView;
}

/** What came over the wire, and when. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path as it came, nothing decoded. */
  readonly path: string;
  /** Raw text behind the `?`, one character per byte; empty without one. */
  readonly query: string;
  readonly headers: RequestHeaders;
  readonly client: ClientAddress;
  /** On the exchange's clock, once the headers were complete: what recvWindow is about. */
  readonly receivedAt: number;
  /** The same moment on the monotonic clock: what deadlines are about. */
  readonly receivedMonotonic: number;
}

/** A budget of an address, and the key of its bucket there. */
export interface AddressCharge {
  readonly budget: WeightBudget;
  readonly key: string;
}

/** One request on its way through the pipeline; each stage adds what it found out. */
export class Call {
  readonly request: ReceivedRequest;
  body: Buffer | null = null;
  /** Bytes of the body as announced, or as they came in chunks. */
  bodyBytes = 0;
  /** The budget of the address that this request was charged to; `null` before that. */
  addressCharge: AddressCharge | null = null;
  plan: EndpointPlan | null = null;
  key: ApiKeyView | null = null;
  account: AccountView | null = null;
  parameters: RequestParameters | null = null;
  /** What the fullest budget that this request was charged to has used. */
  usedWeight: number | null = null;
  /** Seconds to wait, on answers 429, 418 and 403. */
  retryAfterSeconds: number | null = null;
  /** Methods that the path knows, on answers 405. */
  allow: string | null = null;
  /** What the server signed, on answers 700002 of a sandbox. */
  signedText: string | null = null;
  /** What the answer tells a browser about pages of other origins: names and values in turn. */
  crossOrigin: readonly string[] = [];
  /** Whether it counts as in flight for its account. */
  isInFlight = false;

  constructor(request: ReceivedRequest) {
    this.request = request;
  }

  charge(used: number): void {
    this.usedWeight = Math.max(this.usedWeight ?? 0, used);
  }
}
