import { afterEach, expect, test, vi } from 'vitest';
import { Feed, hexOf, rowsMax } from '#web/pages/docs/feed.ts';

afterEach(() => {
  vi.useRealTimers();
});

const push = (text: string) => ({ who: '', channel: 'c', content: { text }, raw: text });

test('DEC-WEB-74: the newest pushes are kept, by number and by bytes, and shown a few times a second', () => {
  vi.useFakeTimers();
  const feed = new Feed();
  for (let count = 0; count < 3 * rowsMax; count += 1) feed.add(push(`${count}`));
  expect(feed.rows.value).toEqual([]);
  vi.advanceTimersByTime(200);
  expect([feed.rows.value.length, feed.total.value, feed.rows.value[0]?.line]).toEqual([
    rowsMax,
    3 * rowsMax,
    '{"text":"599"}',
  ]);
  for (let count = 0; count < 5; count += 1) feed.add(push('x'.repeat(900_000)));
  vi.advanceTimersByTime(200);
  expect(feed.rows.value.map(({ bytes, raw }) => [bytes, raw.length])).toEqual([
    [900_000, 16_384],
    [900_000, 16_384],
  ]);
  feed.close();
});

test('DEC-WEB-74: a pause keeps what is shown, and the rate is that of the last second', () => {
  vi.useFakeTimers();
  const feed = new Feed();
  feed.add(push('one'));
  vi.advanceTimersByTime(200);
  feed.pause(true);
  feed.add(push('two'));
  vi.advanceTimersByTime(800);
  expect([feed.rows.value.length, feed.total.value, feed.rate.value]).toEqual([1, 2, { pushes: 2, bytes: 6 }]);
  feed.pause(false);
  expect(feed.rows.value.map(({ line }) => line)).toEqual(['{"text":"two"}', '{"text":"one"}']);
  vi.advanceTimersByTime(1000);
  expect(feed.rate.value).toEqual({ pushes: 0, bytes: 0 });
  feed.clear();
  expect([feed.rows.value, feed.total.value, vi.getTimerCount()]).toEqual([[], 0, 0]);
  expect(hexOf(new Uint8Array([10, 255]))).toBe('0a ff');
});
