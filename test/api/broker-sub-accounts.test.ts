import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { permissions } from '#model/permission.ts';
import { expectCode, expectShape } from './answer-shape.ts';
import { type BrokerHarness, type Customer, md5, startBrokerHarness } from './broker-harness.ts';
import { keys, now } from './gateway-harness.ts';

let desk: BrokerHarness;
let customer: Customer;
beforeAll(async () => {
  desk = await startBrokerHarness();
  customer = await desk.open('customer001');
});
afterAll(() => desk.close());

const freeze = (account: Customer['account'], frozen: boolean) =>
  desk.wallet.run({ kind: 'setAccountStatus', account, status: frozen ? 'frozen' : 'normal' });

describe('POST sub-account/virtualSubAccount', () => {
  const path = 'sub-account/virtualSubAccount';

  test('SPEC-BRK-01, SPEC-BRK-12, DEC-SUB-03: a sub-account is answered in the envelope, its time as text', async () => {
    const reply = await desk.post(path, { subAccount: 'Envelope01', note: 'first' });
    expectShape('openBrokerSubAccount', reply);
    const timestamp = String(desk.gate.exchange.clock.time);
    expect(reply.body).toEqual({
      code: '0',
      message: '',
      data: [{ subAccount: 'Envelope01', note: 'first', timestamp }],
    });
  });

  test.each([
    ['no name', { note: 'n' }, 730600],
    ['a name of 7 characters', { subAccount: 'short01', note: 'n' }, 730601],
    ['a name with a sign', { subAccount: 'customer-01', note: 'n' }, 730601],
    ['a name that is taken', { subAccount: 'customer001', note: 'n' }, 730101],
    ['no note', { subAccount: 'customer900' }, 730602],
    ['a note of 65 characters', { subAccount: 'customer900', note: 'n'.repeat(65) }, 33333],
    ['a password that is no MD5 sum', { subAccount: 'customer900', note: 'n', password: 'secret' }, 33333],
  ])('DEC-SUB-01, DEC-SUB-56: %s is refused', async (_title, body, code) => {
    const before = desk.gate.digest();
    expectCode(await desk.post(path, body), code);
    expect(desk.gate.digest()).toBe(before);
  });

  test('DEC-SUB-01: the setting subAccountsPerBroker bounds them: one more is 26', async () => {
    const narrow = await startBrokerHarness({ settings: { subAccountsPerBroker: 1 } });
    await narrow.open('customer001');
    expectCode(await narrow.post(path, { subAccount: 'customer002', note: 'n' }), 26);
    await narrow.close();
  });
});

test("DEC-SUB-104: a broker's customer may deposit and withdraw, and GET account says so", async () => {
  const { key, secret } = customer;
  const { body } = await desk.gate.signed('GET', '/api/v3/account', {}, { key, secret });
  expect([body.canTrade, body.canWithdraw, body.canDeposit]).toEqual([true, true, true]);
});

describe('GET sub-account/list and status', () => {
  test('SPEC-BRK-02: pages in the order of opening, 10 rows unless a limit is sent, and one by its name', async () => {
    for (let each = 1; each <= 11; each += 1) {
      await desk.post('sub-account/virtualSubAccount', { subAccount: `listed${each + 100}`, note: `${each}` });
    }
    const first = await desk.get('sub-account/list');
    expectShape('brokerSubAccounts', first);
    expect(first.body.data).toHaveLength(10);
    expect(first.body.data[0]).toEqual({ subAccount: 'customer001', note: 'of customer001', timestamp: String(now) });
    const all = (await desk.get('sub-account/list', { limit: '200' })).body.data;
    expect((await desk.get('sub-account/list', { limit: '3', page: '2' })).body.data).toEqual(all.slice(3, 6));
    expect((await desk.get('sub-account/list', { subAccount: 'listed105' })).body.data).toEqual([
      all.find(({ subAccount }: { subAccount: string }) => subAccount === 'listed105'),
    ]);
    expect((await desk.get('sub-account/list', { subAccount: 'nobody0001' })).body.data).toEqual([]);
    expectCode(await desk.get('sub-account/list', { limit: '201' }), 33333);
  });

  test('SPEC-BRK-03: the status is 1, and 2 while the sub-account is frozen', async () => {
    const status = async () => (await desk.get('sub-account/status', { subAccount: customer.name })).body;
    expect(await status()).toEqual({ status: '1' });
    await freeze(customer.account, true);
    expect(await status()).toEqual({ status: '2' });
    await freeze(customer.account, false);
    expectCode(await desk.get('sub-account/status', { subAccount: 'nobody0001' }), 140001);
    expectCode(await desk.get('sub-account/status'), 730600);
  });
});

describe('sub-account/apiKey', () => {
  const path = 'sub-account/apiKey';
  const terms = () => ({ subAccount: customer.name, note: 'bot', permissions: 'SPOT_ACCOUNT_READ,SPOT_DEAL_WRITE' });

  test('SPEC-BRK-04, DEC-SUB-12: a key is shown with its secret once, signs from then on, and is listed without it', async () => {
    const made = await desk.post(path, { ...terms(), ip: '127.0.0.1,10.0.0.0/8' });
    expectShape('createBrokerKey', made);
    expect(made.body).toMatchObject({ ...terms(), ip: '127.0.0.1,10.0.0.0/8', createTime: now });
    const { apikey, secretKey } = made.body;
    const own = await desk.gate.signed('GET', '/api/v3/uid', {}, { key: apikey, secret: secretKey });
    expect(own.body).toEqual({ uid: customer.uid });
    const again = await desk.post(path, terms());
    expect(again.body.apikey).not.toBe(apikey);
    const listed = await desk.get(path, { subAccount: customer.name });
    expectShape('brokerKeys', listed);
    expect(listed.text).not.toContain(secretKey);
    expect(listed.body.subAccount).toContainEqual({
      note: 'bot',
      apiKey: apikey,
      permissions: terms().permissions,
      ip: '127.0.0.1,10.0.0.0/8',
      creatTime: now,
      endTime: null,
    });
    const removed = await desk.remove(path, { subAccount: customer.name, apiKey: apikey });
    expectShape('deleteBrokerKey', removed);
    expect(removed.body).toEqual({ subAccount: customer.name });
    expectCode(await desk.gate.signed('GET', '/api/v3/uid', {}, { key: apikey, secret: secretKey }), 10072);
    expectCode(await desk.remove(path, { subAccount: customer.name, apiKey: apikey }), 730706);
  });

  test('DEC-SUB-18: a key may have each of the 14 permissions', async () => {
    const made = await desk.post(path, { ...terms(), permissions: permissions.join(',') });
    expect(made.body.permissions.split(',')).toEqual(permissions);
  });

  test.each([
    ['DEC-SUB-18: a permission that there is not', { permissions: 'SPOT_DEAL_READ,SPOT_DEAL' }, 730702],
    ['no permission', { permissions: '' }, 730701],
    ['no note', { note: '' }, 730700],
    ['DEC-SUB-10: a fifth address', { ip: '10.0.0.1,10.0.0.2,10.0.0.3,10.0.0.4,10.0.0.5' }, 730703],
    ['an address that is none', { ip: '10.0.0.300' }, 730704],
    ['DEC-SUB-10: an unknown sub-account', { subAccount: 'nobody0001' }, 140001],
    ["DEC-SUB-10: another master's sub-account", { subAccount: 'subAccountA1' }, 140001],
    ['no sub-account', { subAccount: '' }, 730600],
  ])('%s is refused', async (_title, change, code) => {
    const before = desk.gate.digest();
    expectCode(await desk.post(path, { ...terms(), ...change }), code);
    expect(desk.gate.digest()).toBe(before);
  });

  test('DEC-SUB-10: four addresses are taken', async () => {
    expect((await desk.post(path, { ...terms(), ip: '10.0.0.1,10.0.0.2,10.0.0.3,10.0.0.4' })).status).toBe(200);
  });

  test('a frozen sub-account gets no key, its keys are shown and removed', async () => {
    const { body } = await desk.post(path, terms());
    await freeze(customer.account, true);
    expectCode(await desk.post(path, terms()), 140002);
    expect((await desk.get(path, { subAccount: customer.name })).status).toBe(200);
    expect((await desk.remove(path, { subAccount: customer.name, apiKey: body.apikey })).status).toBe(200);
    await freeze(customer.account, false);
  });

  test('a key of another sub-account cannot be removed', async () => {
    const other = await desk.open('customer002');
    expectCode(await desk.remove(path, { subAccount: customer.name, apiKey: other.key }), 730706);
    expectCode(await desk.remove(path, { subAccount: customer.name }), 730707);
    expect((await desk.get(path, { subAccount: other.name })).body.subAccount).toHaveLength(1);
  });
});

describe('POST sub-account/futures', () => {
  test('SPEC-BRK-10: futures are enabled in the envelope, as often as it is asked for', async () => {
    for (let each = 0; each < 2; each += 1) {
      const reply = await desk.post('sub-account/futures', { subAccount: customer.name });
      expectShape('enableBrokerFutures', reply);
      const timestamp = String(desk.gate.exchange.clock.time);
      expect(reply.body).toMatchObject({
        code: '0',
        data: [{ subAccount: customer.name, isFuturesEnabled: true, timestamp }],
      });
    }
    expectCode(await desk.post('sub-account/futures', { subAccount: 'nobody0001' }), 140001);
  });
});

test('secrets and passwords are nowhere in clear: not in the journal, not in what is logged', async () => {
  const sealed = await startBrokerHarness({
    context: (context) => ({
      ...context,
      sealApiKey: (plain) => Buffer.from(plain).toString('base64').split('').reverse().join(''),
    }),
  });
  const password = md5('correct horse');
  await sealed.post('sub-account/virtualSubAccount', { subAccount: 'secretive1', note: 'n', password });
  const terms = { subAccount: 'secretive1', note: 'n', permissions: 'SPOT_DEAL_READ' };
  const { secretKey } = (await sealed.post('sub-account/apiKey', terms)).body;
  expect(secretKey).toMatch(/^[0-9a-f]{32}$/);
  const kept = JSON.stringify(sealed.gate.exchange.entries, (_name, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  expect(kept).toContain('secretive1');
  expect(kept).toContain('$scrypt$ln=14,r=8,p=1$');
  const logged = sealed.gate.logged.join('\n');
  for (const hidden of [password, secretKey]) {
    expect(kept).not.toContain(hidden);
    expect(logged).not.toContain(hidden);
  }
  await sealed.close();
});

describe('who may call', () => {
  const ofBrokers = [
    ['POST', 'sub-account/virtualSubAccount'],
    ['GET', 'sub-account/list'],
    ['GET', 'sub-account/status'],
    ['POST', 'sub-account/apiKey'],
    ['GET', 'sub-account/apiKey'],
    ['DELETE', 'sub-account/apiKey'],
    ['GET', 'capital/deposit/subHisrec/getall'],
    ['POST', 'sub-account/universalTransfer'],
    ['GET', 'sub-account/universalTransfer'],
    ['POST', 'sub-account/futures'],
    ['GET', 'rebate/taxQuery'],
  ] as const;
  const ofSubAccounts = [
    ['POST', 'capital/deposit/subAddress'],
    ['GET', 'capital/deposit/subAddress'],
    ['GET', 'capital/deposit/subHisrec'],
    ['POST', 'capital/withdraw/apply'],
  ] as const;
  const call = async (method: string, path: string, key: string, secret?: string) =>
    (await desk.gate.signed(method, `/api/v3/broker/${path}`, {}, { key, ...(secret === undefined ? {} : { secret }) }))
      .body.code;

  test.each(ofBrokers)('DEC-SUB-15: %s %s is for brokers, everybody else is 700007', async (method, path) => {
    for (const key of [keys.alice, keys.sub]) expect(await call(method, path, key)).toBe(700007);
    expect(await call(method, path, customer.key, customer.secret)).toBe(700007);
    expect(await call(method, path, keys.broker)).not.toBe(700007);
  });

  test.each(ofSubAccounts)(
    "DEC-SUB-15: %s %s is for a broker's sub-accounts: the broker itself is 730003, others are 700007",
    async (method, path) => {
      for (const key of [keys.alice, keys.sub]) expect(await call(method, path, key)).toBe(700007);
      expect(await call(method, path, keys.broker)).toBe(730003);
      const code = await call(method, path, customer.key, customer.secret);
      expect(code).not.toBe(700007);
      expect(code).not.toBe(730003);
    },
  );

  test('the permission is judged before the class', async () => {
    await desk.gate.addKey(desk.gate.accounts.broker, 'mx0brokerDeals0001', ['SPOT_DEAL_READ']);
    for (const [method, path] of ofSubAccounts) expect(await call(method, path, 'mx0brokerDeals0001')).toBe(700007);
  });

  test('DEC-SUB-14: a key that reads the account makes keys as specified; hardened it only reads', async () => {
    const [reader, writer] = ['mx0brokerReads0001', 'mx0brokerWrites001'];
    const codesOf = async (own: BrokerHarness) => {
      const { name } = await own.open('customerKeys');
      await own.gate.addKey(own.gate.accounts.broker, reader, ['SPOT_ACCOUNT_READ']);
      await own.gate.addKey(own.gate.accounts.broker, writer, ['SPOT_ACCOUNT_WRITE']);
      const make = { subAccount: name, note: 'n', permissions: 'SPOT_DEAL_READ' };
      const code = async (key: string) => [
        (await own.get('sub-account/status', { subAccount: name }, { key })).body.code,
        (await own.post('sub-account/apiKey', make, { key })).body.code,
        (await own.remove('sub-account/apiKey', { subAccount: name, apiKey: reader }, { key })).body.code,
        (await own.get('capital/deposit/subHisrec/getall', {}, { key })).body.code,
      ];
      return [await code(reader), await code(writer)];
    };
    const hardened = await startBrokerHarness({ settings: { hardenedPermissions: true } });
    expect(await codesOf(desk)).toEqual([
      [undefined, undefined, 730706, 700007],
      [700007, 700007, 700007, 700007],
    ]);
    expect(await codesOf(hardened)).toEqual([
      [undefined, 700007, 700007, 700007],
      [700007, undefined, 730706, 700007],
    ]);
    await hardened.close();
  });
});
