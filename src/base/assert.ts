/** A broken invariant. A handler may only log it and stop the process: recovery starts from the journal. */
export class InvariantBroken extends Error {
  override name = 'InvariantBroken';
}

/**
 * Stops the role when a fact that the code relies on does not hold. Stays on in production.
 * @throws InvariantBroken with `claim` as its text.
 */
export function assert(condition: boolean, claim: string): asserts condition {
  if (!condition) throw new InvariantBroken(claim);
}
