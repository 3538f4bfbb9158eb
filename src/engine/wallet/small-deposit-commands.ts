import { engineLimits } from '#model/limits.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { CommandOf } from '#model/command.ts';
import type { ChainBlock, DepositView } from '#model/wallet.ts';
import { refuse, type CommandFunction } from '#engine/money/command-function.ts';
import type { EngineState } from '#engine/state/state.ts';
import { creditDeposit, putDeposit } from '#engine/wallet/deposit-money.ts';
import { fitsCap } from '#engine/money/free-balance.ts';
import { isBeforeFork } from '#engine/money/network-forks.ts';

/** A small deposit that custody sees in its block. */
type SmallDeposit = DepositView & { readonly block: ChainBlock };

/**
 * Credits small deposits of one account, asset and network once those that custody was just asked for reach the minimum
 * together; what the cap of the asset leaves no room for is audited. DEC-WAL-15, DEC-WAL-101.
 */
export const creditSmallDeposits: CommandFunction<'creditSmallDeposits'> = (state, command) => {
  const named = command.deposits.map((deposit) => state.deposits.current(deposit, state.at));
  const small = named.filter((each): each is SmallDeposit => isCreditable(state, command, each));
  const reason = refusalOf(state, command, small);
  if (reason !== null) {
    refuse(state, reason);
    return;
  }
  for (const each of small) {
    const { minConfirm } = state.assetNetworks.get(each.asset, each.network)!;
    const confirmations = confirmationsOf(command, each);
    const deposit: DepositView = { ...each, confirmations, minConfirm, updatedAt: state.at };
    if (fitsCap(state, deposit.asset, deposit.amount)) creditDeposit(state, deposit);
    else putDeposit(state, { ...deposit, status: 'auditing' });
  }
};

type CreditSmallDeposits = CommandOf<'creditSmallDeposits'>;

const confirmationsOf = ({ height }: CreditSmallDeposits, { block }: SmallDeposit): number => height - block.height + 1;

const isCreditable = (state: EngineState, { network }: CreditSmallDeposits, each: DepositView | null): boolean =>
  each !== null &&
  each.status === 'small' &&
  each.network === network &&
  each.block !== null &&
  !state.deposits.doubted.has(each.deposit);

function refusalOf(
  state: EngineState,
  command: CreditSmallDeposits,
  small: readonly SmallDeposit[],
): RejectReason | null {
  const { network, forks, height, deposits } = command;
  const [first] = small;
  if (!state.chains.has(network)) return 'unknownNetwork';
  if (deposits.length > engineLimits.smallDepositsPerCredit || new Set(deposits).size !== deposits.length)
    return 'invalidConfiguration';
  if (isBeforeFork(state, network, forks)) return 'notYet';
  if (first === undefined || small.length !== deposits.length) return 'wrongState';
  if (small.some(({ account, asset }) => account !== first.account || asset !== first.asset)) return 'wrongState';
  const terms = state.assetNetworks.get(first.asset, network)!;
  if (!Number.isSafeInteger(height) || small.some((each) => confirmationsOf(command, each) < terms.minConfirm))
    return 'notConfirmed';
  if (!terms.depositEnabled) return 'depositsOff';
  if (state.accounts.isUnusable(first.account)) return 'accountNotUsable';
  return small.reduce((sum, { amount }) => sum + amount, 0n) < terms.depositMin ? 'wrongAmount' : null;
}
