import type { Prng } from '#base/prng.ts';
import type { Command } from '#model/command.ts';
import { rebateDayOf } from '#model/rebate.ts';
import { referCodeOf } from '#model/refer-code.ts';
import { as, type AccountId, type AssetId, type Balance, type TimestampMs } from '#model/units.ts';
import type { EngineState } from '#engine/state/state.ts';
import { asset, firstUser, userCount } from '../oracle/opening.ts';

const inviter = as<AccountId>(firstUser);
/** Invited one by the other, the first by a user, and a sub-account of that user. */
const [first, second, third, ofInviter] = [0, 1, 2, 3].map((index) => as<AccountId>(firstUser + userCount + index));
/** Accounts whose commissions give rebates. */
export const invitees: readonly AccountId[] = [first!, second!, third!];
const code = 'busy-hour';

const register = (name: string, inviteCode: string): Command => ({
  ...{ kind: 'registerAccount', uid: null, name, class: 'user', kycLevel: 1, simulated: false },
  ...{ email: null, mobile: null, inviteCode },
});

/** Opens the accounts, which are the first ones after those of the oracle. */
export const rebateOpening: readonly Command[] = [
  { kind: 'createInviteCode', owner: inviter, code, campaign: 'hour' },
  register('first', code),
  register('second', referCodeOf(first!)),
  register('third', referCodeOf(second!)),
  {
    ...{ kind: 'setRebateRates', inviter: second!, product: 'spot', referralPpm: 300_000, subAffiliatePpm: 50_000 },
    ...{ thirdPpm: 20_000, kickbackPpm: 100_000 },
  },
  {
    ...{ kind: 'openSubAccount', master: inviter, name: 'subAccount', note: '', passwordHash: null, atMost: 5 },
  },
  ...invitees.flatMap((account) =>
    Object.values(asset).map(
      (id): Command => ({ kind: 'creditFunds', account, asset: as(id), amount: as<Balance>(300_000_000n) }),
    ),
  ),
];

/** Something about rebates or sub-accounts; not all of it is accepted. */
export function rebateCommand(state: EngineState, prng: Prng): Command {
  const roll = prng.below(4);
  if (roll === 0) {
    const minute = as<TimestampMs>(state.at - (state.at % 60_000));
    return { kind: 'recordClicks', code, minute, count: 1 + prng.below(9) };
  }
  if (roll === 1) {
    const [from, to] = prng.below(2) === 0 ? [inviter, ofInviter!] : [ofInviter!, inviter];
    const amount = as<Balance>(BigInt(1 + prng.below(500)));
    return {
      ...{ kind: 'makeUniversalTransfer', master: inviter, from, fromWallet: 'spot', to, toWallet: 'spot' },
      ...{ asset: as<AssetId>(asset.usdt), amount, clientTranId: null },
    };
  }
  const day = state.rebateAccruals.oldestDay() ?? rebateDayOf(state.at);
  if (roll === 2) return { kind: 'settleRebates', day };
  return { kind: 'rejectRebates', beneficiary: [inviter, first!, second!][prng.below(3)]!, source: null, day };
}
