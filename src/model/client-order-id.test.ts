import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ClientOrderId } from '#model/client-order-id.ts';

const symbol = fc.constantFrom(...'ABCXYZabcxyz0189_-');

test('an id gives back its text, also where another one stood before it', () => {
  const id = ClientOrderId.of('x'.repeat(32));
  fc.assert(
    fc.property(fc.string({ unit: symbol, minLength: 1, maxLength: 32 }), (text) => {
      expect(id.read(text)).toMatchObject({ text, length: text.length });
      expect(id.words).toEqual(ClientOrderId.of(text).words);
    }),
  );
});

test.for(['', 'a b', 'é', 'a.b', '\ud800', 'x'.repeat(33)])('%j is no id, and is kept to be told', (text) => {
  expect(ClientOrderId.of(text)).toMatchObject({ text, length: 0 });
});

test('no text is no id', () => {
  expect(ClientOrderId.of(null)).toBeNull();
});
