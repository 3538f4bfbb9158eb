import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteReader, ByteWriter, MalformedBytes } from '#base/bytes.ts';

const safe = fc.oneof(fc.maxSafeInteger(), fc.integer(), fc.integer({ min: -300, max: 300 }));
const safeFromZero = safe.map(Math.abs);
const i64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) });

function written(write: (writer: ByteWriter) => void): Uint8Array {
  const writer = new ByteWriter(1);
  write(writer);
  return writer.take();
}

function readBack<Value>(bytes: Uint8Array, read: (reader: ByteReader) => Value): Value {
  const reader = new ByteReader(bytes);
  const value = read(reader);
  reader.finish();
  return value;
}

describe('bytes', () => {
  test('every value comes back as it was written', () => {
    fc.assert(
      fc.property(
        safeFromZero,
        safe,
        i64,
        fc.double({ noNaN: true }),
        anyText,
        fc.uint8Array(),
        (count, signed, big, float, text, raw) => {
          const bytes = written((writer) => {
            writer.varint(count);
            writer.signedVarint(signed);
            writer.i64(big);
            writer.f64(float);
            writer.text(text);
            writer.u8(raw.length & 0xff);
            writer.u16(65_535);
            writer.u32(4_294_967_295);
            writer.varint(raw.length);
            writer.raw(raw);
          });
          const back = readBack(bytes, (reader) => [
            reader.varint(),
            reader.signedVarint(),
            reader.i64(),
            reader.f64(),
            reader.text(),
            reader.u8(),
            reader.u16(),
            reader.u32(),
            [...reader.raw(reader.varint())],
          ]);
          expect(back).toEqual([
            count,
            signed === 0 ? 0 : signed,
            big,
            float,
            text,
            raw.length & 0xff,
            65_535,
            4_294_967_295,
            [...raw],
          ]);
        },
      ),
    );
  });

  test('bytes that read as a number are the ones that the writer gives for it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 10 }), fc.boolean(), (bytes, signed) => {
        let value: number;
        try {
          value = readBack(bytes, (reader) => (signed ? reader.signedVarint() : reader.varint()));
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedBytes);
          return;
        }
        expect(written((writer) => (signed ? writer.signedVarint(value) : writer.varint(value)))).toEqual(bytes);
      }),
      { numRuns: 2000 },
    );
  });

  test('bytes that read as a text are the ones that the writer gives for it', () => {
    const likely = fc.array(
      fc.constantFrom(0x41, 0x80, 0xbf, 0xc0, 0xc3, 0xe0, 0xed, 0xa0, 0xb0, 0xf0, 0x90, 0xf4, 0xff),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(likely, (content) => {
        const bytes = Uint8Array.of(content.length, ...content);
        let value: string;
        try {
          value = readBack(bytes, (reader) => reader.text());
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedBytes);
          return;
        }
        expect(written((writer) => writer.text(value))).toEqual(bytes);
      }),
      { numRuns: 5000 },
    );
  });

  test('numbers that have no exact encoding are refused', () => {
    for (const value of [-1, 0.5, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY]) {
      expect(() => written((writer) => writer.varint(value))).toThrow(MalformedBytes);
    }
    expect(() => written((writer) => writer.signedVarint(-(2 ** 53)))).toThrow(MalformedBytes);
    expect(() => written((writer) => writer.i64(2n ** 63n))).toThrow(MalformedBytes);
  });

  test('nothing is read beyond the end, and nothing may be left over', () => {
    const reader = new ByteReader(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9), 2, 5);
    expect(() => reader.u32()).toThrow(MalformedBytes);
    expect(() => reader.f64()).toThrow(MalformedBytes);
    expect(() => reader.raw(4)).toThrow(MalformedBytes);
    expect(() => reader.finish()).toThrow(MalformedBytes);
    expect(reader.u16()).toBe(0x0403);
    expect(reader.u8()).toBe(5);
    expect(() => reader.u8()).toThrow(MalformedBytes);
    expect(() => reader.varint()).toThrow(MalformedBytes);
    reader.finish();
    expect(() => reader.window(3, 10)).toThrow(MalformedBytes);
  });

  test('a skipped length can be patched, and text longer than allowed is refused', () => {
    const bytes = written((writer) => {
      const at = writer.skip(4);
      writer.text('x'.repeat(10_000));
      writer.patchU32(at, writer.size);
      expect(() => writer.patchU32(writer.size - 3, 1)).toThrow(MalformedBytes);
    });
    const reader = new ByteReader(bytes);
    expect(reader.u32()).toBe(bytes.length);
    expect(() => reader.text(9_999)).toThrow(MalformedBytes);
    reader.reset(bytes, 4);
    expect(reader.text()).toBe('x'.repeat(10_000));
  });
});
