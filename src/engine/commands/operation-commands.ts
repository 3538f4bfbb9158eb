import { assert } from '#base/assert.ts';
import { engineLimits } from '#domain/limits.ts';
import { newestRules } from '#domain/rules.ts';
import { changeAccount } from '#engine/commands/account-commands.ts';
import { refuse, type CommandFunction } from '#engine/commands/command-function.ts';

/** Stores or lifts a ban; the ban that ends first makes room for a new one. */
export const banAddress: CommandFunction<'banAddress'> = (state, { address, until, times }) => {
  state.bans.delete(address);
  if (until > 0) {
    if (state.bans.size >= engineLimits.bans) {
      let first: string | null = null;
      // stored order: bans stand in the order in which they were made, which the image keeps
      for (const ban of state.bans.values()) {
        if (first === null || ban.until < state.bans.get(first)!.until) first = ban.address;
      }
      state.bans.delete(first!);
    }
    state.bans.set(address, { address, until, times });
  }
  state.emit.fact({ kind: 'addressBanned', address, until, times });
};

/** Moves to a later version of the rules; one that is in force or over is refused. */
export const activateRules: CommandFunction<'activateRules'> = (state, { version }) => {
  assert(version <= newestRules, `this build knows the rules up to version ${newestRules}, not version ${version}`);
  if (version <= state.rules) {
    refuse(state, 'invalidConfiguration');
    return;
  }
  state.rules = version;
  state.emit.fact({ kind: 'rulesActivated', version });
};

/**
 * Counts a tail that was put aside; the account behind too many of them within the window becomes unusable. Refused
 * elsewhere than where the tail began.
 */
export const recordQuarantine: CommandFunction<'recordQuarantine'> = (state, command) => {
  const { seq, lastSeq, account, commandKind, invariant } = command;
  if (seq !== state.seq || lastSeq < seq) {
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

export const advanceClock: CommandFunction<'advanceClock'> = (state) => state.emit.fact({ kind: 'clockAdvanced' });

/** Stops whoever reads the journal and has come to other events than the one who wrote it. */
export const assertDigest: CommandFunction<'assertDigest'> = (state, { at, digest }) => {
  if (state.checkpoint.at !== at) return;
  assert(state.checkpoint.digest === digest, `events up to entry ${at} differ from those that were journaled`);
};
