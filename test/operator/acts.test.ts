import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '#operator-api/catalogue.ts';
import { type AnyOperatorEndpoint, isWrite } from '#operator-api/declaration/endpoint.ts';
import { startTestOperator, type TestOperator } from './operator-harness.ts';
import { openWallet } from './wallet-stage.ts';

let operator: TestOperator;
let status: string;
let savedAddresses: string;
beforeAll(async () => {
  operator = await startTestOperator();
  status = `/v1/accounts/${operator.alice.uid}/status`;
  savedAddresses = `/v1/accounts/${operator.alice.uid}/saved-addresses?asset=BTC&network=BTC&address=x`;
});
afterAll(() => operator.close());

const lastCommand = () => operator.exchange.entries.at(-1)?.command;
const writes = Object.entries<AnyOperatorEndpoint>(catalogue).filter(([, endpoint]) => isWrite(endpoint));

describe('DEC-OPR-190: the journal keeps with a command of an operator', () => {
  test('name, token, address, key and reason', async () => {
    const created = await operator.ask('POST', '/v1/tokens', {
      actor: 'Frank',
      scopes: ['accounts:write'],
      validHours: 1,
    });
    const { token } = created.body;
    const headers = { 'idempotency-key': 'freeze-1' };
    const body = { status: 'frozen', reason: 'Asked for by its owner: “stolen phone”.' };
    expect((await operator.ask('PUT', status, body, { token, headers })).status).toBe(200);
    expect(lastCommand()).toEqual({
      kind: 'operate',
      actor: 'frank',
      token: createHash('sha256').update(token).digest('hex').slice(0, 16),
      address: '127.0.0.1',
      idempotencyKey: 'freeze-1',
      reason: body.reason,
      command: { kind: 'setAccountStatus', account: operator.alice.account, status: 'frozen' },
    });
  });

  test('the token of the configuration by its name', async () => {
    await operator.ask('PUT', status, { status: 'normal' });
    expect(lastCommand()).toMatchObject({ actor: 'root', token: 'root', reason: null });
  });

  test('under another reason a repeated key is the same request', async () => {
    const asking = { headers: { 'idempotency-key': 'again' } };
    expect((await operator.ask('PUT', status, { status: 'frozen', reason: 'first' }, asking)).status).toBe(200);
    expect((await operator.ask('PUT', status, { status: 'frozen', reason: 'second' }, asking)).status).toBe(200);
    expect((await operator.ask('PUT', status, { status: 'normal', reason: 'first' }, asking)).body.code).toBe(
      'idempotencyKeyInUse',
    );
  });
});

describe('DEC-OPR-191: every write takes a reason', () => {
  test.each(writes)('%s', (_id, { path, method, query, body, reasonIn }) => {
    const operation = operator.document.paths[path]?.[method.toLowerCase()];
    if (operation === undefined) return;
    const parameters = operation.parameters.map((each: { name: string; in: string }) => `${each.in} ${each.name}`);
    const members = Object.keys(operation.requestBody?.content['application/json'].schema.properties ?? {});
    const isOwn = reasonIn === null && ('reason' in query.shape || members.includes('reason'));
    expect(isOwn || reasonIn === (body === null ? 'query' : 'body')).toBe(true);
    expect([...members, ...parameters].filter((name) => /^(query )?reason$/.test(name))).toHaveLength(1);
  });

  test('one that declares its own keeps that with the act', async () => {
    await openWallet(operator);
    const path = '/v1/prices/BTC/reference';
    expect((await operator.ask('DELETE', `${path}?reason=thick%20book`)).status).toBe(200);
    const reason = 'thick book';
    expect(lastCommand()).toMatchObject({ reason, command: { kind: 'removeReferencePrice', reason } });
  });

  test('in the query where there is no body', async () => {
    const { status: http } = await operator.ask('DELETE', `${savedAddresses}&reason=a%20mistake`);
    expect(http).toBe(404);
    expect(lastCommand()).toMatchObject({ reason: 'a mistake', command: { kind: 'removeSavedAddress' } });
  });

  test.each([
    ['nothing', ''],
    ['a line break', 'one\ntwo'],
    ['501 characters', 'x'.repeat(501)],
    ['a number', 1],
    ['null', null],
  ])('but not %s', async (_, reason) => {
    const before = operator.exchange.entries.length;
    const { status: http, body } = await operator.ask('PUT', status, { status: 'frozen', reason });
    expect([http, body.code, body.errors.map((each: { pointer: string }) => each.pointer)]).toEqual([
      400,
      'invalidMember',
      ['/reason'],
    ]);
    expect(operator.exchange.entries).toHaveLength(before);
  });

  test('of 500 characters, those outside the basic plane counted once', async () => {
    const reason = '🪙'.repeat(500);
    expect((await operator.ask('PUT', status, { status: 'normal', reason })).status).toBe(200);
    expect(lastCommand()).toMatchObject({ reason });
  });

  test('and no other request', async () => {
    const { status: http, body } = await operator.ask('GET', `${savedAddresses.split('?')[0]}?reason=why`);
    expect([http, body.errors[0].parameter]).toEqual([400, 'reason']);
    const twice = await operator.ask('PUT', `${status}?reason=why`, { status: 'normal' });
    expect([twice.status, twice.body.errors[0].parameter]).toEqual([400, 'reason']);
  });
});
