import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogue } from '#operator-api/catalogue.ts';
import { type AnyOperatorEndpoint, isWrite } from '#operator-api/declaration/endpoint.ts';
import { createFaucet } from '#sandbox/faucet.ts';
import { Chance } from '../fuzz/chance.ts';
import { startTestOperator, type TestOperator } from '../operator/operator-harness.ts';
import type { Sandbox } from '../simulation/sandbox-harness.ts';
import { startMarket } from '../simulation/sandbox-harness.ts';

/**
 * Bodies of the faucet and of the market that somebody broke: whatever is sent is answered, what is refused changes
 * nothing, and the traders trade on. BOURSE_TEST_SANDBOX_BODIES: how many; BOURSE_TEST_SEED: where chance begins.
 */

const bodies = Number(process.env['BOURSE_TEST_SANDBOX_BODIES'] ?? 150);
const seed = Number(process.env['BOURSE_TEST_SEED'] ?? 1);
const controls = Object.values<AnyOperatorEndpoint>(catalogue).filter(
  ({ sandboxOnly, path, ...endpoint }) =>
    (sandboxOnly === 'simulation' || sandboxOnly === 'faucet') && isWrite(endpoint) && !path.includes('fundings'),
);
const amounts = ['0', '1', '0.000000000000000001', '-1', '999999999999999999', '1e9', '', 'x', '10000'];
const strange: readonly unknown[] = [
  ...[null, true, -1, 0, 1, 1.5, 1e21, Number.MAX_SAFE_INTEGER, 2 ** 31, '', ' ', 'BTCUSDT', 'BTC', 'USDT', 'NOPE'],
  ...[[], {}, [[]], [null], ['BTCUSDT', 'BTCUSDT'], { kind: 'jump' }, '\u0000', 'a'.repeat(2000), ...amounts],
];

let sandbox: Sandbox;
let operator: TestOperator;
beforeAll(async () => {
  sandbox = await startMarket('bodies');
  const { sequencer, queries, clock, simulation } = sandbox;
  const parts = { ingress: sequencer, feed: sequencer, queries, clock, simulation, faucet: createFaucet(queries) };
  operator = await startTestOperator({ hasChains: true, context: (context) => ({ ...context, ...parts }) });
}, 60_000);
afterAll(async () => {
  await operator.close();
  await sandbox.simulation.stop();
});

type Tree = Record<string, unknown>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A copy in which something is otherwise, or nothing. */
function broken(value: unknown, chance: Chance): unknown {
  if (Array.isArray(value) && value.length > 0 && chance.in(0.8))
    return value.map((item, index) => (index === 0 ? broken(item, chance) : item));
  if (!isTree(value) || chance.in(0.1)) return chance.in(0.8) ? chance.pick(strange) : value;
  const names = Object.keys(value);
  const name =
    chance.in(0.1) || names.length === 0 ? chance.pick(['more', '__proto__', 'seconds']) : chance.pick(names);
  const copy = new Map(Object.entries(value));
  if (chance.in(0.15)) copy.delete(name);
  else copy.set(name, broken(copy.get(name), chance));
  return Object.fromEntries(copy);
}

test(
  'DEC-KIT-50, DEC-KIT-54, DEC-KIT-60, DEC-KIT-63, DEC-KIT-64, DEC-KIT-66: no body breaks the sandbox',
  async () => {
    const chance = new Chance(seed);
    const answered = new Map<number, number>();
    for (let round = 0; round < bodies; round += 1) {
      const { method, path, body, parameters } = chance.pick(controls);
      const members = Object.keys(parameters.shape);
      const filled = members.reduce(
        (text, name) => text.replace(`{${name}}`, chance.pick(['BTC', '1', 'BTCUSDT', 'replay-1'])),
        path,
      );
      const example = (body?.meta() as { readonly examples?: readonly unknown[] } | undefined)?.examples?.[0];
      const sent = body === null ? undefined : broken(example, chance);
      const before = sandbox.engine.digest();
      const { status, text } = await operator.ask(method, filled, sent);
      const shown = JSON.stringify({ method, filled, sent, status, text });
      expect(status, shown).toBeLessThan(500);
      if (status >= 400) expect(sandbox.engine.digest(), shown).toBe(before);
      answered.set(status, (answered.get(status) ?? 0) + 1);
      if (round % 10 === 0) await sandbox.pass(100);
    }
    // Both are there: bodies that are taken, and such that are not.
    expect((answered.get(200) ?? 0) + (answered.get(201) ?? 0)).toBeGreaterThan(5);
    expect(answered.get(400) ?? 0).toBeGreaterThan(bodies / 10);
    await operator.ask('DELETE', '/v1/market/conditions');
    await operator.ask('DELETE', '/v1/market/paths');
    await sandbox.pass(2_000);
    expect([sandbox.troubles, sandbox.faults()]).toEqual([[], []]);
  },
  30_000 + 100 * bodies,
);
