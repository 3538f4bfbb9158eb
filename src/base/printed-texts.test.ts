import { expect, test } from 'vitest';
import { PrintedTexts } from '#base/printed-texts.ts';

test('a text is printed once per version, whichever part of the version changes', () => {
  const texts = new PrintedTexts<string>(1000);
  let prints = 0;
  const print = () => `text ${(prints += 1)}`;
  const rules = { name: 'A' };
  expect(texts.of('a', [rules, 1], print)).toBe('text 1');
  expect(texts.of('a', [rules, 1], print)).toBe('text 1');
  expect(texts.of('b', [rules, 1], print)).toBe('text 2');
  expect(texts.of('a', [rules, 2], print)).toBe('text 3');
  expect(texts.of('a', [{ name: 'A' }, 2], print)).toBe('text 4');
  expect(texts.of('a', [rules, 2], print)).toBe('text 5');
  expect(texts.of('a', [rules], print)).toBe('text 6');
});

test('the oldest texts are evicted, and no more is kept than the bound', () => {
  const texts = new PrintedTexts<number>(25);
  for (let key = 0; key < 5; key += 1) texts.of(key, [0], () => '0123456789');
  expect(texts.characters).toBe(20);
  expect(texts.of(4, [0], () => 'printed anew')).toBe('0123456789');
  expect(texts.of(0, [0], () => 'printed anew')).toBe('printed anew');
  expect(texts.of(1, [0], () => 'x'.repeat(26))).toHaveLength(26);
  expect(texts.characters).toBe(0);
});

test('what cannot be printed leaves the text before it', () => {
  const texts = new PrintedTexts<string>(100);
  texts.of('a', [1], () => 'one');
  const fail = (): never => {
    throw new Error('not now');
  };
  expect(() => texts.of('a', [2], fail)).toThrow('not now');
  expect(texts.of('a', [1], fail)).toBe('one');
});
