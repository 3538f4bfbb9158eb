import type { Network } from '#custody/addresses/networks.ts';
import type { ChainAddress } from '#custody/custody.ts';
import { depositAddresses } from '#custody/simulated/deposit-addresses.ts';
import type { MemoryChainStorage } from './memory-chain-storage.ts';
import { openSimulatedCustody } from '#custody/simulated/simulated-custody.ts';
import type { CustodyWorld } from './custody.contract.ts';

/** A token of each network that has them: Tether's and, on Solana, Circle's. */
const tokens: Readonly<Record<Network, string | null>> = {
  BTC: null,
  ETH: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  TRX: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  BSC: '0x55d398326f99059fF775485246999027B3197955',
  SOL: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  XRP: null,
};

/** The simulated chain of one network, on a clock that stands still, so that blocks are mined by the tests alone. */
export async function openSimulatedWorld(network: Network, storage: MemoryChainStorage): Promise<CustodyWorld> {
  const clock = { now: () => 1_700_000_000_000 };
  const open = () => openSimulatedCustody({ seed: 'contract', clock, blockMs: 5000, storage });
  let opened = await open();
  const strangers = depositAddresses(network, 'somebody else');
  return {
    network,
    custody: () => opened.custody.get(network)!,
    token: tokens[network],
    strangers: [strangers.at(0), strangers.at(1)] as [ChainAddress, ChainAddress],
    sharesAddress: network === 'XRP',
    amount: 12_345_678n,
    pay: async ({ to, contract, amount }) => ({
      txId: await opened.controls.deposit({ network, ...to, contract, amount }),
      output: 0,
    }),
    mine: async (blocks) => {
      await opened.controls.mine({ network, blocks });
    },
    reorganise: async (depth) => {
      await opened.controls.reorganise({ network, depth, drop: true });
    },
    restart: async () => {
      opened = await open();
    },
    close: () => opened.close(),
  };
}
