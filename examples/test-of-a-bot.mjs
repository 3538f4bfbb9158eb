// A test of a bot: one exchange for the file, and each test begins with what beforeAll made.
// node --test examples/test-of-a-bot.mjs
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { useBourse } from 'bourse/testing/node';

const bourse = await useBourse({ now: '2026-01-01T00:00:00Z', restoreEach: true });

/** What is tested: a bot that asks for the price until it gets one. */
async function bestPrice(baseUrl, attempts = 3) {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(`${baseUrl}/api/v3/depth?symbol=BTCUSDT`);
    if (answer.ok) return (await answer.json()).bids[0]?.[0] ?? null;
    if (attempt === attempts) throw new Error(`no price: ${answer.status}`);
  }
}

let trader;
before(async () => {
  trader = await bourse.operator.openFaucet({ name: 'trader', grants: [{ asset: 'USDT', amount: '10000' }] });
});

test('an empty book has no best price', async () => {
  assert.equal(await bestPrice(bourse.baseUrl), null);
});

test('a failure is survived', async () => {
  await bourse.operator.addFault({
    match: { path: '/api/v3/depth' },
    fault: { kind: 'refuse', status: 503 },
    count: 2,
  });
  assert.equal(await bestPrice(bourse.baseUrl), null);
});

test('rules of other tests are gone, accounts of the beginning are there', async () => {
  assert.deepEqual((await bourse.operator.listFaults()).items, []);
  assert.equal((await bourse.operator.getAccount({ uid: trader.uid })).name, 'trader');
});
