import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { amount, integer, list, record, text } from '#model/codec/field-codec.ts';
import { engineLimits } from '#model/limits.ts';
import type { AssetId, Balance, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { StateTable } from '#engine/state/state-table.ts';

const paidInMinute = record({
  network: text(),
  asset: integer<AssetId>(),
  /** Minutes since 1970. */
  minute: integer(),
  /** What left the hot wallet, network fees not included. */
  amount: amount(),
});

const minutes = list(paidInMinute);
const minuteMs = 60_000;
/** More than any balance; a minute that paid more counts as this. */
const countedMost = (1n << 62n) - 1n;

/** A coin of a hot wallet. */
export interface HotWalletCoin {
  readonly network: string;
  readonly asset: AssetId;
}

/**
 * What hot wallets paid lately, summed by minute, for their limits per hour: at most 61 sums a coin, however many
 * payments there were. What was signed counts, whatever became of it. It expires with time, so that an exchange that
 * goes on from an older image has the same digest as one that read its whole journal. DEC-WAL-48.
 */
export class HotWalletPayments implements StateTable {
  readonly name = 'hotWalletPayments';
  readonly version = 1;
  readonly isInDigest = false;
  /** By coin, then by minute. */
  private readonly paid = new Map<string, { readonly coin: HotWalletCoin; readonly byMinute: Map<number, bigint> }>();

  /** Counts a payment of `paidAt`, and forgets minutes of the coin that count no more at `at`. */
  add(coin: HotWalletCoin, payment: bigint, paidAt: TimestampMs, at: TimestampMs): void {
    this.addToMinute(coin, Math.floor(paidAt / minuteMs), payment);
    const { byMinute } = this.paid.get(keyOf(coin))!;
    // stored order: any, for each minute is judged alone
    for (const minute of byMinute.keys()) if (!counts(minute, at)) byMinute.delete(minute);
  }

  /** What was paid of a coin in the hour before `at`. A minute counts whole until its last moment is an hour ago. */
  paidLastHour(coin: HotWalletCoin, at: TimestampMs): bigint {
    let sum = 0n;
    // stored order: any, for a sum has none
    for (const [minute, payment] of this.paid.get(keyOf(coin))?.byMinute ?? []) if (counts(minute, at)) sum += payment;
    return sum;
  }

  write(writer: ByteWriter): void {
    const keys = [...this.paid.keys()].sort();
    minutes.write(
      writer,
      keys.flatMap((key) => {
        const { coin, byMinute } = this.paid.get(key)!;
        return [...byMinute]
          .sort(([first], [second]) => first - second)
          .map(([minute, payment]) => ({ ...coin, minute, amount: as<Balance>(payment) }));
      }),
    );
  }

  read(reader: ByteReader): void {
    for (const { network, asset, minute, amount: payment } of minutes.read(reader))
      this.addToMinute({ network, asset }, minute, payment);
  }

  audit(): void {}

  private addToMinute({ network, asset }: HotWalletCoin, minute: number, payment: bigint): void {
    const key = keyOf({ network, asset });
    const known = this.paid.get(key) ?? { coin: { network, asset }, byMinute: new Map<number, bigint>() };
    const sum = (known.byMinute.get(minute) ?? 0n) + payment;
    known.byMinute.set(minute, sum < countedMost ? sum : countedMost);
    this.paid.set(key, known);
  }
}

const counts = (minute: number, at: TimestampMs): boolean =>
  (minute + 1) * minuteMs > at - engineLimits.hotWalletLimitWindowMs;
const keyOf = ({ network, asset }: HotWalletCoin): string => `${network}/${asset}`;
