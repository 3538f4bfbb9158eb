import { expect, test } from 'vitest';
import { crc32c } from '#base/checksum.ts';
import { commandFormatVersion } from '#model/command-codec.ts';
import { as } from '#model/units.ts';
import { JournalOfOtherBuild } from '#journal/journal.ts';
import { hashSize, parseSegmentHeader, segmentHeader } from '#journal/segment-format.ts';

const start = { number: 1, firstSeq: as<never>(1 as never), previousHash: new Uint8Array(hashSize).fill(7) };

/** A whole header whose commands are of another format. */
function headerOfFormat(commands: number): Uint8Array {
  const bytes = segmentHeader(start);
  const view = new DataView(bytes.buffer);
  view.setUint16(10, commands, true);
  view.setUint32(60, crc32c(bytes, 0, 60), true);
  return bytes;
}

test('a journal of another build is refused by the name of the build that reads it, and never taken for damage', () => {
  expect(parseSegmentHeader(headerOfFormat(commandFormatVersion))).toEqual(start);
  expect(() => parseSegmentHeader(headerOfFormat(1))).toThrow(JournalOfOtherBuild);
  expect(() => parseSegmentHeader(headerOfFormat(1))).toThrow('written by Bourse 0.1.0, which alone reads it');
  expect(() => parseSegmentHeader(headerOfFormat(2))).toThrow('written by Bourse 0.2.0, which alone reads it');
  expect(() => parseSegmentHeader(headerOfFormat(3))).toThrow('written by Bourse 0.3.0, which alone reads it');
  expect(() => parseSegmentHeader(headerOfFormat(4))).toThrow('written by Bourse 0.4.0, which alone reads it');
  expect(() => parseSegmentHeader(headerOfFormat(commandFormatVersion + 1))).toThrow('written by a later Bourse');
});
