import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { type Contact, contact } from '#model/wallet.ts';
import { list } from '#model/codec/field-codec.ts';
import { foldEmail, isEmail } from '#model/contact.ts';
import type { AccountId } from '#model/units.ts';
import type { StateTable } from '#engine/state/state-table.ts';

const contacts = list(contact);

/** How accounts can be reached: mail and mobile number of each, and whom they name. Each names one account. */
export class Contacts implements StateTable {
  readonly name = 'contacts';
  readonly version = 1;
  readonly isInDigest = true;
  private readonly byAccount = new Map<AccountId, Contact>();
  private readonly byEmail = new Map<string, AccountId>();
  private readonly byMobile = new Map<string, AccountId>();

  of(account: AccountId): Contact | null {
    return this.byAccount.get(account) ?? null;
  }

  /** Whom a mail names, however it is written; `null`: nobody. DEC-WAL-34. */
  ofEmail(email: string): AccountId | null {
    return isEmail(email) ? (this.byEmail.get(foldEmail(email)) ?? null) : null;
  }

  /** Whom a mobile number names; `null`: nobody. */
  ofMobile(mobile: string): AccountId | null {
    return this.byMobile.get(mobile) ?? null;
  }

  /** Sets or removes a contact. Its mail and number, if any, are nobody else's. */
  put(next: Contact): void {
    const { account, email, mobile } = next;
    const known = this.of(account);
    if (known?.email != null) this.byEmail.delete(foldEmail(known.email));
    if (known?.mobile != null) this.byMobile.delete(known.mobile);
    if (email !== null) this.byEmail.set(foldEmail(email), account);
    if (mobile !== null) this.byMobile.set(mobile, account);
    if (email === null && mobile === null) this.byAccount.delete(account);
    else this.byAccount.set(account, next);
  }

  write(writer: ByteWriter): void {
    contacts.write(
      writer,
      [...this.byAccount.values()].sort((first, second) => first.account - second.account),
    );
  }

  read(reader: ByteReader): void {
    for (const each of contacts.read(reader)) this.put(each);
  }

  audit(faults: string[]): void {
    // any order: faults are the same in each
    for (const { account, email, mobile } of this.byAccount.values()) {
      if (email !== null && this.ofEmail(email) !== account) faults.push(`mail of account ${account} is another's`);
      if (mobile !== null && this.ofMobile(mobile) !== account)
        faults.push(`mobile of account ${account} is another's`);
    }
  }
}
