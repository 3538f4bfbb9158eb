import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { type InviteCode, inviteCode } from '#model/rebate.ts';
import { list } from '#model/codec/field-codec.ts';
import { accountOfReferCode, referCodeOf } from '#model/refer-code.ts';
import type { AccountId } from '#model/units.ts';
import type { AccountTable } from '#engine/state/accounts/account-table.ts';
import type { StateTable } from '#engine/state/state-table.ts';

const codes = list(inviteCode);

/** Codes under which accounts invite others. Refer codes follow from the accounts and need no record. DEC-SUB-23. */
export class InviteCodes implements StateTable {
  readonly name = 'inviteCodes';
  readonly version = 1;
  readonly isInDigest = true;
  private readonly accounts: AccountTable;
  private readonly byCode = new Map<string, InviteCode>();
  private readonly byOwner = new Map<AccountId, InviteCode[]>();

  constructor(accounts: AccountTable) {
    this.accounts = accounts;
  }

  /** Of all accounts, refer codes left out. */
  get count(): number {
    return this.byCode.size;
  }

  /** A code of either kind; `null`: nobody's. */
  find(code: string): InviteCode | null {
    return this.byCode.get(code) ?? this.referCode(accountOfReferCode(code));
  }

  /** The refer code of an account, `null` unless it is its own master. */
  referCode(owner: AccountId | null): InviteCode | null {
    if (owner === null || !this.accounts.isMaster(owner)) return null;
    return { code: referCodeOf(owner), owner, campaign: null, createdAt: this.accounts.get(owner)!.openedAt };
  }

  /** Codes of an account besides its refer code, in the order in which they were made. */
  of(owner: AccountId): readonly InviteCode[] {
    return this.byOwner.get(owner) ?? [];
  }

  put(code: InviteCode): void {
    this.byCode.set(code.code, code);
    const own = this.byOwner.get(code.owner);
    if (own === undefined) this.byOwner.set(code.owner, [code]);
    else own.push(code);
  }

  write(writer: ByteWriter): void {
    // stored order: in which they were made
    codes.write(writer, [...this.byCode.values()]);
  }

  read(reader: ByteReader): void {
    for (const code of codes.read(reader)) this.put(code);
  }

  audit(faults: string[]): void {
    // any order: faults are the same in each
    for (const { code, owner } of this.byCode.values())
      if (!this.accounts.isMaster(owner))
        faults.push(`code ${code} is of account ${owner}, which is not its own master`);
  }
}
