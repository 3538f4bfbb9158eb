import { expect, test } from 'vitest';
import { firstFilter, readFilter, searchOf, viewOf } from '#web/office/sandbox/request-filter.ts';
import { type Entry, hexLines, indented, parametersOf } from '#web/office/sandbox/request-texts.ts';

const signature = 'ab'.repeat(32);
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const of = (query: string, body: string | null = null, headers: Entry['headers'] = {}) =>
  parametersOf({ query, body, headers });

test('DEC-WEB-65: parameters are those of query and body, decoded, and of a signature eight digits', () => {
  expect(of(`symbol=BTC%20USDT&x&bad=%zz&signature=${signature}`)).toEqual({
    parameters: [
      { name: 'symbol', value: 'BTC USDT', place: 'query' },
      { name: 'x', value: '', place: 'query' },
      { name: 'bad', value: '%zz', place: 'query' },
      { name: 'signature', value: 'abababab…', place: 'query' },
    ],
    isBodyText: false,
  });
  expect(of('', 'side=BUY', form).parameters).toEqual([{ name: 'side', value: 'BUY', place: 'body' }]);
  const json = JSON.stringify({ price: 1, list: ['a'], signature });
  expect(of('', json).parameters.map(({ name, value }) => [name, value])).toEqual([
    ['price', '1'],
    ['list', '["a"]'],
    ['signature', 'abababab…'],
  ]);
  for (const text of ['[1]', 'no JSON', 'null']) expect(of('', text)).toEqual({ parameters: [], isBodyText: true });
});

test('bytes are lines with their places and characters', () => {
  const hex = Buffer.from('01234567\n\u00e9!').toString('hex');
  expect(hexLines(hex).split('\n')).toEqual([
    '0000  30 31 32 33 34 35 36 37  01234567',
    `0008  0a c3 a9 21${' '.repeat(12)}  ···!`,
  ]);
  expect(hexLines('')).toBe('');
});

test('JSON is indented, other text stays', () => {
  expect(indented('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(indented('<html>')).toBe('<html>');
});

test('DEC-WEB-65: what cannot be read of a filter narrows nothing, and says so', () => {
  expect(readFilter(firstFilter)).toEqual({ members: { kind: 'request' }, faults: {} });
  const entered = {
    ...firstFilter,
    shown: 'push',
    account: '7',
    status: '20',
    path: 'order',
    channel: 'spot@x',
  } as const;
  const { members, faults } = readFilter(entered);
  expect(members).toEqual({ kind: 'push', account: 7, channel: 'spot@x' });
  expect(Object.keys(faults).sort()).toEqual(['path', 'status']);
});

test('DEC-WEB-65: an address tells what is shown, and nothing that is as at first', () => {
  expect(viewOf('')).toEqual({ filter: firstFilter, entry: null });
  expect(searchOf(viewOf(''))).toBe('');
  const view = { filter: { ...firstFilter, shown: 'all', path: '/api/*&x' } as const, entry: 12 };
  expect(viewOf(searchOf(view))).toEqual(view);
  expect(viewOf('?shown=nothing&entry=x&other=1')).toEqual({ filter: firstFilter, entry: null });
});
