import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestOperator, type TestOperator } from './operator-harness.ts';
import { btcOnBtc, rulesBody, usdtOnEth } from './wallet-stage.ts';

let operator: TestOperator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.close());

const path = '/v1/assets/USDT/networks/ETH';
const shown = { asset: 'USDT', network: 'ETH', ...usdtOnEth };
/** Pointers or parameters that a refusal names. */
const named = (body: { errors?: readonly { pointer?: string; parameter?: string }[] }) =>
  (body.errors ?? []).map(({ pointer, parameter }) => pointer ?? parameter);

describe('assets', () => {
  const coin = { fullName: 'A coin', scale: 6, cap: '21000000', coinId: '1'.repeat(32) };

  test('one is added, then found and listed at the end', async () => {
    const { status, body } = await operator.ask('PUT', '/v1/assets/COIN', coin);
    expect({ status, body }).toEqual({ status: 200, body: { asset: 'COIN', ...coin, delisted: false, networks: [] } });
    expect((await operator.ask('GET', '/v1/assets/COIN')).body).toEqual(body);
    expect((await operator.ask('GET', '/v1/assets')).body.items.at(-1)).toEqual(body);
  });

  test('name and id of one that is listed can change, scale and cap cannot', async () => {
    const renamed = { ...coin, fullName: 'The coin', coinId: '2'.repeat(32) };
    expect((await operator.ask('PUT', '/v1/assets/COIN', renamed)).body).toMatchObject(renamed);
    for (const change of [{ scale: 7 }, { cap: '21000001' }]) {
      const { body } = await operator.ask('PUT', '/v1/assets/COIN', { ...renamed, ...change });
      expect(body.code).toBe('invalidConfiguration');
    }
    expect((await operator.ask('GET', '/v1/assets/COIN')).body).toMatchObject(renamed);
  });

  test.each([
    [{ scale: 13 }, '/scale'],
    [{ scale: 1.5 }, '/scale'],
    [{ scale: '6' }, '/scale'],
    [{ fullName: '' }, '/fullName'],
    [{ fullName: 'a\nb' }, '/fullName'],
    [{ fullName: 'x'.repeat(65) }, '/fullName'],
    [{ coinId: 'A'.repeat(32) }, '/coinId'],
  ])('%j is refused by name', async (change, pointer) => {
    const { status, body } = await operator.ask('PUT', '/v1/assets/NEW', { ...coin, ...change });
    expect({ status, at: named(body) }).toEqual({ status: 400, at: [pointer] });
  });
});

describe('DEC-OPR-13: networks of an asset', () => {
  test('one is added, found, and named by its asset', async () => {
    expect((await operator.ask('GET', path)).body.code).toBe('unknownNetwork');
    const { status, body } = await operator.ask('PUT', path, usdtOnEth);
    expect({ status, body }).toEqual({ status: 200, body: shown });
    expect((await operator.ask('GET', path)).body).toEqual(shown);
    expect((await operator.ask('GET', '/v1/assets/USDT/networks')).body).toEqual({ items: [shown] });
    expect((await operator.ask('GET', '/v1/assets/USDT')).body.networks).toEqual(['ETH']);
    expect(operator.exchange.engine.state.assetNetworks.all()).toMatchObject([
      { scale: 6, withdrawFee: 3_000_000_000n, withdrawStep: 1000n, withdrawMax: 10n ** 15n },
    ]);
  });

  test('a contract is kept in canonical form', async () => {
    const lower = { ...usdtOnEth, contract: usdtOnEth.contract.toLowerCase() };
    expect((await operator.ask('PUT', path, lower)).body.contract).toBe(usdtOnEth.contract);
  });

  test('switches, limits, fees and advice are changed one by one; the rest stays', async () => {
    for (const change of [
      { withdrawEnabled: false },
      { depositEnabled: false, depositDesc: 'The network is slow.' },
      { withdrawFee: '4', withdrawMin: '20' },
      { minConfirm: 30 },
      { withdrawTips: null, depositTips: null },
    ]) {
      const { body: before } = await operator.ask('GET', path);
      const { body } = await operator.ask('PATCH', path, change);
      expect(body).toEqual({ ...before, ...change });
      expect((await operator.ask('GET', path)).body).toEqual(body);
    }
    await operator.ask('PUT', path, usdtOnEth);
  });

  test('changes that come at the same moment do not undo each other', async () => {
    const changes = [{ withdrawFee: '5' }, { minConfirm: 40 }, { depositMin: '7' }, { withdrawEnabled: false }];
    const replies = await Promise.all(changes.map((change) => operator.ask('PATCH', path, change)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await operator.ask('GET', path)).body).toMatchObject(Object.assign({}, ...changes));
    await operator.ask('PUT', path, usdtOnEth);
  });

  test('a refused change does not stop those after it', async () => {
    const [refused, changed] = await Promise.all([
      operator.ask('PATCH', path, { withdrawFee: '11' }),
      operator.ask('PATCH', path, { withdrawFee: '2' }),
    ]);
    expect([refused.body.code, changed.body.withdrawFee]).toEqual(['invalidConfiguration', '2']);
    await operator.ask('PUT', path, usdtOnEth);
  });

  test.each([
    ['no member', {}, 400, ['']],
    ['more decimals than the asset has', { withdrawFee: '0.0000000001' }, 400, ['/withdrawFee']],
    ['a fee that is a number', { withdrawFee: 3 }, 400, ['/withdrawFee']],
    ['a contract', { contract: null }, 400, ['/contract']],
    ['no confirmations', { minConfirm: 0 }, 400, ['/minConfirm']],
    ['a switch that is text', { withdrawEnabled: 'false' }, 400, ['/withdrawEnabled']],
    ['advice of 501 characters', { depositTips: 'x'.repeat(501) }, 400, ['/depositTips']],
    ['several at once', { minConfirm: 0, label: '', unknown: 1 }, 400, ['/label', '/minConfirm', '/unknown']],
    ['a maximum below the minimum', { withdrawMax: '9' }, 422, []],
    ['a step of nothing', { withdrawStep: '0' }, 422, []],
  ])('changing %s is refused and changes nothing', async (_, change, status, at) => {
    const before = operator.digest();
    const reply = await operator.ask('PATCH', path, change);
    expect({ status: reply.status, at: named(reply.body).sort() }).toEqual({ status, at });
    expect(operator.digest()).toBe(before);
  });

  test.each([
    ['contract', { contract: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }],
    ['decimals', { chainScale: 18 }],
    ['kind of addresses', { sharesAddress: true }],
  ])('the %s of one that is listed never changes', async (_, change) => {
    expect((await operator.ask('PUT', path, { ...usdtOnEth, ...change })).body.code).toBe('invalidConfiguration');
  });

  test('a network whose addresses nobody can read, and a contract that is none, are refused', async () => {
    expect(named((await operator.ask('PUT', '/v1/assets/USDT/networks/DOGE', usdtOnEth)).body)).toEqual(['network']);
    const wrong = { ...usdtOnEth, contract: usdtOnEth.contract.replace('dAC', 'DAC') };
    expect(named((await operator.ask('PUT', path, wrong)).body)).toEqual(['/contract']);
    expect((await operator.ask('PUT', '/v1/assets/NOPE/networks/ETH', usdtOnEth)).body.code).toBe('unknownAsset');
    expect((await operator.ask('PATCH', '/v1/assets/BTC/networks/BTC', { minConfirm: 3 })).body.code).toBe(
      'unknownNetwork',
    );
  });

  test('a native coin has no contract', async () => {
    const { body } = await operator.ask('PUT', '/v1/assets/BTC/networks/BTC', btcOnBtc);
    expect(body).toEqual({ asset: 'BTC', network: 'BTC', ...btcOnBtc });
  });
});

describe('rules of the wallet', () => {
  test('are 409 before they are configured, then what was put', async () => {
    const other = await startTestOperator();
    expect((await other.ask('GET', '/v1/wallet/rules')).body.code).toBe('walletNotConfigured');
    const { status, body } = await other.ask('PUT', '/v1/wallet/rules', rulesBody);
    expect({ status, body }).toEqual({ status: 200, body: rulesBody });
    expect((await other.ask('GET', '/v1/wallet/rules')).body).toEqual(rulesBody);
    const unlimited = { ...rulesBody, riskHoldAbove: null, fourEyesAbove: null };
    expect((await other.ask('PUT', '/v1/wallet/rules', unlimited)).body).toEqual(unlimited);
    await other.close();
  });

  test.each([
    ['three caps', { dailyCaps: ['1', '2', '3'] }, '/dailyCaps'],
    ['a cap with too many decimals', { dailyCaps: ['1', '2', '0.0000000001', '4'] }, '/dailyCaps/2'],
    ['an unknown asset to value in', { valuedIn: 'NOPE' }, '/valuedIn'],
    ['an unknown asset to transfer', { transferable: ['USDT', 'NOPE'] }, '/transferable/1'],
    ['a fee above everything', { dustFeePpm: 1_000_001 }, '/dustFeePpm'],
    ['no cap at all', { dailyCaps: undefined }, '/dailyCaps'],
  ])('%s is refused by name', async (_, change, pointer) => {
    const { status, body } = await operator.ask('PUT', '/v1/wallet/rules', { ...rulesBody, ...change });
    expect({ status, at: named(body) }).toEqual({ status: 400, at: [pointer] });
  });
});
