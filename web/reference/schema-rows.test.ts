import { expect, test } from 'vitest';
import { boundsText, rowsOf, typeText, valuesOf } from '#web/reference/schema-rows.ts';

test('DEC-WEB-70: members stand below what has them, those of a list once', () => {
  const item = { type: 'object', properties: { price: { type: 'string' } }, required: ['price'] };
  const schema = {
    type: 'object',
    properties: { data: { anyOf: [item, { type: 'array', items: item }] }, at: { type: 'integer' } },
    required: ['data'],
  };
  expect(rowsOf(schema).map(({ depth, name, type, isOptional }) => [depth, name, type, isOptional])).toEqual([
    [0, 'data', 'object or object[]', false],
    [1, 'price', 'text', false],
    [0, 'at', 'integer', true],
  ]);
});

test('DEC-WEB-70: a type is told in a word, with null where it may be that, and its values and bounds', () => {
  expect(typeText({ anyOf: [{ type: 'string', pattern: '^(0|[1-9]\\d*)$' }, { type: 'null' }] })).toBe(
    'decimal or null',
  );
  expect(typeText({ type: 'array', items: { $ref: '#/components/schemas/Order' } })).toBe('Order[]');
  expect(typeText({})).toBe('any');
  expect(valuesOf({ type: 'array', items: { type: 'string', enum: ['', 'a'] } })).toEqual(['""', 'a']);
  expect(boundsText({ minimum: 1, maximum: 5000, default: 100 })).toBe('From 1, up to 5000, by itself 100.');
  expect(boundsText({})).toBe('');
});

test('DEC-WEB-70: a schema without an end is told as far as one can read', () => {
  const endless: { type: string; properties: Record<string, unknown> } = { type: 'object', properties: {} };
  endless.properties['again'] = endless;
  expect(rowsOf(endless as never).length).toBeLessThan(10);
});
