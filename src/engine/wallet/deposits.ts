import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { amount, integer, list, record } from '#domain/codec/field-codec.ts';
import { deposit as depositCodec } from '#domain/codec/wallet-codecs.ts';
import { engineLimits } from '#domain/limits.ts';
import type { Balance, TimestampMs } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import type { DepositView } from '#domain/wallet.ts';
import type { StateTable } from '#engine/image/state-table.ts';
import { isFinal } from '#engine/wallet/deposit-states.ts';
import { FinalPayments, type PaymentKey } from '#engine/wallet/final-payments.ts';
import { SmallDeposits } from '#engine/wallet/small-deposits.ts';

/** Records of final deposits that leave with each change, so that their number shrinks. */
const removedAtOnce = 8;

const depositList = list(depositCodec);
const takenBackList = list(record<TakenBack>({ deposit: integer(), fromAccount: amount() }));

/** What the account of a lost deposit paid of it. */
interface TakenBack {
  readonly deposit: number;
  readonly fromAccount: Balance;
}

/**
 * Deposits that wait for something, final ones for as long as their chain may take them back, and for ever which
 * payments are final.
 */
export class Deposits implements StateTable {
  readonly name = 'deposits';
  readonly version = 1;
  readonly isInDigest = true;
  /** By number. */
  readonly live = new Map<number, DepositView>();
  /** The last number that was given. */
  lastDeposit = 0;
  readonly finalPayments = new FinalPayments();
  readonly small = new SmallDeposits();
  private readonly byPayment = new Map<string, number>();
  /** Final ones in the order of their last change. */
  private readonly watched = new Set<number>();
  private readonly takenBack = new Map<number, bigint>();
  /** Those that are not final. */
  private readonly waiting = new Set<number>();

  get(deposit: number): DepositView | null {
    return this.live.get(deposit) ?? null;
  }

  /** By number. */
  all(): readonly DepositView[] {
    return [...this.live.values()].sort((first, second) => first.deposit - second.deposit);
  }

  /** Those that are not final, by number. */
  allWaiting(): readonly DepositView[] {
    return [...this.waiting].sort((first, second) => first - second).map((deposit) => this.live.get(deposit)!);
  }

  /** The deposit of a payment; `null` if there is none, or it is final for too long. */
  find(payment: PaymentKey, now: TimestampMs): DepositView | null {
    const number = this.byPayment.get(keyOf(payment));
    return number === undefined ? null : this.current(number, now);
  }

  /** The deposit with this number; `null` if there is none, or it is final for too long. */
  current(number: number, now: TimestampMs): DepositView | null {
    const deposit = this.get(number);
    return deposit === null || isOver(deposit, now) ? null : deposit;
  }

  /** What the account of a lost deposit paid of it. */
  fromAccount(deposit: number): bigint {
    return this.takenBack.get(deposit) ?? 0n;
  }

  setFromAccount(deposit: number, paid: bigint): void {
    this.takenBack.set(deposit, paid);
  }

  /** Gives the next number. */
  nextNumber(): number {
    this.lastDeposit += 1;
    return this.lastDeposit;
  }

  /** Adds a deposit or replaces the record of one. */
  put(deposit: DepositView): void {
    this.unlink(deposit.deposit);
    this.live.set(deposit.deposit, deposit);
    this.byPayment.set(keyOf(deposit), deposit.deposit);
    if (deposit.status === 'small') this.small.add(deposit);
    if (deposit.status !== 'lost') this.takenBack.delete(deposit.deposit);
    if (!isFinal(deposit.status)) {
      this.waiting.add(deposit.deposit);
      return;
    }
    this.watched.add(deposit.deposit);
    this.finalPayments.add(deposit);
  }

  remove(deposit: DepositView): void {
    this.unlink(deposit.deposit);
    this.live.delete(deposit.deposit);
    this.byPayment.delete(keyOf(deposit));
    this.takenBack.delete(deposit.deposit);
  }

  /** Removes some of the records that are final for too long. */
  removeOver(now: TimestampMs): void {
    let left = removedAtOnce;
    // stored order: by last change, which the image keeps
    for (const number of this.watched) {
      const deposit = this.live.get(number)!;
      if (left === 0 || !isOver(deposit, now)) return;
      this.remove(deposit);
      left -= 1;
    }
  }

  write(writer: ByteWriter): void {
    writer.varint(this.lastDeposit);
    this.finalPayments.write(writer);
    depositList.write(
      writer,
      this.all().filter(({ status }) => !isFinal(status)),
    );
    // stored order: by last change
    const watched = [...this.watched].map((number) => this.live.get(number)!);
    depositList.write(writer, watched);
    const lost = watched.filter(({ status }) => status === 'lost');
    takenBackList.write(
      writer,
      lost.map(({ deposit }) => ({ deposit, fromAccount: as(this.fromAccount(deposit)) })),
    );
  }

  read(reader: ByteReader): void {
    this.lastDeposit = reader.varint();
    this.finalPayments.read(reader);
    for (const deposit of depositList.read(reader)) this.put(deposit);
    for (const deposit of depositList.read(reader)) this.put(deposit);
    for (const { deposit, fromAccount } of takenBackList.read(reader)) this.setFromAccount(deposit, fromAccount);
  }

  /** A payment is remembered as final if and only if its deposit is (I28); sums and what was taken back fit. */
  audit(faults: string[]): void {
    const all = this.all();
    for (const deposit of all) this.auditOne(deposit, faults);
    this.small.audit(all, faults);
    if (this.byPayment.size !== all.length) faults.push('a payment has more than one deposit');
    if (all.filter(({ status }) => isFinal(status)).length !== this.watched.size)
      faults.push('deposits are watched that are not final');
    if (all.filter(({ status }) => status === 'lost').length !== this.takenBack.size)
      faults.push('a deposit that is not lost was taken back');
  }

  private auditOne(deposit: DepositView, faults: string[]): void {
    const { status, amount: whole } = deposit;
    const name = `deposit ${deposit.deposit}`;
    if (this.finalPayments.has(deposit) !== isFinal(status)) faults.push(`${name} is ${status} and not remembered so`);
    if (status === 'removed' || deposit.isInside) faults.push(`${name} is over and still there`);
    if (deposit.deposit > this.lastDeposit) faults.push(`${name} has a number that was not given`);
    const paid = this.fromAccount(deposit.deposit);
    if (paid < 0n || paid > whole) faults.push(`the account of ${name} paid ${paid} of ${whole}`);
  }

  private unlink(number: number): void {
    const before = this.live.get(number);
    if (before?.status === 'small') this.small.remove(before);
    this.watched.delete(number);
    this.waiting.delete(number);
  }
}

/** Whether a deposit is final for so long that its chain is not watched for it any more. */
const isOver = ({ status, updatedAt }: DepositView, now: TimestampMs): boolean =>
  isFinal(status) && updatedAt + engineLimits.creditedDepositWatchedMs <= now;

const keyOf = ({ network, output, txId }: PaymentKey): string => `${network}/${output}/${txId}`;
