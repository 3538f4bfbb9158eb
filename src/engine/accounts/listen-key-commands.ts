import type { ApiKeyView, ListenKeyView } from '#model/account.ts';
import { engineLimits } from '#model/limits.ts';
import type { AccountId, TimestampMs } from '#model/units.ts';
import { refuse, type CommandFunction } from '#engine/money/command-function.ts';
import type { EngineState } from '#engine/state/state.ts';

export const createListenKey: CommandFunction<'createListenKey'> = (state, command) => {
  const { account, accessKey, keyHash, sealedKey } = command;
  if (!state.accounts.isUser(account)) refuse(state, 'unknownAccount');
  else if (state.keys.byAccessKey.get(accessKey)?.account !== account) refuse(state, 'unknownKey');
  else if (state.listenKeys.get(keyHash) !== null) refuse(state, 'listenKeyInUse');
  else if (state.listenKeys.of(account).length >= engineLimits.listenKeysPerAccount) refuse(state, 'tooManyListenKeys');
  else keepValid(state, { keyHash, account, accessKey, sealedKey, createdAt: state.at, expiresAt: state.at });
};

export const renewListenKey: CommandFunction<'renewListenKey'> = (state, { account, keyHash }) => {
  const key = ownKey(state, account, keyHash);
  if (key !== null) keepValid(state, key);
};

export const deleteListenKey: CommandFunction<'deleteListenKey'> = (state, { account, keyHash }) => {
  const key = ownKey(state, account, keyHash);
  if (key !== null) close(state, key);
};

/** Closes what an API key made: it ends with the key, whatever ends that. DEC-STR-105. */
export function closeListenKeysOf(state: EngineState, { account, accessKey }: ApiKeyView): void {
  for (const key of state.listenKeys.of(account)) if (key.accessKey === accessKey) close(state, key);
}

/** Listen-key expiry: closes the listen keys that expired by now. Called before every command. */
export function closeExpiredListenKeys(state: EngineState): void {
  for (let key = state.listenKeys.expired(state.at); key !== null; key = state.listenKeys.expired(state.at))
    close(state, key);
}

function keepValid(state: EngineState, key: ListenKeyView): void {
  const valid = { ...key, expiresAt: (state.at + engineLimits.listenKeyLifeMs) as TimestampMs };
  state.listenKeys.put(valid);
  state.emit.fact({ kind: 'listenKeyValid', key: valid });
}

function close(state: EngineState, key: ListenKeyView): void {
  state.listenKeys.delete(key);
  state.emit.fact({ kind: 'listenKeyClosed', account: key.account, keyHash: key.keyHash });
}

function ownKey(state: EngineState, account: AccountId, keyHash: string): ListenKeyView | null {
  const key = state.listenKeys.get(keyHash);
  if (key !== null && key.account === account) return key;
  refuse(state, 'unknownListenKey');
  return null;
}
