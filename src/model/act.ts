import { sha256 } from '#base/sha256.ts';
import type { Acting, PlainKind } from '#model/command.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { Seq, TimestampMs } from '#model/units.ts';

/** What an act can be about. History stores the place in this list: it grows at its end only. DEC-OPR-192. */
export const targetKinds = [
  'exchange',
  'account',
  'houseAccount',
  'asset',
  'assetNetwork',
  'network',
  'pair',
  'contract',
  'platformToken',
  'referencePrice',
  'walletRules',
  'deposit',
  'withdrawal',
  'payment',
  'token',
  'proposal',
  'inviteCode',
  'address',
  'feeTiers',
  'webhook',
] as const;
export type TargetKind = (typeof targetKinds)[number];

/** What an act was about. */
export interface ActTarget {
  readonly kind: TargetKind;
  /** In the operator's words: uid, ticker, name or number; `null`: there is one only, or nothing came of the act. */
  readonly id: string | null;
}

/** A member of the record that an act changed. Values are in the words of `engine/acts/act-words.ts`. */
export interface ActChange {
  readonly member: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What an operator did or was refused: a link of the chain of acts. DEC-OPR-193. */
export interface Act extends Acting {
  /** Running number, from 1. */
  readonly number: number;
  readonly seq: Seq;
  readonly at: TimestampMs;
  readonly commandKind: PlainKind;
  readonly targetKind: TargetKind;
  readonly targetId: string | null;
  /** JSON object: members of the command, without secrets. */
  readonly parameters: string;
  /** JSON list of `ActChange`. */
  readonly changes: string;
  /** Why it was refused; `null`: it was not. */
  readonly refusal: RejectReason | null;
  /** Of this act and, through the hash before it, of all before. */
  readonly hash: string;
}

/** Where the chain of acts stands. */
export interface ActHead {
  /** Acts so far. */
  readonly count: number;
  /** Hash of the last of them. */
  readonly hash: string;
}

/** Before the first act. */
export const noActs: ActHead = { count: 0, hash: '0'.repeat(64) };

/**
 * The hash of an act that follows one with the hash `before`: SHA-256 of that hash, a line break, and the act as a JSON
 * list of its members in this order. Anybody can compute it from what `GET /v1/acts` and history tell. DEC-OPR-193.
 */
export function hashOfAct(before: string, act: Omit<Act, 'hash'>): string {
  const members = [
    act.number,
    act.seq,
    act.at,
    act.actor,
    act.token,
    act.address,
    act.idempotencyKey,
    act.commandKind,
    act.targetKind,
    act.targetId,
    act.parameters,
    act.changes,
    act.reason,
    act.refusal,
  ];
  return sha256(`${before}\n${JSON.stringify(members)}`);
}

/** The chain with one act more. @throws ActBroken if the act does not follow it. */
export function followedBy(head: ActHead, act: Act): ActHead {
  if (act.number !== head.count + 1) throw new ActBroken(`act ${head.count + 1} is missing before act ${act.number}`);
  if (act.hash !== hashOfAct(head.hash, act)) throw new ActBroken(`${nameOfAct(act)} is not what its hash says`);
  return { count: act.number, hash: act.hash };
}

/** An act in words for people. */
export const nameOfAct = ({ number, seq, commandKind, actor }: Act): string =>
  `act ${number} (entry ${seq}, ${commandKind} by ${actor})`;

/** An act that does not follow the acts before it. */
export class ActBroken extends Error {
  override name = 'ActBroken';
}
