import { describe, expect, test } from 'vitest';
import type { NodeStatus } from '#cluster/command-log.ts';
import { OwnName } from '#cluster/own-name.ts';
import { as } from '#model/units.ts';

const status: NodeStatus = {
  ...{ node: 'one', address: '', build: '1', isCandidate: true, newestRules: 1, commandFormat: 1 },
  ...{ journaled: as(0), applied: as(0) },
};

/** What the quorum keeps under one name. */
class Kept {
  private last: NodeStatus | null = null;

  report(name: OwnName) {
    const before = this.last;
    this.last = { ...status, run: name.run };
    return name.found(before);
  }

  put(last: NodeStatus | null): void {
    this.last = last;
  }
}

describe('DEC-CLU-29: two processes of one name', () => {
  test('the second finds the first there, whichever reports when', () => {
    for (const order of ['ababab', 'abbaabab', 'aababab', 'aaabaabbab']) {
      const kept = new Kept();
      const names: Readonly<Record<string, OwnName>> = { a: new OwnName('a'), b: new OwnName('b') };
      const found = { a: new Set(), b: new Set() };
      for (const who of order) found[who as 'a' | 'b'].add(kept.report(names[who]!));
      expect([...found.b], order).toEqual([null, 'earlier']);
      expect(found.a, order).not.toContain('earlier');
    }
  });

  test('the first is told of one that goes on', () => {
    const kept = new Kept();
    const [first, second] = [new OwnName('a'), new OwnName('b')];
    const found = Array.from({ length: 4 }, () => [kept.report(first), kept.report(second)]);
    expect(found.map(([ofFirst]) => ofFirst)).toEqual([null, null, 'later', 'later']);
  });

  test('what an earlier life or a process that has ended left is nobody', () => {
    const kept = new Kept();
    kept.report(new OwnName('earlier life'));
    const name = new OwnName('b');
    expect([kept.report(name), kept.report(name)]).toEqual([null, null]);
    // On its way when that process ended.
    kept.put({ ...status, run: 'earlier life' });
    expect([kept.report(name), kept.report(name)]).toEqual([null, null]);
    kept.put(null);
    expect([kept.report(name), kept.report(name)]).toEqual([null, null]);
  });

  test('an older build that goes on under the name is found too', () => {
    const kept = new Kept();
    const name = new OwnName('b');
    const found = Array.from({ length: 3 }, () => {
      kept.put(status);
      return kept.report(name);
    });
    expect(found).toEqual([null, null, 'earlier']);
  });
});
