import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFaucet } from '#sandbox/faucet.ts';
import { rootToken, startTestOperator, type TestOperator } from '../operator/operator-harness.ts';
import type { Sandbox } from '../simulation/sandbox-harness.ts';
import { startMarket } from '../simulation/sandbox-harness.ts';
import { runSteps, stepsOf } from './page-shell.ts';

/** Commands of the faucet and the market of docs/guides/test-kit.md, where simulated traders act without a history. */

const page = 'docs/guides/test-kit.md';
const headings = ['The test kit', 'Faucet', 'Market', 'New markets, halts, fundings, liquidations'];
const hasTools = spawnSync('bash', ['-c', 'command -v curl jq']).status === 0;
let sandbox: Sandbox;
let operator: TestOperator;
let folder = '';

beforeAll(async () => {
  sandbox = await startMarket('guide');
  const { sequencer, queries, clock, simulation } = sandbox;
  const parts = { ingress: sequencer, feed: sequencer, queries, clock, simulation, faucet: createFaucet(queries) };
  operator = await startTestOperator({ hasChains: true, context: (context) => ({ ...context, ...parts }) });
  folder = mkdtempSync(join(tmpdir(), 'bourse-guide-'));
  const demo = { base_url: operator.url, operator_url: operator.url, operator_token: rootToken };
  writeFileSync(join(folder, 'demo.json'), JSON.stringify(demo));
}, 60_000);
afterAll(async () => {
  await operator.close();
  await sandbox.simulation.stop();
  rmSync(folder, { recursive: true });
});

test.runIf(hasTools)(
  'DEC-KIT-50 to DEC-KIT-55, DEC-KIT-60 to DEC-KIT-66: commands of the guide do what it says',
  async () => {
    const here = (commands: string): string =>
      commands
        .replaceAll('data/demo.json', join(folder, 'demo.json'))
        .replaceAll('curl -s ', 'curl -sS --fail-with-body ')
        // Nobody tells index prices here.
        .replace(/^control POST .*fundings.*$/m, '');
    const steps = stepsOf(page).filter(({ heading }) => headings.includes(heading));
    const { code, output } = await runSteps(steps, folder, {}, here, 60_000);
    expect([code, output]).toEqual([0, output]);
    for (const shown of [
      '"free":"0.01"',
      '"market":"NOVAUSDT"',
      '"market":"NOVA_USDT"',
      '"id":"replay-1"',
      '"isHalted":false',
    ])
      expect(output).toContain(shown);
    await sandbox.pass(3_000);
    const { markets, values } = (await operator.ask('GET', '/v1/market')).body;
    expect(markets.map(({ market }: { readonly market: string }) => market)).toContain('NOVAUSDT');
    const paths = values.map(({ asset, path }: { readonly asset: string; readonly path: string }) => [asset, path]);
    expect(paths).toEqual(
      expect.arrayContaining([
        ['BTC', 'flashCrash'],
        ['ETH', 'replay'],
      ]),
    );
    expect([sandbox.troubles, sandbox.faults()]).toEqual([[], []]);
  },
);
