import { assert } from '#base/assert.ts';
import { engineLimits } from '#model/limits.ts';
import { changeAccount } from '#engine/accounts/account-commands.ts';
import { refuse, type CommandFunction } from '#engine/money/command-function.ts';

/** Activates a later version of the rules; refuses one that is not later. `known`: the newest that the engine knows. */
export const activateRules =
  (known: number): CommandFunction<'activateRules'> =>
  (state, { version }) => {
    assert(version <= known, `this build knows the rules up to version ${known}, not version ${version}`);
    if (version <= state.progress.rules) {
      refuse(state, 'invalidConfiguration');
      return;
    }
    state.progress.rules = version;
    state.emit.fact({ kind: 'rulesActivated', version });
  };

/**
 * Records a quarantined tail; an account that caused too many within the window becomes unusable. Refused if the tail
 * began at another position than this entry's.
 */
export const recordQuarantine: CommandFunction<'recordQuarantine'> = (state, command) => {
  const { seq, lastSeq, account, commandKind, invariant } = command;
  if (seq !== state.progress.seq || lastSeq < seq) {
    refuse(state, 'invalidConfiguration');
    return;
  }
  state.tails.count += 1;
  state.tails.entryCount += lastSeq - seq + 1;
  state.emit.fact({ kind: 'tailQuarantined', seq, lastSeq, account, commandKind, invariant });
  if (account === null || !state.accounts.isUser(account)) return;
  const count = state.tails.add({ account, at: state.at });
  if (count < engineLimits.tailsPerAccount || state.accounts.get(account)!.status === 'abnormal') return;
  changeAccount(state, account, { status: 'abnormal' });
};

/** Records what the exchange is run for, once: a journal keeps its profile for good. DEC-OPR-100. */
export const recordProfile: CommandFunction<'recordProfile'> = (state, { profile }) => {
  if (state.profile.value !== null) {
    refuse(state, 'wrongState');
    return;
  }
  state.profile.value = profile;
  state.emit.fact({ kind: 'profileRecorded', profile });
};

/** Keeps the sealed key of wallet ids. DEC-WAL-171. */
export const recordIdKey: CommandFunction<'recordIdKey'> = (state, { sealedKey }) => {
  if (sealedKey.length === 0 || sealedKey.length > engineLimits.sealedIdKeyLength) {
    refuse(state, 'invalidConfiguration');
    return;
  }
  state.idKey.value = sealedKey;
  state.emit.fact({ kind: 'idKeyRecorded', sealedKey });
};

/** Changes nothing: the act alone says who asked for a backup, and when. DEC-OPR-243. */
export const recordBackup: CommandFunction<'recordBackup'> = (state, { name }) => {
  if (name.length === 0 || name.length > engineLimits.backupNameLength) refuse(state, 'invalidConfiguration');
};

export const advanceClock: CommandFunction<'advanceClock'> = (state) => state.emit.fact({ kind: 'clockAdvanced' });

/** @throws InvariantBroken if the events of this engine differ from those of the engine that wrote the journal. */
export const assertDigest: CommandFunction<'assertDigest'> = (state, { at, digest }) => {
  if (state.progress.checkpoint.at !== at) return;
  assert(state.progress.checkpoint.digest === digest, `events up to entry ${at} differ from those that were journaled`);
};
