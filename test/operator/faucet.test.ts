import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { innerHouse } from '#model/account.ts';
import { allPermissions } from '#model/permission.ts';
import { as, type AssetId } from '#model/units.ts';
import { startTestOperator, type TestOperator } from './operator-harness.ts';
import { rulesBody } from './wallet-stage.ts';

let operator: TestOperator;
let production: TestOperator;
beforeAll(async () => {
  operator = await startTestOperator({ hasChains: true });
  expect((await operator.ask('PUT', '/v1/wallet/rules', rulesBody)).status).toBe(200);
  production = await startTestOperator();
});
afterAll(() => Promise.all([operator.close(), production.close()]));

const accountOf = async (uid: number) => (await operator.exchange.queries.accountByUid(as(uid)))!;
/** Assets of which users and house together do not have nothing. */
const imbalance = async (): Promise<readonly unknown[]> => {
  const sums = await operator.exchange.queries.wallet.trialBalance();
  return sums.filter(
    ({ users, futures, house }) => house.reduce((sum, { balance }) => sum + balance, users + futures) !== 0n,
  );
};
const grantsOf = async (asset: number): Promise<bigint> =>
  operator.exchange.queries.houseBalance(innerHouse.grants, as<AssetId>(asset));
const freeOf = async (uid: number, wallet: 'spot' | 'futures', asset: number): Promise<bigint> =>
  operator.exchange.queries.subAccounts.transferable((await accountOf(uid)).account, wallet, as<AssetId>(asset));
const listedKey = async (uid: number, accessKey: string) => {
  const { body } = await operator.ask('GET', `/v1/accounts/${uid}/api-keys`);
  return body.items.find((key: { readonly accessKey: string }) => key.accessKey === accessKey);
};

describe('DEC-KIT-50: an account with money and a key in one call', () => {
  test('its balances come from the grants of the house, in both wallets, and every act is journaled', async () => {
    const grants = [
      { asset: 'USDT', amount: '1000.5' },
      { asset: 'USDT', amount: '200', wallet: 'futures' },
      { asset: 'BTC', amount: '0.25' },
    ];
    const granted = await grantsOf(1);
    const { status, body } = await operator.ask('POST', '/v1/faucet', { name: 'carol', grants });
    expect([status, body.key.secretKey, body.key.endsAt]).toEqual([201, expect.stringMatching(/^[0-9a-f]{32}$/), null]);
    expect(await freeOf(body.uid, 'spot', 0)).toBe(1_000_500_000_000n);
    expect(await freeOf(body.uid, 'futures', 0)).toBe(200_000_000_000n);
    expect(await freeOf(body.uid, 'spot', 1)).toBe(25_000_000n);
    expect([await imbalance(), await grantsOf(1)]).toEqual([[], granted - 25_000_000n]);
    const { name, kycLevel, simulated } = await accountOf(body.uid);
    expect([name, kycLevel, simulated]).toEqual(['carol', 4, false]);
    const key = (await operator.exchange.queries.apiKey(body.key.accessKey))!;
    expect([key.permissions, key.ips]).toEqual([allPermissions, []]);
    const acts = await operator.ask('GET', '/v1/acts?limit=6');
    expect(acts.body.items.map((act: { readonly command: string }) => act.command).reverse()).toEqual([
      ...['registerAccount', 'creditFunds', 'creditFunds', 'transferFunds', 'creditFunds', 'createApiKey'],
    ]);
  });

  test('nothing is needed but the call', async () => {
    const { status, body } = await operator.ask('POST', '/v1/faucet', {});
    expect([status, await freeOf(body.uid, 'spot', 0)]).toEqual([201, 0n]);
  });

  test.each([
    ['an asset that is not listed', { grants: [{ asset: 'NOPE', amount: '1' }] }, 400, '/grants/0/asset'],
    ['no money', { grants: [{ asset: 'BTC', amount: '0' }] }, 400, '/grants/0/amount'],
    ['parts below the smallest unit', { grants: [{ asset: 'BTC', amount: '0.000000001' }] }, 400, '/grants/0/amount'],
    [
      'futures money of an asset that margins no contract',
      { grants: [{ asset: 'BTC', amount: '1', wallet: 'futures' }] },
      400,
      '/grants/0/wallet',
    ],
    ['a wallet that is none', { grants: [{ asset: 'BTC', amount: '1', wallet: 'x' }] }, 400, '/grants/0/wallet'],
    [
      'more than the cap of the asset, in parts',
      { grants: Array.from({ length: 3 }, () => ({ asset: 'BTC', amount: '4000000000' })) },
      409,
      '/grants/2/amount',
    ],
    ['a permission that is none', { permissions: ['EVERYTHING'] }, 400, '/permissions/0'],
    ['an unknown member', { balances: [] }, 400, ''],
  ])('%s is refused, and nothing happens', async (_what, body, status, pointer) => {
    const before = operator.digest();
    const answer = await operator.ask('POST', '/v1/faucet', body);
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([status, pointer || expect.any(String)]);
    expect(operator.digest()).toBe(before);
  });

  test('a uid of somebody is refused', async () => {
    const before = (await operator.exchange.queries.accounts()).length;
    const { status, body } = await operator.ask('POST', '/v1/faucet', { uid: operator.alice.uid });
    expect([status, body.code]).toEqual([409, 'uidInUse']);
    expect((await operator.exchange.queries.accounts()).length).toBe(before);
  });
});

describe('DEC-KIT-51: a balance is set', () => {
  const path = (asset: string): string => `/v1/accounts/${operator.bob.uid}/balances/${asset}`;

  test('up, down, to nothing, and in the futures wallet; the ledger stays even', async () => {
    for (const [asset, wallet, free] of [
      ['BTC', 'spot', '3.5'],
      ['BTC', 'spot', '1'],
      ['BTC', 'spot', '1'],
      ['USDT', 'spot', '0'],
      ['USDT', 'futures', '75'],
      ['USDT', 'futures', '74.25'],
    ] as const) {
      const { status, body } = await operator.ask('PUT', path(asset), { free, wallet });
      expect([status, body]).toEqual([200, { uid: operator.bob.uid, asset, wallet, free }]);
    }
    expect(await imbalance()).toEqual([]);
  });

  test('a repeated Idempotency-Key sets it once', async () => {
    const headers = { 'idempotency-key': 'set-1' };
    await operator.ask('PUT', path('BTC'), { free: '2' }, { headers });
    await operator.ask('PUT', path('BTC'), { free: '5' });
    const { status } = await operator.ask('PUT', path('BTC'), { free: '2' }, { headers });
    expect([status, await freeOf(operator.bob.uid, 'spot', 1)]).toEqual([200, 500_000_000n]);
  });

  test('unknown accounts and assets, and amounts beyond bounds, are refused', async () => {
    for (const [at, free, status] of [
      ['/v1/accounts/99/balances/BTC', '1', 404],
      [path('NOPE'), '1', 404],
      [path('BTC'), '-1', 400],
      [path('BTC'), '0.123456789', 400],
      [path('BTC'), '40000000000', 409],
    ] as const)
      expect([at, (await operator.ask('PUT', at, { free })).status]).toEqual([at, status]);
  });
});

describe('DEC-KIT-52: a short-lived key of any account', () => {
  test('it may do what was asked for, and ends by the clock of the exchange', async () => {
    const { uid } = operator.alice;
    const asked = { seconds: 60, permissions: ['SPOT_DEAL_R'] };
    const { status, body } = await operator.ask('POST', `/v1/accounts/${uid}/impersonate`, asked);
    const { accessKey, endsAt } = body.key;
    const key = await listedKey(uid, accessKey);
    expect([status, body.uid, body.key.permissions]).toEqual([201, uid, ['SPOT_DEAL_READ']]);
    expect([key.endsAt, endsAt - key.createdAt]).toEqual([endsAt, 60_000]);
  });

  test.each([
    ['no time', { seconds: 0 }],
    ['more than a year', { seconds: 366 * 86_400 + 1 }],
    ['no permission', { permissions: [] }],
  ])('%s is refused', async (_what, body) => {
    expect((await operator.ask('POST', `/v1/accounts/${operator.alice.uid}/impersonate`, body)).status).toBe(400);
  });

  test('an account that does not exist is refused, one of the house too', async () => {
    for (const uid of [99, 1]) {
      const { body } = await operator.ask('POST', `/v1/accounts/${uid}/impersonate`, {});
      expect(body.code).toBe('unknownAccount');
    }
  });
});

test('DEC-KIT-53: a secret is answered once: the same Idempotency-Key is refused, and the secret stands nowhere', async () => {
  for (const [path, asked] of [
    ['/v1/faucet', { name: 'dave' }],
    [`/v1/accounts/${operator.alice.uid}/impersonate`, {}],
  ] as const) {
    const headers = { 'idempotency-key': `once-${path.length}` };
    const { body } = await operator.ask('POST', path, asked, { headers });
    const again = await operator.ask('POST', path, asked, { headers });
    expect([again.status, again.body.code]).toEqual([422, 'idempotencyKeyInUse']);
    expect(operator.logged.join('\n')).not.toContain(body.key.secretKey);
  }
});

test('DEC-KIT-50: a token needs the scope market:control, and production has no faucet', async () => {
  const { body } = await operator.ask('POST', '/v1/tokens', {
    actor: 'erin',
    scopes: ['accounts:write'],
    validHours: 1,
  });
  for (const [method, path] of [
    ['POST', '/v1/faucet'],
    ['PUT', '/v1/accounts/10000001/balances/BTC'],
    ['POST', '/v1/accounts/10000001/impersonate'],
  ] as const) {
    expect((await operator.ask(method, path, {}, { token: body.token })).status).toBe(403);
    expect((await production.ask(method, path, {})).status).toBe(404);
  }
});
