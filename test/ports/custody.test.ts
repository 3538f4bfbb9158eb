import { networkCodes } from '#custody/addresses/networks.ts';
import { MemoryChainStorage } from './memory-chain-storage.ts';
import { describeCustody } from './custody.contract.ts';
import { openSimulatedWorld } from './simulated-custody-world.ts';

for (const network of networkCodes)
  describeCustody(`simulated ${network}`, () => openSimulatedWorld(network, new MemoryChainStorage()));
