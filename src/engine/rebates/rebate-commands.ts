import { engineLimits } from '#model/limits.ts';
import { rebateDayMs } from '#model/rebate.ts';
import { isInviteCode } from '#model/refer-code.ts';
import type { TimestampMs } from '#model/units.ts';
import { refuse, type CommandFunction } from '#engine/money/command-function.ts';
import { areRatesValid } from '#engine/state/rebates/rebate-rates.ts';
import { rejectDay } from '#engine/rebates/reject-day.ts';
import { settlePart } from '#engine/rebates/settle-day.ts';

const clickMinuteMs = 60_000;
const loneSurrogate = /\p{Surrogate}/u;

/** A campaign has a name of at least one character that every encoding can carry. */
const isCampaignName = (name: string): boolean =>
  name.length > 0 && name.length <= engineLimits.campaignNameLength && !loneSurrogate.test(name);

/** Adds a code of an account that is its own master. DEC-SUB-37. */
export const createInviteCode: CommandFunction<'createInviteCode'> = (state, { owner, code, campaign }) => {
  const { inviteCodes, accounts } = state;
  const isValid = isInviteCode(code) && (campaign === null || isCampaignName(campaign));
  if (!accounts.isMaster(owner)) refuse(state, 'unknownAccount');
  else if (!isValid) refuse(state, 'invalidConfiguration');
  else if (inviteCodes.find(code) !== null) refuse(state, 'inviteCodeInUse');
  else if (inviteCodes.of(owner).length >= engineLimits.inviteCodesPerAccount) refuse(state, 'tooManyInviteCodes');
  else {
    const created = { code, owner, campaign, createdAt: state.at };
    inviteCodes.put(created);
    state.emit.fact({ kind: 'inviteCodeCreated', code: created });
  }
};

/** Sets the rates of an inviter for one product; they count from the next trade. DEC-SUB-42. */
export const setRebateRates: CommandFunction<'setRebateRates'> = (state, { kind: _kind, ...terms }) => {
  if (!state.accounts.isMaster(terms.inviter)) refuse(state, 'unknownAccount');
  else if (!areRatesValid(terms)) refuse(state, 'invalidConfiguration');
  else {
    state.rebateRates.put(terms);
    state.emit.fact({ kind: 'rebateRatesSet', terms });
  }
};

/** Records clicks on a code: each minute once, and minutes in their order. DEC-SUB-44. */
export const recordClicks: CommandFunction<'recordClicks'> = (state, { code, minute, count }) => {
  const isMinute = Number.isSafeInteger(minute) && minute >= 0 && minute % clickMinuteMs === 0;
  const isCount = Number.isSafeInteger(count) && count > 0 && count <= engineLimits.clicksPerMinuteMax;
  const known = state.inviteCodes.find(code);
  const before = state.inviteClicks.of(code)?.lastMinute ?? -1;
  if (known === null) refuse(state, 'unknownInviteCode');
  else if (!isMinute || !isCount) refuse(state, 'invalidConfiguration');
  else if (minute > state.at || minute <= before) refuse(state, 'wrongState');
  else {
    state.inviteClicks.add(code, minute, count);
    state.emit.fact({ kind: 'clicksRecorded', code, owner: known.owner, minute, count });
  }
};

/**
 * Pays what accrued on a day that is over, or a part of it, oldest day first; a day of which nothing is left is done
 * at once. DEC-SUB-22.
 */
export const settleRebates: CommandFunction<'settleRebates'> = (state, { day }) => {
  const { rebateAccruals } = state;
  const oldest = rebateAccruals.oldestDay();
  if (!isOver(day, state.at) || (oldest !== null && oldest < day)) {
    refuse(state, 'notYet');
    return;
  }
  const payouts = settlePart(state, day);
  const left = rebateAccruals.oldestDay();
  state.emit.fact({ kind: 'rebatesSettled', day, payouts, isDone: left === null || left > day });
};

const isOver = (day: TimestampMs, now: TimestampMs): boolean =>
  Number.isSafeInteger(day) && day >= 0 && day % rebateDayMs === 0 && day + rebateDayMs <= now;

/** Gives back to fees what accrued for a beneficiary on a day and waits for its settlement. DEC-SUB-41. */
export const rejectRebates: CommandFunction<'rejectRebates'> = (state, { beneficiary, source, day }) => {
  const amounts = rejectDay(state, { beneficiary, source, day });
  if (amounts.length === 0) refuse(state, 'nothingPending');
  else state.emit.fact({ kind: 'rebatesRejected', beneficiary, source, day, amounts });
};
