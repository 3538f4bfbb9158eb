import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AnswerDeadlines } from '#http/answer-deadlines.ts';

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

test('what is not answered in time expires, each at its own time', () => {
  const deadlines = new AnswerDeadlines(100, () => Date.now());
  const expired: string[] = [];
  const begin = (name: string) => deadlines.begin(() => expired.push(`${name} ${Date.now()}`));
  begin('first');
  const second = begin('second');
  vi.advanceTimersByTime(60);
  begin('third');
  deadlines.end(second);
  vi.advanceTimersByTime(39);
  expect(expired).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(expired).toEqual(['first 100']);
  vi.advanceTimersByTime(100);
  expect(expired).toEqual(['first 100', 'third 160']);
  expect([deadlines.size, vi.getTimerCount()]).toEqual([0, 0]);
});

test('the answered leave the table, in whatever order they are', () => {
  const deadlines = new AnswerDeadlines(100, () => Date.now());
  const fail = (): void => expect.unreachable();
  const awaited = Array.from({ length: 5000 }, () => deadlines.begin(fail));
  for (const answer of awaited.slice(1)) deadlines.end(answer);
  expect(deadlines.size).toBe(5000);
  deadlines.end(awaited[0]!);
  expect(deadlines.size).toBe(0);
  vi.advanceTimersByTime(1000);
  expect(vi.getTimerCount()).toBe(0);
});

test('a promise that comes too late fails, once and as its failure is worded', async () => {
  const deadlines = new AnswerDeadlines(100, () => Date.now());
  const wordFailure = (error: unknown): unknown => new Error(`worded: ${(error as Error).message}`);
  const wait = (answer: Promise<string>) => deadlines.within(answer, () => new Error('too late'), wordFailure);
  const late = wait(new Promise(() => {})).catch((error: Error) => error.message);
  const failed = wait(Promise.reject(new Error('failed'))).catch((error: Error) => error.message);
  expect([await wait(Promise.resolve('in time')), await failed]).toEqual(['in time', 'worded: failed']);
  await vi.advanceTimersByTimeAsync(100);
  expect(await late).toBe('worded: too late');
  expect([deadlines.size, vi.getTimerCount()]).toEqual([0, 0]);
});
