import fc from 'fast-check';
import { expect, test } from 'vitest';
import { batchBodyBounds, isCrowdedForm, isCrowdedJson, plainBodyBounds } from '#public-api/pipeline/body-bounds.ts';

const flat = (count: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, at])));
const batch = (items: number, members: number): string =>
  `{"batchOrders":[${Array.from({ length: items }, () => flat(members)).join(',')}]}`;

test('DEC-REQ-40: 64 members are let through, the 65th is not', () => {
  expect(isCrowdedJson('{}', plainBodyBounds)).toBe(false);
  expect(isCrowdedJson(flat(64), plainBodyBounds)).toBe(false);
  expect(isCrowdedJson(flat(65), plainBodyBounds)).toBe(true);
});

test('DEC-REQ-40: a batch holds 20 orders, each with as many members as any body', () => {
  expect(isCrowdedJson(batch(20, 60), batchBodyBounds)).toBe(false);
  expect(isCrowdedJson(batch(21, 1), batchBodyBounds)).toBe(true);
  expect(isCrowdedJson(batch(1, 1400), batchBodyBounds)).toBe(true);
});

test('marks inside of texts hold nothing, however they are escaped', () => {
  const text = JSON.stringify({ a: ',[{'.repeat(500), b: '"\\,'.repeat(200) });
  expect(isCrowdedJson(text, plainBodyBounds)).toBe(false);
});

test('nothing is hidden in depth: any JSON of more than 64 values is crowded', () => {
  const countOf = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 1;
    return Object.values(value).reduce((sum: number, each) => sum + countOf(each), 0);
  };
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(90), (value, count) => {
      const body = { value, list: Array.from({ length: count }, () => value) };
      return countOf(body) <= plainBodyBounds.values || isCrowdedJson(JSON.stringify(body), plainBodyBounds);
    }),
  );
});

test('a form holds 64 pairs; empty ones between ampersands are none', () => {
  const pairs = (count: number): string => Array.from({ length: count }, (_, at) => `m${at}=${at}`).join('&');
  expect(isCrowdedForm('', plainBodyBounds)).toBe(false);
  expect(isCrowdedForm(`&&${pairs(64)}&&&`, plainBodyBounds)).toBe(false);
  expect(isCrowdedForm(pairs(65), plainBodyBounds)).toBe(true);
});
