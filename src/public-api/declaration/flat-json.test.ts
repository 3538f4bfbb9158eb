import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expandExponent, readFlatObjects } from '#public-api/declaration/flat-json.ts';

test('DEC-REQ-12, DEC-REQ-58: numbers keep their source digits; exponents are written out exactly', () => {
  expect(readFlatObjects('[{"quantity":0.10,"price":1e-7,"side":"BUY","x":true,"y":null}]')).toEqual([
    { quantity: '0.10', price: '0.0000001', side: 'BUY', x: 'true' },
  ]);
  expect(expandExponent('1.25E+3')).toBe('1250');
  expect(expandExponent('1.25e1')).toBe('12.5');
  expect(expandExponent('12.5e-3')).toBe('0.0125');
  expect(expandExponent('-1e2')).toBe('-100');
  expect(expandExponent('0e0')).toBe('0');
  expect(expandExponent('1e999999999')).toBe('1e999999999');
});

test('expanding an exponent changes no value', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 12n), fc.integer({ min: -12, max: 6 }), (digits, power) => {
      const expanded = expandExponent(`${digits}e${power}`);
      expect(expanded).toMatch(/^(0|[1-9]\d*)(\.\d+)?$/);
      const [whole = '', fraction = ''] = expanded.split('.');
      expect(BigInt(whole + fraction.padEnd(12, '0'))).toBe(digits * 10n ** BigInt(12 + power));
    }),
  );
});

describe('C19: anything but an array of flat objects is refused', () => {
  test.each([
    '',
    '{}',
    '[1]',
    '[{}]x',
    '[{}][{}]',
    '[{"a":1,}]',
    '[{"a":1}',
    '[{"a":{}}]',
    '[{"a":[]}]',
    '[{"a":NaN}]',
    '[{"a":01}]',
    '[{"a":+1}]',
    '[{"a":.5}]',
    "[{'a':1}]",
    '[{"a":1 /* x */}]',
    '\ufeff[]',
    '[{"a":"\n"}]',
    '[{"a":"\\x"}]',
    '[,]',
  ])('%s', (text) => {
    expect(readFlatObjects(text)).toBeNull();
  });
});

test('a member named twice is refused', () => {
  expect(readFlatObjects('[{"quantity":1,"quantity":1000}]')).toBeNull();
});

test('C11: a member may be called like a part of the prototype, and stays a member', () => {
  const items = readFlatObjects('[{"__proto__":"1","constructor":"2"}]');
  expect(Object.keys(items?.[0] ?? {})).toEqual(['__proto__', 'constructor']);
  expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
});

test('whatever JSON.stringify writes of flat text records comes back', () => {
  const record = fc.dictionary(fc.string(), fc.string({ unit: 'binary' }), { noNullPrototype: false });
  fc.assert(
    fc.property(fc.array(record, { maxLength: 5 }), (records) => {
      const read = readFlatObjects(JSON.stringify(records));
      expect(read?.map((item) => Object.entries(item))).toEqual(records.map((item) => Object.entries(item)));
    }),
  );
});

test('any text is answered without throwing', () => {
  fc.assert(fc.property(fc.string(), (text) => void readFlatObjects(`[${text}`)));
});
