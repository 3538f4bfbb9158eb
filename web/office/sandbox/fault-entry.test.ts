import { expect, test } from 'vitest';
import type { MemberSchema } from '#web/office/data/operations.ts';
import { type FaultEntry, matchForms, readFault, variantsOf } from '#web/office/sandbox/fault-entry.ts';
import { inOrder, kindTitle } from '#web/office/sandbox/fault-kinds.ts';
import { lastingText, matchText, membersText } from '#web/office/sandbox/fault-texts.ts';

const whole = { type: 'integer' };
const text = { type: 'string' };
const body: MemberSchema = {
  properties: {
    match: { properties: { path: text, channel: text, account: whole, nth: whole, every: whole, seed: whole } },
    fault: {
      oneOf: [
        { properties: { kind: { const: 'delay' }, ms: whole }, required: ['kind', 'ms'] },
        { properties: { kind: { const: 'gap' } }, required: ['kind'] },
      ],
    },
  },
};
const entry: FaultEntry = {
  ...{ kind: 'delay', fault: { ms: '250' }, match: { path: '/api/v3/order', account: '' } },
  ...{ striking: 'each', number: '', count: '', span: '' },
};
const read = (part: Partial<FaultEntry>) => {
  const entered = { ...entry, ...part };
  const fault = variantsOf(body).find(({ kind }) => kind === entered.kind)?.forms ?? [];
  return readFault(entered, { fault, match: matchForms(body, entered) });
};

test('DEC-WEB-67: a rule is read with what narrows it down', () => {
  expect(read({})).toEqual({
    rule: {
      ...{ match: { path: '/api/v3/order' }, count: null, forMs: null },
      fault: { kind: 'delay', ms: 250 },
    },
    faults: {},
  });
  expect(read({ striking: 'probabilityPpm', number: '0.5', count: '3', span: '2 m' }).rule).toMatchObject({
    ...{ match: { probabilityPpm: 5000 }, count: 3, forMs: 120_000 },
  });
  expect(read({ kind: 'gap', fault: {}, match: { channel: 'spot@x', path: '/a' } }).rule).toMatchObject({
    match: { channel: 'spot@x' },
  });
});

test('DEC-WEB-67: what cannot be read stands at its member', () => {
  const { faults } = read({ fault: { ms: 'soon' }, striking: 'nth', number: 'x', count: '-1', span: 'ever' });
  expect(Object.keys(faults).sort()).toEqual(['count', 'fault/ms', 'forMs', 'match/nth']);
});

test('kinds are offered in one order, those that are not described last', () => {
  expect(inOrder(['gap', 'later', 'refuse'])).toEqual(['refuse', 'gap', 'later']);
  expect(kindTitle('gap')).toBe('Pushes: leave a push out');
});

test('a rule is told in words', () => {
  const match = { method: 'POST', path: '/api/v3/order', pair: 'BTCUSDT', account: 7 } as const;
  expect(matchText({ match: { ...match, nth: 3 } })).toBe('POST /api/v3/order, BTCUSDT, account 7, the 3rd alone');
  expect(matchText({ match: { every: 11 } })).toBe('every 11th');
  expect(matchText({ match: { probabilityPpm: 5000 } })).toBe('0.5 % by chance');
  expect(matchText({ match: {} })).toBe('all');
  expect(lastingText({ count: 1, forMs: 60_000 })).toBe('once, for 1 m');
  expect(lastingText({ count: null, forMs: null })).toBe('until removed');
  const fault = { kind: 'delay', at: 'answer', ms: 800, spreadMs: 0, perByteUs: 0 } as const;
  expect(membersText({ fault })).toBe('at answer · ms 800');
});
