import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { SlidingWindow } from '#base/sliding-window.ts';
import { list } from '#domain/codec/field-codec.ts';
import { transfer } from '#domain/codec/wallet-codecs.ts';
import { engineLimits } from '#domain/limits.ts';
import type { AccountId, TimestampMs } from '#domain/units.ts';
import type { TransferView } from '#domain/wallet.ts';
import type { StateTable } from '#engine/image/state-table.ts';

const { requestIdKeptMs, transferIds, transferIdsPerAccount } = engineLimits;
const transfers = list(transfer);

/** Counts transfers, and remembers those with a `clientTranId` for a day. DEC-REQ-27. */
export class Transfers implements StateTable {
  readonly name = 'transfers';
  readonly version = 1;
  readonly isInDigest = true;
  /** The last number that was given. */
  lastTransfer = 0;
  private readonly recent = new SlidingWindow<TransferView>(requestIdKeptMs);
  private readonly byId = new Map<string, TransferView>();
  private readonly counts = new Map<AccountId, number>();

  /** Forgets the ids that are a day old. */
  forget(now: TimestampMs): void {
    this.recent.slide(now, (old) => {
      this.byId.delete(keyOf(old.account, old.clientTranId));
      const left = this.counts.get(old.account)! - 1;
      if (left === 0) this.counts.delete(old.account);
      else this.counts.set(old.account, left);
    });
  }

  /** The account's transfer with this id, if it is remembered. */
  find(account: AccountId, clientTranId: string): TransferView | null {
    return this.byId.get(keyOf(account, clientTranId)) ?? null;
  }

  /** Whether one more id of this account can be remembered. DEC-WAL-61. */
  hasRoom(account: AccountId): boolean {
    return this.recent.count < transferIds && (this.counts.get(account) ?? 0) < transferIdsPerAccount;
  }

  put(next: TransferView): void {
    this.lastTransfer = Math.max(this.lastTransfer, next.transfer);
    if (next.clientTranId === null) return;
    this.recent.add(next);
    this.byId.set(keyOf(next.account, next.clientTranId), next);
    this.counts.set(next.account, (this.counts.get(next.account) ?? 0) + 1);
  }

  write(writer: ByteWriter): void {
    writer.varint(this.lastTransfer);
    transfers.write(writer, this.recent.all());
  }

  read(reader: ByteReader): void {
    const last = reader.varint();
    for (const each of transfers.read(reader)) this.put(each);
    this.lastTransfer = last;
  }

  audit(faults: string[]): void {
    if (this.recent.count !== this.byId.size)
      faults.push(`${this.recent.count} transfers are remembered by ${this.byId.size} ids`);
  }
}

const keyOf = (account: AccountId, clientTranId: string | null): string => `${account}/${clientTranId}`;
