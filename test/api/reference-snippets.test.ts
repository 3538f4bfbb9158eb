import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiDocument, groupsOf, type Operation } from '#web/reference/operation.ts';
import { type FormValues, faultsOf, firstValues, requestTextOf } from '#web/reference/request-text.ts';
import { rowsOf } from '#web/reference/schema-rows.ts';
import { type Proof, snippetsOf } from '#web/reference/snippets.ts';
import { rootToken, startTestOperator, type TestOperator } from '../operator/operator-harness.ts';
import { keys, secret, startTestGateway, type TestGateway } from './gateway-harness.ts';

/** Code of the reference as people use it: pasted into a shell, Node and Python, against a real exchange. */

const run = promisify(execFile);
const commands = {
  curl: (code: string) => run('bash', ['-c', `set -o pipefail\n${code}`]),
  Node: (code: string) => run(process.execPath, ['--input-type=module', '-e', code]),
  Python: (code: string) => run('python3', ['-c', code]),
};

let gate: TestGateway;
let operator: TestOperator;
let all: readonly Operation[];
let office: readonly Operation[];
const signedBy = (secretKey: string): Proof => ({
  kind: 'keys',
  keyHeader: 'X-SVC-APIKEY',
  keys: { accessKey: keys.alice, secretKey },
});

const readDocument = async (url: string): Promise<ApiDocument> =>
  (await (await fetch(`${url}/openapi.json`)).json()) as ApiDocument;

async function operationsOf(url: string): Promise<readonly Operation[]> {
  return groupsOf(await readDocument(url), url).flatMap(({ operations }) => operations);
}

beforeAll(async () => {
  gate = await startTestGateway({ settings: { rateLimits: false } });
  operator = await startTestOperator({ hasChains: true });
  [all, office] = await Promise.all([operationsOf(gate.url), operationsOf(operator.url)]);
});
afterAll(async () => {
  await gate.close();
  await operator.close();
});

const of = (operations: readonly Operation[], id: string): Operation =>
  operations.find((operation) => operation.id === id) as Operation;

/** What the three programs print for a request. */
async function printed(operation: Operation, form: FormValues, proof: Proof): Promise<readonly string[]> {
  const snippets = snippetsOf(requestTextOf(operation, form), proof);
  return Promise.all(snippets.map(async ({ language, code }) => (await commands[language](code)).stdout.trim()));
}

test('DEC-WEB-70: every endpoint of both ports is read, with its members and refusals, and a form that only lacks what nobody can know', async () => {
  for (const [operations, url] of [
    [all, gate.url],
    [office, operator.url],
  ] as const) {
    const { paths } = await readDocument(url);
    const documented = Object.values<object>(paths).flatMap((methods) => Object.keys(methods));
    expect(operations).toHaveLength(documented.length);
    for (const operation of operations) {
      const { id, refusals, answer, body } = operation;
      const places = rowsOf(answer?.schema ?? {}).map(({ path }) => path);
      expect([id, refusals.length > 0, new Set(places).size]).toEqual([id, true, places.length]);
      // Of what only this exchange knows, such as the number of a proposal, there is no example.
      const unknown = operation.parameters.filter(({ place, example }) => place === 'path' && example === '');
      expect([id, Object.keys(faultsOf(operation, firstValues(operation)))]).toEqual([
        id,
        unknown.map(({ name }) => name),
      ]);
      expect([id, body === null || rowsOf(body.schema).length > 0]).toEqual([id, true]);
    }
  }
});

describe('DEC-WEB-72: code that signs by itself works when it is pasted, whatever stands in it', () => {
  test.each([
    ['account', {}],
    ['testOrder', { newClientOrderId: 'a-b_c' }],
    ['openOrders', { recvWindow: '30000' }],
    ['placeOrders', { batchOrders: '[{"symbol":"BTCUSDT","side":"BUY","type":"LIMIT","quantity":"1","price":"5"}]' }],
  ])('%s', async (id, values) => {
    const operation = of(all, id);
    const form = firstValues(operation);
    const answers = await printed(operation, { ...form, values: { ...form.values, ...values } }, signedBy(secret));
    const [curl = '', ...others] = answers;
    expect(curl).toMatch(/^[[{]/);
    expect(curl).not.toContain('"code":7');
    for (const answer of others) expect(answer).toMatch(/^200 [[{]/);
  });

  test('values with every mark of a shell are refused by the exchange for what they are, not for the signature', async () => {
    const operation = of(all, 'openOrders');
    const symbol = `'"\`$(touch /tmp/pasted)!*\\ ;|&#%é{}`;
    const answers = await printed(operation, { values: { symbol }, body: '' }, signedBy(secret));
    for (const answer of answers) {
      expect(answer).toContain('"code"');
      expect(answer).not.toMatch(/70000[12]|\b602\b/);
    }
    expect(new Set(answers.map((answer) => answer.replace(/^400 /, ''))).size).toBe(1);
  });

  test('a secret with marks of a shell stays text', async () => {
    const answers = await printed(of(all, 'account'), { values: {}, body: '' }, signedBy(`'$(id)"\\'`));
    for (const answer of answers) expect(answer).toContain('700002');
  });

  test('public endpoints need no account, and a signed one without an account says where to choose one', async () => {
    const operation = of(all, 'depth');
    const [curl = '', ...others] = await printed(operation, firstValues(operation), { kind: 'none' });
    expect(JSON.parse(curl)).toHaveProperty('lastUpdateId');
    for (const answer of others) expect(answer).toMatch(/^200 \{/);
    const request = requestTextOf(of(all, 'account'), { values: {}, body: '' });
    for (const { code } of snippetsOf(request, { kind: 'keys', keyHeader: 'X-SVC-APIKEY', keys: null }))
      expect(code).toContain('Choose an account above');
  });

  test('operators send a body with their token', async () => {
    const operation = of(office, 'setAccountStatus');
    const body = JSON.stringify({ status: 'frozen', reason: `it's "so" $HOME \`id\` é` });
    const values = { uid: String(operator.alice.uid) };
    const answers = await printed(operation, { values, body }, { kind: 'token', token: rootToken });
    for (const answer of answers) expect(answer).toContain('frozen');
  });
});
