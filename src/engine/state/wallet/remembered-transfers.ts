import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { SlidingWindow } from '#base/sliding-window.ts';
import { list, type FieldCodec } from '#model/codec/field-codec.ts';
import { engineLimits } from '#model/limits.ts';
import type { AccountId, TimestampMs } from '#model/units.ts';
import type { StateTable } from '#engine/state/state-table.ts';

const { requestIdKeptMs, transferIds, transferIdsPerAccount } = engineLimits;

/** What every kind of transfer has. */
interface NamedTransfer {
  readonly clientTranId: string | null;
  readonly at: TimestampMs;
}

/** Counts transfers of one kind, and remembers those with a `clientTranId` for a day. DEC-REQ-27. */
export abstract class RememberedTransfers<Transfer extends NamedTransfer> implements StateTable {
  abstract readonly name: string;
  readonly version = 1;
  readonly isInDigest = true;
  /** The last number that was given. */
  lastTransfer = 0;
  private readonly record: FieldCodec<readonly Transfer[]>;
  private readonly ownerOf: (transfer: Transfer) => AccountId;
  private readonly numberOf: (transfer: Transfer) => number;
  private readonly recent = new SlidingWindow<Transfer>(requestIdKeptMs);
  private readonly byId = new Map<string, Transfer>();
  private readonly counts = new Map<AccountId, number>();

  /** `ownerOf`: the account whose ids they are; `numberOf`: the running number, from 1. */
  constructor(
    record: FieldCodec<Transfer>,
    ownerOf: (transfer: Transfer) => AccountId,
    numberOf: (transfer: Transfer) => number,
  ) {
    this.record = list(record);
    this.ownerOf = ownerOf;
    this.numberOf = numberOf;
  }

  /** Forgets the ids that are a day old. */
  forget(now: TimestampMs): void {
    this.recent.slide(now, (old) => {
      const owner = this.ownerOf(old);
      this.byId.delete(keyOf(owner, old.clientTranId));
      const left = this.counts.get(owner)! - 1;
      if (left === 0) this.counts.delete(owner);
      else this.counts.set(owner, left);
    });
  }

  /** The owner's transfer with this id, if it is remembered. */
  find(owner: AccountId, clientTranId: string): Transfer | null {
    return this.byId.get(keyOf(owner, clientTranId)) ?? null;
  }

  /** Whether one more id of this owner can be remembered. DEC-WAL-61. */
  hasRoom(owner: AccountId): boolean {
    return this.recent.count < transferIds && (this.counts.get(owner) ?? 0) < transferIdsPerAccount;
  }

  put(next: Transfer): void {
    this.lastTransfer = Math.max(this.lastTransfer, this.numberOf(next));
    if (next.clientTranId === null) return;
    const owner = this.ownerOf(next);
    this.recent.add(next);
    this.byId.set(keyOf(owner, next.clientTranId), next);
    this.counts.set(owner, (this.counts.get(owner) ?? 0) + 1);
  }

  write(writer: ByteWriter): void {
    writer.varint(this.lastTransfer);
    this.record.write(writer, this.recent.all());
  }

  read(reader: ByteReader): void {
    const last = reader.varint();
    for (const each of this.record.read(reader)) this.put(each);
    this.lastTransfer = last;
  }

  audit(faults: string[]): void {
    if (this.recent.count !== this.byId.size)
      faults.push(`${this.name}: ${this.recent.count} are remembered by ${this.byId.size} ids`);
  }
}

const keyOf = (owner: AccountId, clientTranId: string | null): string => `${owner}/${clientTranId}`;
