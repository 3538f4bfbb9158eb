import type { IncomingMessage } from 'node:http';
import type { AccountView, ApiKeyView } from '#domain/account.ts';
import type { Gateway } from '#gateway/gateway.ts';
import type { RequestParameters } from '#gateway/pipeline/parameters.ts';
import type { Route } from '#gateway/route.ts';
import { RequestContext } from '#http/request-context.ts';

/** Who calls a signed endpoint: the account of a key that signed the request. */
export interface Caller {
  readonly account: AccountView;
  readonly key: ApiKeyView;
}

/** The context of a request on its way through the pipeline; each stage adds what it found out. */
export class EndpointRequest extends RequestContext {
  /** When the headers were complete, on the exchange's clock: what recvWindow is about. */
  readonly receivedAt: number;
  body: Buffer | null = null;
  route: Route | null = null;
  key: ApiKeyView | null = null;
  account: AccountView | null = null;
  parameters: RequestParameters | null = null;
  /** Whether it counts as in flight for its account. */
  isInFlight = false;

  constructor(raw: IncomingMessage, gateway: Gateway) {
    super(raw, gateway.limits);
    this.receivedAt = gateway.context.clock.now();
  }
}
