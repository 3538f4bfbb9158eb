import type { TransportErrorName } from '#api/errors.ts';
import { transportErrors } from '#api/errors.ts';

/** A refusal outside the API's table of codes: the answer's code is its HTTP status. DEC-REQ-20. */
export class TransportError extends Error {
  override name = 'TransportError';
  readonly errorName: TransportErrorName;

  constructor(errorName: TransportErrorName) {
    super(transportErrors[errorName].message);
    this.errorName = errorName;
  }
}
