/** A broken invariant. Whoever catches it may only log and stop: recovery starts from the journal. */
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

/** Makes a `switch` total: a new member of the union does not compile until it has its branch. */
export function unreachable(value: never): never {
  throw new InvariantBroken(`unexpected value: ${String(value)}`);
}
