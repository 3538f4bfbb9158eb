import { powersOfTen } from '#base/decimal.ts';
import { isPpm, isWhole } from '#base/whole-numbers.ts';
import { engineLimits } from '#model/limits.ts';
import { hasAtMost } from '#model/text-length.ts';
import type { AssetNetwork, ChainProgress, WalletRules } from '#model/wallet.ts';
import { refuse, type CommandFunction } from '#engine/money/command-function.ts';
import type { ProtectedFunction } from '#engine/protections/protected-command.ts';
import type { EngineState } from '#engine/state/state.ts';

const codePattern = /^[A-Z0-9]{2,12}$/;
const labelLength = 64;
const tipLength = 500;
const chainScaleMost = 36;
const addressLength = 128;
const positionLength = 200;

const isAmount = (value: bigint): boolean => value >= 0n && value < 1n << 62n;
const isTip = (tip: string | null): boolean => tip === null || hasAtMost(tip, tipLength);

/** Sets the rules of the whole wallet. */
export const configureWallet: ProtectedFunction<'configureWallet'> = {
  refusal: (state, { rules }) => (areRulesValid(state, rules) ? null : 'invalidConfiguration'),
  apply: (state, { rules }) => {
    state.walletRules.value = rules;
    state.emit.fact({ kind: 'walletConfigured', rules });
  },
};

function areRulesValid(state: EngineState, rules: WalletRules): boolean {
  const { valuedIn, largeDeposit, dailyCaps, riskHoldAbove, fourEyesAbove, adjustFourEyesAbove } = rules;
  const bounds = [riskHoldAbove, fourEyesAbove, adjustFourEyesAbove].map((bound) => bound ?? 0n);
  const amounts = [largeDeposit, ...dailyCaps, ...bounds, rules.dustBelow, rules.dustCallMax];
  return (
    state.assets.has(valuedIn) &&
    amounts.every(isAmount) &&
    dailyCaps.length === 4 &&
    isWhole(rules.newAddressDelayMs, 0, 365 * 86_400_000) &&
    isWhole(rules.waitMs, 0, 86_400_000) &&
    rules.transferable.every((asset) => state.assets.has(asset)) &&
    isPpm(rules.dustFeePpm)
  );
}

/** Puts an asset on a network, or changes the terms there; contract, chain scale and kind of addresses stay. */
export const configureAssetNetwork: ProtectedFunction<'configureAssetNetwork'> = {
  refusal: (state, { network }) => {
    const known = state.assetNetworks.get(network.asset, network.network);
    const isKept =
      known === null
        ? state.assetNetworks.all().length < engineLimits.assetNetworks && isContractFree(state, network)
        : known.contract === network.contract &&
          known.scale === network.scale &&
          known.sharesAddress === network.sharesAddress;
    return isNetworkValid(state, network) && isKept ? null : 'invalidConfiguration';
  },
  apply: (state, { network }) => {
    state.assetNetworks.put(network);
    if (!state.chains.has(network.network)) state.chains.put(newChain(network.network));
    state.emit.fact({ kind: 'assetNetworkConfigured', network });
  },
};

const isContractFree = (state: EngineState, { network, contract, sharesAddress }: AssetNetwork): boolean =>
  state.assetNetworks
    .all()
    .every(
      (other) => other.network !== network || (other.contract !== contract && other.sharesAddress === sharesAddress),
    );

function isNetworkValid(state: EngineState, network: AssetNetwork): boolean {
  const { depositMin, withdrawFee, withdrawMin, withdrawMax, withdrawStep } = network;
  return (
    state.assets.has(network.asset) &&
    codePattern.test(network.network) &&
    network.label.length > 0 &&
    hasAtMost(network.label, labelLength) &&
    (network.contract === null || (network.contract.length > 0 && network.contract.length <= addressLength)) &&
    isWhole(network.scale, 0, chainScaleMost) &&
    isWhole(network.minConfirm, 1, engineLimits.minConfirmMax) &&
    [depositMin, withdrawFee, withdrawMin, withdrawMax, withdrawStep].every(isAmount) &&
    withdrawStep > 0n &&
    [withdrawStep, withdrawFee].every((amount) => isExpressible(state, network, amount)) &&
    withdrawMin > withdrawFee &&
    withdrawMax >= withdrawMin &&
    [network.depositDesc, network.depositTips, network.withdrawTips].every(isTip)
  );
}

/** Whether a chain that counts coarser than the ledger can express an amount. */
function isExpressible(state: EngineState, { asset, scale }: AssetNetwork, amount: bigint): boolean {
  const ledgerScale = state.assets.get(asset)?.scale ?? scale;
  return scale >= ledgerScale || amount % (powersOfTen[ledgerScale - scale] as bigint) === 0n;
}

/** Gives an account its address on a network; refuses any index but the next one. One address per account. */
export const assignDepositAddress: CommandFunction<'assignDepositAddress'> = (state, command) => {
  const { account, network, index, address, memo } = command;
  const chain = state.chains.get(network);
  if (!state.accounts.isUser(account)) refuse(state, 'unknownAccount');
  else if (chain === null || address.length > addressLength) refuse(state, 'unknownNetwork');
  else if (index !== chain.addressCount) refuse(state, 'addressIndexTaken');
  else if (state.depositAddresses.of(account, network) !== null) refuse(state, 'addressInUse');
  else if (state.depositAddresses.find(network, address, memo) !== null) refuse(state, 'addressInUse');
  else {
    const given = { account, network, index, address, memo };
    state.depositAddresses.put(given);
    state.chains.put({ ...chain, addressCount: index + 1 });
    state.emit.fact({ kind: 'depositAddressAssigned', address: given });
  }
};

/** Records how far settlement followed a chain. */
export const recordChainPosition: CommandFunction<'recordChainPosition'> = (state, command) => {
  const chain = state.chains.get(command.network);
  const position = command.position ?? chain?.position ?? null;
  const height = command.height ?? chain?.height ?? null;
  const sweepPosition = command.sweepPosition ?? chain?.sweepPosition ?? null;
  if (chain === null) refuse(state, 'unknownNetwork');
  else if ((position?.length ?? 0) > positionLength || (sweepPosition?.length ?? 0) > positionLength)
    refuse(state, 'invalidConfiguration');
  else if (height !== null && !isWhole(height, 0, 2 ** 48)) refuse(state, 'invalidConfiguration');
  else {
    state.chains.put({ ...chain, position, height, sweepPosition });
    state.emit.fact({ kind: 'chainFollowed', chain: state.chains.at(command.network) });
  }
};

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

const newChain = (network: string): ChainProgress => ({
  network,
  position: null,
  sweepPosition: null,
  addressCount: 0,
  height: null,
  forks: 0,
  nextNonce: 0,
});
