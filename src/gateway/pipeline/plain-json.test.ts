import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPlainMembers } from '#gateway/pipeline/plain-json.ts';

const read = (text: string): readonly (readonly [string, string | null])[] | null => {
  const plain = readPlainMembers(text);
  return plain === null ? null : plain.names.map((name, index) => [name, plain.values[index] ?? null] as const);
};

test('members come in order, numbers as they were written, null as nothing', () => {
  expect(read('{"symbol":"BTCUSDT","price":1.50,"quantity":-0,"flag":true,"off":false,"none":null}')).toEqual([
    ['symbol', 'BTCUSDT'],
    ['price', '1.50'],
    ['quantity', '-0'],
    ['flag', 'true'],
    ['off', 'false'],
    ['none', null],
  ]);
  expect(read(' {\n"a" :\t"" } \r\n')).toEqual([['a', '']]);
});

test('what is not plain is left to a whole parser', () => {
  const others = [
    ...['', '{', '{}', '[]', '{"a"}', '{"a":}', '{"a":1,}', '{,"a":1}', '{"a":1 "b":2}', '{"a":1}x', '{"a":"b}', 'a=1'],
    ...[
      '{"a":01}',
      '{"a":1.}',
      '{"a":.5}',
      '{"a":+1}',
      '{"a":-}',
      '{"a":1e5}',
      '{"a":nul}',
      '{"a":nulll}',
      '{"a":NaN}',
    ],
    ...['{"a":[1]}', '{"a":{"b":1}}', '{"a":"\\n"}', '{"\\u0061":1}', '{"a":"\u00e9"}', '{"a":"\u007f"}', '{"a":"\t"}'],
    ...['{"a":1,"a":1}', '{"__proto__":"x"}', "{'a':1}", '{"a":1}\u0000', '{"a":truefalse}'],
  ];
  for (const text of others) expect(read(text), text).toBeNull();
  const many = Array.from({ length: 17 }, (_, index) => `"m${index}":1`);
  expect(read(`{${many.slice(1).join(',')}}`)).toHaveLength(16);
  expect(read(`{${many.join(',')}}`)).toBeNull();
});

const plainText = fc.string({ maxLength: 12 }).filter((text) => /^[ !#-[\]-~]*$/.test(text) && text !== '__proto__');
const scalar = fc.oneof(plainText, fc.integer(), fc.boolean(), fc.constant(null));
const blank = fc.constantFrom('', ' ', '\n', '\t\r');
const flat = fc.dictionary(plainText, scalar, { minKeys: 1, maxKeys: 8, noNullPrototype: true });

test('it reads what JSON.parse reads, and nothing else', () => {
  fc.assert(
    fc.property(
      flat,
      blank,
      fc.nat(),
      fc.constantFrom('', '"', ',', '}', '0', '\\', 'e'),
      (object, space, at, mark) => {
        const members = Object.entries(object).map(
          ([name, value]) => `${space}${JSON.stringify(name)}${space}:${space}${JSON.stringify(value)}${space}`,
        );
        const text = `${space}{${members.join(',')}}${space}`;
        const texts = Object.fromEntries(
          Object.entries(object).map(([name, value]) => [name, value?.toString() ?? null]),
        );
        expect(Object.fromEntries(read(text) ?? [])).toEqual(texts);
        const cut = at % text.length;
        const broken = text.slice(0, cut) + mark + text.slice(cut + 1);
        const found = read(broken);
        if (found === null) return;
        const parsed = JSON.parse(broken) as Record<string, unknown>;
        expect(found.map(([name]) => name).toSorted()).toEqual(Object.keys(parsed).toSorted());
        for (const [name, value] of found)
          if (typeof parsed[name] !== 'number') expect(value).toBe(parsed[name]?.toString() ?? null);
      },
    ),
    { numRuns: 5000 },
  );
});
