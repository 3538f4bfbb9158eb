import { clientKinds } from '#model/client-target.ts';
import { integer, nullable, oneOf, record, text, time, type ValueOf } from '#model/codec/field-codec.ts';
import type { AccountId } from '#model/units.ts';

/** An address that may not call until a wall-clock moment: made by the ladder of rate limits. */
export const ban = record({
  address: text(),
  until: time(),
  /** Step of the ladder: how many bans within the ladder's memory, this one included. */
  times: integer(),
});
export type BanView = ValueOf<typeof ban>;

/** What a ban of an operator is about. */
export const bannedTarget = record({
  banned: oneOf(clientKinds),
  /** An address or CIDR range in its normal form, a uid, or an access key. */
  target: text(),
});
export type BannedTarget = ValueOf<typeof bannedTarget>;

/** A ban that an operator made. */
export const operatorBan = record({
  ...bannedTarget.members,
  /** The banned account, or that of the key; `null`: an address. */
  account: nullable(integer<AccountId>()),
  /** `null`: until it is lifted. */
  until: nullable(time()),
  reason: text(),
  actor: nullable(text()),
  since: time(),
});
export type OperatorBan = ValueOf<typeof operatorBan>;

/** Bans of operators, made and lifted. */
export type BanFact =
  | { readonly kind: 'banSet'; readonly ban: OperatorBan }
  | ({ readonly kind: 'banLifted' } & BannedTarget);
