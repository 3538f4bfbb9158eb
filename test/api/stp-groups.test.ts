import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectCode, expectShape } from './answer-shape.ts';
import { encode, keys, type Reply, sign, startTestGateway, type TestGateway } from './gateway-harness.ts';
import { buy, sell, startTradingHarness, symbol, type Terms, type TradingHarness } from './trading-harness.ts';

/* Groups of self-trade prevention over the public API; what they do to orders is tested in test/scenario too. */

let harness: TradingHarness;
let gate: TestGateway;
const groupPath = '/api/v3/strategy/group';
const memberPath = '/api/v3/strategy/group/uid';
/** UIDs of alice, who asks, of her sub-account, and of strangers. */
const uids = { alice: '1001', sub: '1002', bob: '2002', broker: '3003' } as const;

const ask =
  (method: string, path: string) =>
  (parameters: Terms, key: string = keys.alice): Promise<Reply> =>
    gate.signed(method, path, parameters, { key });
const create = ask('POST', groupPath);
const query = ask('GET', groupPath);
const remove = ask('DELETE', groupPath);
const addMembers = ask('POST', memberPath);
const addByGet = ask('GET', memberPath);
const removeMembers = ask('DELETE', memberPath);

/** Makes a group with members; its number as a parameter. */
async function group(name: string, members: readonly string[] = [], key: string = keys.alice): Promise<string> {
  const made = await create({ tradeGroupName: name }, key);
  expectShape('createStpGroup', made);
  const tradeGroupId = String(made.body.data.tradeGroupId);
  if (members.length > 0) expectShape('addStpMembers', await addMembers({ tradeGroupId, uid: members.join(',') }, key));
  return tradeGroupId;
}
const membersOf = async (tradeGroupName: string): Promise<string> =>
  (await query({ tradeGroupName })).body.data[0].tradeGroupUid;

beforeAll(async () => {
  harness = await startTradingHarness();
  ({ gate } = harness);
  const credit = { kind: 'creditFunds', asset: 1 as never, amount: 100_000_000_000n as never } as const;
  for (const account of Object.values(gate.accounts)) await gate.exchange.submit({ ...credit, account });
  await harness.emptyBook();
});
afterAll(() => gate.close());
beforeEach(async () => {
  for (const [owner, key] of [
    ['alice', keys.alice],
    ['bob', keys.bob],
  ] as const) {
    for (const { group: id } of await gate.exchange.queries.stpGroupsOf(gate.accounts[owner]))
      expectShape('deleteStpGroup', await remove({ tradeGroupId: String(id) }, key));
  }
});

describe('groups', () => {
  test('SPEC-STP-02, SPEC-STP-03, SPEC-STP-04, SPEC-STP-10: a group is made, found by its name, and removed', async () => {
    const { time } = gate.exchange.clock;
    const made = await create({ tradeGroupName: 'first desk' });
    const tradeGroupId = made.body.data.tradeGroupId as number;
    const record = { tradeGroupName: 'first desk', tradeGroupId, createTime: time, updateTime: time };
    expect(made.body).toEqual({ data: record, code: 200, msg: 'success', timestamp: time });
    expect(typeof tradeGroupId).toBe('number');
    const found = await query({ tradeGroupName: 'first desk' });
    expectShape('stpGroups', found);
    expect(found.body.data).toEqual([{ ...record, tradeGroupUid: '' }]);
    const gone = await remove({ tradeGroupId: String(tradeGroupId) });
    expect(gone.body).toEqual({ data: true, code: 200, msg: 'success', timestamp: time });
    expect((await query({ tradeGroupName: 'first desk' })).body.data).toEqual([]);
    expectCode(await remove({ tradeGroupId: String(tradeGroupId) }), 22222);
  });

  test('SPEC-STP-05, SPEC-STP-06: members are added by POST and by GET, and removed', async () => {
    const tradeGroupId = await group('desk');
    gate.exchange.clock.time += 5;
    const added = await addMembers({ tradeGroupId, uid: `${uids.sub}, ${uids.alice},${uids.sub}` });
    expectShape('addStpMembers', added);
    const { createTime } = added.body.data;
    expect(added.body.data).toEqual({
      tradeGroupName: 'desk',
      tradeGroupId: Number(tradeGroupId),
      tradeGroupUid: '1002,1001',
      createTime,
      updateTime: createTime + 5,
    });
    expect(await membersOf('desk')).toBe('1002,1001');
    expect((await removeMembers({ tradeGroupId, uid: uids.sub })).body.data).toBe(true);
    expect(await membersOf('desk')).toBe('1001');
    const again = await addByGet({ tradeGroupId, uid: uids.sub });
    expectShape('addStpMembersByGet', again);
    expect(again.body.data.tradeGroupUid).toBe('1002');
    expect(await membersOf('desk')).toBe('1001,1002');
  });

  test('DEC-SUB-08: adding a member twice succeeds, an account may be in several groups, a taken name is 33333', async () => {
    const [first, second] = [await group('first', [uids.sub]), await group('second')];
    expect((await addMembers({ tradeGroupId: first, uid: uids.sub })).body.data.tradeGroupUid).toBe('1002');
    await addMembers({ tradeGroupId: second, uid: uids.sub });
    expect([await membersOf('first'), await membersOf('second')]).toEqual(['1002', '1002']);
    expect((await removeMembers({ tradeGroupId: second, uid: uids.alice })).status).toBe(200);
    const taken = await create({ tradeGroupName: 'first' });
    expectCode(taken, 33333);
    expect(taken.body.msg).toContain("'tradeGroupName'");
    expect(await group('first', [], keys.bob)).not.toBe(first);
  });

  test('SPEC-STP-08, C22, DEC-SUB-06: ten groups, the eleventh is 26; another master has ten of its own', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `group ${index}`);
    const ids: string[] = [];
    for (const name of names) ids.push(await group(name));
    expect(new Set(ids).size).toBe(10);
    const before = gate.digest();
    expectCode(await create({ tradeGroupName: 'one more' }), 26);
    expect(gate.digest()).toBe(before);
    await group('one more', [], keys.bob);
    await remove({ tradeGroupId: ids[3] as string });
    await group('one more');
  });

  test('DEC-SUB-50: a name has 1 to 32 well-formed characters, and ttradeGroupId is read as tradeGroupId', async () => {
    const longest = '名'.repeat(32);
    const id = await group(longest);
    expect((await query({ tradeGroupName: longest })).body.data).toHaveLength(1);
    expectCode(await create({ tradeGroupName: 'n'.repeat(33) }), 33333);
    expectCode(await create({ tradeGroupName: 'line\nbreak' }), 700008);
    for (const asked of [create, query]) {
      expectCode(await asked({}), 44444);
      expectCode(await asked({ tradeGroupName: '' }), 44444);
    }
    expect((await addMembers({ ttradeGroupId: id, uid: uids.sub })).body.data.tradeGroupUid).toBe('1002');
    expect((await removeMembers({ tradeGroupId: '', ttradeGroupId: id, uid: uids.sub })).status).toBe(200);
    expectCode(await remove({ tradeGroupId: '999999', ttradeGroupId: id }), 22222);
    expect((await remove({ ttradeGroupId: id })).body.data).toBe(true);
  });

  test.each([
    ['no group', { uid: uids.sub }, 44444, 'tradeGroupId'],
    ['no uid', { tradeGroupId: 'own' }, 44444, 'uid'],
    ['a group of words', { tradeGroupId: 'desk', uid: uids.sub }, 33333, 'tradeGroupId'],
    ['group zero', { tradeGroupId: '0', uid: uids.sub }, 33333, 'tradeGroupId'],
    ['an unknown group', { tradeGroupId: '999999', uid: uids.sub }, 22222, 'tradeGroupId'],
    ["another master's group", { tradeGroupId: 'theirs', uid: uids.sub }, 22222, 'tradeGroupId'],
    ["another master's uid", { tradeGroupId: 'own', uid: `${uids.sub},${uids.bob}` }, 140001, 'uid'],
    ["the uid of another master's group", { tradeGroupId: 'theirs', uid: uids.bob }, 140001, 'uid'],
    ['an unknown uid', { tradeGroupId: 'own', uid: '777' }, 140001, 'uid'],
    ['a uid of letters', { tradeGroupId: 'own', uid: '10o1' }, 33333, 'uid'],
    ['uid zero', { tradeGroupId: 'own', uid: '0' }, 33333, 'uid'],
    ['an empty item', { tradeGroupId: 'own', uid: '1002,' }, 33333, 'uid'],
    ['more uids than it can have', { tradeGroupId: 'own', uid: 'many' }, 33333, 'uid'],
  ] as const)('D18, SPEC-STP-07, DEC-SUB-06: %s changes nothing', async (_title, given, code, parameter) => {
    const real: Terms = { own: await group('own', [uids.alice]), theirs: await group('theirs', [], keys.bob) };
    const many = Array.from({ length: 32 }, (_, index) => String(5000 + index)).join(',');
    const parameters: Terms = { ...given };
    for (const [name, value] of Object.entries(parameters))
      parameters[name] = value === 'many' ? many : (real[value] ?? value);
    const before = gate.digest();
    for (const asked of [addMembers, addByGet, removeMembers]) {
      const reply = await asked(parameters);
      expectCode(reply, code);
      expect(reply.body.msg).toContain(`'${parameter}'`);
    }
    expect(gate.digest()).toBe(before);
  });

  test('D02, D18, SPEC-STP-07: a sub-account uses no groups, and nobody sees or removes those of others', async () => {
    const tradeGroupId = await group('own', [uids.sub]);
    const before = gate.digest();
    for (const asked of [create, query, remove, addMembers, addByGet, removeMembers]) {
      expectCode(await asked({ tradeGroupName: 'own', tradeGroupId, uid: uids.sub }, keys.sub), 700007);
    }
    expect((await query({ tradeGroupName: 'own' }, keys.bob)).body.data).toEqual([]);
    expectCode(await remove({ tradeGroupId }, keys.bob), 22222);
    expect(gate.digest()).toBe(before);
  });
});

test('DEC-SUB-49: with signatureReuse all, a signed question is not replayed as the GET that adds members', async () => {
  const own = await startTestGateway({ settings: { rateLimits: false, signatureReuse: 'all' } });
  const made = await own.signed('POST', groupPath, { tradeGroupName: 'desk' });
  const text = encode({
    tradeGroupName: 'desk',
    tradeGroupId: String(made.body.data.tradeGroupId),
    uid: uids.sub,
    timestamp: String(own.exchange.clock.time),
  });
  const get = (path: string) =>
    own.send('GET', `${path}?${text}&signature=${sign(text)}`, { headers: { 'X-SVC-APIKEY': keys.alice } });
  expect((await get(groupPath)).status).toBe(200);
  const before = own.digest();
  expectCode(await get(memberPath), 700002);
  expect(own.digest()).toBe(before);
  await own.close();
});

/** What the taker, the maker and the order behind it are afterwards: status, executed quantity, reason. */
type Ends = readonly [taker: string, maker: string, behind: string];
const traded: Ends = ['FILLED 2', 'FILLED 1', 'FILLED 1'];
/** DEC-ORD-20: what each mode does where prevention is active. */
const prevented: Readonly<Record<string, Ends>> = {
  '': traded,
  cancel_maker: ['PARTIALLY_FILLED 1', 'CANCELED 0 stp_cancel', 'FILLED 1'],
  cancel_taker: ['CANCELED 0 stp_cancel', 'NEW 0', 'NEW 0'],
  cancel_both: ['CANCELED 0 stp_cancel', 'CANCELED 0 stp_cancel', 'NEW 0'],
};

interface Relation {
  readonly name: string;
  readonly maker: keyof typeof keys;
  /** Members of groups that stand before the maker's order, and what happens after it. */
  readonly groups: readonly (readonly string[])[];
  readonly between?: (tradeGroupId: string) => Promise<Reply>;
  readonly isActive: boolean;
}
const relations: readonly Relation[] = [
  { name: 'an own order, with a group', maker: 'alice', groups: [[uids.sub]], isActive: true },
  { name: 'an own order, without any group', maker: 'alice', groups: [], isActive: false },
  { name: 'another UID of the group', maker: 'sub', groups: [[uids.alice, uids.sub]], isActive: true },
  { name: 'a UID of another group', maker: 'sub', groups: [[uids.alice], [uids.sub]], isActive: false },
  { name: 'a UID of no group', maker: 'sub', groups: [[uids.alice]], isActive: false },
  { name: 'a stranger', maker: 'bob', groups: [[uids.alice, uids.sub]], isActive: false },
  {
    name: 'a group that is deleted in between',
    maker: 'sub',
    groups: [[uids.alice, uids.sub]],
    between: (tradeGroupId) => remove({ tradeGroupId }),
    isActive: false,
  },
  {
    name: 'a member that is removed in between',
    maker: 'sub',
    groups: [[uids.alice, uids.sub]],
    between: (tradeGroupId) => removeMembers({ tradeGroupId, uid: uids.sub }),
    isActive: false,
  },
  {
    name: 'a member that is added in between',
    maker: 'sub',
    groups: [[uids.alice]],
    between: (tradeGroupId) => addMembers({ tradeGroupId, uid: uids.sub }),
    isActive: true,
  },
];
const cells = relations.flatMap((relation) =>
  Object.keys(prevented).flatMap((stpMode) =>
    (['single', 'batch'] as const).map((how) => ({ ...relation, stpMode, how, shown: stpMode || 'no mode' })),
  ),
);

/** Cancels what earlier tests left. */
async function cancelAll(): Promise<void> {
  await Promise.all(Object.values(keys).map((key) => gate.signed('DELETE', '/api/v3/openOrders', { symbol }, { key })));
}

/** The id of a taker's order, sent alone or before another order of a batch. */
async function take(how: 'single' | 'batch', terms: Terms): Promise<string> {
  if (how === 'single') return (await harness.place(terms)).body.orderId;
  const batchOrders = JSON.stringify([terms, { ...buy, quantity: '0.5', price: '90' }]);
  const { body } = await gate.signed('POST', '/api/v3/batchOrders', { batchOrders });
  expect(body).toHaveLength(2);
  expect((await harness.order(body[1].orderId)).status).toBe('NEW');
  return body[0].orderId;
}
const locked = async (key: string, asset: string): Promise<string> =>
  (await harness.balances(key))[asset]?.[1] ?? 'nothing';

describe('E10, E12, SPEC-STP-01, SPEC-STP-09, DEC-ORD-20: what an order meets', () => {
  beforeEach(cancelAll);

  test.each(cells)('$how $shown against $name', async ({ maker, groups, between, isActive, stpMode, how }) => {
    const ids: string[] = [];
    for (const [index, members] of groups.entries()) ids.push(await group(`group ${index}`, members));
    const { orderId: resting } = (await harness.place(sell, keys[maker])).body;
    const { orderId: behind } = (await harness.place({ ...sell, price: '101' }, keys.broker)).body;
    if (between !== undefined) expect((await between(ids[0] as string)).status).toBe(200);
    const taken = await take(how, { ...buy, price: '101', quantity: '2', stpMode });
    const end = async (orderId: string, key: string): Promise<string> => {
      const { status, executedQty, cancelReason } = await harness.order(orderId, key);
      return [status, executedQty, ...(cancelReason === null ? [] : [cancelReason])].join(' ');
    };
    const ends = [await end(taken, keys.alice), await end(resting, keys[maker]), await end(behind, keys.broker)];
    expect(ends).toEqual(isActive ? prevented[stpMode] : traded);
    // Holds are those of what still rests: one unit at 101, and the other order of the batch.
    const rests = ends[0] === 'PARTIALLY_FILLED 1' ? 101 : 0;
    expect(await locked(keys.alice, 'USDT')).toBe(String(rests + (how === 'batch' ? 45 : 0)));
    expect(await locked(keys[maker], 'BTC')).toBe(ends[1] === 'NEW 0' ? '1' : '0');
  });

  test('DEC-ORD-21: what an account trades with itself carries isSelfTrade', async () => {
    await group('desk', [uids.alice]);
    const isSelfTrade = async () =>
      (await gate.signed('GET', '/api/v3/myTrades', { symbol, limit: '1' })).body[0].isSelfTrade;
    await harness.placed(sell);
    await harness.placed(buy);
    expect(await isSelfTrade()).toBe(true);
    await harness.placed(sell, keys.sub);
    await harness.placed(buy);
    expect(await isSelfTrade()).toBe(false);
  });
});

describe('DEC-SUB-07: what is deleted while a batch runs acts before it or after it', () => {
  beforeEach(cancelAll);
  const items = Array.from({ length: 4 }, () => ({ ...buy, quantity: '1', stpMode: 'cancel_taker' }));

  test.each([[true], [false]])('a group, the batch first: %s', async (batchFirst) => {
    const tradeGroupId = await group('desk', [uids.alice, uids.sub]);
    await harness.placed({ ...sell, quantity: '4' }, keys.sub);
    const from = gate.exchange.entries.length;
    const sent = [
      () => gate.signed('POST', '/api/v3/batchOrders', { batchOrders: JSON.stringify(items) }),
      () => remove({ tradeGroupId }),
    ];
    const replies = await Promise.all((batchFirst ? sent : sent.reverse()).map((each) => each()));
    const batch = (batchFirst ? replies[0] : replies[1]) as Reply;
    const kinds = gate.exchange.entries.slice(from).map(({ command }) => command.kind);
    const stands = kinds.indexOf('placeOrders') < kinds.indexOf('deleteStpGroup');
    for (const { orderId } of batch.body)
      expect((await harness.order(orderId)).status).toBe(stands ? 'CANCELED' : 'FILLED');
  });
});
