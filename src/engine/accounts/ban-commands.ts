import { engineLimits } from '#model/limits.ts';
import { isReason } from '#model/text-length.ts';
import { as, type TimestampMs } from '#model/units.ts';
import { refuse, type CommandFunction } from '#engine/money/command-function.ts';
import { accountOfTarget, isTargetOf } from '#engine/state/accounts/client-table.ts';

/** Stores a ban of the ladder, or lifts it if `until` is 0. Of too many, the one that ends first is evicted. */
const banAddress: CommandFunction<'banAddress'> = (state, { address, until, times }) => {
  state.bans.delete(address);
  if (until > 0) {
    if (state.bans.count >= engineLimits.bans) {
      const first = state.bans.all().reduce((least, ban) => (ban.until < least.until ? ban : least));
      state.bans.delete(first.address);
    }
    state.bans.put({ address, until, times });
  }
  state.emit.fact({ kind: 'addressBanned', address, until, times });
};

/** Bans an address, an account or a key, or changes the terms of its ban. DEC-OPR-175. */
const setBan: CommandFunction<'setBan'> = (state, { banned, target, until, reason }) => {
  const { operatorBans, at, running, emit } = state;
  const isMeant = isTargetOf(banned, target) && isReason(reason) && (until === null || until > at);
  if (!isMeant) return refuse(state, 'invalidConfiguration');
  const account = banned === 'address' ? null : accountOfTarget(state, banned, target);
  if (banned !== 'address' && account === null)
    return refuse(state, banned === 'key' ? 'unknownKey' : 'unknownAccount');
  if (!operatorBans.hasRoom({ banned, target }, at)) return refuse(state, 'tooManyBans');
  const since = operatorBans.inForce({ banned, target }, at)?.since ?? at;
  const ban = { banned, target, account, until, reason, actor: running.actor, since };
  operatorBans.put(ban);
  emit.fact({ kind: 'banSet', ban });
};

/** Lifts a ban; of an address also that of the ladder. DEC-OPR-178. */
const liftBan: CommandFunction<'liftBan'> = (state, { banned, target }) => {
  const { operatorBans, bans, emit } = state;
  const automatic = banned === 'address' ? bans.find(target) : null;
  const isInForce = operatorBans.inForce({ banned, target }, state.at) !== null;
  if (!isInForce && automatic === null) return refuse(state, 'unknownBan');
  if (isInForce) {
    operatorBans.delete({ banned, target });
    emit.fact({ kind: 'banLifted', banned, target });
  }
  if (automatic === null) return;
  bans.delete(target);
  emit.fact({ kind: 'addressBanned', address: target, until: as<TimestampMs>(0), times: automatic.times });
};

/** Bans of the ladder and of operators. */
export const banCommands = { banAddress, setBan, liftBan };
