import { refuse, type CommandFunction } from '#engine/money/command-function.ts';
import { putChain } from '#engine/wallet/wallet-configuration-commands.ts';

/** Blocks were replaced: every deposit above those that stayed is in doubt until it is judged. DEC-WAL-102. */
export const recordFork: CommandFunction<'recordFork'> = (state, { network, height }) => {
  const chain = state.chains.get(network);
  if (chain === undefined || !Number.isSafeInteger(height) || height < -1) {
    refuse(state, chain === undefined ? 'unknownNetwork' : 'invalidConfiguration');
    return;
  }
  const { deposits } = state;
  for (const { deposit, account, block, network: of } of deposits.all())
    if (of === network && block !== null && block.height > height) deposits.doubted.add(deposit, account);
  const forks = chain.forks + 1;
  putChain(state, { ...chain, forks });
  state.emit.fact({ kind: 'networkForked', network, height, forks, doubted: deposits.doubted.count });
};
