import { clientKinds } from '#model/client-target.ts';
import { integer, nullable, oneOf, record, text, time, type ValueOf } from '#model/codec/field-codec.ts';
import { engineLimits } from '#model/limits.ts';
import type { AccountId } from '#model/units.ts';

/** What a rate limit of an operator is about. */
export const limitedTarget = record({
  limited: oneOf(clientKinds),
  /** An address or CIDR range in its normal form, a uid, or an access key. */
  target: text(),
});
export type LimitedTarget = ValueOf<typeof limitedTarget>;

/** What it may use of each endpoint; `null`: what everybody may. */
export const rateTerms = record({
  /** Weight in 10 seconds. */
  weight: nullable(integer()),
  /** Of an account or a key: calls in a second, where an endpoint counts them. */
  callsPerSecond: nullable(integer()),
  /** Of an address: calls of a futures endpoint in 2 seconds. */
  futuresCalls: nullable(integer()),
});
export type RateTerms = ValueOf<typeof rateTerms>;

/** A rate limit that an operator set for an address, an account or a key. DEC-OPR-179. */
export const operatorRateLimit = record({
  ...limitedTarget.members,
  /** The account, or that of the key; `null`: an address. */
  account: nullable(integer<AccountId>()),
  ...rateTerms.members,
  /** `null`: until it is lifted. */
  until: nullable(time()),
  reason: text(),
  actor: nullable(text()),
  since: time(),
});
export type OperatorRateLimit = ValueOf<typeof operatorRateLimit>;

/** Rate limits of operators, set and lifted. */
export type RateLimitFact =
  | { readonly kind: 'rateLimitSet'; readonly limit: OperatorRateLimit }
  | ({ readonly kind: 'rateLimitLifted' } & LimitedTarget);

const mostOf: Readonly<Record<keyof RateTerms, number>> = {
  weight: engineLimits.rateWeightMax,
  callsPerSecond: engineLimits.rateCallsMax,
  futuresCalls: engineLimits.rateCallsMax,
};

/** The count of calls that a kind has, and that which others have. */
const membersOf = {
  address: ['futuresCalls', 'callsPerSecond'],
  account: ['callsPerSecond', 'futuresCalls'],
  key: ['callsPerSecond', 'futuresCalls'],
} as const;

/** A member of the terms, and what is wrong with it as a clause that begins with `must`. */
export interface RateTermsFault {
  readonly member: keyof RateTerms;
  readonly clause: string;
}

/** What is wrong with the terms of a rate limit; `null`: nothing. None is zero: who may call nothing is banned. */
export function faultOfRateTerms({ limited }: Pick<LimitedTarget, 'limited'>, terms: RateTerms): RateTermsFault | null {
  const [own, foreign] = membersOf[limited];
  if (terms[foreign] !== null) return { member: foreign, clause: `must be null: this kind has ${own}` };
  for (const member of ['weight', 'callsPerSecond', 'futuresCalls'] as const) {
    const value = terms[member];
    if (value === 0) return { member, clause: 'must not be 0: ban whoever may call nothing' };
    if (value !== null && !(Number.isSafeInteger(value) && value >= 1 && value <= mostOf[member]))
      return { member, clause: `must be 1 to ${mostOf[member]}` };
  }
  if (terms.weight === null && terms[own] === null) return { member: 'weight', clause: `must be set, or ${own}` };
  return null;
}
