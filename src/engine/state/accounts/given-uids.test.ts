import { describe, expect, test } from 'vitest';
import { ByteReader, ByteWriter } from '#base/bytes.ts';
import type { Uid } from '#model/units.ts';
import { AccountTable } from '#engine/state/accounts/account-table.ts';
import { GivenUids } from '#engine/state/accounts/given-uids.ts';

/** As an image has them after so many uids. */
function givenAfter(count: number): GivenUids {
  const writer = new ByteWriter();
  writer.varint(count);
  const uids = new GivenUids(new AccountTable());
  uids.read(new ByteReader(writer.take()));
  return uids;
}

describe('DEC-SUB-09: uids of the engine', () => {
  test('never come twice, and all have 8 digits', () => {
    const seen = new Set<Uid>();
    for (const from of [0, 2_000_000, 5_000_000]) {
      const uids = givenAfter(from);
      for (let count = 0; count < 10_000; count += 1) seen.add(uids.take()!);
    }
    expect(seen.size).toBe(30_000);
    for (const uid of seen) if (uid < 90_000_000 || uid > 99_999_999) expect.fail(`${uid} is out of range`);
  });

  test('run out after ten millions, and then there is none', () => {
    const uids = givenAfter(9_999_999);
    expect(uids.take()).not.toBeNull();
    expect(uids.take()).toBeNull();
    const faults: string[] = [];
    uids.audit(faults);
    expect(faults).toEqual([]);
    givenAfter(10_000_001).audit(faults);
    expect(faults).toHaveLength(1);
  });

  test('go on after an image where they were', () => {
    const [first, restored] = [new GivenUids(new AccountTable()), givenAfter(2)];
    first.take();
    first.take();
    expect(restored.take()).toBe(first.take());
  });
});
