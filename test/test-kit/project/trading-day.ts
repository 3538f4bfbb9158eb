import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { BourseError } from 'bourse/client';
import { OperatorProblem, runScenario, type ScenarioExchange } from 'bourse/testing';
import { useBourse } from 'bourse/testing/node';

/** Tests of a project that installed the package and has a copy of the market maker of the guide. */

const bourse = await useBourse({ now: '2026-01-01T00:00:00Z', restoreEach: true });

/** Starts the market maker as the account `bot`; what it answers stops it, and asks whether its book was exact. */
async function startMaker({ baseUrl, wsUrl, operatorUrl, operatorToken, accounts }: ScenarioExchange) {
  const bot = { ...accounts['bot'], name: 'alice' };
  const demo = { base_url: baseUrl, ws_url: wsUrl, operator_url: operatorUrl, operator_token: operatorToken };
  writeFileSync('demo.json', JSON.stringify({ ...demo, accounts: [bot] }));
  const args = ['market-maker/run.mjs', 'demo.json', '--seconds', '600', '--spread', '1'];
  const maker = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  maker.stdout.on('data', (chunk) => (out += chunk));
  const ended = new Promise<number | null>((resolve) => maker.on('close', resolve));
  return async () => {
    maker.kill('SIGTERM');
    assert.equal(await ended, 0, out);
    assert.match(out, /[1-9]\d* comparisons of \d+ levels, 0 differences\n$/);
  };
}

test('a day with faults and a flash crash, beside a market maker', async () => {
  const { steps, ms } = await runScenario('trading-day', { beside: startMaker });
  assert.ok(steps > 0);
  console.log(`the day took ${Math.round(ms)} ms`);
});

test('errors are those that the package exports', async () => {
  const client = bourse.client('alice');
  const terms = { symbol: 'BTCUSDT', side: 'SELL', type: 'LIMIT', quantity: '1000000', price: '50000' } as const;
  await assert.rejects(client.placeOrder(terms), BourseError);
  await assert.rejects(bourse.operator.restoreState({ name: 'none' }), OperatorProblem);
});
