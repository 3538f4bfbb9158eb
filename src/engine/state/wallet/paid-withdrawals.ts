import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { list } from '#model/codec/field-codec.ts';
import { type PaidWithdrawal, paidWithdrawal } from '#model/safety.ts';
import { engineLimits } from '#model/limits.ts';
import type { TimestampMs } from '#model/units.ts';
import type { StateTable } from '#engine/state/state-table.ts';

const withdrawals = list(paidWithdrawal);
/** Records that one new one makes forgotten at most: more than one adds. */
const forgottenAtOnce = 4;

/**
 * Withdrawals that custody paid lately, with their signed transactions: what a reorganisation drops is sent again. One
 * that can never be in a block stays until an operator has booked it. DEC-WAL-126.
 */
export class PaidWithdrawals implements StateTable {
  readonly name = 'paidWithdrawals';
  readonly version = 1;
  readonly isInDigest = true;
  /** Followed, by number, in the order in which they were paid. */
  private readonly followed = new Map<number, PaidWithdrawal>();
  /** Lost, by number, in the order in which that was found. */
  private readonly lost = new Map<number, PaidWithdrawal>();

  get(withdrawal: number): PaidWithdrawal | null {
    return this.followed.get(withdrawal) ?? this.lost.get(withdrawal) ?? null;
  }

  /** Those of a network that were paid within the time in which they are followed, the first paid first. */
  followedOf(network: string, at: TimestampMs): readonly PaidWithdrawal[] {
    // stored order: withdrawals stand in the order in which they were paid, which the image keeps
    return [...this.followed.values()].filter((each) => each.network === network && !isOver(each, at));
  }

  /** Those that were lost, the first found first. */
  allLost(): readonly PaidWithdrawal[] {
    // stored order: as above
    return [...this.lost.values()];
  }

  /** Adds one that was just paid. */
  add(paid: PaidWithdrawal): void {
    this.followed.set(paid.withdrawal, paid);
    this.forget(paid.paidAt);
  }

  /** Moves one to those that are lost, or replaces its record there. */
  putLost(paid: PaidWithdrawal): void {
    this.followed.delete(paid.withdrawal);
    this.lost.set(paid.withdrawal, paid);
    if (this.lost.size <= engineLimits.lostPaymentsKept) return;
    // stored order: as above
    for (const [withdrawal, { booking }] of this.lost) {
      if (booking === null) continue;
      this.lost.delete(withdrawal);
      return;
    }
  }

  private forget(at: TimestampMs): void {
    let left = forgottenAtOnce;
    // stored order: as above
    for (const [withdrawal, paid] of this.followed) {
      if (left === 0 || !isOver(paid, at)) return;
      this.followed.delete(withdrawal);
      left -= 1;
    }
  }

  write(writer: ByteWriter): void {
    // stored order: as above
    withdrawals.write(writer, [...this.followed.values()]);
    withdrawals.write(writer, this.allLost());
  }

  read(reader: ByteReader): void {
    for (const paid of withdrawals.read(reader)) this.followed.set(paid.withdrawal, paid);
    for (const paid of withdrawals.read(reader)) this.lost.set(paid.withdrawal, paid);
  }

  audit(): void {}
}

const isOver = ({ paidAt }: PaidWithdrawal, at: TimestampMs): boolean =>
  paidAt + engineLimits.paidWithdrawalFollowedMs <= at;
