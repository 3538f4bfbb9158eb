/** Where an error comes from, and what it says. */
export interface ErrorParts {
  /** Id of the endpoint, such as `placeOrder`. */
  readonly endpoint: string;
  /** HTTP status of the answer; 0: none came. */
  readonly status: number;
  /** The exchange's code of the error; the status where the answer had none. */
  readonly code: number;
  readonly detail: string;
  /** Whether the request may have been carried out all the same. */
  readonly isLost?: boolean;
  /** How long to wait before anything else is sent, in ms; `null`: the answer does not say. */
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
}

/** A call failed. Unless it is an `UnknownOutcome`, nothing was changed by it. DEC-KIT-86. */
export class BourseError extends Error {
  override readonly name: string = 'BourseError';
  readonly endpoint: string;
  readonly status: number;
  readonly code: number;
  readonly isLost: boolean;
  readonly retryAfterMs: number | null;

  constructor({ endpoint, status, code, detail, isLost = false, retryAfterMs = null, cause }: ErrorParts) {
    super(`${endpoint}: ${detail}`, cause === undefined ? undefined : { cause });
    this.endpoint = endpoint;
    this.status = status;
    this.code = code;
    this.isLost = isLost;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Something was asked for that changes the exchange, no answer told what became of it, and looking for it did not
 * either: it may have happened. Look before it is sent again. DEC-KIT-87.
 */
export class UnknownOutcome extends BourseError {
  override readonly name: string = 'UnknownOutcome';
  /** The id under which it can be looked for: of an order or a withdrawal; `null`: it has none. */
  readonly clientId: string | null;

  constructor(parts: ErrorParts, clientId: string | null) {
    super({ ...parts, isLost: true });
    this.clientId = clientId;
  }
}
