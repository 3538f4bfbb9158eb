import type { TransportErrorName } from '#api/errors.ts';
import { transportErrors } from '#api/errors.ts';

/** A refusal outside Document 1's table of codes: the answer's code is its HTTP status. decisions.md section 1. */
export class TransportError extends Error {
  override name = 'TransportError';
  readonly errorName: TransportErrorName;

  constructor(errorName: TransportErrorName) {
    super(transportErrors[errorName].message);
    this.errorName = errorName;
  }
}
