import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasAnvil } from './anvil.ts';
import type { EvmWorld } from './evm-harness.ts';
import {
  addressCount,
  createEvmWorld,
  depositAddress,
  ether,
  exchangeXpub,
  gasWallet,
  hotWallet,
  observeAll,
} from './evm-harness.ts';
import { forwarderCode, transferTwiceData } from './test-token.ts';
import { confirmationsOf } from '../chain-sight.ts';

describe.skipIf(!hasAnvil)('deposits on an EVM chain', () => {
  let world: EvmWorld;
  beforeEach(async () => {
    world = await createEvmWorld();
  });
  afterEach(() => world.anvil.stop());

  test('ether and tokens that were paid to deposit addresses are seen once, with their confirmations', async () => {
    const { anvil, token } = world;
    const native = await world.pay(depositAddress(0), 3n);
    await anvil.mine();
    const tokens = await world.payToken(depositAddress(4), 7n * ether);
    await anvil.mine(2);
    const { position, payments } = await observeAll(world);
    const common = { memo: null };
    expect(payments).toMatchObject([
      { ...common, txId: native, output: 0, address: depositAddress(0), contract: null, amount: 3n, confirmations: 3 },
      {
        ...common,
        txId: tokens,
        output: 1,
        address: depositAddress(4),
        contract: token,
        amount: 7n * ether,
        confirmations: 2,
      },
    ]);
    expect((await observeAll(world, position)).payments).toEqual([]);
    await anvil.mine();
    expect(await confirmationsOf(world.custody(), payments)).toEqual([4, 3]);
  });

  test('DEC-WAL-45: every log of a transaction is a payment of its own, by its place in the transaction', async () => {
    const { anvil, token, customer } = world;
    await world.payToken(depositAddress(1), 1n);
    const data = transferTwiceData(depositAddress(2), 5n);
    const txId = await anvil.rpc('eth_sendTransaction', { from: customer, to: token, data, gas: '0x30000' });
    await anvil.mine();
    const { payments } = await observeAll(world);
    const ofTransaction = payments.filter((payment) => payment.txId === txId);
    expect(ofTransaction.map(({ output, amount }) => ({ output, amount }))).toEqual([
      { output: 1, amount: 5n },
      { output: 2, amount: 5n },
    ]);
    const asked = [0, 1, 2, 3].map((output) => ({ txId, output }));
    expect(await confirmationsOf(world.custody(), asked)).toEqual([1, 1, 1, 0]);
  });

  test('DEC-WAL-45: neither what the exchange sends itself, nor nothing, nor what others get is a deposit', async () => {
    const { anvil, customer } = world;
    for (const wallet of [hotWallet, gasWallet, depositAddress(3)]) {
      await anvil.rpc('anvil_setBalance', wallet, `0x${ether.toString(16)}`);
      await anvil.rpc('anvil_impersonateAccount', wallet);
    }
    await world.payToken(hotWallet, 9n);
    await world.pay(depositAddress(0), 5n, hotWallet);
    await world.payToken(depositAddress(0), 5n, hotWallet);
    await world.pay(depositAddress(0), 5n, gasWallet);
    await world.pay(depositAddress(0), 5n, depositAddress(3));
    await world.pay(depositAddress(0), 0n);
    await world.payToken(depositAddress(0), 0n);
    await world.pay(depositAddress(addressCount), 5n);
    await world.pay(customer, 5n);
    await anvil.mine();
    const failed = await world.payToken(depositAddress(0), 5n, world.stranger);
    await anvil.mine();
    const receipt = await anvil.rpc<{ status: string }>('eth_getTransactionReceipt', failed);
    expect(receipt.status).toBe('0x0');
    expect((await observeAll(world)).payments).toEqual([]);
  });

  test('DEC-WAL-20: ether that arrives by an internal call is not seen as a deposit', async () => {
    const { anvil, customer } = world;
    const forwarder = '0x00000000000000000000000000000000000000F1';
    await anvil.rpc('anvil_setCode', forwarder, forwarderCode);
    const data = `0x${depositAddress(0).slice(2).padStart(64, '0')}`;
    await anvil.rpc('eth_sendTransaction', { from: customer, to: forwarder, value: '0x5', data, gas: '0x30000' });
    await anvil.mine();
    expect(await world.balance(depositAddress(0))).toBe(5n);
    expect((await observeAll(world)).payments).toEqual([]);
  });

  test('a token that is not listed is not seen, also if it names a deposit address', async () => {
    await world.payToken(depositAddress(0), 5n);
    await world.anvil.mine();
    const seen = await world.custody({ tokens: [] }).observe({ since: null, addressCount });
    expect(seen.payments).toEqual([]);
  });

  test('without a first block, deposits count from the first question on', async () => {
    await world.pay(depositAddress(0), 1n);
    await world.anvil.mine();
    const first = await world.custody({ startBlock: null }).observe({ since: null, addressCount });
    expect(first.payments).toEqual([]);
    await world.pay(depositAddress(0), 2n);
    await world.anvil.mine();
    const next = await world.custody({ startBlock: null }).observe({ since: first.position, addressCount });
    expect(next.payments.map(({ amount }) => amount)).toEqual([2n]);
  });

  test('a long gap is read in bounded steps, and nothing in it is missed', async () => {
    const start = await observeAll(world);
    for (let amount = 1n; amount <= 6n; amount += 1n) {
      await world.pay(depositAddress(0), amount);
      await world.anvil.mine(21);
    }
    const first = await world.custody().observe({ since: start.position, addressCount });
    expect(first.payments.map(({ amount }) => amount)).toEqual([1n, 2n, 3n]);
    const rest = await observeAll(world, first.position);
    expect(rest.payments.map(({ amount }) => amount)).toEqual([4n, 5n, 6n]);
  });

  test('DEC-WAL-22: a watch-only key sees the deposits of its seed, holds them, and signs nothing', async () => {
    const keys = {
      kind: 'watch' as const,
      xpub: exchangeXpub,
      treasury: [hotWallet],
    };
    await world.pay(depositAddress(2), 5n);
    await world.pay(hotWallet, 7n);
    await world.anvil.mine();
    const custody = world.custody({ keys });
    expect(await custody.depositAddress(2)).toEqual({ address: depositAddress(2), memo: null });
    const seen = await custody.observe({ since: null, addressCount });
    expect(seen.payments.map(({ amount }) => amount)).toEqual([5n]);
    expect(await custody.holdings([], addressCount)).toEqual([{ contract: null, amount: 12n }]);
    const payment = { reference: 'w1', address: world.stranger, memo: null, contract: null, amount: 1n };
    expect(await custody.sign(payment, 0, 0n)).toMatchObject({ kind: 'refused', until: 'later' });
    await custody.sweep(addressCount);
    const { position, sweeps } = await custody.sweepsSince(null, addressCount);
    expect(sweeps).toEqual([]);
    expect((await world.custody().sweepsSince(position, addressCount)).sweeps).toEqual([]);
  });
});
