import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasAnvil } from './anvil.ts';
import type { EvmWorld } from './evm-harness.ts';
import { addressCount, createEvmWorld, depositAddress, ether, observeAll } from './evm-harness.ts';
import { confirmationsOf } from '../chain-sight.ts';

describe.skipIf(!hasAnvil)('reorganisations of an EVM chain', () => {
  let world: EvmWorld;
  beforeEach(async () => {
    world = await createEvmWorld();
  });
  afterEach(() => world.anvil.stop());

  /** Replaces the newest blocks by empty ones. */
  const replaceBlocks = (depth: number) => world.anvil.rpc('anvil_reorg', depth, []);

  test('DEC-WAL-46: a payment in a replaced block has no confirmations, and is seen again in its new block', async () => {
    const { anvil, token } = world;
    await world.payToken(depositAddress(1), 4n * ether);
    await anvil.mine();
    const raw = await anvil.rpc('eth_getRawTransactionByHash', (await observeAll(world)).payments[0]!.txId);
    const before = await observeAll(world);
    expect(before.payments).toMatchObject([{ contract: token, output: 1, confirmations: 1 }]);
    await replaceBlocks(1);
    expect(await confirmationsOf(world.custody(), before.payments)).toEqual([0]);
    const between = await observeAll(world, before.position);
    expect(between.payments).toEqual([]);
    await anvil.rpc('anvil_dropAllTransactions');
    await anvil.rpc('eth_sendRawTransaction', raw);
    await anvil.mine(2);
    expect(await confirmationsOf(world.custody(), before.payments)).toEqual([2]);
    const after = await observeAll(world, between.position);
    const { block: _old, ...payment } = before.payments[0]!;
    expect(after.payments).toMatchObject([{ ...payment, confirmations: 2 }]);
    expect(world.notices).toEqual([]);
  });

  test('DEC-WAL-45: a payment keeps its name when it moves behind another log in its block', async () => {
    const { anvil, customer, stranger } = world;
    await world.payToken(stranger, 10n);
    await anvil.mine();
    const start = await observeAll(world);
    const moved = await world.payToken(depositAddress(0), 5n);
    await anvil.mine();
    const first = await observeAll(world, start.position);
    expect(first.payments).toMatchObject([{ txId: moved, output: 1 }]);
    const raw = await anvil.rpc('eth_getRawTransactionByHash', moved);
    await replaceBlocks(1);
    await anvil.rpc('anvil_dropAllTransactions');
    await world.payToken(customer, 1n, stranger);
    await anvil.rpc('eth_sendRawTransaction', raw);
    await anvil.mine();
    const receipt = await anvil.rpc<{ logs: { logIndex: string }[] }>('eth_getTransactionReceipt', moved);
    expect(receipt.logs.map(({ logIndex }) => logIndex)).toEqual(['0x1']);
    const { payments } = await observeAll(world, first.position);
    expect(payments).toMatchObject([{ txId: moved, output: 1, amount: 5n, confirmations: 1 }]);
  });

  test.each([1, 2, 3, 16, 17, 100, 128])(
    'DEC-WAL-46: nothing is missed when the newest %i blocks are replaced',
    async (depth) => {
      const { anvil, customer } = world;
      await anvil.mine(150);
      const before = await observeAll(world);
      const nonce = BigInt(await anvil.rpc('eth_getTransactionCount', customer, 'latest'));
      const transaction = {
        from: customer,
        to: depositAddress(0),
        value: '0x5',
        gas: '0x5208',
        nonce: `0x${nonce.toString(16)}`,
      };
      await anvil.rpc('anvil_reorg', depth, [[transaction, 0]]);
      const { payments } = await observeAll(world, before.position);
      expect(payments).toMatchObject([{ amount: 5n, confirmations: depth }]);
      expect(world.notices).toEqual([]);
    },
  );

  test('DEC-WAL-46: after more replaced blocks than are followed, reading goes on and the operator is told', async () => {
    const { anvil } = world;
    await anvil.mine(150);
    const before = await observeAll(world);
    await replaceBlocks(140);
    await world.pay(depositAddress(0), 5n);
    await anvil.mine();
    const { payments } = await observeAll(world, before.position);
    expect(payments).toMatchObject([{ amount: 5n, confirmations: 1 }]);
    expect(world.notices).toEqual([expect.stringContaining('More than 128 blocks')]);
  });

  test('a chain that went back to a state of before is followed when it is longer again', async () => {
    const { anvil } = world;
    const snapshot = await anvil.rpc('evm_snapshot');
    await world.pay(depositAddress(0), 5n);
    await anvil.mine(2);
    const before = await observeAll(world);
    expect(before.payments).toHaveLength(1);
    await anvil.rpc('evm_revert', snapshot);
    await expect(world.custody().observe({ since: before.position, addressCount })).rejects.toThrow('behind');
    await world.pay(depositAddress(1), 6n);
    await anvil.mine(3);
    const after = await observeAll(world, before.position);
    expect(after.payments).toMatchObject([{ address: depositAddress(1), amount: 6n, confirmations: 3 }]);
    expect(await confirmationsOf(world.custody(), before.payments)).toEqual([0]);
  });
});
