import type { Prng } from '#base/prng.ts';
import type { Command } from '#model/command.ts';
import type { AccountId, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import { firstUser } from './opening.ts';

const dayMs = 86_400_000;
const pick = <Value>(prng: Prng, values: readonly Value[]): Value => values[prng.below(values.length)] as Value;

/** Rates at their ends: none, all of it to the first, to the farther ones, given back, and sums beyond half of it. */
const rates = [
  [200_000, 50_000, 20_000, 0],
  [500_000, 0, 0, 500_000],
  [500_000, 0, 0, 1],
  [0, 500_000, 0, 0],
  [0, 0, 500_000, 0],
  [333_333, 166_667, 0, 111_111],
  [300_000, 100_000, 100_000, 50_000],
  [0, 0, 0, 0],
  [1, 1, 1, 1],
] as const;

/** Who there is: accounts in the order of opening, and which of them invited others. */
interface People {
  readonly users: number;
  readonly inviters: readonly number[];
  /** The oldest day of which something may be pending; `null`: none. */
  readonly oldestDay: number | null;
}

/** Rates of an inviter, the settlement of a day that may be over, or the rejection of what may be pending. */
export function anyRebateCommand(prng: Prng, at: number, people: People): Command {
  const account = (): AccountId => as(firstUser + prng.below(people.users));
  const near = at - (at % dayMs) - dayMs * pick(prng, [-1, 0, 1, 2]);
  const day = as<TimestampMs>(prng.next() < 0.6 ? (people.oldestDay ?? near) : near);
  const roll = prng.next();
  if (roll < 0.55) {
    return { kind: 'settleRebates', day: prng.next() < 0.02 ? as(day + 1) : day };
  }
  if (roll < 0.7) {
    const source = prng.next() < 0.5 ? null : account();
    return { kind: 'rejectRebates', beneficiary: account(), source, day };
  }
  const [referralPpm, subAffiliatePpm, thirdPpm, kickbackPpm] = pick(prng, rates);
  const terms = { referralPpm, subAffiliatePpm, thirdPpm, kickbackPpm };
  const product = prng.next() < 0.9 ? 'spot' : 'futures';
  return { kind: 'setRebateRates', inviter: as(firstUser + pick(prng, people.inviters)), product, ...terms };
}
