import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogue } from '#operator-api/catalogue.ts';
import type { AnyOperatorEndpoint } from '#operator-api/declaration/endpoint.ts';
import { loadExampleBot } from './example-bot.ts';
import { runSteps, stepsOf } from './page-shell.ts';
import { project } from './run-process.ts';

/** Commands of docs/guides/test-kit.md against a real sandbox in a process of its own. */

const page = 'docs/guides/test-kit.md';
/** Headings whose commands are run here, in the order of the page; the first has what all of them need. */
const headings = ['The test kit', 'Faults', 'Request log', 'Faucet'];
const clockHeadings = ['The test kit', 'Clock'];
const hasTools = spawnSync('bash', ['-c', 'command -v curl jq']).status === 0;
let exchange: Awaited<ReturnType<Awaited<ReturnType<typeof loadExampleBot>>['startSandbox']>>;

beforeAll(async () => {
  if (hasTools) exchange = await (await loadExampleBot()).startSandbox();
});
afterAll(() => exchange?.stop());

test.runIf(hasTools)('DEC-KIT-20, DEC-KIT-27: commands of the guide do what it says', async () => {
  const here = (commands: string): string =>
    commands
      .replaceAll('data/demo.json', join(exchange.data, 'demo.json'))
      .replaceAll('curl -s ', 'curl -sS --fail-with-body ')
      // Nobody is there to send what it waits for.
      .replace('"seconds": 20', '"seconds": 0');
  await exchange.rest('alice').get('/api/v3/time');
  const steps = stepsOf(page).filter(({ heading }) => headings.includes(heading));
  const { code, output } = await runSteps(steps, exchange.data, {}, here, 25_000);
  expect([code, output]).toEqual([0, output]);
  expect(output).toContain('"id":"f1"');
  expect(output).toContain('"id":"storm"');
  expect(output).toContain('{"entry":null}');
  const har = join(exchange.data, 'requests.har');
  expect(existsSync(har)).toBe(true);
  const { log } = JSON.parse(readFileSync(har, 'utf8')) as { log: { entries: { request: { url: string } }[] } };
  expect(log.entries.map(({ request }) => request.url)).toEqual([`${exchange.demo.base_url}/api/v3/time`]);
});

test.runIf(hasTools)('DEC-KIT-01, DEC-KIT-02, DEC-KIT-04: commands of the clock do what the guide says', async () => {
  const here = (commands: string): string =>
    commands
      .replaceAll('data/demo.json', join(exchange.data, 'demo.json'))
      .replaceAll('curl -s ', 'curl -sS --fail-with-body ')
      // A busy machine is slow to write down a whole day.
      .replace('"ms":86400000', '"ms":3600000');
  const steps = stepsOf(page).filter(({ heading }) => clockHeadings.includes(heading));
  const { code, output } = await runSteps(steps, exchange.data, {}, here, 25_000);
  expect([code, output]).toEqual([0, output]);
  expect(output).toContain('"mode":"standing","');
  expect(output).toMatch(/"now":19249\d+,"ended":"reached"/);
});

test('DEC-KIT-82: each control of the kit stands in the table of both languages', () => {
  const text = readFileSync(join(project, page), 'utf8');
  const controls = Object.entries<AnyOperatorEndpoint>(catalogue).filter(([, each]) => each.sandboxOnly !== undefined);
  expect(controls.length).toBeGreaterThan(30);
  expect(controls.map(([id]) => id).filter((id) => !text.includes(`| \`operator.${id}(`))).toEqual([]);
});
