import { canonicalAddress, checkAddress } from '#custody/addresses/addresses.ts';
import type { Network } from '#custody/addresses/networks.ts';
import { networkCodes } from '#custody/addresses/networks.ts';
import type { ChainControls, SimulatedDeposit, SimulatedNetworkState } from '#custody/simulated/chain-controls.ts';
import { ChainControlRefused, controlledBlocksMax, reorganisationDepthMax } from '#custody/simulated/chain-controls.ts';
import type { NetworkRecord } from '#custody/simulated/chain-records.ts';
import { canonicalContract, transactionsMax } from '#custody/simulated/simulated-network.ts';
import type { SimulatedWorld, WorldTurn } from '#custody/simulated/simulated-world.ts';
import { depositTxId } from '#custody/simulated/transaction-text.ts';

const amountMax = 2n ** 256n - 1n;

/** The operator's hands on a simulated world. */
export function simulatedControls(world: SimulatedWorld): ChainControls {
  const act = (record: (at: number) => NetworkRecord, network: Network): Promise<SimulatedNetworkState> =>
    actThenMine(record, 0, network);
  /** Does what the record says, then mines blocks in the same turn. */
  const actThenMine = (
    record: (at: number) => NetworkRecord,
    blocks: number,
    network: Network,
  ): Promise<SimulatedNetworkState> =>
    world.turn(async (turn) => {
      await turn.record(record(turn.at));
      if (blocks > 0) await turn.record({ kind: 'mine', at: turn.at, network, blocks });
      return stateAt(world, network, turn.at);
    });
  return {
    deposit: async (deposit) => {
      const payment = readDeposit(deposit);
      return world.turn((turn) => recordDeposit(world, turn, payment));
    },
    mine: async ({ network: code, blocks }) => {
      const network = readNetwork(code);
      assertWhole('blocks', blocks, { least: 1, most: controlledBlocksMax });
      return act((at) => ({ kind: 'mine', at, network, blocks }), network);
    },
    reorganise: async ({ network: code, depth, drop, blocks = 0 }) => {
      const network = readNetwork(code);
      assertWhole('depth', depth, { least: 1, most: reorganisationDepthMax });
      assertWhole('blocks', blocks, { least: 0, most: controlledBlocksMax });
      return actThenMine(
        (at) => {
          const height = world.chain(network).blocks.heightAt(at);
          if (depth > height)
            throw new ChainControlRefused('depth', `is more than the ${height} blocks of the network`);
          return { kind: 'reorganise', at, network, depth, drop };
        },
        blocks,
        network,
      );
    },
    delay: async ({ network: code, blocks }) => {
      const network = readNetwork(code);
      assertWhole('blocks', blocks, { least: 0, most: controlledBlocksMax });
      return act((at) => ({ kind: 'delay', at, network, blocks }), network);
    },
    limitWallet: async ({ network: code, contract: text, amount }) => {
      const network = readNetwork(code);
      const contract = readContract(network, text);
      if (amount !== null) assertAmount(amount, 0n);
      const limit = amount === null ? null : String(amount);
      return act((at) => ({ kind: 'limitWallet', at, network, contract, amount: limit }), network);
    },
    state: async (code) => {
      const network = readNetwork(code);
      return world.turn(({ at }) => stateAt(world, network, at));
    },
  };
}

type ReadDeposit = SimulatedDeposit & { readonly network: Network };

/** The deposit with its address in canonical form. */
function readDeposit(deposit: SimulatedDeposit): ReadDeposit {
  const network = readNetwork(deposit.network);
  const memo = deposit.memo === '' ? null : deposit.memo;
  const fault = checkAddress(network, deposit.address, memo);
  // Depositors do forget memos.
  const isForgotten = fault?.part === 'memo' && memo === null;
  if (fault !== null && !isForgotten) throw new ChainControlRefused(fault.part, fault.reason);
  const contract = readContract(network, deposit.contract);
  assertAmount(deposit.amount, 1n);
  const address = canonicalAddress(network, deposit.address) ?? deposit.address;
  return { network, address, memo, contract, amount: deposit.amount };
}

async function recordDeposit(world: SimulatedWorld, { at, record }: WorldTurn, deposit: ReadDeposit): Promise<string> {
  const { network, address, memo, contract, amount } = deposit;
  const chain = world.chain(network);
  if (chain.transactionCount >= transactionsMax)
    throw new ChainControlRefused('network', `has ${transactionsMax} transactions already, and none of them is old`);
  const txId = depositTxId(network, world.seed, chain.deposits);
  await record({ kind: 'deposit', at, network, txId, address, memo, contract, amount: String(amount) });
  return txId;
}

function stateAt(world: SimulatedWorld, network: Network, at: number): SimulatedNetworkState {
  const chain = world.chain(network);
  const height = chain.blocks.heightAt(at);
  return {
    network,
    height,
    hash: chain.blocks.hashOf(height),
    mempoolSize: [...chain.all()].filter(({ minedHeight }) => minedHeight > height).length,
    nextBlockAt: chain.blocks.nextBlockAt(at),
    delayBlocks: chain.delay,
  };
}

function readNetwork(code: string): Network {
  const network = networkCodes.find((each) => each === code);
  if (network === undefined) throw new ChainControlRefused('network', `is none of ${networkCodes.join(', ')}`);
  return network;
}

function assertWhole(
  member: string,
  value: number,
  { least, most }: { readonly least: number; readonly most: number },
): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new ChainControlRefused(member, `is not a whole number from ${least} to ${most}`);
}

function readContract(network: Network, contract: string | null): string | null {
  const canonical = contract === null ? null : canonicalContract(network, contract);
  if (contract === null || canonical !== null) return canonical;
  throw new ChainControlRefused('contract', `is not the contract of a token on ${network}`);
}

function assertAmount(amount: bigint, least: bigint): void {
  if (amount >= least && amount <= amountMax) return;
  throw new ChainControlRefused('amount', `is not from ${least} to 2^256 - 1`);
}
