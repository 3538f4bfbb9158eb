/**
 * The simulated chain of the sandbox: a network for each code in `addresses/networks.ts`, with blocks, a mempool, fees,
 * confirmations and reorganisations, in one file and on the exchange's clock. It holds no money and asks nobody.
 *
 * `network-chain.ts` is what is so on one network, the fold of its records; `block-history.ts` its blocks.
 * `simulated-world.ts` gives questions and acts their turns and keeps the file, `simulated-network.ts` answers the
 * exchange, and `simulated-controls.ts` obeys operators. Equal seeds, acts and times give equal ids, hashes and
 * addresses on every machine.
 */
import { networkCodes } from '#custody/addresses/networks.ts';
import type { Custody } from '#custody/custody.ts';
import type { ChainControls } from '#custody/simulated/chain-controls.ts';
import { simulatedControls } from '#custody/simulated/simulated-controls.ts';
import { SimulatedNetwork } from '#custody/simulated/simulated-network.ts';
import type { WorldParts } from '#custody/simulated/simulated-world.ts';
import { SimulatedWorld } from '#custody/simulated/simulated-world.ts';

/** A simulated world that is open. */
export interface SimulatedCustody {
  readonly custody: Custody;
  readonly controls: ChainControls;
  /** Resolves once what was asked is done and recorded. Nothing may be asked afterwards. */
  close(): Promise<void>;
}

/**
 * Opens the simulated world of a file, or begins one. A world with another `blockMs` than before goes on with this one.
 * @throws ChainFileFault if the file is damaged or was made with another seed.
 */
export async function openSimulatedCustody(parts: WorldParts): Promise<SimulatedCustody> {
  const world = await SimulatedWorld.open(parts);
  return {
    custody: new Map(networkCodes.map((network) => [network, new SimulatedNetwork(network, world)])),
    controls: simulatedControls(world),
    close: () => world.close(),
  };
}
