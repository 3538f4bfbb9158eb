import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '#public-api/catalogue.ts';
import type { AnyEndpoint } from '#public-api/declaration/endpoint.ts';
import { expectCode, expectShape } from './answer-shape.ts';
import { encode, keys, sign, startTestGateway } from './gateway-harness.ts';
import { assets, outside, startWalletHarness, usdtContract, type WalletHarness } from './wallet-harness.ts';

let wallet: WalletHarness;
beforeAll(async () => {
  wallet = await startWalletHarness();
});
afterAll(() => wallet.close());

const terms = { coin: 'USDT', netWork: 'ETH', address: outside.ETH, amount: '50' } as const;

describe('GET config/getall', () => {
  test('SPEC-WAL-01, SPEC-WAL-02, DEC-WAL-08: every asset, with the terms of each of its networks', async () => {
    const reply = await wallet.get('config/getall');
    expectShape('coinConfiguration', reply);
    expect(reply.body.map(({ coin }: { coin: string }) => coin)).toEqual(['USDT', 'BTC', 'SVC', 'XRP', 'DOG']);
    const [usdt, btc, , xrp, dog] = reply.body;
    expect(usdt.networkList[0]).toEqual({
      coin: 'USDT',
      name: 'USDT coin',
      network: 'Ethereum(ERC20)',
      netWork: 'ETH',
      depositEnable: true,
      withdrawEnable: true,
      withdrawFee: '3',
      withdrawMax: '1000000',
      withdrawMin: '10',
      minConfirm: 12,
      depositDesc: null,
      withdrawIntegerMultiple: '0.00000001',
      sameAddress: false,
      contract: usdtContract,
      withdrawTips: null,
      depositTips: 'Play money. Never send real coins.',
    });
    expect(usdt.networkList.map(({ netWork }: { netWork: string }) => netWork)).toEqual(['ETH', 'TRX']);
    expect(btc.networkList[0]).toMatchObject({ network: 'BTC', netWork: 'BTC', contract: null, sameAddress: false });
    expect(xrp.networkList[0]).toMatchObject({ sameAddress: true });
    expect(dog).toEqual({ coin: 'DOG', name: 'DOG coin', networkList: [] });
  });

  test('without a wallet every asset is there and on no network', async () => {
    const gate = await startTestGateway();
    const reply = await gate.signed('GET', '/api/v3/capital/config/getall');
    expectShape('coinConfiguration', reply);
    expect(reply.body[1]).toEqual({ coin: 'BTC', name: 'BTC coin', networkList: [] });
    const convert = await gate.signed('GET', '/api/v3/capital/convert/list');
    expect(convert.body).toEqual([]);
    expectCode(await gate.signed('POST', '/api/v3/capital/convert', { asset: 'BTC' }), 10206);
    const { body } = await gate.signed('GET', '/api/v3/capital/convert');
    expect(body).toEqual({ data: [], totalRecords: 0, page: 1, totalPageNum: 0 });
    await gate.close();
  });
});

describe('GET withdraw/address', () => {
  const save = (address: string, network: string, tag = '') =>
    wallet.run({
      kind: 'saveAddress',
      account: wallet.gate.accounts.bob,
      asset: network === 'BTC' ? assets.BTC : assets.USDT,
      network,
      address,
      memo: null,
      tag,
    });

  test('SPEC-WAL-12, DEC-WAL-29, DEC-WAL-73: pages of 20 unless asked, newest first, of one asset or of all', async () => {
    const list = async (parameters: Record<string, string> = {}) => {
      const reply = await wallet.get('withdraw/address', parameters, keys.bob);
      expectShape('savedAddresses', reply);
      return reply.body;
    };
    expect(await list()).toEqual({ data: [], totalRecords: 0, page: 1, totalPageNum: 0 });
    await save(outside.BTC, 'BTC', 'cold store');
    for (let index = 0; index < 21; index += 1) {
      wallet.gate.exchange.clock.time += 1;
      await save(`0x${String(index).padStart(40, 'a')}`, 'ETH');
    }
    const first = await list();
    expect(first).toMatchObject({ totalRecords: 22, page: 1, totalPageNum: 2 });
    expect(first.data).toHaveLength(20);
    expect(first.data[0]).toEqual({
      coin: 'USDT',
      network: 'Ethereum(ERC20)',
      netWork: 'ETH',
      address: `0x${'20'.padStart(40, 'a')}`,
      addressTag: null,
      memo: null,
    });
    expect((await list({ page: '2' })).data).toHaveLength(2);
    expect((await list({ page: '3' })).data).toEqual([]);
    expect(await list({ coin: 'BTC', limit: '1' })).toEqual({
      data: [
        { coin: 'BTC', network: 'BTC', netWork: 'BTC', address: outside.BTC, addressTag: 'cold store', memo: null },
      ],
      totalRecords: 1,
      page: 1,
      totalPageNum: 1,
    });
    for (const limit of ['0', '1001', 'x'])
      expectCode(await wallet.get('withdraw/address', { limit }, keys.bob), 33333);
  });
});

describe('DEC-WAL-74: with modelHabits', () => {
  let habitual: WalletHarness;
  beforeAll(async () => {
    habitual = await startWalletHarness({ settings: { modelHabits: true } });
  });
  afterAll(() => habitual.close());

  test('POST transfer and POST deposit/address answer objects, and histories name networks by code', async () => {
    const terms = { fromAccountType: 'SPOT', toAccountType: 'FUTURES', asset: 'USDT', amount: '1' };
    const transfer = await habitual.post('transfer', terms);
    expectShape('transfer', transfer);
    expect(transfer.body.tranId).toMatch(/^[0-9a-f]{32}$/);
    const address = await habitual.post('deposit/address', { coin: 'USDT', network: 'ETH' });
    expectShape('createDepositAddress', address);
    expect(address.body).toMatchObject({ coin: 'USDT', network: 'Ethereum(ERC20)', netWork: 'ETH' });
    await habitual.post('withdraw', { coin: 'USDT', netWork: 'ETH', address: outside.ETH, amount: '20' });
    expect((await habitual.get('withdraw/history')).body).toMatchObject([{ network: 'ETH' }]);
    expect((await habitual.get('transfer', { fromAccountType: 'SPOT', toAccountType: 'FUTURES' })).body.total).toBe(1);
  });
});

describe('DEC-REQ-15: signatureReuse `money`', () => {
  test('what moves money or changes keys and passwords, and nothing else, is marked', () => {
    const all: Readonly<Record<string, AnyEndpoint>> = catalogue;
    const marked = Object.keys(all).filter((id) => all[id]?.money === true);
    expect(marked.toSorted()).toEqual([
      ...['brokerTransfer', 'brokerWithdraw', 'cancelWithdrawal', 'convert', 'createBrokerKey', 'createSubAccountKey'],
      ...['deleteBrokerKey', 'deleteSubAccountKey', 'openBrokerSubAccount', 'send', 'transfer', 'universalTransfer'],
      ...['withdraw', 'withdrawApply'],
    ]);
  });

  test('the signature of a question cannot be used to cancel a withdrawal', async () => {
    const careful = await startWalletHarness({ settings: { signatureReuse: 'money' } });
    const { body } = await careful.post('withdraw', terms);
    const text = encode({ id: body.id, timestamp: String(careful.gate.exchange.clock.time) });
    const query = `${text}&signature=${sign(text)}`;
    const headers = { 'X-SVC-APIKEY': keys.alice };
    const send = (method: string, path: string) =>
      careful.gate.send(method, `/api/v3/capital/${path}?${query}`, { headers });
    expect((await send('GET', 'withdraw/history')).status).toBe(200);
    expectCode(await send('DELETE', 'withdraw'), 700002);
    expect((await careful.remove('withdraw', { id: body.id, other: '1' })).status).toBe(200);
    await careful.close();
  });
});
