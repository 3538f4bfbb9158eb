import { houseAccountCount } from '#model/account.ts';
import { type BannedTarget, type OperatorBan, operatorBan } from '#model/ban.ts';
import { engineLimits } from '#model/limits.ts';
import { type AccountId, as, type TimestampMs, type Uid } from '#model/units.ts';
import type { AccountTable } from '#engine/state/accounts/account-table.ts';
import type { ApiKeys } from '#engine/state/accounts/api-keys.ts';
import { RecordTable } from '#engine/state/state-table.ts';

const nameOf = ({ banned, target }: BannedTarget): string => `${banned} ${target}`;
/** Whether a ban has ended. */
export const isOver = ({ until }: OperatorBan, now: TimestampMs): boolean => until !== null && until <= now;

const uidPattern = /^[1-9]\d{0,8}$/;

/** Tables that say who is meant by a target. */
interface Known {
  readonly accounts: AccountTable;
  readonly keys: ApiKeys;
}

/** The account that an operator means by a uid, or by a key of it; `null`: there is none. */
export function accountOfTarget({ accounts, keys }: Known, { banned, target }: BannedTarget): AccountId | null {
  if (banned === 'key') return keys.byAccessKey.get(target)?.account ?? null;
  const account = uidPattern.test(target) ? accounts.find(as<Uid>(Number(BigInt(target)))) : null;
  return account === null || account < houseAccountCount ? null : account;
}

/** Bans that operators made; those that are over stay until another is made. DEC-OPR-175. */
export class OperatorBans extends RecordTable<OperatorBan> {
  readonly name = 'operatorBans';
  private readonly byName = new Map<string, OperatorBan>();

  constructor() {
    super(operatorBan);
  }

  get count(): number {
    return this.byName.size;
  }

  /** By kind and target. */
  all(): readonly OperatorBan[] {
    return [...this.byName.values()].sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  }

  find(target: BannedTarget): OperatorBan | null {
    return this.byName.get(nameOf(target)) ?? null;
  }

  put(ban: OperatorBan): void {
    this.byName.set(nameOf(ban), ban);
  }

  delete(target: BannedTarget): void {
    this.byName.delete(nameOf(target));
  }

  /** Forgets the bans that are over at `now`. */
  forgetOver(now: TimestampMs): void {
    // any order: each is looked at alone
    for (const ban of [...this.byName.values()]) if (isOver(ban, now)) this.delete(ban);
  }

  override audit(faults: string[]): void {
    if (this.count > engineLimits.operatorBans) faults.push(`${this.count} bans of operators`);
  }
}
