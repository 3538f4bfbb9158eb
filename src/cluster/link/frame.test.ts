import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteWriter, MalformedBytes } from '#base/bytes.ts';
import { frameHead, FrameReader, type FrameKind, writeFrame } from '#cluster/link/frame.ts';

type Frame = readonly [kind: FrameKind, ref: number, content: Uint8Array];

function bytesOf(frames: readonly Frame[]): Uint8Array {
  const writer = new ByteWriter(16);
  for (const [kind, ref, content] of frames) {
    expect(writeFrame(writer, kind, ref, () => writer.raw(content))).toBe(content.length);
  }
  return writer.take();
}

const frame = fc.tuple(
  fc.integer({ min: 1, max: 10 }) as fc.Arbitrary<FrameKind>,
  fc.nat(0xffff_ffff),
  fc.uint8Array({ maxLength: 40 }),
);

test('frames come out as they were written, however the connection cuts them', () => {
  fc.assert(
    fc.property(
      fc.array(frame, { maxLength: 20 }),
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
      (sent, cuts) => {
        const got: Frame[] = [];
        const reader = new FrameReader(64, (kind, ref, content) => {
          got.push([kind as FrameKind, ref, Uint8Array.from(content.raw(content.left))]);
        });
        const bytes = bytesOf(sent);
        for (let at = 0, cut = 0; at < bytes.length; cut += 1) {
          const size = cuts[cut % cuts.length]!;
          reader.take(bytes.subarray(at, at + size));
          at += size;
        }
        expect(got).toStrictEqual(sent);
      },
    ),
  );
});

test('a frame that is larger than may be is refused by its first bytes; one without a head too', () => {
  const reader = (): FrameReader => new FrameReader(20, () => {});
  expect(() => reader().take(Uint8Array.of(20, 0, 0, 0))).not.toThrow();
  expect(() => reader().take(Uint8Array.of(21, 0, 0, 0))).toThrow(MalformedBytes);
  expect(() => reader().take(Uint8Array.of(255, 255, 255, 255))).toThrow(MalformedBytes);
  expect(() => reader().take(Uint8Array.of(4, 0, 0, 0))).toThrow(MalformedBytes);
});

test('a frame whose content cannot be written leaves those before it as they were', () => {
  const writer = new ByteWriter(16);
  writeFrame(writer, 3, 0);
  expect(() =>
    writeFrame(writer, 4, 1, () => {
      writer.u32(1);
      throw new MalformedBytes('no');
    }),
  ).toThrow(MalformedBytes);
  expect(writer.size).toBe(frameHead);
});
