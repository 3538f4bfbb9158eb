import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { integer, list, record, type ValueOf } from '#model/codec/field-codec.ts';
import type { AccountId } from '#model/units.ts';
import type { StateTable } from '#engine/state/state-table.ts';

const noted = record({ account: integer<AccountId>(), notes: integer() });
const notedList = list(noted);

/** How many notes accounts have; history has the notes. DEC-OPR-237. */
export class AccountNotes implements StateTable {
  readonly name = 'accountNotes';
  readonly version = 1;
  readonly isInDigest = true;
  /** The last number that was given. */
  lastNote = 0;
  private readonly counts = new Map<AccountId, number>();

  countOf(account: AccountId): number {
    return this.counts.get(account) ?? 0;
  }

  /** Counts one more note of an account and gives it its number. */
  add(account: AccountId): number {
    this.counts.set(account, this.countOf(account) + 1);
    this.lastNote += 1;
    return this.lastNote;
  }

  write(writer: ByteWriter): void {
    writer.varint(this.lastNote);
    notedList.write(writer, this.all());
  }

  read(reader: ByteReader): void {
    this.lastNote = reader.varint();
    for (const { account, notes } of notedList.read(reader)) this.counts.set(account, notes);
  }

  audit(faults: string[]): void {
    const notes = this.all().reduce((sum, each) => sum + each.notes, 0);
    if (notes !== this.lastNote) faults.push(`accounts have ${notes} notes, and ${this.lastNote} were written`);
  }

  /** By account. */
  private all(): ValueOf<typeof noted>[] {
    return [...this.counts].sort(([first], [second]) => first - second).map(([account, notes]) => ({ account, notes }));
  }
}
