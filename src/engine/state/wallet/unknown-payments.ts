import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { list } from '#model/codec/field-codec.ts';
import { type UnknownPayment, unknownPayment } from '#model/safety.ts';
import { engineLimits } from '#model/limits.ts';
import type { StateTable } from '#engine/state/state-table.ts';

const payments = list(unknownPayment);

/**
 * Payments of hot wallets that the journal did not make. While one of them is not booked, no withdrawal of its network
 * is released, signed or sent: it may have been paid before. DEC-WAL-120.
 */
export class UnknownPayments implements StateTable {
  readonly name = 'unknownPayments';
  readonly version = 1;
  readonly isInDigest = true;
  /** By network and name, in the order in which they were found. */
  private readonly found = new Map<string, UnknownPayment>();
  /** How many are not booked, by network. */
  private readonly open = new Map<string, number>();

  get(network: string, payment: string): UnknownPayment | null {
    return this.found.get(keyOf(network, payment)) ?? null;
  }

  /** In the order in which they were found. */
  all(): readonly UnknownPayment[] {
    // stored order: payments stand in the order in which they were found, which the image keeps
    return [...this.found.values()];
  }

  /** How many of a network are not booked. */
  openOf(network: string): number {
    return this.open.get(network) ?? 0;
  }

  /** Adds one or replaces its record; of those that are booked only the newest are kept. */
  put(payment: UnknownPayment): void {
    const key = keyOf(payment.network, payment.payment);
    const before = this.found.get(key);
    this.count(payment.network, openIn(payment) - (before === undefined ? 0 : openIn(before)));
    this.found.set(key, payment);
    if (this.found.size > engineLimits.unknownPaymentsKept) this.forgetOne();
  }

  private count(network: string, change: number): void {
    this.open.set(network, this.openOf(network) + change);
  }

  private forgetOne(): void {
    // stored order: as above
    for (const [key, { booking }] of this.found) {
      if (booking === null) continue;
      this.found.delete(key);
      return;
    }
  }

  write(writer: ByteWriter): void {
    payments.write(writer, this.all());
  }

  read(reader: ByteReader): void {
    for (const payment of payments.read(reader)) this.put(payment);
  }

  audit(): void {}
}

const openIn = ({ booking }: UnknownPayment): number => (booking === null ? 1 : 0);
const keyOf = (network: string, payment: string): string => `${network}/${payment}`;
