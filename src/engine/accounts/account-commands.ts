import { isPpm, isWhole } from '#base/whole-numbers.ts';
import { innerHouse, type AccountView, type ApiKeyView } from '#model/account.ts';
import { engineLimits } from '#model/limits.ts';
import { type AccountId, as, type TimestampMs } from '#model/units.ts';
import { addAccount, maySimulate } from '#engine/accounts/new-account.ts';
import { refuse, type CommandFunction } from '#engine/money/command-function.ts';
import { closeListenKeysOf } from '#engine/accounts/listen-key-commands.ts';
import { fitsCap } from '#engine/money/free-balance.ts';
import { canOwe } from '#engine/money/outside-bounds.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Opens an account with the next id. */
export const openAccount: CommandFunction<'openAccount'> = (state, command) => {
  const { accounts } = state;
  if (accounts.find(command.uid) !== null) {
    refuse(state, 'uidInUse');
    return;
  }
  if (command.simulated && !maySimulate(state)) {
    refuse(state, 'invalidConfiguration');
    return;
  }
  if (command.master !== null && !accounts.isMaster(command.master)) {
    refuse(state, 'unknownAccount');
    return;
  }
  addAccount(state, command);
};

/** Sets fee rates and the open-order cap of an account. */
export const setTradingRules: CommandFunction<'setTradingRules'> = (state, command) => {
  const { account, makerFeePpm, takerFeePpm, openOrdersMax } = command;
  const isRate = (ppm: number | null): boolean => ppm === null || isPpm(ppm);
  const isCap = isWhole(openOrdersMax, 0, engineLimits.openOrdersLimitMax);
  if (!isRate(makerFeePpm) || !isRate(takerFeePpm) || !isCap) {
    refuse(state, 'invalidConfiguration');
    return;
  }
  changeAccount(state, account, { makerFeePpm, takerFeePpm, openOrdersMax });
};

/** Enables or disables token deduction: paying fees in the platform token. */
export const setFeeDeduction: CommandFunction<'setFeeDeduction'> = (state, { account, enabled }) =>
  changeAccount(state, account, { feeDeduction: enabled });

/** Sets the KYC level of an account, 1 to 4. */
export const setKycLevel: CommandFunction<'setKycLevel'> = (state, { account, kycLevel }) => {
  if (isWhole(kycLevel, 1, 4)) changeAccount(state, account, { kycLevel });
  else refuse(state, 'invalidConfiguration');
};

/** Changes part of an account's record and emits the new record; refuses if there is no such account. */
export function changeAccount(state: EngineState, account: AccountId, part: Partial<AccountView>): void {
  if (!state.accounts.isUser(account)) {
    refuse(state, 'unknownAccount');
    return;
  }
  state.accounts.put({ ...state.accounts.get(account)!, ...part });
  state.emit.fact({ kind: 'accountChanged', account: state.accounts.get(account)! });
}

/**
 * Credits money without a chain, up to the cap of the asset: opening balances, the faucet, and what the house of a
 * sandbox begins with. In production nothing comes from nothing. DEC-WAL-50, DEC-WAL-85, DEC-OPR-184.
 */
export const creditFunds: CommandFunction<'creditFunds'> = (state, { account, asset, amount }) => {
  const rules = state.assets.get(asset);
  const isFundedHouse = account === innerHouse.dust || account === innerHouse.gas;
  if (state.profile.value === 'production') refuse(state, 'onlyInSandbox');
  else if (!state.accounts.isUser(account) && !isFundedHouse) refuse(state, 'unknownAccount');
  else if (rules === null) refuse(state, 'unknownAsset');
  else if (amount <= 0n) refuse(state, 'invalidConfiguration');
  else if (state.accounts.isUser(account) && state.accounts.isClosed(account)) refuse(state, 'accountClosed');
  else if (!fitsCap(state, asset, amount) || !canOwe(state, innerHouse.grants, asset, amount))
    refuse(state, 'aboveAssetCap');
  else state.ledger.move(innerHouse.grants, account, asset, amount, 'deposit');
};

const createApiKey: CommandFunction<'createApiKey'> = (state, command) => {
  const { account, accessKey, note, permissions, ips, sealedSecret, unboundLifeMs } = command;
  const isLife = unboundLifeMs === null || (Number.isInteger(unboundLifeMs) && unboundLifeMs > 0);
  if (!state.accounts.isUser(account)) refuse(state, 'unknownAccount');
  else if (state.accounts.isClosed(account)) refuse(state, 'accountClosed');
  else if (!isLife || (unboundLifeMs ?? 0) > engineLimits.keyLifeMsMax) refuse(state, 'invalidConfiguration');
  else if (state.keys.byAccessKey.has(accessKey)) refuse(state, 'accessKeyInUse');
  else if (state.keys.of(account).length >= engineLimits.keysPerAccount) refuse(state, 'tooManyKeys');
  else {
    const createdAt = state.at;
    const endsAt = ips.length > 0 || unboundLifeMs === null ? null : as<TimestampMs>(createdAt + unboundLifeMs);
    const key = { accessKey, account, note, permissions, ips: [...ips], sealedSecret, createdAt, endsAt };
    state.keys.put(key);
    state.emit.fact({ kind: 'apiKeyCreated', key });
  }
};

/** Deletes the keys whose time is over: told as every deletion. DEC-REQ-147. */
const endApiKeys: CommandFunction<'endApiKeys'> = (state) => {
  for (const key of state.keys.ended(state.at, engineLimits.keysEndedPerEntry)) removeKey(state, key);
};

const deleteApiKey: CommandFunction<'deleteApiKey'> = (state, { account, accessKey }) => {
  const key = state.keys.byAccessKey.get(accessKey);
  if (key === undefined || key.account !== account) {
    refuse(state, 'unknownKey');
    return;
  }
  removeKey(state, key);
};

/** Deletes a key with the listen keys that it made, and tells it. */
export function removeKey(state: EngineState, key: ApiKeyView): void {
  state.keys.delete(key);
  state.emit.fact({ kind: 'apiKeyDeleted', account: key.account, accessKey: key.accessKey });
  closeListenKeysOf(state, key);
}

/** The functions of commands about API keys. */
export const keyCommands = { createApiKey, deleteApiKey, endApiKeys };
