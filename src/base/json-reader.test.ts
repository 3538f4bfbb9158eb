import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonNumber, type JsonValue, readJson } from '#base/json-reader.ts';

const depthMax = 8;

/** What `JSON.parse` makes of the same text. Sources of numbers are compared apart. */
function plain(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return Number(value.source);
  if (Array.isArray(value)) return value.map(plain);
  if (!(value instanceof Map)) return value;
  const object = {};
  for (const [name, member] of value) {
    Object.defineProperty(object, name, { value: plain(member), enumerable: true, writable: true, configurable: true });
  }
  return object;
}

const read = (text: string, depth = depthMax): unknown => {
  const found = readJson(text, depth);
  return typeof found === 'string' ? found : plain(found.value);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return 'malformed';
  }
};

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc.constantFrom('__proto__', 'constructor', 'toString', '\ud800', '\udc00\ud800', '', '\u0000', '"\\'),
);
const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.bigInt().map(Number), fc.boolean()),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const space = fc.constantFrom(undefined, 0, 2, '\t', '\n');

test('whatever JSON.stringify writes is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(anyValue, space, (value, indent) => {
      const written = JSON.stringify(value, null, indent);
      expect(read(written, 1000)).toEqual(JSON.parse(written));
    }),
    { numRuns: 2000 },
  );
});

test('of texts with a fault, and of any text, it takes exactly what JSON.parse takes', () => {
  const marks = fc.constantFrom(
    '"',
    ',',
    ':',
    '{',
    '}',
    '[',
    ']',
    '\\',
    '0',
    '-',
    '.',
    'e',
    '+',
    ' ',
    '\n',
    '\u00a0',
    '',
  );
  const broken = fc.tuple(anyValue, fc.nat(), marks, fc.boolean()).map(([value, where, mark, replaces]) => {
    const written = JSON.stringify(value);
    const at = where % written.length;
    return written.slice(0, at) + mark + written.slice(at + (replaces ? 1 : 0));
  });
  const tokens = fc.array(fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '"b"', '1', 'true', 'null', ' '));
  fc.assert(
    fc.property(
      fc.oneof(
        broken,
        tokens.map((list) => list.join('')),
        fc.string(),
      ),
      (source) => {
        const found = read(source, 1000);
        // JSON.parse takes a name twice: the last member wins.
        if (found === 'namedTwice') return;
        expect(found).toEqual(parsed(source));
      },
    ),
    { numRuns: 10_000 },
  );
});

test.each([
  ...['', ' ', 'nul', 'nulll', 'NaN', 'Infinity', 'undefined', "'a'", '01', '1.', '.5', '+1', '-', '1e', '1e+', '0x1'],
  ...['{', '}', '{}}', '{}{}', '[]x', '[1,]', '[,1]', '[1 2]', '{"a"}', '{"a":}', '{"a":1,}', '{,"a":1}', '{a:1}'],
  ...[
    '"',
    '"a',
    '"\\',
    '"\\"',
    '"\\x"',
    '"\\u12g4"',
    '"\n"',
    '"\u0000"',
    '\ufeff{}',
    '/**/{}',
    '{"a":1}\u0000',
    '\u00a01',
  ],
])('%j is malformed', (source) => {
  expect(() => JSON.parse(source)).toThrow();
  expect(read(source)).toBe('malformed');
});

test('numbers keep every digit and sign that was written', () => {
  const sources = [
    '0',
    '-0',
    '1.50',
    '123456789012345678901234567890.000',
    '1e400',
    '-1E-7',
    '0.1e+05',
    `9${'0'.repeat(5000)}`,
  ];
  const found = readJson(`[${sources.join(',')}]`, depthMax);
  if (typeof found === 'string' || !Array.isArray(found.value)) throw new TypeError('an array');
  expect(found.value.map((number) => (number as JsonNumber).source)).toEqual(sources);
});

describe('a member named twice is refused', () => {
  test.each([
    '{"a":1,"a":1}',
    '{"a":1,"b":2,"\\u0061":3}',
    '{"\u00e9":1,"\\u00e9":2}',
    '{"__proto__":1,"__proto__":1}',
    '{"":1,"":1}',
    '{"\\ud800":1,"\\uD800":1}',
    '[{"b":{"a":1,"a":{}}}]',
  ])('%s', (source) => {
    expect(read(source)).toBe('namedTwice');
  });

  test('wherever in a text it stands', () => {
    fc.assert(
      fc.property(anyValue, text, fc.array(fc.boolean(), { maxLength: 20 }), (value, name, path) => {
        const member = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
        const wrapped = (inner: string): string =>
          path.reduce((outer, isObject) => (isObject ? `{"x":${outer},"y":0}` : `[0,${outer}]`), inner);
        const other = `${JSON.stringify(`${name}.`)}:1`;
        expect(read(wrapped(`{${member},${other},${member}}`), 1000)).toBe('namedTwice');
        expect(read(wrapped(`{${member},${other}}`), 1000)).toEqual(JSON.parse(wrapped(`{${member},${other}}`)));
      }),
    );
  });

  test('equal names of different objects are not', () => {
    expect(read('{"a":{"a":[{"a":1},{"a":1}]}}')).toEqual({ a: { a: [{ a: 1 }, { a: 1 }] } });
  });
});

test('a name like a part of the prototype is a member like any other', () => {
  const found = readJson('{"__proto__":{"isAdmin":true},"constructor":1}', depthMax);
  if (typeof found === 'string' || !(found.value instanceof Map)) throw new TypeError('an object');
  expect([...found.value.keys()]).toEqual(['__proto__', 'constructor']);
  expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
});

test('nesting is bounded: as deep as allowed is read, one more is not', () => {
  fc.assert(
    fc.property(anyValue, fc.integer({ min: 0, max: 6 }), (value, bound) => {
      const found = read(JSON.stringify(value), bound);
      if (depthOf(value) > bound) expect(found).toBe('tooDeep');
      else expect(found).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
  for (const mark of ['[', '{"a":', '[{"a":']) expect(read(mark.repeat(200_000))).toBe('tooDeep');
});

test('members of the outermost object are found by position, whatever blanks and values they have', () => {
  const blank = fc.constantFrom('', ' ', '\r\n', '\t ');
  const object = fc.uniqueArray(fc.tuple(text, anyValue), { selector: ([name]) => name, maxLength: 5 });
  fc.assert(
    fc.property(object, blank, blank, (entries, before, after) => {
      const sources = entries.map(
        ([name, value]) => `${JSON.stringify(name)}${before}:${after}${JSON.stringify(value)}`,
      );
      const source = `${before}{${sources.map((each) => after + each + before).join(',')}}${after}`;
      const found = readJson(source, 1000);
      if (typeof found === 'string') throw new TypeError(found);
      expect(found.members.map(({ name }) => name)).toEqual(entries.map(([name]) => name));
      expect(found.members.map(({ start, end }) => source.slice(start, end))).toEqual(sources);
    }),
  );
  expect(readJson('[{"a":1}]', depthMax)).toMatchObject({ members: [] });
});

test('large hostile texts are answered like small ones', () => {
  const size = 200_000;
  expect(read(`"${'\\u0041'.repeat(size)}"`)).toBe('A'.repeat(size));
  expect(read(`"${'\\'.repeat(size + 1)}`)).toBe('malformed');
  expect(read(' '.repeat(size))).toBe('malformed');
  expect(read('-'.repeat(size))).toBe('malformed');
  expect(read('0'.repeat(size))).toBe('malformed');
  expect(read(`[${'{},'.repeat(size)}{}]`)).toHaveLength(size + 1);
  const names = Array.from({ length: size }, (_, index) => `"m${index}":1`).join(',');
  expect(read(`{${names},"m0":1}`)).toBe('namedTwice');
});
