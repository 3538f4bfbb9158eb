import { refuse, type CommandFunction } from '#engine/money/command-function.ts';

/** Blocks were replaced: every deposit above those that stayed is in doubt until it is judged. DEC-WAL-102. */
export const recordFork: CommandFunction<'recordFork'> = (state, { network, height }) => {
  const chain = state.chains.get(network);
  if (chain === null || !Number.isSafeInteger(height) || height < -1) {
    refuse(state, chain === null ? 'unknownNetwork' : 'invalidConfiguration');
    return;
  }
  const { deposits } = state;
  for (const { deposit, account, block, network: of } of deposits.all())
    if (of === network && block !== null && block.height > height) deposits.doubted.add(deposit, account);
  const forks = chain.forks + 1;
  state.chains.put({ ...chain, forks });
  state.emit.fact({ kind: 'networkForked', network, height, forks, doubted: deposits.doubted.count });
};
