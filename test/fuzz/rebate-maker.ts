import type { Command } from '#model/command.ts';
import { engineLimits } from '#model/limits.ts';
import { products, rebateDayMs, rebateDayOf } from '#model/rebate.ts';
import { referCodeOf } from '#model/refer-code.ts';
import type { AccountId, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { EngineState } from '#engine/state/state.ts';
import { lotsOf } from './chance.ts';
import { anyAccount, type FuzzWorld, users } from './fuzz-world.ts';

const makes = lotsOf([
  [2, 'code'],
  [3, 'rates'],
  [2, 'clicks'],
  [5, 'settle'],
  [3, 'reject'],
  [0.04, 'manyCodes'],
] as const);
/** Few, so that they are wanted twice; some that no code can be. */
const codes = ['ab-1', 'AB-1', 'ab-2', '---', 'x-'.repeat(10), 'x-'.repeat(11), 'a-', 'nodash', '', '\u00fc-1'];
const campaigns = [null, null, 'spring', 'x'.repeat(64), 'x'.repeat(65), '', '\ud83d\ude00', '\ud800'];
const rates = [0, 0, 1, 20_000, 50_000, 200_000, 250_000, 499_999, 500_000, 500_001, -1];
const counts = [1, 7, 1_000_000_000, 1_000_000_001, 0, -1];

/** Codes to invite under, rates, clicks, and days that are settled or rejected. */
export class RebateMaker {
  readonly #world: FuzzWorld;
  readonly #now: (commands: readonly Command[]) => void;

  /** `now`: puts commands before all others. */
  constructor(world: FuzzWorld, now: (commands: readonly Command[]) => void) {
    this.#world = world;
    this.#now = now;
  }

  make(state: EngineState): Command {
    const { chance } = this.#world;
    switch (chance.draw(makes)) {
      case 'code':
        return {
          kind: 'createInviteCode',
          owner: this.#account(),
          code: chance.pick(codes),
          campaign: chance.pick(campaigns),
        };
      case 'rates':
        return this.#rates();
      case 'clicks':
        return this.#clicks(state);
      case 'settle':
        return { kind: 'settleRebates', day: this.#day(state) };
      case 'reject': {
        const source = chance.in(0.5) ? null : this.#account();
        return { kind: 'rejectRebates', beneficiary: this.#account(), source, day: this.#day(state) };
      }
      case 'manyCodes':
        return this.#manyCodes(state);
    }
  }

  #account(): AccountId {
    return as<AccountId>(anyAccount(this.#world.chance));
  }

  /** Mostly within the bounds; together they may be more than half. */
  #rates(): Command {
    const { chance } = this.#world;
    const referralPpm = chance.pick(rates);
    const kickbackPpm = chance.pick([0, 0, referralPpm, Math.floor(referralPpm / 2), referralPpm + 1]);
    const terms = { referralPpm, subAffiliatePpm: chance.pick(rates), thirdPpm: chance.pick(rates), kickbackPpm };
    return { kind: 'setRebateRates', inviter: this.#account(), product: chance.pick(products), ...terms };
  }

  #clicks({ at }: EngineState): Command {
    const { chance } = this.#world;
    const minute = at - (at % 60_000) + 60_000 * chance.pick([0, 0, 0, 1, -1, 0.5]);
    const refer = referCodeOf(as<AccountId>(chance.pick([...users, 0, 99])));
    const code = chance.pick([...codes, refer, refer, refer]);
    return { kind: 'recordClicks', code, minute: as<TimestampMs>(minute), count: chance.pick(counts) };
  }

  /** The day that is to be settled next, one near it, or none at all. */
  #day({ at, rebateAccruals }: EngineState): TimestampMs {
    const { chance } = this.#world;
    const oldest = rebateAccruals.oldestDay();
    if (oldest !== null && chance.in(0.6)) return oldest;
    const near = rebateDayOf(at) - rebateDayMs * chance.pick([-1, 0, 1, 2]);
    return as<TimestampMs>(chance.in(0.05) ? chance.pick([-rebateDayMs, 1, near + 1, chance.corner()]) : near);
  }

  /** As many codes as one account may have, and one more. */
  #manyCodes(state: EngineState): Command {
    const owner = as<AccountId>(users[0]);
    const many = Array.from({ length: engineLimits.inviteCodesPerAccount + 1 }, (_, index): Command => {
      return { kind: 'createInviteCode', owner, code: `c-${state.progress.seq}-${index}`, campaign: null };
    });
    this.#now(many);
    return this.#rates();
  }
}
