import type { TransportErrorName } from '#api/errors.ts';
import { transportErrors } from '#api/errors.ts';

/** A refusal by the transport, outside the table of API codes: the code of its answer is the HTTP status. DEC-REQ-20. */
export class TransportError extends Error {
  override name = 'TransportError';
  readonly errorName: TransportErrorName;

  constructor(errorName: TransportErrorName) {
    super(transportErrors[errorName].message);
    this.errorName = errorName;
  }
}
