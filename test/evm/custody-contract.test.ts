import { describe } from 'vitest';
import { anvilChainId, hasAnvil } from './anvil.ts';
import { createEvmWorld, ether, hotWallet } from './evm-harness.ts';
import type { CustodyWorld } from '../ports/custody.contract.ts';
import { describeCustody } from '../ports/custody.contract.ts';

/** Custody of a chain of its own, which mines when the tests say so. */
async function openEvmWorld(): Promise<CustodyWorld> {
  const world = await createEvmWorld();
  const { anvil, token } = world;
  await world.pay(hotWallet, 1000n * ether);
  await world.payToken(hotWallet, 1000n * ether);
  await anvil.mine();
  let custody = world.custody();
  const stranger = (digit: string) => ({ address: `0x${digit.repeat(40)}`, memo: null });
  return {
    network: 'ETH',
    custody: () => custody,
    token,
    strangers: [stranger('1'), stranger('2')],
    sharesAddress: false,
    amount: ether,
    pay: async ({ to, contract, amount }) =>
      contract === null
        ? { txId: await world.pay(to.address, amount), output: 0 }
        : { txId: await world.payToken(to.address, amount), output: 1 },
    mine: (blocks) => anvil.mine(blocks),
    reorganise: async (depth) => {
      await anvil.rpc('anvil_reorg', depth, []);
      await anvil.rpc('anvil_dropAllTransactions');
    },
    restart: async () => {
      custody = world.custody();
    },
    close: () => anvil.stop(),
  };
}

describe.skipIf(!hasAnvil)('on a real chain', () => {
  describeCustody(`EVM chain ${anvilChainId}`, openEvmWorld);
});
