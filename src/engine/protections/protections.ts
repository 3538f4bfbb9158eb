import { absolute } from '#base/whole-numbers.ts';
import type { CommandOf } from '#model/command.ts';
import type { ProtectedCommand } from '#model/proposal.ts';
import type { ReferencePrice } from '#model/reference-price.ts';
import type { AssetNetwork, WalletRules } from '#model/wallet.ts';
import { isInUse } from '#engine/money/asset-use.ts';
import { higherValue } from '#engine/money/valuation.ts';
import { fingerprintOf } from '#engine/state/accounts/remembered-operations.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Which change of a member lowers a protection; `null` as an amount is no bound, so more than any. */
type Lowering = 'up' | 'down' | 'any' | 'none';

/**
 * What protects money in the rules of the wallet. What amounts are valued in changes the meaning of all of them; four
 * eyes need two persons in either direction. DEC-OPR-143.
 */
const walletProtections: Readonly<Record<keyof WalletRules, Lowering>> = {
  valuedIn: 'any',
  largeDeposit: 'up',
  dailyCaps: 'up',
  riskHoldAbove: 'up',
  fourEyesAbove: 'any',
  adjustFourEyesAbove: 'up',
  newAddressDelayMs: 'down',
  waitMs: 'down',
  transferable: 'none',
  dustBelow: 'up',
  dustCallMax: 'up',
  dustFeePpm: 'none',
};

/** The same for an asset on a network that is listed. DEC-OPR-143. */
const networkProtections: Readonly<Record<keyof AssetNetwork, Lowering>> = {
  asset: 'none',
  network: 'none',
  label: 'none',
  contract: 'none',
  scale: 'none',
  depositEnabled: 'none',
  withdrawEnabled: 'none',
  minConfirm: 'down',
  depositMin: 'none',
  withdrawFee: 'none',
  withdrawMin: 'none',
  withdrawMax: 'up',
  withdrawStep: 'none',
  sharesAddress: 'none',
  depositDesc: 'none',
  depositTips: 'none',
  withdrawTips: 'none',
};

/**
 * Members of a change by the acting operator that lower a protection which is in force now; none where nothing is in
 * force yet.
 */
export function loweredBy(state: EngineState, command: ProtectedCommand): readonly string[] {
  switch (command.kind) {
    case 'configureWallet':
      return loweredMembers(walletProtections, state.walletRules.value, command.rules);
    case 'configureAssetNetwork': {
      const { asset, network } = command.network;
      return loweredMembers(networkProtections, state.assetNetworks.get(asset, network), command.network);
    }
    case 'setReferencePrice': {
      // What is worth less by the rules is under fewer bounds; without a price that counts it is under all of them.
      if (state.referencePrices.find(command.asset) === null && !isInUse(state, command.asset)) return [];
      const known = state.referencePrices.inForce(command.asset, state.at);
      return known === null || isLess(command, known) ? ['referencePrice'] : [];
    }
    case 'removeReferencePrice':
      return state.referencePrices.inForce(command.asset, state.at) === null ? [] : ['referencePrice'];
    case 'adjustBalance':
      return needsSecondOperator(state, command) ? ['amount'] : [];
    case 'setAlone':
      return command.enabled && !state.operators.isAlone && !state.operators.isOnly(state.running.actor!)
        ? ['alone']
        : [];
  }
}

/** Stands for what a command would change, as it is now: equal texts, equal things. */
export function basisOf(state: EngineState, command: ProtectedCommand): string {
  switch (command.kind) {
    case 'configureWallet':
      return state.walletRules.value === null
        ? ''
        : fingerprintOf({ kind: 'configureWallet', rules: state.walletRules.value });
    case 'configureAssetNetwork': {
      const network = state.assetNetworks.get(command.network.asset, command.network.network);
      return network === null ? '' : fingerprintOf({ kind: 'configureAssetNetwork', network });
    }
    case 'setReferencePrice':
    case 'removeReferencePrice': {
      const known = state.referencePrices.find(command.asset);
      if (known === null) return '';
      const { asset, digits, decimals, validUntil, reason } = known;
      return fingerprintOf({ kind: 'setReferencePrice', asset, digits, decimals, validMs: validUntil, reason });
    }
    case 'setAlone':
      return state.operators.isAlone ? 'alone' : '';
    // It replaces nothing: whether the money is there is judged when it is approved.
    case 'adjustBalance':
      return '';
  }
}

/**
 * Whether an adjustment needs a second operator: with what the same one adjusted alone within a day it is worth more
 * than the rules let one decide, or nobody knows its worth. DEC-OPR-183.
 */
function needsSecondOperator(state: EngineState, { asset, amount }: CommandOf<'adjustBalance'>): boolean {
  const rules = state.walletRules.value;
  if (rules === null) return true;
  const most = rules.adjustFourEyesAbove;
  if (most === null) return false;
  const worth = higherValue(state, asset, absolute(amount));
  const before = state.adjustments.worthAlone(state.running.actor!, state.at);
  return worth === null || before === null || before + worth > most;
}

type Worth = Pick<ReferencePrice, 'digits' | 'decimals'>;
const isLess = (one: Worth, other: Worth): boolean =>
  one.digits * 10n ** BigInt(other.decimals) < other.digits * 10n ** BigInt(one.decimals);

/** In the order of the table. */
function loweredMembers<Rules extends object>(
  protections: Readonly<Record<keyof Rules, Lowering>>,
  before: Rules | null,
  after: Rules,
): readonly string[] {
  if (before === null) return [];
  const members = Object.keys(protections) as (keyof Rules & string)[];
  return members.filter((member) => isLowered(protections[member], before[member], after[member]));
}

function isLowered(lowering: Lowering, before: unknown, after: unknown): boolean {
  if (lowering === 'none') return false;
  if (Array.isArray(before) && Array.isArray(after))
    return after.some((value, index) => isLowered(lowering, before[index], value));
  if (lowering === 'any') return before !== after;
  return lowering === 'up' ? isMore(after as Bound, before as Bound) : isMore(before as Bound, after as Bound);
}

type Bound = bigint | number | null;
const isMore = (one: Bound, other: Bound): boolean => other !== null && (one === null || one > other);
