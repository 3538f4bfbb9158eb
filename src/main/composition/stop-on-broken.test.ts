import { expect, test } from 'vitest';
import { as } from '#model/units.ts';
import { createEngine } from '#engine/create-engine.ts';
import { noopSink } from '#model/event-record.ts';
import type { Command, Entry } from '#model/command.ts';
import { describeBroken } from '#sequencer/recovery.ts';
import { whatBroke } from '#main/composition/stop-on-broken.ts';

/** An engine that finds another digest in the journal than it computed itself. */
function differing() {
  const engine = createEngine();
  const entryOf = (seq: number, command: Command): Entry => ({
    ...{ seq: as(seq), epoch: as(1), at: as(1_700_000_000_000), command },
  });
  for (let seq = 1; engine.state.progress.checkpoint.at === 0; seq += 1)
    engine.apply(entryOf(seq, { kind: 'advanceClock' }), noopSink);
  const { at } = engine.state.progress.checkpoint;
  const entry = entryOf(engine.seq + 1, { kind: 'assertDigest', at, digest: 'f'.repeat(64) as never });
  try {
    engine.apply(entry, noopSink);
  } catch (error) {
    return describeBroken(entry, error);
  }
  throw new Error('a digest that differs was applied');
}

test('DEC-CLU-28: a follower that computed something else than its leader says that, and what to do', () => {
  const broken = differing();
  expect(whatBroke(broken, { epoch: null })).toBe(
    `What this node computed differs from what its leader did, before entry ${broken.seq}: ${broken.invariant}. Its ` +
      'next start computes it anew. If that ends so too: first give this machine the build of the nodes that go on; ' +
      'if it has that, test its memory, move its data directory away, and start it with an empty one, which the ' +
      'other nodes fill.',
  );
});

test('a leader, and an exchange of one node, name the entry that broke', () => {
  const broken = differing();
  for (const cluster of [undefined, { epoch: as<Entry['epoch']>(4) }])
    expect(whatBroke(broken, cluster)).toMatch(
      new RegExp(`^entry ${broken.seq} of .* \\(assertDigest\\) breaks an invariant: events up to entry`),
    );
});
