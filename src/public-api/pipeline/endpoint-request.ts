import type { IncomingMessage } from 'node:http';
import type { AccountView, ApiKeyView } from '#model/account.ts';
import type { Gateway } from '#public-api/gateway.ts';
import type { RequestParameters } from '#public-api/pipeline/parameters.ts';
import type { Route } from '#public-api/pipeline/route.ts';
import type { ExpectedSigning, ObservedRequest } from '#http/request-observation.ts';
import { RequestContext } from '#http/request-context.ts';

/** The caller of a signed endpoint: the account and the API key that signed the request. */
export interface Caller {
  readonly account: AccountView;
  readonly key: ApiKeyView;
}

/** The context of a request in the pipeline; each stage adds its results. */
export class EndpointRequest extends RequestContext implements ObservedRequest {
  /**
   * When the headers were complete, on the exchange's clock; recvWindow is measured from here. Of one that a sandbox
   * holds back, when it is let go.
   */
  receivedAt: number;
  body: Buffer | null = null;
  route: Route | null = null;
  key: ApiKeyView | null = null;
  account: AccountView | null = null;
  parameters: RequestParameters | null = null;
  refusal: string | null = null;
  expectedSigning: ExpectedSigning | null = null;
  /** Whether it is counted as in flight for its account. */
  isInFlight = false;

  constructor(raw: IncomingMessage, gateway: Gateway) {
    super(raw, gateway.limits);
    this.receivedAt = gateway.context.clock.now();
  }
}
