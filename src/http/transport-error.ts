import type { TransportErrorName } from '#http/errors.ts';
import { transportErrors } from '#http/errors.ts';

/** A refusal that has no code in the API's table: its code is the HTTP status. DEC-REQ-20. */
export class TransportError extends Error {
  override name = 'TransportError';
  readonly errorName: TransportErrorName;

  constructor(errorName: TransportErrorName) {
    super(transportErrors[errorName].message);
    this.errorName = errorName;
  }
}
