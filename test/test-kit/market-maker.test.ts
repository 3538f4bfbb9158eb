import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { operatorCalls } from '#testing/operator-client.ts';
import { runScenario, type ScenarioExchange } from '#testing/testing.ts';
import { shippedScenarios } from '#testing/shipped-scenarios.ts';
import { project } from '../guides/run-process.ts';

/** The market maker of the guide, as a program, beside the scenarios that Bourse brings along. */

const folder = mkdtempSync(join(tmpdir(), 'bourse-maker-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Those that take a while run with the variable alone. */
const quick = ['gap-and-resync', 'rate-limit-storm', 'unknown-outcome'];
const names = process.env['BOURSE_TEST_SCENARIOS'] === undefined ? quick : shippedScenarios();
const waitSeconds = 30;
const startingBase = 10;

/** Starts it as the account `bot`; what it answers stops it, and compares what it believes with what is so. */
async function startMaker({ baseUrl, wsUrl, operatorUrl, operatorToken, accounts }: ScenarioExchange) {
  const { bot } = accounts;
  if (bot === undefined) throw new Error('the scenario has no account bot');
  const demo = join(folder, 'demo.json');
  writeFileSync(demo, JSON.stringify({ base_url: baseUrl, ws_url: wsUrl, accounts: [{ ...bot, name: 'alice' }] }));
  const args = [join('examples', 'market-maker', 'run.mjs'), demo, '--seconds', '600', '--spread', '1'];
  const maker = spawn(process.execPath, args, { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, told] = ['', ''];
  maker.stdout.on('data', (chunk) => (out += chunk));
  maker.stderr.on('data', (chunk) => (told += chunk));
  const ended = new Promise<number | null>((resolve) => maker.on('close', resolve));
  const operator = operatorCalls({ url: operatorUrl, token: operatorToken });
  const { entry } = await operator.awaitRequest({ after: 0, kind: 'opened', seconds: waitSeconds });
  return async () => {
    maker.kill('SIGTERM');
    const code = await ended;
    const last = out.trim().split('\n').at(-1) ?? '';
    const [, placed, position, comparisons] =
      /; (\d+) orders placed, .* position (-?[\d.]+); (\d+) comparisons of \d+ levels, 0 differences$/.exec(last) ?? [];
    expect([code, last, told]).toEqual([0, expect.stringMatching(/ 0 differences$/), expect.any(String)]);
    expect(entry).not.toBeNull();
    expect(Math.min(Number(placed), Number(comparisons))).toBeGreaterThan(0);
    // Nothing rests, and what it believes to hold is what it has.
    expect((await operator.listOrders({ uid: bot.uid })).items).toEqual([]);
    const { spot } = await operator.getBalances({ uid: bot.uid });
    const base = spot.find(({ asset }) => asset === 'BTC');
    expect([Number(base?.held), Number(base?.free)]).toEqual([0, startingBase + Number(position)]);
  };
}

test.each(names)(
  'DEC-KIT-79: the market maker of the guide survives %s with an exact book and exact orders',
  async (name) => {
    const { steps } = await runScenario(name, { beside: startMaker });
    expect(steps).toBeGreaterThan(0);
  },
  120_000,
);
