import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestOperator, type TestOperator } from './operator-harness.ts';
import { addresses, openWallet } from './wallet-stage.ts';

let operator: TestOperator;
let alice: string;
let bob: string;
beforeAll(async () => {
  operator = await startTestOperator();
  await openWallet(operator);
  alice = `/v1/accounts/${operator.alice.uid}`;
  bob = `/v1/accounts/${operator.bob.uid}`;
});
afterAll(() => operator.close());

const named = (body: { errors?: readonly { pointer?: string; parameter?: string }[] }) =>
  (body.errors ?? []).map(({ pointer, parameter }) => pointer ?? parameter);
const uidsOf = async (query: string): Promise<number[]> =>
  (await operator.ask('GET', `/v1/accounts?${query}`)).body.items.map(({ uid }: { uid: number }) => uid);

describe('accounts', () => {
  test('are found by uid; those of the house are none', async () => {
    expect((await operator.ask('GET', alice)).body).toEqual({
      uid: operator.alice.uid,
      name: 'alice',
      masterUid: operator.alice.uid,
      class: 'user',
      status: 'normal',
      switches: { trade: true, withdraw: true, api: true },
      kycLevel: 2,
      email: null,
      mobile: null,
      allowListEnabled: false,
      simulated: false,
      openedAt: 1_700_000_000_000,
      referCode: expect.stringMatching(/^[0-9a-z]{5}$/),
      invitation: null,
      subAccount: null,
    });
    for (const uid of [1, 2, 3, 99_999_999]) {
      expect((await operator.ask('GET', `/v1/accounts/${uid}`)).body.code).toBe('unknownAccount');
      const frozen = await operator.ask('PUT', `/v1/accounts/${uid}/status`, { status: 'frozen' });
      expect(frozen.body.code).toBe('unknownAccount');
    }
  });

  test('are found by mail without case and by mobile number, and by both only when both are theirs', async () => {
    await operator.ask('PUT', `${alice}/contact`, { email: 'Alice@Example.com', mobile: '44 7700900123' });
    await operator.ask('PUT', `${bob}/contact`, { email: 'bob@example.com', mobile: null });
    expect(await uidsOf('email=aLICE@eXAMPLE.COM')).toEqual([operator.alice.uid]);
    expect(await uidsOf('mobile=44%207700900123')).toEqual([operator.alice.uid]);
    expect(await uidsOf('email=alice%40example.com&mobile=44%207700900123')).toEqual([operator.alice.uid]);
    expect(await uidsOf('email=bob@example.com&mobile=44%207700900123')).toEqual([]);
    expect(await uidsOf('email=nobody@example.com')).toEqual([]);
    expect(await uidsOf('')).toEqual([operator.alice.uid, operator.bob.uid]);
    expect(named((await operator.ask('GET', '/v1/accounts?mobile=07700900123')).body)).toEqual(['mobile']);
    expect(named((await operator.ask('GET', '/v1/accounts?email=nobody')).body)).toEqual(['email']);
  });

  test('are frozen and released', async () => {
    expect((await operator.ask('PUT', `${alice}/status`, { status: 'frozen' })).body.status).toBe('frozen');
    expect(operator.exchange.engine.state.accounts.get(operator.alice.account)?.status).toBe('frozen');
    expect((await operator.ask('PUT', `${alice}/status`, { status: 'normal' })).body.status).toBe('normal');
    expect(named((await operator.ask('PUT', `${alice}/status`, { status: 'abnormal' })).body)).toEqual(['/status']);
  });

  test('get another KYC level', async () => {
    expect((await operator.ask('PUT', `${alice}/kyc-level`, { kycLevel: 4 })).body.kycLevel).toBe(4);
    for (const kycLevel of [0, 5, 1.5, '2', null]) {
      expect(named((await operator.ask('PUT', `${alice}/kyc-level`, { kycLevel })).body)).toEqual(['/kycLevel']);
    }
    expect((await operator.ask('GET', alice)).body.kycLevel).toBe(4);
  });

  test('get and lose a contact, which is nobody else’s', async () => {
    const taken = await operator.ask('PUT', `${bob}/contact`, { email: 'ALICE@example.com', mobile: null });
    expect({ status: taken.status, code: taken.body.code }).toEqual({ status: 409, code: 'contactInUse' });
    expect((await operator.ask('GET', bob)).body.email).toBe('bob@example.com');
    expect((await operator.ask('PUT', `${alice}/contact`, { email: null, mobile: null })).body).toMatchObject({
      email: null,
      mobile: null,
    });
    expect(await uidsOf('email=alice@example.com')).toEqual([]);
  });

  test.each([
    [{ email: 'alice', mobile: null }, ['/email']],
    [{ email: 'älice@example.com', mobile: null }, ['/email']],
    [{ email: `${'a'.repeat(250)}@b.cd`, mobile: null }, ['/email']],
    [{ email: null, mobile: '+44 7700900123' }, ['/mobile']],
    [{ email: null, mobile: '447700900123' }, ['/mobile']],
    [{ email: null }, ['/mobile']],
  ])('the contact %j is refused by name', async (contact, at) => {
    expect(named((await operator.ask('PUT', `${alice}/contact`, contact)).body)).toEqual(at);
  });

  test('have their allow list switched', async () => {
    expect((await operator.ask('PUT', `${alice}/allow-list`, { enabled: true })).body.allowListEnabled).toBe(true);
    expect((await operator.ask('PUT', `${alice}/allow-list`, { enabled: false })).body.allowListEnabled).toBe(false);
    expect(named((await operator.ask('PUT', `${alice}/allow-list`, { enabled: 1 })).body)).toEqual(['/enabled']);
  });
});

test('deposit addresses of an account are listed', async () => {
  expect((await operator.ask('GET', `${alice}/deposit-addresses`)).body.items).toEqual([
    { network: 'BTC', index: 0, address: addresses.aliceBtc, memo: null },
    { network: 'ETH', index: 0, address: addresses.alice, memo: null },
  ]);
  expect((await operator.ask('GET', '/v1/accounts/1/deposit-addresses')).body.code).toBe('unknownAccount');
});

describe('saved addresses', () => {
  const target = { asset: 'USDT', network: 'ETH', address: addresses.stranger, memo: null };

  test('are added in canonical form, listed page by page, renamed and removed', async () => {
    const lower = { ...target, address: target.address.toLowerCase(), tag: 'treasury' };
    const { status, body } = await operator.ask('POST', `${alice}/saved-addresses`, lower);
    expect({ status, body }).toMatchObject({ status: 201, body: { ...target, tag: 'treasury' } });
    const renamed = await operator.ask('POST', `${alice}/saved-addresses`, { ...target, tag: '' });
    expect(renamed.body).toEqual({ ...body, tag: '' });
    await operator.ask('POST', `${alice}/saved-addresses`, { ...target, address: addresses.bob, tag: 'bob' });
    const first = await operator.ask('GET', `${alice}/saved-addresses?limit=1`);
    expect(first.body.items).toEqual([renamed.body]);
    const second = await operator.ask('GET', `${alice}/saved-addresses?limit=1&cursor=${first.body.nextCursor}`);
    expect(second.body).toMatchObject({ items: [{ address: addresses.bob, tag: 'bob' }], nextCursor: null });
    const query = `asset=USDT&network=ETH&address=${target.address.toLowerCase()}`;
    const key = { headers: { 'idempotency-key': 'remove-1' } };
    const removed = await operator.ask('DELETE', `${alice}/saved-addresses?${query}`, undefined, key);
    expect({ status: removed.status, body: removed.body }).toEqual({ status: 200, body: target });
    const again = await operator.ask('DELETE', `${alice}/saved-addresses?${query}`, undefined, key);
    expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: target });
    const gone = await operator.ask('DELETE', `${alice}/saved-addresses?${query}`);
    expect(gone.body.code).toBe('unknownSavedAddress');
    expect((await operator.ask('GET', `${alice}/saved-addresses`)).body.items).toHaveLength(1);
    expect((await operator.ask('GET', `${bob}/saved-addresses`)).body.items).toEqual([]);
  });

  test.each([
    ['a wrong checksum', { address: target.address.replace('dbF', 'DbF') }, '/address'],
    ['an address of nobody', { address: `0x${'0'.repeat(40)}` }, '/address'],
    ['a memo where there is none', { memo: '1' }, '/memo'],
    ['an unknown network', { network: 'DOGE' }, '/network'],
    ['an unknown asset', { asset: 'NOPE' }, '/asset'],
    ['a tag of 65 characters', { tag: 'x'.repeat(65) }, '/tag'],
  ])('%s is refused by name', async (_, change, pointer) => {
    const { status, body } = await operator.ask('POST', `${alice}/saved-addresses`, { ...target, tag: '', ...change });
    const isOfNetwork = pointer === '/address' || pointer === '/memo';
    expect({ status, at: named(body) }).toEqual({ status: isOfNetwork ? 422 : 400, at: [pointer] });
  });

  test('a network that the asset is not on is 404', async () => {
    const body = { ...target, asset: 'BTC', tag: '' };
    expect((await operator.ask('POST', `${alice}/saved-addresses`, body)).body.code).toBe('unknownNetwork');
  });
});
