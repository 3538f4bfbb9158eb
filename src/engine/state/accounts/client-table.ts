import { houseAccountCount } from '#model/account.ts';
import type { ClientKind } from '#model/client-target.ts';
import type { FieldCodec } from '#model/codec/field-codec.ts';
import { type AccountId, as, type TimestampMs, type Uid } from '#model/units.ts';
import type { AccountTable } from '#engine/state/accounts/account-table.ts';
import type { ApiKeys } from '#engine/state/accounts/api-keys.ts';
import { RecordTable } from '#engine/state/state-table.ts';

/** Until when something holds; `null`: until it is lifted. */
interface Ending {
  readonly until: TimestampMs | null;
}

/** Whether its end has come. */
export const isOver = ({ until }: Ending, now: TimestampMs): boolean => until !== null && until <= now;

const uidPattern = /^[1-9]\d{0,8}$/;

/** Tables that say who is meant by a target. */
interface Known {
  readonly accounts: AccountTable;
  readonly keys: ApiKeys;
}

/** The account that an operator means by a uid, or by a key of it; `null`: there is none. */
export function accountOfTarget({ accounts, keys }: Known, kind: ClientKind, target: string): AccountId | null {
  if (kind === 'key') return keys.byAccessKey.get(target)?.account ?? null;
  const account = uidPattern.test(target) ? accounts.find(as<Uid>(Number(BigInt(target)))) : null;
  return account === null || account < houseAccountCount ? null : account;
}

const addressPattern = /^[0-9a-f.:/]{2,64}$/;

/** Whether a target may be one of this kind; of an address the operator API knows the normal form. */
export const isTargetOf = (kind: ClientKind, target: string): boolean =>
  kind !== 'address' || addressPattern.test(target);

/** What operators decided about addresses, accounts and keys; what is over stays until its place is needed. */
export abstract class ClientTable<Target, Row extends Target & Ending> extends RecordTable<Row> {
  private readonly max: number;
  private readonly nameOf: (target: Target) => string;
  private readonly rows = new Map<string, Row>();

  /** `nameOf`: kind and target. */
  constructor(row: FieldCodec<Row>, { max, nameOf }: { readonly max: number; nameOf(target: Target): string }) {
    super(row);
    this.max = max;
    this.nameOf = nameOf;
  }

  get count(): number {
    return this.rows.size;
  }

  /** By kind and target. */
  all(): readonly Row[] {
    return [...this.rows.values()].sort((one, other) => (this.nameOf(one) < this.nameOf(other) ? -1 : 1));
  }

  find(target: Target): Row | null {
    return this.rows.get(this.nameOf(target)) ?? null;
  }

  /** What holds at `now`. */
  inForce(target: Target, now: TimestampMs): Row | null {
    const row = this.find(target);
    return row === null || isOver(row, now) ? null : row;
  }

  /** Whether there is room for one about `target`; what is over at `now` makes room. */
  hasRoom(target: Target, now: TimestampMs): boolean {
    if (this.count >= this.max) this.forgetOver(now);
    return this.count < this.max || this.find(target) !== null;
  }

  put(row: Row): void {
    this.rows.set(this.nameOf(row), row);
  }

  delete(target: Target): void {
    this.rows.delete(this.nameOf(target));
  }

  private forgetOver(now: TimestampMs): void {
    // any order: each is looked at alone
    for (const row of [...this.rows.values()]) if (isOver(row, now)) this.delete(row);
  }

  override audit(faults: string[]): void {
    if (this.count > this.max) faults.push(`${this.count} ${this.name}`);
  }
}
