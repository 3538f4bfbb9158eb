import { assert } from '#base/assert.ts';
import { audit } from '#engine/image/audit.ts';
import { restoreEngine, type StateMachine } from '#engine/create-engine.ts';
import type { Snapshot } from '#journal/journal.ts';

/**
 * A snapshot of an engine's state, to be saved. Every invariant is checked first, and that the image restores to the
 * state it was made of.
 * @throws InvariantBroken where it does not.
 */
export function soundSnapshot(engine: StateMachine): Snapshot {
  const faults = audit(engine.state);
  assert(faults.length === 0, `the state at entry ${engine.seq} is not sound: ${faults[0]}`);
  const image = engine.snapshot();
  const digest = engine.digest();
  assert(restoreEngine(image).digest() === digest, 'an image restores to the state it was made of');
  return { at: engine.seq, digest, image };
}
