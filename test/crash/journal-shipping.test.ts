import { describe, expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import { ByteWriter } from '#base/bytes.ts';
import { as } from '#model/units.ts';
import type { EncodedBatch } from '#journal/encoded-batch.ts';
import { entriesOf } from '#journal/entry-reader.ts';
import type { EntryBatch } from '#journal/entry-batch.ts';
import { JournalDamaged, JournalMoved, JournalUnavailable } from '#journal/journal.ts';
import { batchMark, encodeBatch, hashOf } from '#journal/segment-format.ts';
import { MemoryDisk } from '../ports/memory-file-operations.ts';
import { batchFrom, entriesFrom, entryAt, expectEntries } from './journal-script.ts';
import { begunSegments, clusterOrigin, encodeNext, lead, openReplica, shipped, usedBytes } from './replica-journal.ts';

const newDisk = (seed = 1): MemoryDisk => new MemoryDisk(createPrng(seed));
const flipped = (batch: EncodedBatch, at: number): EncodedBatch => {
  const bytes = batch.bytes.slice();
  bytes[at] = bytes[at]! ^ 0x10;
  return { ...batch, bytes };
};

describe('encoding apart from writing', () => {
  test('gives the files that append gives, and tells their hashes before they are written', async () => {
    const [one, other] = [newDisk(), newDisk()];
    const [appending, leading] = [await openReplica(one), await openReplica(other)];
    expect(leading.lastHash()).toEqual(clusterOrigin);
    for (let count = 1; leading.last() < 600; count = (count * 7) % 31) {
      await appending.append(appending.last(), batchFrom(appending.last() + 1, count));
      const encoded = encodeNext(leading, count);
      expect(encoded.hash).toEqual(hashOf(encoded.bytes));
      expect([encoded.first, encoded.last]).toEqual([leading.last() + 1, appending.last()]);
      await leading.write(encoded);
      expect(leading.lastHash()).toEqual(encoded.hash);
      expect(leading.lastHash()).toEqual(appending.lastHash());
    }
    await Promise.all([appending.close(), leading.close()]);
    expect(await usedBytes(other)).toEqual(await usedBytes(one));
    expect((await usedBytes(other)).size).toBeGreaterThan(5);
  });

  test('changes nothing: what is encoded again is the same, whether or not it begins a segment', async () => {
    const disk = newDisk();
    const journal = await openReplica(disk);
    let rolls = 0;
    for (let batch = 0; batch < 40; batch += 1) {
      const { calls } = disk;
      const once = shipped(encodeNext(journal, 5));
      encodeNext(journal, 300);
      const again = encodeNext(journal, 5);
      expect(shipped(again)).toEqual(once);
      expect(disk.calls).toBe(calls);
      if (once.segment > (await begunSegments(disk)).at(-1)!) rolls += 1;
      await journal.write(again);
      await journal.whenIdle();
    }
    expect(rolls).toBeGreaterThan(3);
    await journal.close();
  });

  test('a batch that does not follow the last entry is refused', async () => {
    const journal = await openReplica(newDisk());
    await lead(journal, 3);
    expect(() => journal.encode(as(2), batchFrom(3, 1))).toThrow(JournalMoved);
    expect(() => journal.encode(as(4), batchFrom(5, 1))).toThrow(JournalMoved);
    await journal.close();
  });

  test('a batch that was encoded before another was written is checked like one from outside', async () => {
    const journal = await openReplica(newDisk());
    const stale = encodeNext(journal, 2);
    const other = shipped(encodeNext(journal, 3));
    await journal.write(other);
    await expect(journal.write(stale)).rejects.toBeInstanceOf(JournalDamaged);
    expect(journal.last()).toBe(3);
    const next = encodeNext(journal, 2);
    await journal.takeBack(other);
    await expect(journal.write(next)).rejects.toBeInstanceOf(JournalDamaged);
    expect(journal.last()).toBe(0);
    await journal.close();
  });
});

describe('a batch from another node', () => {
  /** A journal of three batches, and the next batch as its leader made it. */
  const follower = async (): Promise<{ disk: MemoryDisk; next: EncodedBatch; early: EncodedBatch }> => {
    const leader = await openReplica(newDisk());
    const disk = newDisk();
    const journal = await openReplica(disk);
    const early = await lead(leader, 2);
    for (const batch of [early, await lead(leader, 3), await lead(leader, 1)]) await journal.write(batch);
    await journal.close();
    return { disk, early, next: await lead(leader, 2) };
  };
  /** Refused: nothing is written, and the journal goes on. Answers why. */
  const refused = async (disk: MemoryDisk, batch: EncodedBatch): Promise<string> => {
    const copy = disk.afterKill(createPrng(1));
    const journal = await openReplica(copy);
    await journal.whenIdle();
    const { calls } = copy;
    const error: unknown = await journal.write(batch).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(JournalDamaged);
    expect(copy.calls).toBe(calls);
    await lead(journal, 1);
    await expectEntries(journal, 1, 7);
    await journal.close();
    return (error as JournalDamaged).message;
  };

  test('is written as it is', async () => {
    const { disk, next } = await follower();
    const journal = await openReplica(disk);
    await journal.write(next);
    expect(journal.lastHash()).toEqual(hashOf(next.bytes));
    await expectEntries(journal, 1, 8);
    await journal.close();
  });

  test('with any byte changed is refused, and nothing is written', async () => {
    const { disk, next } = await follower();
    const journal = await openReplica(disk);
    await journal.whenIdle();
    const { calls } = disk;
    for (let at = 0; at < next.bytes.length; at += 1) {
      await expect(journal.write(flipped(next, at)), `byte ${at}`).rejects.toBeInstanceOf(JournalDamaged);
      expect(() => entriesOf(flipped(next, at)), `byte ${at}`).toThrow(JournalDamaged);
    }
    expect(disk.calls).toBe(calls);
    await journal.write(next);
    expect(journal.last()).toBe(8);
    await journal.close();
  });

  test('that is not whole, is longer, or says what it does not hold is refused', async () => {
    const { disk, next, early } = await follower();
    const of = (change: Partial<EncodedBatch>): EncodedBatch => ({ ...next, ...change });
    for (const size of [0, 8, 63, 64, next.bytes.length - 1])
      await refused(disk, of({ bytes: next.bytes.subarray(0, size) }));
    await refused(disk, of({ bytes: Buffer.concat([next.bytes, new Uint8Array(1)]) }));
    await refused(disk, of({ bytes: Buffer.concat([next.bytes, next.bytes]) }));
    expect(await refused(disk, of({ last: as(9) }))).toContain('batch holds 2 entries from 7 on');
    await refused(disk, of({ first: as(6) }));
    expect(await refused(disk, early)).toContain('the journal ends at entry 6');
  });

  test('of another segment, another journal or another past is refused', async () => {
    const { disk, next } = await follower();
    for (const number of [0, 3, 4, -1, 1.5]) {
      const message = await refused(disk, { ...next, segment: number });
      expect(message).toContain('of segment 1');
    }
    // The next segment may be begun, but these bytes carry the mark of the first.
    expect(await refused(disk, { ...next, segment: 2 })).toContain('batch of another segment');
    const start = { number: 1, firstSeq: as<EncodedBatch['first']>(1), previousHash: clusterOrigin };
    const writer = new ByteWriter();
    encodeBatch(writer, batchMark({ ...start, previousHash: hashOf(clusterOrigin) }), clusterOrigin, batchFrom(7, 2));
    expect(await refused(disk, { ...next, bytes: writer.written().slice() })).toContain('batch of another segment');
    encodeBatch(writer, batchMark(start), hashOf(next.bytes), batchFrom(7, 2));
    const message = await refused(disk, { ...next, bytes: writer.written().slice() });
    expect(message).toContain('it does not follow from the last batch');
    expect(message).toContain('batch of entries 7 to 8 for segment 1 at byte 24');
  });

  test('begins a segment where its leader began one, however much room there is', async () => {
    const leader = await openReplica(newDisk());
    const disk = newDisk();
    const journal = await openReplica(disk, 1 << 20);
    const segments: number[] = [];
    while (journal.last() < 300) {
      const batch = await lead(leader, 7);
      segments.push(batch.segment);
      await journal.write(batch);
    }
    await journal.close();
    expect(segments.at(-1)).toBeGreaterThan(4);
    expect([...(await usedBytes(disk)).keys()]).toEqual([...new Set(segments)]);
  });

  test('is refused while a segment that was begun after its own is empty', async () => {
    const leader = await openReplica(newDisk());
    const journal = await openReplica(newDisk());
    let batch = await lead(leader, 20);
    for (; batch.segment === 1; batch = await lead(leader, 20)) await journal.write(batch);
    const before = journal.last();
    await journal.write(batch);
    await journal.takeBack(batch);
    expect(journal.last()).toBe(before);
    await expect(journal.write({ ...batch, segment: 1 })).rejects.toThrow('the journal is at byte 512 of segment 2');
    await expect(journal.write({ ...batch, segment: 3 })).rejects.toThrow('the journal is at byte 512 of segment 2');
    await journal.write(batch);
    await leader.close();
    await journal.close();
  });
});

describe('entries of a batch in memory', () => {
  test('are those that were encoded, and may be kept', async () => {
    const journal = await openReplica(newDisk());
    const kept = [];
    for (let count = 1; count < 60; count += 11) kept.push(...entriesOf(await lead(journal, count)));
    expect(structuredClone(kept)).toEqual(structuredClone(entriesFrom(1, kept.length)));
    await journal.close();
  });

  test('a record that holds no command is damage', async () => {
    const at = { entries: [entryAt(1)], commands: () => Uint8Array.of(255, 1, 2), endOf: () => 3 };
    const writer = new ByteWriter();
    encodeBatch(writer, new Uint8Array(8), clusterOrigin, at as unknown as EntryBatch);
    const batch = { segment: 1, first: as<EncodedBatch['first']>(1), last: as<EncodedBatch['last']>(1) };
    expect(() => entriesOf({ ...batch, bytes: writer.written() })).toThrow('entry 1 holds no command');
  });
});

describe('taking back the last batch', () => {
  test('leaves the journal as if it was never written, also after a restart', async () => {
    const [one, other] = [newDisk(), newDisk()];
    const [plain, refused] = [await openReplica(one), await openReplica(other)];
    const prng = createPrng(5);
    let taken = 0;
    while (plain.last() < 400) {
      const batch = await lead(plain, 1 + prng.below(9));
      const other = encodeNext(refused, 1 + prng.below(9));
      const hash = refused.lastHash();
      // One that begins a segment leaves it begun, and then the next batch has to stand in it.
      if (other.segment === batch.segment) {
        await refused.write(other);
        expect(refused.lastHash()).toEqual(other.hash);
        await refused.takeBack(other);
        expect(refused.lastHash()).toEqual(hash);
        taken += 1;
      }
      await refused.write(batch);
      expect(refused.lastHash()).toEqual(plain.lastHash());
    }
    expect(taken).toBeGreaterThan(30);
    await Promise.all([plain.close(), refused.close()]);
    expect(await usedBytes(other)).toEqual(await usedBytes(one));
    const journal = await openReplica(other);
    await expectEntries(journal, 1, journal.last());
    await journal.close();
  });

  test('is for the last written batch only, and once', async () => {
    const journal = await openReplica(newDisk());
    const first = await lead(journal, 3);
    const second = await lead(journal, 3);
    await expect(journal.takeBack(first)).rejects.toThrow('only the last batch');
    await journal.takeBack(second);
    await expect(journal.takeBack(first)).rejects.toThrow('right after it was written');
    await lead(journal, 2);
    await expectEntries(journal, 1, 5);
    await journal.close();
  });

  test('which fails leaves the outcome unknown: nothing is written any more', async () => {
    const disk = newDisk();
    const journal = await openReplica(disk);
    const batch = await lead(journal, 3);
    await journal.whenIdle();
    disk.plan = ({ name }) => (name === 'writeThrough' ? 'EIO' : null);
    await expect(journal.takeBack(batch)).rejects.toBeInstanceOf(JournalUnavailable);
    disk.plan = () => null;
    expect(() => encodeNext(journal, 1)).toThrow(JournalUnavailable);
    await expect(journal.write(batch)).rejects.toBeInstanceOf(JournalUnavailable);
    await journal.close();
  });

  test('a loss of power meanwhile leaves the whole batch or none of it', async () => {
    const found = new Set<number>();
    for (let seed = 1; seed <= 60; seed += 1) {
      const disk = newDisk(seed);
      const journal = await openReplica(disk);
      await lead(journal, 4);
      const batch = await lead(journal, 30);
      await journal.whenIdle();
      disk.plan = ({ name }) => (name === 'writeThrough' ? 'crash' : null);
      await expect(journal.takeBack(batch)).rejects.toBeInstanceOf(JournalUnavailable);
      const image = seed % 3 === 0 ? disk.afterKill(createPrng(seed)) : disk.afterPowerLoss(createPrng(seed));
      const again = await openReplica(image);
      expect([4, 34]).toContain(again.last());
      found.add(again.last());
      await expectEntries(again, 1, again.last());
      await again.close();
    }
    expect(found.size).toBe(2);
  });
});
