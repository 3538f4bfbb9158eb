import type { ApiKeyView } from '#model/account.ts';
import type { RequestContext } from '#http/request-context.ts';

/*
 * The port through which a sandbox sees requests with their answers. Production has nothing behind it.
 */

/** What was to be signed where a signature was wrong. */
export interface ExpectedSigning {
  /** The text, one character per byte. */
  readonly text: string;
  /** The signature that this text has, in hexadecimal digits. */
  readonly signature: string;
}

/** A request that has its answer: nothing of it changes any more. */
export interface ObservedRequest
  extends Pick<
    RequestContext,
    'method' | 'path' | 'query' | 'headers' | 'client' | 'receivedMonotonic' | 'usedWeight' | 'retryAfterSeconds'
  > {
  readonly answerHeaders: readonly string[];
  /** On the exchange's clock; of one that a fault held back, when it was let go. */
  readonly receivedAt: number;
  readonly body: Buffer | null;
  /** The endpoint; `null`: there is none. */
  readonly route: {
    readonly id: string;
    readonly isSigned: boolean;
    readonly endpoint: { readonly path: string };
  } | null;
  /** The key that it names, which exists; its signature may be wrong. */
  readonly key: ApiKeyView | null;
  /** Name of the error that refused it; `null`: none did. */
  readonly refusal: string | null;
  /** `null`: its signature is right, was not checked, or there is none. */
  readonly expectedSigning: ExpectedSigning | null;
}

/** What a request was answered. */
export interface ObservedAnswer {
  /** `null`: the connection was cut without an answer. */
  readonly status: number | null;
  readonly text: string;
  /** Bytes of the text that were sent before the connection was cut; `null`: all. */
  readonly cutAfter: number | null;
  /** Id of the fault that touched it; `null`: none did. */
  readonly fault: string | null;
  /** Of a touched one: the status that it had else; `null`: its command was not carried out. */
  readonly carriedOut: number | null;
}

/** Sees every request to an endpoint, and every one that is for none, with its answer. */
export interface RequestObserver {
  /** Whether it wants to see them. */
  readonly isOn: boolean;
  answered(request: ObservedRequest, answer: ObservedAnswer): void;
}
