import { expect, test } from 'vitest';
import { prefersHtml } from '#public-api/pages/index-page.ts';

test.each([
  ['Chromium', 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'],
  ['Firefox', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
  ['who names it alone', 'text/html'],
  ['who writes it in capitals and with blanks', ' TEXT/HTML ; charset=utf-8 '],
  ['who takes JSON if need be', 'application/json;q=0.5, text/html;q=0.9'],
])('DEC-REQ-62: %s gets a page', (_, accept) => {
  expect(prefersHtml(accept)).toBe(true);
});

test.each([
  ['who says nothing', undefined],
  ['who says nothing in the header', ''],
  ['curl and most libraries', '*/*'],
  ['a library for JSON', 'application/json, text/plain, */*'],
  ['who likes both alike', 'text/html, application/json'],
  ['who likes JSON more', 'text/html;q=0.8, application/json;q=0.9'],
  ['who wants any text', 'text/*'],
  ['who refuses pages', 'text/html;q=0, */*'],
  ['who gives a weight that is no number', 'text/html;q=high'],
  ['who sends separators only', ',;,;q=1,,'],
])('DEC-REQ-62: %s gets JSON', (_, accept) => {
  expect(prefersHtml(accept)).toBe(false);
});
