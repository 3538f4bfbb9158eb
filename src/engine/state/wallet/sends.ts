import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { SlidingWindow } from '#base/sliding-window.ts';
import { amount, integer, list, record, time, type ValueOf } from '#model/codec/field-codec.ts';
import { type SendView, send as sendCodec } from '#model/wallet.ts';
import { engineLimits } from '#model/limits.ts';
import type { AccountId, TimestampMs } from '#model/units.ts';
import { RememberedTransfers } from '#engine/state/wallet/remembered-transfers.ts';

/** What a send was worth when it was made. */
const worthOfSend = record({
  account: integer<AccountId>(),
  worth: amount(),
  at: time(),
});
type WorthOfSend = ValueOf<typeof worthOfSend>;

const worthList = list(worthOfSend);

/**
 * What accounts send to each other: counted, remembered by id for a day, and valued for the withdrawal limit.
 * DEC-WAL-152.
 */
export class Sends extends RememberedTransfers<SendView> {
  readonly name = 'sends';
  private readonly day = new SlidingWindow<WorthOfSend>(engineLimits.withdrawalLimitWindowMs);
  private readonly sums = new Map<AccountId, { count: number; worth: bigint }>();

  constructor() {
    super(
      sendCodec,
      ({ from }) => from,
      ({ send }) => send,
    );
  }

  override forget(now: TimestampMs): void {
    super.forget(now);
    this.day.slide(now, ({ account, worth }) => {
      const sum = this.sums.get(account)!;
      sum.count -= 1;
      sum.worth -= worth;
      if (sum.count === 0) this.sums.delete(account);
    });
  }

  /** How many sends of an account of the last 24 hours had a price, and their worth; after `forget`. */
  ofLastDay(account: AccountId): { readonly count: number; readonly worth: bigint } {
    return this.sums.get(account) ?? { count: 0, worth: 0n };
  }

  /** Whether one more send of the account can be valued. DEC-WAL-152. */
  hasRoomToday(account: AccountId): boolean {
    return this.day.count < engineLimits.sendsValued && this.ofLastDay(account).count < engineLimits.sendsPerDay;
  }

  /** Adds what a send was worth. */
  value(item: WorthOfSend): void {
    const { count, worth } = this.ofLastDay(item.account);
    this.day.add(item);
    this.sums.set(item.account, { count: count + 1, worth: worth + item.worth });
  }

  override write(writer: ByteWriter): void {
    super.write(writer);
    worthList.write(writer, this.day.all());
  }

  override read(reader: ByteReader): void {
    super.read(reader);
    for (const each of worthList.read(reader)) this.value(each);
  }
}
