import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import type { Uid } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { AccountTable } from '#engine/state/accounts/account-table.ts';
import type { StateTable } from '#engine/state/state-table.ts';

// Uids are 90,000,000 and a permutation of the numbers below 10^7: an affine map whose multiplier has no factor in
// common with 10^7. Whoever compares two uids does not learn how many accounts were opened in between. They are names,
// not secrets. DEC-SUB-09.

const firstUid = 90_000_000;
/** How many there are; one more account needs a uid that the operator chooses. */
const uids = 10_000_000;
const multiplier = 3_829_417;
const addend = 4_613_809;

/** The uid that stands at an index, from 0, of those the engine gives. The product stays a safe integer. */
const uidAt = (index: number): Uid => as<Uid>(firstUid + ((index * multiplier + addend) % uids));

/** How far the engine has come in the uids that it gives. DEC-SUB-09. */
export class GivenUids implements StateTable {
  readonly name = 'givenUids';
  readonly version = 1;
  readonly isInDigest = true;
  private readonly accounts: AccountTable;
  /** Uids that were given or passed over. */
  private count = 0;

  constructor(accounts: AccountTable) {
    this.accounts = accounts;
  }

  /** Takes the next uid that no account has; `null`: all are given. */
  take(): Uid | null {
    while (this.count < uids) {
      const uid = uidAt(this.count);
      this.count += 1;
      if (this.accounts.find(uid) === null) return uid;
    }
    return null;
  }

  /** How many were given or passed over. */
  get passed(): number {
    return this.count;
  }

  /** Gives none of the first `upTo` any more. */
  passOver(upTo: number): void {
    this.count = Math.min(uids, Math.max(this.count, upTo));
  }

  write(writer: ByteWriter): void {
    writer.varint(this.count);
  }

  read(reader: ByteReader): void {
    this.count = reader.varint();
  }

  audit(faults: string[]): void {
    if (this.count > uids) faults.push(`${this.count} uids were given of ${uids}`);
  }
}
