import { command } from '#model/commands/command-declaration.ts';
import { integer, nullable, text, time } from '#model/codec/field-codec.ts';
import { inviterRates } from '#model/rebate.ts';
import type { AccountId } from '#model/units.ts';

/** Commands about invitations, and about what inviters earn. */
export const rebateCommands = {
  /** A further code of `owner`, which is its own master. */
  createInviteCode: command(56, {
    owner: integer<AccountId>(),
    code: text(),
    campaign: nullable(text()),
  }),
  /** Own rates of an inviter; they count from the next trade. */
  setRebateRates: command(57, inviterRates.members),
  /** How often a code was clicked within a minute, once a minute. DEC-SUB-27. */
  recordClicks: command(58, {
    code: text(),
    minute: time(),
    count: integer(),
  }),
  /** Pays what accrued on a day that is over, or a part of it; repeat until nothing is left. DEC-SUB-22. */
  settleRebates: command(59, {
    day: time(),
  }),
  /** Gives back to fees what accrued so far for `beneficiary` on a day; `source` null: from everybody. DEC-SUB-22. */
  rejectRebates: command(60, {
    beneficiary: integer<AccountId>(),
    source: nullable(integer<AccountId>()),
    day: time(),
  }),
};
