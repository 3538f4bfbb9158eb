import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { webhookKinds } from '#model/webhook.ts';

const guide = readFileSync(new URL('../../docs/operations/webhooks.md', import.meta.url), 'utf8');

test('DEC-OPR-239: the code of the guide knows what the exchange signed from what it did not', async () => {
  const code = /```js\n([\s\S]*?)```/.exec(guide)![1]!;
  const { isGenuine } = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`);
  const body = '{"id":"1-1"}';
  const headersAt = (timestamp: number) => ({
    'bourse-timestamp': String(timestamp),
    'bourse-signature': createHmac('sha256', 'secret').update(`${timestamp}.${body}`).digest('hex'),
  });
  const now = Math.floor(Date.now() / 1000);
  expect(isGenuine('secret', headersAt(now), body)).toBe(true);
  const refused = [
    isGenuine('other', headersAt(now), body),
    isGenuine('secret', headersAt(now), `${body} `),
    isGenuine('secret', headersAt(now - 301), body),
    isGenuine('secret', { ...headersAt(now), 'bourse-timestamp': String(now + 1) }, body),
    isGenuine('secret', {}, body),
  ];
  expect(refused).toEqual([false, false, false, false, false]);
});

test('DEC-OPR-241: the guide names every kind of event', () => {
  expect(webhookKinds.filter((kind) => !guide.includes(`\`${kind}\``))).toEqual([]);
});
