import { engineLimits } from '#model/limits.ts';
import type { RejectReason } from '#model/rejection.ts';
import { hasAtMost } from '#model/text-length.ts';
import { type AccountId, toAmount, type Balance } from '#model/units.ts';
import type { CommandOf } from '#model/command.ts';
import type { AssetNetwork, DepositAddress } from '#model/wallet.ts';
import { outsideTakes } from '#engine/money/outside-bounds.ts';
import { isAboveWithdrawalLimit } from '#engine/wallet/withdrawal-limit.ts';
import { isInDoubt } from '#engine/money/network-forks.ts';
import type { EngineState } from '#engine/state/state.ts';
import { isAddressAllowed } from '#engine/wallet/saved-addresses.ts';

/** Why a request is refused, by the first reason that applies; `null`: it is not. DEC-WAL-26. */
export function withdrawalRefusal(state: EngineState, request: CommandOf<'requestWithdrawal'>): RejectReason | null {
  const { account, asset, amount } = request;
  if (!state.accounts.isUser(account)) return 'unknownAccount';
  if (!hasValidTexts(request)) return 'invalidConfiguration';
  if (state.accounts.isUnusable(account)) return 'accountNotUsable';
  if (state.accounts.isOff(account, 'withdraw')) return 'withdrawalsOffForAccount';
  if (isInDoubt(state, account)) return 'depositInDoubt';
  if (!state.assets.has(asset)) return 'unknownAsset';
  const network = state.assetNetworks.get(asset, request.network);
  if (network === null) return 'unknownNetwork';
  if (state.walletRules.value === null) return 'walletNotConfigured';
  if (!network.withdrawEnabled) return 'withdrawalsOff';
  if (!isAmountAllowed(network, amount)) return 'wrongAmount';
  const receiver = receiverInside(state, network, request);
  if (receiver?.account === account) return 'ownAddress';
  if (receiver !== null && !network.depositEnabled) return 'depositsOff';
  if (receiver === null && state.depositAddresses.isOurs(network.network, request.address)) return 'unknownMemo';
  if (!isAddressAllowed(state, request, state.at)) return 'addressNotAllowed';
  if (isAboveWithdrawalLimit(state, request)) return 'dailyCapExceeded';
  if (hasTooMany(state, account)) return 'tooManyInProgress';
  const row = state.ledger.balances.find(account, asset);
  if (row < 0 || !state.ledger.canPay(row, toAmount(amount))) return 'notEnoughFunds';
  if (receiver === null && !outsideTakes(state, asset, amount)) return 'aboveAssetCap';
  return null;
}

/**
 * The deposit address of this exchange that a request pays; `null`: it goes to the chain, or the memo is nobody's.
 * Where addresses are not shared a memo names nobody. DEC-WAL-25.
 */
export function receiverInside(
  state: EngineState,
  network: AssetNetwork,
  { address, memo }: Pick<CommandOf<'requestWithdrawal'>, 'address' | 'memo'>,
): DepositAddress | null {
  return state.depositAddresses.find(network.network, address, network.sharesAddress ? memo : null);
}

const isAtMost = (text: string | null, max: number): boolean => text === null || hasAtMost(text, max);

function hasValidTexts({ address, memo, withdrawOrderId, remark }: CommandOf<'requestWithdrawal'>): boolean {
  const { addressLength, memoLength, withdrawOrderIdLength, remarkLength } = engineLimits;
  return (
    address.length > 0 &&
    address.length <= addressLength &&
    isAtMost(memo, memoLength) &&
    isAtMost(withdrawOrderId, withdrawOrderIdLength) &&
    isAtMost(remark, remarkLength)
  );
}

const isAmountAllowed = (network: AssetNetwork, amount: Balance): boolean =>
  amount >= network.withdrawMin &&
  amount <= network.withdrawMax &&
  amount > network.withdrawFee &&
  amount % network.withdrawStep === 0n;

/** Whether an account has as many withdrawals as it may have. DEC-WAL-56. */
export function hasTooMany({ withdrawals, at }: EngineState, account: AccountId): boolean {
  const { withdrawalsInProgress, withdrawalsPerDay } = engineLimits;
  return (
    withdrawals.inProgressOf(account) >= withdrawalsInProgress ||
    withdrawals.ofLastDay(account, at).count >= withdrawalsPerDay
  );
}
