import { expect, test } from 'vitest';
import { spanFault, spanOf, spanText } from '#web/office/sandbox/span-text.ts';

test.each([
  ['90', 90_000],
  ['90 s', 90_000],
  ['1h 30m', 5_400_000],
  ['2 D', 172_800_000],
  ['1.5 h', 5_400_000],
  ['250 ms', 250],
  ['1 w', 604_800_000],
])('%s is %i ms', (text, ms) => {
  expect(spanOf(text)).toBe(ms);
});

test.each(['', 'soon', '5 x', '-1 s', '1 h and 5', '1..5 h', '1 h -5 m'])('%j is no span', (text) => {
  expect(() => spanOf(text)).toThrow(spanFault);
});

test.each([
  [0, '0 s'],
  [250, '250 ms'],
  [5_400_000, '1 h 30 m'],
  [-93_784_000, '1 d 2 h'],
])('%i ms are told as %s', (ms, text) => {
  expect(spanText(ms)).toBe(text);
});
