import { describe, expect, test } from 'vitest';
import { changesOf, entryText, entryValue, labelOf, memberForm, memberForms } from '#web/office/data/member-texts.ts';

const nullable = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
const form = (schema: object, isRequired = true) => memberForm('member', schema, isRequired);

describe('members of forms', () => {
  test.each([
    [{ type: 'boolean' }, true],
    [{ type: 'integer' }, -17],
    [{ type: 'string', enum: ['online', 'paused'] }, 'paused'],
    [{ type: 'integer', format: 'unix-milliseconds' }, 1_700_000_000_000],
    [{ type: 'integer', format: 'unix-milliseconds' }, 1_700_000_000_123],
    [{ type: 'array', items: { type: 'string' } }, ['limit', 'market']],
    [{ type: 'array', items: { type: 'object' } }, [{ volume: '5', tokenBalance: null }]],
    [nullable({ type: 'string' }), 'text'],
    [nullable({ type: 'string' }), null],
  ])('DEC-WEB-43: what %j is entered as is read as it was: %j', (schema, value) => {
    const member = form(schema);
    expect(entryValue(member, entryText(member.kind, value))).toEqual(value);
  });

  test('DEC-WEB-43: what is left empty is not sent, null where it may be, or missing', () => {
    expect(entryValue(form({ type: 'string' }, false), ' ')).toBeUndefined();
    expect(entryValue(form(nullable({ type: 'integer' }), false), '')).toBeNull();
    expect(() => entryValue(form({ type: 'integer' }), '')).toThrow('missing');
    expect(() => entryValue(form({ type: 'integer' }), '1.5')).toThrow('whole number');
    expect(() => entryValue(form({ type: 'object' }), '{')).toThrow('JSON');
    expect(() => entryValue(form({ format: 'unix-milliseconds' }), 'soon')).toThrow('UTC');
  });

  test('DEC-WEB-43: the difference holds what changes and nothing else', () => {
    const current = { takerFeePpm: 500, orderKinds: ['limit'], fullName: 'Bitcoin', note: null };
    const sent = { takerFeePpm: 400, orderKinds: ['limit'], fullName: undefined, note: null };
    expect(changesOf(sent, current)).toEqual([{ name: 'takerFeePpm', before: 500, after: 400 }]);
    expect(changesOf({ amount: '5', uid: undefined }, null)).toEqual([
      { name: 'amount', before: undefined, after: '5' },
    ]);
  });

  test('members of a body come in its order, without those that are given', () => {
    const body = { properties: { status: { type: 'string' }, reason: { type: 'string' } }, required: ['status'] };
    expect(memberForms(body, ['reason']).map(({ name, isRequired }) => [name, isRequired])).toEqual([['status', true]]);
    expect(memberForms(null, [])).toEqual([]);
    expect(labelOf('takerFeePpm')).toBe('Taker fee, ppm');
    expect(labelOf('isInside')).toBe('Within the exchange');
    expect(labelOf('kycLevel')).toBe('KYC level');
    expect(labelOf('apiKey')).toBe('API key');
    expect(labelOf('toString')).toBe('To string');
  });
});
