import { afterAll, beforeAll, expect, test } from 'vitest';
import { engineLimits } from '#model/limits.ts';
import { startTestOperator, type TestOperator } from './operator-harness.ts';
import { operated } from '../operated.ts';

let operator: TestOperator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.close());

const path = (uid = operator.bob.uid): string => `/v1/accounts/${uid}/notes`;
const write = (text: unknown, headers = {}) => operator.ask('POST', path(), { text }, { headers });

test('DEC-OPR-237: notes are listed newest first, page by page, with author and time', async () => {
  const texts = ['first', 'second\n\tline', '\u{1f600}'.repeat(2000)];
  for (const text of texts) {
    const { status, body } = await write(text);
    expect([status, body]).toEqual([201, { note: body.note, text, author: 'root', at: body.at }]);
    operator.exchange.clock.time += 1000;
  }
  const whole = (await operator.ask('GET', path())).body.items;
  expect(whole.map((each: { text: string }) => each.text)).toEqual(texts.toReversed());
  let listed: unknown[] = [];
  for (let cursor = ''; cursor !== 'null'; ) {
    const { body } = await operator.ask('GET', `${path()}?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
    listed = [...listed, ...body.items];
    cursor = String(body.nextCursor);
  }
  expect(listed).toEqual(whole);
  expect((await operator.ask('GET', `${path()}?to=${whole[2].at}`)).body.items).toEqual([whole[2]]);
  expect((await operator.ask('GET', path(operator.alice.uid))).body.items).toEqual([]);
});

test('DEC-OPR-237: a repetition under a key writes nothing, and answers the same', async () => {
  const [first, again] = [
    await write('once', { 'idempotency-key': 'n1' }),
    await write('once', { 'idempotency-key': 'n1' }),
  ];
  expect(again.body).toEqual(first.body);
  const other = await write('twice', { 'idempotency-key': 'n1' });
  expect([other.status, other.body.code]).toEqual([422, 'idempotencyKeyInUse']);
});

test('DEC-OPR-237: what is no note is refused by name; nothing changes or removes one', async () => {
  const before = operator.digest();
  for (const text of ['', ' \n', 'bell \u0007', 'x'.repeat(2001), 7, undefined]) {
    const { status, body } = await write(text);
    expect([status, body.errors[0].pointer]).toEqual([400, '/text']);
  }
  expect((await operator.ask('POST', path(4711), { text: 'x' })).status).toBe(404);
  for (const method of ['PUT', 'PATCH', 'DELETE']) expect((await operator.ask(method, path(), {})).status).toBe(405);
  expect(operator.digest()).toBe(before);
});

test('DEC-OPR-237: an account has a bounded number of notes, and no one but an operator writes them', async () => {
  const { exchange, alice } = operator;
  const { account } = alice;
  const unsigned = await exchange.submit({ kind: 'addAccountNote', account, text: 'x' });
  expect(unsigned.events).toEqual([{ kind: 'commandRefused', reason: 'invalidConfiguration' }]);
  const note = operated('olga', { kind: 'addAccountNote', account, text: 'x' });
  for (let left = engineLimits.notesPerAccount; left > 0; left -= 1) await exchange.submit(note);
  const { status, body } = await operator.ask('POST', path(alice.uid), { text: 'one more' });
  expect([status, body.code]).toEqual([409, 'tooManyNotes']);
  expect((await operator.ask('GET', `${path(alice.uid)}?limit=500`)).body.items).toHaveLength(500);
});
