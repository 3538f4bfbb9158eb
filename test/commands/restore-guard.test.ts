import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Anvil, hasAnvil, startAnvil } from '../evm/anvil.ts';
import { type Answer, type Exchange, listEther, makeCustody, startOnChain, until } from './exchange-on-chain.ts';

const ether = 10n ** 18n;
const stranger = '0x00000000000000000000000000000000DeaDBeef';

let folder: string;
let anvil: Anvil;
let exchange: Exchange | null = null;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'restore-guard-'));
  anvil = await startAnvil();
});
afterEach(async () => {
  await exchange?.kill();
  await anvil.stop();
  rmSync(folder, { recursive: true, force: true });
});
const start = async (data: string): Promise<Exchange> => {
  exchange = await startOnChain(folder, data);
  return exchange;
};

describe.skipIf(!hasAnvil)('a production exchange', () => {
  test('DEC-WAL-120, DEC-OPR-100: backup, withdrawal, restore, asked again: paid once', async () => {
    const hotWallet = makeCustody(folder, anvil.url);
    const [payer] = await anvil.rpc<string[]>('eth_accounts');
    const pay = (to: string, value: bigint) =>
      anvil.rpc('eth_sendTransaction', { from: payer, to, value: `0x${value.toString(16)}` });
    const balance = async (): Promise<bigint> => BigInt(await anvil.rpc('eth_getBalance', stranger, 'latest'));
    await pay(hotWallet, 10n * ether);
    await anvil.mine();

    const data = join(folder, 'data');
    let exchange = await start(data);
    const key = await listEther(exchange);
    const [{ address }] = await exchange.customer(key, 'POST', '/capital/deposit/address', {
      coin: 'ETH',
      network: 'ETH',
    });
    await pay(address, 5n * ether);
    const deposited = async () => {
      await anvil.mine();
      return (await exchange.customer(key, 'GET', '/capital/deposit/hisrec')).find((each: Answer) => each.status === 5);
    };
    await until(deposited);
    await exchange.stop();
    const backup = join(folder, 'backup');
    cpSync(data, backup, { recursive: true });

    exchange = await start(data);
    const ask = { coin: 'ETH', netWork: 'ETH', address: stranger, amount: '2' };
    const statusOf = async (id: string): Promise<number> =>
      (await exchange.customer(key, 'GET', '/capital/withdraw/history')).find((each: Answer) => each.id === id)?.status;
    const paid = async (id: string) => {
      await anvil.mine();
      return (await statusOf(id)) === 7 ? true : undefined;
    };
    const first = await exchange.customer(key, 'POST', '/capital/withdraw', ask);
    await until(() => paid(first.id));
    expect(await balance()).toBe((ether * 1999n) / 1000n);
    await exchange.stop();

    exchange = await start(backup);
    const { id } = await exchange.customer(key, 'POST', '/capital/withdraw', ask);
    const other = await exchange.customer(key, 'POST', '/capital/withdraw', { ...ask, amount: '1' });
    const found = await until(async () => {
      await anvil.mine();
      const { profile, networks, unknownPayments } = await exchange.operator('GET', '/v1/safety');
      expect(profile).toBe('production');
      const [payment] = unknownPayments;
      return networks[0].isHeld && payment?.txId != null ? payment : undefined;
    });
    expect(found).toMatchObject({ network: 'ETH', nonce: 0, asset: 'ETH', amount: '1.999', address: stranger });
    await anvil.mine(5);
    await setTimeout(1500);
    expect([await statusOf(id), await statusOf(other.id)]).toEqual([3, 3]);
    const queue = (await exchange.operator('GET', '/v1/withdrawals')).items;
    expect(queue.map(({ waitsFor }: Answer) => waitsFor)).toEqual(
      queue.map(() => 'Withdrawals of the network are held: see GET /v1/safety.'),
    );
    expect(await balance()).toBe((ether * 1999n) / 1000n);
    const path = `/v1/safety/payments/ETH/${found.payment}/bookings`;
    const { withdrawal } = queue.find((each: Answer) => each.id === id);
    await exchange.operator('POST', path, { booking: 'withdrawal', withdrawal });
    expect(await statusOf(id)).toBe(7);
    await until(() => paid(other.id));
    // The lost payment once, and what was asked for besides.
    expect(await balance()).toBe((ether * 2998n) / 1000n);
    await exchange.stop();
  }, 240_000);
});
