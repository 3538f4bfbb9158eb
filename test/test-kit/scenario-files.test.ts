import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readScenario } from '#testing/scenario/read-scenario.ts';
import { scenarioLimits } from '#testing/scenario/scenario-schema.ts';
import { scenarioText, shippedScenarios } from '#testing/shipped-scenarios.ts';
import { ScenarioInvalid } from '#testing/testing.ts';
import { project } from '../guides/run-process.ts';

/** What a file is refused for, a line each; empty: it is read. */
async function faultsOf(text: string): Promise<string[]> {
  try {
    await readScenario(text, 'a.yaml');
    return [];
  } catch (error) {
    if (!(error instanceof ScenarioInvalid)) throw error;
    return error.message.split('\n');
  }
}

const head = 'name: a\naccounts: { carol: {} }\nsteps:\n';
const step = (text: string): string => `${head}  - ${text}\n`;
const order = 'account: carol, symbol: BTCUSDT, side: BUY, quantity: 1';

test('DEC-KIT-70: faults name line, column and member, and there may be many', async () => {
  const text = `name: a
colour: red
accounts: { carol: {} }
steps:
  - order: { account: carol, symbol: BTCUSDT, side: UP, quantity: 1, price: 1, size: 3 }
  - clock: { advance: tomorrow }
  - faults: { add: { match: { path: orders }, fault: { kind: explode } } }
  - expect: { balance: { account: carol } }
`;
  expect(await faultsOf(text)).toEqual([
    'a.yaml:2:1: colour is not known here',
    'a.yaml:5:47: steps[0].order.side must be one of BUY, SELL',
    'a.yaml:5:80: steps[0].order.size is not known here',
    'a.yaml:6:14: steps[1].clock.advance must be a span such as 250ms, 90s, 10m, 8h or 1d',
    'a.yaml:7:31: steps[2].faults.add.match.path must be a path such as /api/v3/order',
    expect.stringMatching(/^a\.yaml:7:5\d: steps\[2\]\.faults\.add\.fault(?:\.kind)? must have a kind: /),
    'a.yaml:8:15: steps[3].expect.balance.asset is missing',
  ]);
});

test.each([
  ['two actions', step('{ clock: { advance: 1s }, halt: {} }'), 'steps[0] must have exactly one of clock'],
  ['no action', step('{ note: nothing }'), 'steps[0] must have exactly one of clock'],
  ['two controls', step('market: { endPaths: {}, move: { assets: [BTC], changePpm: 1, seconds: 1 } }'), 'exactly one'],
  ['a span below zero', step('clock: { advance: -1s }'), 'must be a span'],
  ['too many rounds', step(`repeat: { times: ${scenarioLimits.times + 1}, steps: [{ halt: {} }] }`), 'must be at most'],
  ['no steps', 'name: a\nsteps: []\n', 'steps must have at least 1 items'],
  ['a number as a name', step('{ halt: {}, as: 7 }'), 'as must be a letter'],
  ['a second member of a name', 'name: a\nname: b\nsteps: [{ halt: {} }]\n', 'a.yaml:2:1: Map keys must be unique'],
  ['an alias', 'name: &a b\nwhy: *a\nsteps: [{ halt: {} }]\n', 'must have no tag and no anchor'],
  ['a tag', 'name: !!js/function a\nsteps: [{ halt: {} }]\n', 'Unresolved tag'],
  ['two documents', 'name: a\nsteps: [{ halt: {} }]\n---\nname: b\n', 'multiple documents'],
  ['what a parser has no stack for', `name: ${'['.repeat(100_000)}`, 'a.yaml:1:1: must not be more than 40 deep'],
  ['lists within lists', `${'- '.repeat(100_000)}a`, 'a.yaml:1:1: must not be more than 40 deep'],
  ['no YAML', 'name: [a\n', 'a.yaml:'],
  ['no object', '- halt: {}\n', 'must be an object'],
  ['an empty file', '', 'must be an object'],
  ['a file that is too long', `name: a\n#${'x'.repeat(scenarioLimits.bytes)}`, 'must have at most'],
  ['steps that are too deep', step('clock: ' + '['.repeat(60) + ']'.repeat(60)), 'must not be more than 40 deep'],
])('DEC-KIT-70: a file is refused for %s', async (_, text, fault) => {
  expect((await faultsOf(text)).join('\n')).toContain(fault);
});

test('DEC-KIT-70: an amount may stand without quotes, and is read as it is written', async () => {
  const { steps } = await readScenario(step(`order: { ${order}, price: 50000.10 }`), 'a.yaml');
  expect(steps[0]?.['order']).toMatchObject({ quantity: '1', price: '50000.10' });
});

test.each([
  [
    'an account',
    step('faucet: { account: dave, asset: BTC, free: 1 }'),
    'a.yaml:4:15: steps[0].faucet.account must be an account of the scenario: carol',
  ],
  [
    'an account of a fault',
    step('faults: { add: { match: { account: dave }, fault: { kind: malform } } }'),
    'match.account must be an account',
  ],
  [
    'a name',
    step(`cancel: { account: carol, symbol: BTCUSDT, orderId: "\${first.orderId}" }`),
    'must not use first before a step has it',
  ],
  ['a stream', step('expect: { push: { stream: feed } }'), 'must be a stream that an earlier step opens: none'],
  [
    'a malformed reference',
    step(`withdraw: { account: carol, coin: BTC, amount: 1, address: "\${}" }`),
    'must have references such as',
  ],
  ['a name of an account as that of an answer', step('{ halt: {}, as: carol }'), 'must not be the name of an account'],
  [
    'rounds within too many rounds',
    step([...Array(4).fill('repeat: { times: 2, steps: [{'), 'halt: {}', ...Array(4).fill('}] }')].join(' ')),
    'must not be repeated within more than 2 others',
  ],
])('DEC-KIT-71: %s that is not there is a fault of the file', async (_, text, fault) => {
  expect((await faultsOf(text)).join('\n')).toContain(fault);
});

test('DEC-KIT-71: names of earlier steps, of accounts and of rounds are known', async () => {
  const text = `${head}  - order: { ${order}, price: 1 }
    as: first
  - repeat:
      times: 2
      count: round
      steps:
        - cancel: { account: carol, symbol: BTCUSDT, orderId: '\${first.orderId}' }
        - request: { path: /api/v3/time, parameters: { a: '\${carol.uid}-\${round}' } }
`;
  expect(await faultsOf(text)).toEqual([]);
  // A reference stands in for a value of any kind.
  const open =
    step('{ halt: {}, as: x }') +
    `  - clock: { advance: "\${x.span}" }\n  - chain: { mine: { network: ETH, blocks: "\${x.n}" } }\n`;
  expect(await faultsOf(open)).toEqual([]);
});

test('DEC-KIT-70: the published schema takes what Bourse brings along, and refuses what is unknown', async () => {
  const schema = JSON.parse(readFileSync(join(project, 'docs', 'reference', 'scenario.schema.json'), 'utf8'));
  const isValid = new Ajv2020({ strict: false, formats: { 'unix-milliseconds': true } }).compile(schema);
  const names = shippedScenarios();
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    const { text } = scenarioText(name);
    expect(text).toMatch(/^# yaml-language-server: \$schema=\.\.\/docs\/reference\/scenario\.schema\.json\n/);
    await readScenario(text, name);
    expect([name, isValid(parse(text)), isValid.errors]).toEqual([name, true, null]);
  }
  const taken = (value: object): boolean => isValid({ name: 'a', steps: [value] });
  expect(taken({ halt: {} })).toBe(true);
  expect(taken({ clock: { advance: `\${a.b}` } })).toBe(true);
  for (const refused of [{}, { halt: {}, resume: {} }, { halt: { pairs: 1 } }, { clock: { advance: 'soon' } }])
    expect([refused, taken(refused)]).toEqual([refused, false]);
}, 60_000);
