import { expect, test } from 'vitest';
import { faultLimits } from '#sandbox/faults/fault-rule.ts';
import { StaleAnswers } from '#sandbox/faults/stale-answers.ts';

const asked = (query: string) => ({
  ...{ method: 'GET', path: '/api/v3/depth', query, bodyBytes: 0, accessKey: null, account: null, pairs: () => [] },
});
const answer = (text: string) => ({ status: 200, text });

test('DEC-KIT-25: the newest answer that is old enough is told, and until then the first', () => {
  const stale = new StaleAnswers();
  const at = (now: number, text: string) => stale.after(asked('a'), answer(text), { now, ms: 100 }).text;
  expect([at(0, 'one'), at(50, 'two'), at(99, 'three'), at(100, 'three')]).toEqual(['one', 'one', 'one', 'one']);
  expect([at(150, 'four'), at(198, 'four'), at(199, 'four'), at(250, 'five')]).toEqual(['two', 'two', 'three', 'four']);
});

test('DEC-KIT-25: what was asked longest ago is forgotten when too much is kept', () => {
  const stale = new StaleAnswers();
  const big = 'x'.repeat(faultLimits.staleBytes / 4);
  const ask = (query: string, text: string, now: number) =>
    stale.after(asked(query), answer(text), { now, ms: 1000 }).text;
  ask('first', 'old', 0);
  for (const query of ['a', 'b', 'c', 'd']) ask(query, big, 1);
  expect(ask('first', 'new', 2)).toBe('new');
});
