import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NetworkUnavailable } from '#custody/custody.ts';
import { anvilChainId, hasAnvil } from './anvil.ts';
import { createEvmWorld, ether, type EvmWorld, gasWallet, hotWallet } from './evm-harness.ts';

describe.skipIf(!hasAnvil)('DEC-OPR-287: the status of an EVM chain', () => {
  let world: EvmWorld;
  beforeEach(async () => {
    world = await createEvmWorld();
    await world.pay(hotWallet, 7n * ether);
    await world.pay(gasWallet, 3n * ether);
    await world.payToken(hotWallet, 50n * ether);
    await world.anvil.mine();
  });
  afterEach(() => world.anvil.stop());

  test('tells the newest block with its time, and what both wallets have, with their floors', async () => {
    const { token } = world;
    const custody = world.custody({
      nativeCoin: { perHourMax: null, sweepFrom: null, hotFloor: 9n * ether, gasFloor: ether },
      tokens: [{ contract: token.toLowerCase(), perHourMax: null, sweepFrom: null, hotFloor: 60n * ether }],
    });
    const block = await world.anvil.rpc<{ number: string; timestamp: string }>('eth_getBlockByNumber', 'latest', false);
    expect(await custody.status([token])).toEqual({
      head: { height: Number(block.number), at: Number(block.timestamp) * 1000 },
      wallets: [
        { wallet: 'hot', contract: null, amount: 7n * ether, floor: 9n * ether },
        { wallet: 'gas', contract: null, amount: 3n * ether, floor: ether },
        { wallet: 'hot', contract: token, amount: 50n * ether, floor: 60n * ether },
      ],
    });
  });

  test('leaves out tokens that the settings do not name, and those whose contract tells nothing', async () => {
    const broken = '0x00000000000000000000000000000000000000F1';
    const other = '0x00000000000000000000000000000000000000F2';
    // Reverts whatever it is asked.
    await world.anvil.rpc('anvil_setCode', broken, '0x60006000fd');
    const custody = world.custody({
      tokens: [broken, world.token].map((contract) => ({ contract, perHourMax: null, sweepFrom: null })),
    });
    const { wallets } = await custody.status([broken, other, world.token]);
    expect(wallets.map(({ contract }) => contract)).toEqual([null, null, world.token]);
    expect(wallets.map(({ floor }) => floor)).toEqual([null, null, null]);
  });

  test('where somebody else spends there are no wallets', async () => {
    const xpub =
      'xpub6BosfCnifzxcFwrSzQiqu2DBVTshkCXacvNsWGYJVVhhawA7d4R5WSWGFNbi8Aw6ZRc1brxMyWMzG3DSSSSoekkudhUd9yLb6qx39T9nMdj';
    const custody = world.custody({ keys: { kind: 'watch', xpub, treasury: [] } });
    expect((await custody.status([world.token])).wallets).toEqual([]);
  });

  test('of another chain nothing is told', async () => {
    await expect(world.custody({ chainId: anvilChainId + 1 }).status([])).rejects.toBeInstanceOf(NetworkUnavailable);
  });
});
