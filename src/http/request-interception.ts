import type { AccountId } from '#model/units.ts';
import type { Answer } from '#http/refusal.ts';

/*
 * The port through which a sandbox touches requests and their answers. Production has nothing behind it.
 */

/** A request to an endpoint before its parameters and its signature are checked. */
export interface InterceptedRequest {
  readonly method: string;
  /** As received, not decoded. */
  readonly path: string;
  /** As received, not decoded. */
  readonly query: string;
  readonly bodyBytes: number;
  /** The key of a signed endpoint, which exists, and its account; the signature is not checked yet. */
  readonly accessKey: string | null;
  readonly account: AccountId | null;
  /** The pairs and contracts that it names. */
  readonly pairs: () => readonly string[];
}

/** What a client gets instead of the usual answer. */
export type Delivery =
  /** `cutAfter`: so many bytes of the body are sent, then the connection is cut; `null`: all of it. */
  | { readonly kind: 'answer'; readonly answer: Answer; readonly cutAfter: number | null }
  /** A failure, in the form of the endpoint. */
  | {
      readonly kind: 'failure';
      readonly status: number;
      readonly code: number;
      readonly message: string;
      readonly retryAfterSeconds: number | null;
    }
  /** The connection is cut without an answer. */
  | { readonly kind: 'nothing' };

/** How one request is served instead of as usual. */
export interface Interception {
  /** Id of what touches it, for the header of the answer. */
  readonly fault: string;
  /** `serve` carries the request out as usual; it is called at most once. */
  deliver(serve: () => Answer | Promise<Answer>): Promise<Delivery>;
}

/** Touches requests to endpoints. */
export interface RequestInterceptor {
  /** Whether there is anything that touches requests: without it they are not shown. */
  readonly isArmed: boolean;
  /** How a request is to be served; `null`: as usual. */
  intercept(request: InterceptedRequest): Interception | null;
}

/** Header of an answer that was touched, with the id of what touched it. */
export const faultHeader = 'x-bourse-fault';
