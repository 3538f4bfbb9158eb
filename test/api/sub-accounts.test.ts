import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiKeyAssociatedData, createSecretSeal } from '#main/secrets/secret-seal.ts';
import type { AccountId } from '#model/units.ts';
import { expectCode, expectShape } from './answer-shape.ts';
import { keys, type Reply, secret, type TestGateway } from './gateway-harness.ts';
import { assets as assetIds, startWalletHarness, units, type WalletHarness } from './wallet-harness.ts';

/* Sub-accounts of masters and their keys, over the public API. */

let wallet: WalletHarness;
let gate: TestGateway;
type Terms = Record<string, string>;

const ask =
  (method: string, path: string) =>
  (parameters: Terms = {}, key: string = keys.alice): Promise<Reply> =>
    gate.signed(method, `/api/v3/sub-account/${path}`, parameters, { key });
const open = ask('POST', 'virtualSubAccount');
const list = ask('GET', 'list');
const makeKey = ask('POST', 'apiKey');
const listKeys = ask('GET', 'apiKey');
const deleteKey = ask('DELETE', 'apiKey');
const assets = ask('GET', 'asset');

interface MadeKey {
  readonly apiKey: string;
  readonly secretKey: string;
}
const trading = 'SPOT_DEAL_READ,SPOT_DEAL_WRITE,SPOT_ACCOUNT_READ';
async function keyOf(subAccount: string, more: Terms = {}, master: string = keys.alice): Promise<MadeKey> {
  const reply = await makeKey({ subAccount, note: 'bot', permissions: trading, ...more }, master);
  expectShape('createSubAccountKey', reply);
  return reply.body;
}
/** A request signed with a key that the API made. */
const by = ({ apiKey, secretKey }: MadeKey, method: string, path: string, parameters: Terms = {}): Promise<Reply> =>
  gate.signed(method, `/api/v3/${path}`, parameters, { key: apiKey, secret: secretKey });
const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '30000' } as const;

beforeAll(async () => {
  // Secrets are sealed as in the running exchange; keys of the harness have theirs in clear.
  const seal = createSecretSeal({ keys: [new Uint8Array(32).fill(7)], nonces: 'random' });
  wallet = await startWalletHarness({
    context: (context) => ({
      ...context,
      sealApiKey: (plain, rights) => seal.seal(plain, apiKeyAssociatedData({ ...rights, keyVersion: 1 })),
      unseal: (key, uid) =>
        key.sealedSecret === secret
          ? secret
          : seal.unseal(key.sealedSecret, apiKeyAssociatedData({ ...key, uid, keyVersion: 1 })),
    }),
  });
  ({ gate } = wallet);
  for (const [name, key] of [
    ['desk0001', keys.alice],
    ['desk0002', keys.alice],
    ['theirs01', keys.bob],
  ] as const)
    expectShape('openSubAccount', await open({ subAccount: name, note: `note of ${name}` }, key));
});
afterAll(() => wallet.close());

async function expectUnchanged(act: () => Promise<void>): Promise<void> {
  const before = gate.digest();
  await act();
  expect(gate.digest()).toBe(before);
}

describe('opening', () => {
  test('SPEC-SUB-01, SPEC-SUB-02, DEC-SUB-09: what is opened is listed with a uid of the exchange', async () => {
    const opened = await open({ subAccount: 'Listed0001', note: 'ein Vermerk' });
    expectShape('openSubAccount', opened);
    expect(opened.body).toEqual({ subAccount: 'Listed0001', note: 'ein Vermerk' });
    const found = await list({ subAccount: 'Listed0001' });
    expectShape('subAccounts', found);
    const [entry] = found.body.subAccounts;
    const createTime = gate.exchange.clock.time;
    expect(found.body.subAccounts).toEqual([
      { subAccount: 'Listed0001', isFreeze: false, createTime, uid: expect.stringMatching(/^9\d{7}$/) },
    ]);
    const key = await keyOf('Listed0001');
    expect((await by(key, 'GET', 'uid')).body).toEqual({ uid: entry.uid });
    expect((await by(key, 'GET', 'kyc/status')).body).toEqual({ status: '2' });
  });

  test.each([
    ['no name', { note: 'x' }, 730600],
    ['7 characters', { subAccount: 'short01', note: 'x' }, 730601],
    ['33 characters', { subAccount: 'n'.repeat(33), note: 'x' }, 730601],
    ['a dash', { subAccount: 'market-maker', note: 'x' }, 730601],
    ['foreign digits', { subAccount: 'desk０００２', note: 'x' }, 730601],
    ['no note', { subAccount: 'desk0009' }, 730602],
    ['a note of 65 characters', { subAccount: 'desk0009', note: 'n'.repeat(65) }, 33333],
    ['a name that is taken', { subAccount: 'desk0001', note: 'x' }, 730101],
  ] as const)('DEC-SUB-01, SPEC-CNV-18: %s', async (_title, parameters, code) => {
    await expectUnchanged(async () => {
      const reply = await open(parameters);
      expectCode(reply, code);
      expect(reply.body.msg).toContain(code === 730602 || code === 33333 ? "'note'" : "'subAccount'");
    });
  });

  test('DEC-SUB-01: another master may use the name, and neither sees the other’s', async () => {
    expectShape('openSubAccount', await open({ subAccount: 'desk0001', note: 'mine' }, keys.bob));
    const uidOf = async (key: string) => (await list({ subAccount: 'desk0001' }, key)).body.subAccounts[0].uid;
    expect(await uidOf(keys.bob)).not.toBe(await uidOf(keys.alice));
    expect((await list({ subAccount: 'theirs01' })).body.subAccounts).toEqual([]);
  });

  test('C22, DEC-SUB-01, SPEC-SUB-02: thirty, the thirty-first is 26; pages of ten in the order of opening', async () => {
    const rest = { master: null, class: 'user', kycLevel: 1, simulated: false } as const;
    const { events } = await gate.exchange.submit({ kind: 'openAccount', uid: 4004 as never, name: 'owner', ...rest });
    const opened = events.find((event) => event.kind === 'accountOpened');
    const owner = 'mx0ownerOOOOOOOOOO';
    await gate.addKey(opened?.account.account as never, owner, ['SPOT_ACCOUNT_READ']);
    const names = Array.from({ length: 30 }, (_, index) => `trader${String(index).padStart(3, '0')}`);
    for (const subAccount of names) expectShape('openSubAccount', await open({ subAccount, note: 'x' }, owner));
    await expectUnchanged(async () => expectCode(await open({ subAccount: 'onetoomany', note: 'x' }, owner), 26));
    const page = async (parameters: Terms): Promise<string[]> =>
      (await list(parameters, owner)).body.subAccounts.map(({ subAccount }: Terms) => subAccount);
    expect(await page({})).toEqual(names.slice(0, 10));
    expect(await page({ page: '3' })).toEqual(names.slice(20));
    expect(await page({ page: '4' })).toEqual([]);
    expect(await page({ limit: '200' })).toEqual(names);
    for (const limit of ['0', '201', 'x']) expectCode(await list({ limit }, owner), 33333);
  });
});

describe('frozen sub-accounts', () => {
  test('D14, SPEC-SUB-02, DEC-REQ-61: it is listed as frozen, may cancel and read, and trades no more', async () => {
    expectShape('openSubAccount', await open({ subAccount: 'frozen0001', note: 'x' }, keys.broker));
    const key = await keyOf('frozen0001', {}, keys.broker);
    const named = await gate.exchange.queries.subAccounts.named(gate.accounts.broker, 'frozen0001');
    const account = named?.account as AccountId;
    await wallet.run({ kind: 'creditFunds', account, asset: assetIds.USDT, amount: units('USDT', 1000) });
    const { orderId } = (await by(key, 'POST', 'order', order)).body;
    await wallet.run({ kind: 'setAccountStatus', account, status: 'frozen' });
    const names = async (isFreeze: string) =>
      (await list({ isFreeze }, keys.broker)).body.subAccounts.map(({ subAccount }: Terms) => subAccount);
    expect([await names('true'), await names('false')]).toEqual([['frozen0001'], []]);
    expectCode(await list({ isFreeze: 'yes' }, keys.broker), 33333);
    expectCode(await by(key, 'POST', 'order', order), 140002);
    const terms = { subAccount: 'frozen0001', note: 'x', permissions: trading };
    await expectUnchanged(async () => expectCode(await makeKey(terms, keys.broker), 140002));
    expect((await by(key, 'GET', 'openOrders', { symbol: 'BTCUSDT' })).body).toEqual([]);
    expectCode(await by(key, 'DELETE', 'order', { symbol: 'BTCUSDT', orderId }), -2011);
    expect((await by(key, 'DELETE', 'openOrders', { symbol: 'BTCUSDT' })).status).toBe(200);
    await wallet.run({ kind: 'setAccountStatus', account, status: 'normal' });
    expect((await by(key, 'POST', 'order', order)).status).toBe(200);
  });
});

describe('keys', () => {
  test('SPEC-SUB-03, SPEC-SUB-05, SPEC-SUB-06, A31: a key is made, used, listed and deleted', async () => {
    const creatTime = gate.exchange.clock.time;
    const made = await makeKey({
      subAccount: 'desk0001',
      note: 'first bot',
      permissions: 'SPOT_DEAL_WRITE, SPOT_DEAL_READ,SPOT_DEAL_WRITE',
      ip: '127.0.0.1, 10.0.0.0/8,127.0.0.1',
    });
    expectShape('createSubAccountKey', made);
    const shown = {
      subAccount: 'desk0001',
      note: 'first bot',
      apiKey: expect.stringMatching(/^mx0[A-Za-z0-9]{15}$/),
      permissions: 'SPOT_DEAL_READ,SPOT_DEAL_WRITE',
      ip: '127.0.0.1,10.0.0.0/8',
      creatTime,
    };
    expect(made.body).toEqual({ ...shown, secretKey: expect.stringMatching(/^[0-9a-f]{32}$/) });
    const { apiKey } = made.body;
    expect((await by(made.body, 'GET', 'openOrders', { symbol: 'BTCUSDT' })).body).toEqual([]);
    expectCode(await by(made.body, 'GET', 'account'), 700007);
    const listed = await listKeys({ subAccount: 'desk0001' });
    expectShape('subAccountKeys', listed);
    expect(listed.body).toEqual({ subAccount: [{ ...shown, apiKey, endTime: null }] });
    const gone = await deleteKey({ subAccount: 'desk0001', apiKey });
    expectShape('deleteSubAccountKey', gone);
    expect(gone.body).toEqual({ subAccount: 'desk0001' });
    expectCode(await by(made.body, 'GET', 'openOrders', { symbol: 'BTCUSDT' }), 10072);
    expectCode(await deleteKey({ subAccount: 'desk0001', apiKey }), 730706);
    expect((await listKeys({ subAccount: 'desk0001' })).body).toEqual({ subAccount: [] });
  });

  test.each([
    ['no sub-account', { subAccount: '' }, 730600, 'subAccount'],
    ['an unknown sub-account', { subAccount: 'nobody01' }, 140001, 'subAccount'],
    ["another master's sub-account", { subAccount: 'theirs01' }, 140001, 'subAccount'],
    ['a name that none can have', { subAccount: 'n'.repeat(300) }, 140001, 'subAccount'],
    ['no note', { note: '' }, 730700, 'note'],
    ['no permissions', { permissions: '' }, 730701, 'permissions'],
    ['withdrawing', { permissions: 'SPOT_WITHDRAW_WRITE' }, 730702, 'permissions'],
    ['deposits', { permissions: 'SPOT_DEAL_READ,SPOT_DEPOSIT_READ' }, 730702, 'permissions'],
    ['an unknown permission', { permissions: 'SPOT_EVERYTHING' }, 730702, 'permissions'],
    ['an empty permission', { permissions: 'SPOT_DEAL_READ,' }, 730702, 'permissions'],
    ['21 addresses', { ip: Array.from({ length: 21 }, (_, at) => `10.0.0.${at}`).join(',') }, 730703, 'ip'],
    ['no address', { ip: '10.0.0.1,home' }, 730704, 'ip'],
  ] as const)('D05, D11, C22, SPEC-SUB-04, DEC-SUB-10: a key with %s', async (_title, wrong, code, parameter) => {
    const right = { subAccount: 'desk0001', note: 'bot', permissions: trading, ip: '10.0.0.1' };
    await expectUnchanged(async () => {
      const reply = await makeKey({ ...right, ...wrong });
      expectCode(reply, code);
      expect(reply.body.msg).toContain(`'${parameter}'`);
    });
  });

  test('SPEC-SUB-03, SPEC-SUB-04: every listed permission, and 20 addresses', async () => {
    const permissions = [
      ...['SPOT_ACCOUNT_READ', 'SPOT_ACCOUNT_WRITE', 'SPOT_DEAL_READ', 'SPOT_DEAL_WRITE', 'SPOT_TRANSFER_READ'],
      ...['SPOT_TRANSFER_WRITE', 'CONTRACT_ACCOUNT_READ', 'CONTRACT_ACCOUNT_WRITE', 'CONTRACT_DEAL_READ'],
      'CONTRACT_DEAL_WRITE',
    ].join(',');
    const ip = Array.from({ length: 20 }, (_, at) => `10.0.0.${at}`).join(',');
    const terms = { subAccount: 'desk0002', note: 'all', permissions, ip };
    const { body } = await makeKey(terms);
    expect([body.permissions, body.ip]).toEqual([permissions, ip]);
    expectCode(await by(body, 'GET', 'account'), 700006);
  });

  test('DEC-SUB-10: deleting what is unknown, of the master, of another sub-account or another master is 730706', async () => {
    const [second, foreign] = [await keyOf('desk0002'), await keyOf('theirs01', {}, keys.bob)];
    await expectUnchanged(async () => {
      expectCode(await deleteKey({ subAccount: 'desk0001' }), 730707);
      for (const apiKey of ['mx0nobodyNNNNNNNNN', 'x', keys.alice, keys.sub, second.apiKey, foreign.apiKey])
        expectCode(await deleteKey({ subAccount: 'desk0001', apiKey }), 730706);
      expectCode(await deleteKey({ subAccount: 'theirs01', apiKey: foreign.apiKey }), 140001);
      expectCode(await deleteKey({ subAccount: 'nobody01', apiKey: second.apiKey }), 140001);
    });
    expect((await by(second, 'GET', 'account')).status).toBe(200);
  });

  test('DEC-SUB-12: a repeated request makes a second key with a secret of its own', async () => {
    const [first, second] = [await keyOf('desk0002'), await keyOf('desk0002')];
    expect([first.apiKey === second.apiKey, first.secretKey === second.secretKey]).toEqual([false, false]);
    for (const key of [first, second]) expect((await by(key, 'GET', 'account')).status).toBe(200);
    expectCode(await by({ ...first, secretKey: second.secretKey }, 'GET', 'account'), 700002);
  });

  test('C22, SPEC-CNV-27: thirty keys, the thirty-first is 730705, and a deleted one makes room', async () => {
    const made: MadeKey[] = [];
    for (let count = (await listKeys({ subAccount: 'theirs01' }, keys.bob)).body.subAccount.length; count < 30; count++)
      made.push(await keyOf('theirs01', {}, keys.bob));
    const terms = { subAccount: 'theirs01', note: 'x', permissions: trading };
    await expectUnchanged(async () => expectCode(await makeKey(terms, keys.bob), 730705));
    expect((await listKeys({ subAccount: 'theirs01' }, keys.bob)).body.subAccount).toHaveLength(30);
    await deleteKey({ subAccount: 'theirs01', apiKey: (made[0] as MadeKey).apiKey }, keys.bob);
    await keyOf('theirs01', {}, keys.bob);
  });

  test('D13, DEC-SUB-12: a secret stands in the answer that made it and nowhere else', async () => {
    const { apiKey, secretKey } = await keyOf('desk0001', { note: 'secret' });
    await by({ apiKey, secretKey: 'wrong' }, 'GET', 'account');
    expectCode(await makeKey({ subAccount: 'desk0001', note: 'secret', permissions: 'NONE' }), 730702);
    const told = (await listKeys({ subAccount: 'desk0001' })).text;
    const journal = JSON.stringify(gate.exchange.entries, (_name, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    const state = Buffer.from(gate.exchange.engine.snapshot()).toString('latin1');
    for (const place of [told, gate.logged.join('\n'), journal, state]) expect(place).not.toContain(secretKey);
    for (const place of [told, journal, state]) expect(place).toContain(apiKey);
  });

  test('DEC-SUB-07: a key that is deleted while its batch runs acts before the batch or after it', async () => {
    const batchOrders = JSON.stringify([order, order].map((each) => ({ ...each, price: '20000' })));
    await wallet.run({
      kind: 'creditFunds',
      account: gate.accounts.sub,
      asset: assetIds.USDT,
      amount: units('USDT', 1000),
    });
    for (const deletesFirst of [false, true]) {
      const key = await keyOf('desk0001');
      const remove = () => deleteKey({ subAccount: 'desk0001', apiKey: key.apiKey });
      const batch = () => by(key, 'POST', 'batchOrders', { batchOrders });
      const replies = await Promise.all((deletesFirst ? [remove, batch] : [batch, remove]).map((each) => each()));
      const answer = (deletesFirst ? replies[1] : replies[0]) as Reply;
      if (answer.status === 200) expect(answer.body).toHaveLength(2);
      else expectCode(answer, 10072);
      expectCode(await batch(), 10072);
    }
  });
});

describe('D02, SPEC-SUB-10, DEC-SUB-11: whose endpoints these are', () => {
  test('a sub-account opens none, lists none and makes no keys', async () => {
    const key = await keyOf('desk0001', { permissions: 'SPOT_ACCOUNT_READ,SPOT_ACCOUNT_WRITE,SPOT_TRANSFER_READ' });
    const named = { subAccount: 'desk0001', note: 'x', permissions: trading, apiKey: key.apiKey, accountType: 'SPOT' };
    await expectUnchanged(async () => {
      for (const path of ['list', 'apiKey', 'asset'])
        expectCode(await by(key, 'GET', `sub-account/${path}`, named), 700007);
      for (const path of ['virtualSubAccount', 'apiKey'])
        expectCode(await by(key, 'POST', `sub-account/${path}`, named), 700007);
      expectCode(await by(key, 'DELETE', 'sub-account/apiKey', named), 700007);
    });
  });
});

describe('SPEC-SUB-09: what a sub-account holds', () => {
  const terms = { subAccount: 'desk0001', accountType: 'SPOT' };

  test('free and locked amounts by asset; nothing before anything came', async () => {
    expectShape('openSubAccount', await open({ subAccount: 'empty0001', note: 'x' }));
    expect((await assets({ subAccount: 'empty0001', accountType: 'SPOT' })).body).toEqual({ balances: [] });
    const transfer = { toAccount: 'empty0001', fromAccountType: 'SPOT', toAccountType: 'SPOT', asset: 'USDT' };
    const { status } = await wallet.post('sub-account/universalTransfer', { ...transfer, amount: '1000.5' });
    expect(status).toBe(200);
    await by(await keyOf('empty0001'), 'POST', 'order', order);
    const reply = await assets({ subAccount: 'empty0001', accountType: 'SPOT' });
    expectShape('subAccountAssets', reply);
    expect(reply.body).toEqual({ balances: [{ asset: 'USDT', free: '700.5', locked: '300' }] });
  });

  test('DEC-SUB-11: FUTURES is 20001, other words 33333, foreign names 140001', async () => {
    expectCode(await assets({ ...terms, accountType: 'FUTURES' }), 20001);
    expectCode(await assets({ ...terms, accountType: 'MARGIN' }), 33333);
    expectCode(await assets({ subAccount: 'desk0001' }), 44444);
    expectCode(await assets({ accountType: 'SPOT' }), 730600);
    for (const accountType of ['SPOT', 'FUTURES'])
      expectCode(await assets({ subAccount: 'theirs01', accountType }), 140001);
  });
});
