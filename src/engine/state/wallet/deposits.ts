import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { amount, integer, list, record } from '#model/codec/field-codec.ts';
import { type DepositView, deposit as depositCodec } from '#model/wallet.ts';
import { engineLimits } from '#model/limits.ts';
import type { AccountId, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { StateTable } from '#engine/state/state-table.ts';
import { isFinal, isPaidBack, isWatched } from '#engine/state/wallet/deposit-states.ts';
import { DoubtedDeposits } from '#engine/state/wallet/doubted-deposits.ts';
import { FinalPayments, type PaymentKey } from '#engine/state/wallet/final-payments.ts';

/** Records of watched deposits that leave with each change, so that their number shrinks. */
const removedAtOnce = 8;

const depositList = list(depositCodec);
const numberList = list(integer());
/** What its chain took back, and what the account of a lost deposit paid of it. */
const takenBackList = list(record({ deposit: integer(), fromAccount: amount() }));
/** Who paid a deposit from inside that waits for an operator. */
const senderList = list(record({ deposit: integer(), sender: integer<AccountId>() }));
const receiverList = list(record({ deposit: integer(), receiver: integer<AccountId>() }));

/**
 * Deposits that wait for something, credited ones for as long as their chain may take them back, and for ever those
 * that were rejected or are to be refunded, which explain what custody has (DEC-WAL-86), and which payments are final.
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
  readonly doubted = new DoubtedDeposits();
  private readonly byPayment = new Map<string, number>();
  /** Credited and lost ones, and those from inside that operators decided, in the order of their last change. */
  private readonly watched = new Set<number>();
  private readonly takenBack = new Map<number, bigint>();
  private readonly insideSenders = new Map<number, AccountId>();
  /** Whose a deposit is by the first word for its credit, where nobody knew. */
  private readonly namedReceivers = new Map<number, AccountId>();
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
    return ascending(this.waiting).map((deposit) => this.live.get(deposit)!);
  }

  /** Those that are not final, and lost ones that are back, which custody saw in a block. */
  followed(): readonly DepositView[] {
    const waiting = this.allWaiting();
    const watched = ascending(this.watched).map((deposit) => this.live.get(deposit)!);
    return [...waiting, ...watched.filter(({ status }) => status === 'lost')].filter(({ block }) => block !== null);
  }

  /** Those that were credited to an account and may still be taken back by their chain, by number. */
  creditedTo(account: AccountId): readonly DepositView[] {
    return ascending(this.watched)
      .map((deposit) => this.live.get(deposit)!)
      .filter((deposit) => deposit.account === account && deposit.status === 'success' && deposit.block !== null);
  }

  /** The deposit of a payment; `null` if there is none, or it is not watched any more. */
  find(payment: PaymentKey, now: TimestampMs): DepositView | null {
    const number = this.byPayment.get(keyOf(payment));
    return number === undefined ? null : this.current(number, now);
  }

  /** The deposit with this number; `null` if there is none, or it is not watched any more. */
  current(number: number, now: TimestampMs): DepositView | null {
    const deposit = this.get(number);
    return deposit === null || isOver(deposit, now) ? null : deposit;
  }

  /** Lost deposits of an account, by number. */
  lostOf(account: AccountId): readonly DepositView[] {
    if (this.takenBack.size === 0) return [];
    const lost = [...this.takenBack.keys()].sort((first, second) => first - second);
    return lost
      .map((deposit) => this.live.get(deposit)!)
      .filter((deposit) => deposit.account === account && deposit.status === 'lost');
  }

  /** Whether its chain took a deposit back after it was credited or paid back, and has not got it again. */
  isTakenBack(deposit: number): boolean {
    return this.takenBack.has(deposit);
  }

  /** What the account of a lost deposit paid of it. */
  fromAccount(deposit: number): bigint {
    return this.takenBack.get(deposit) ?? 0n;
  }

  setFromAccount(deposit: number, paid: bigint): void {
    this.takenBack.set(deposit, paid);
  }

  /** Who paid a deposit from inside that waits for an operator. */
  senderOf(deposit: number): AccountId {
    return this.insideSenders.get(deposit)!;
  }

  setSender(deposit: number, sender: AccountId): void {
    this.insideSenders.set(deposit, sender);
  }

  /** Whom the first operator who would credit a deposit named as its owner; `null`: nobody did, or it is known. */
  receiverNamed(deposit: number): AccountId | null {
    return this.namedReceivers.get(deposit) ?? null;
  }

  nameReceiver(deposit: number, receiver: AccountId): void {
    this.namedReceivers.set(deposit, receiver);
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
    if (!canBeTakenBack(deposit)) this.takenBack.delete(deposit.deposit);
    if (isFinal(deposit.status)) {
      if (!deposit.isInside) this.finalPayments.add(deposit);
      this.insideSenders.delete(deposit.deposit);
      this.namedReceivers.delete(deposit.deposit);
    } else this.waiting.add(deposit.deposit);
    if (leavesLater(deposit)) this.watched.add(deposit.deposit);
  }

  remove(deposit: DepositView): void {
    this.unlink(deposit.deposit);
    this.live.delete(deposit.deposit);
    this.byPayment.delete(keyOf(deposit));
    this.takenBack.delete(deposit.deposit);
    this.namedReceivers.delete(deposit.deposit);
    this.doubted.delete(deposit.deposit);
  }

  /** Removes some of the records that were kept for long enough. */
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
      this.all().filter((deposit) => !leavesLater(deposit)),
    );
    // stored order: by last change
    const watched = [...this.watched].map((number) => this.live.get(number)!);
    depositList.write(writer, watched);
    const takenBack = this.all().filter(({ deposit }) => this.takenBack.has(deposit));
    takenBackList.write(
      writer,
      takenBack.map(({ deposit }) => ({ deposit, fromAccount: as(this.fromAccount(deposit)) })),
    );
    numberList.write(writer, this.doubted.numbers());
    const inside = this.all().filter(({ deposit }) => this.insideSenders.has(deposit));
    senderList.write(
      writer,
      inside.map(({ deposit }) => ({ deposit, sender: this.senderOf(deposit) })),
    );
    const named = this.all().filter(({ deposit }) => this.namedReceivers.has(deposit));
    receiverList.write(
      writer,
      named.map(({ deposit }) => ({ deposit, receiver: this.namedReceivers.get(deposit)! })),
    );
  }

  read(reader: ByteReader): void {
    this.lastDeposit = reader.varint();
    this.finalPayments.read(reader);
    for (const deposit of depositList.read(reader)) this.put(deposit);
    for (const deposit of depositList.read(reader)) this.put(deposit);
    for (const { deposit, fromAccount } of takenBackList.read(reader)) this.setFromAccount(deposit, fromAccount);
    for (const deposit of numberList.read(reader)) this.doubted.add(deposit, this.live.get(deposit)!.account);
    for (const { deposit, sender } of senderList.read(reader)) this.setSender(deposit, sender);
    for (const { deposit, receiver } of receiverList.read(reader)) this.nameReceiver(deposit, receiver);
  }

  /** A payment is remembered as final if and only if its deposit is (I28); what was taken back fits. */
  audit(faults: string[]): void {
    const all = this.all();
    for (const deposit of all) this.auditOne(deposit, faults);
    if (this.byPayment.size !== all.length) faults.push('a payment has more than one deposit');
    if (all.filter(leavesLater).length !== this.watched.size) faults.push('deposits are watched that are not credited');
    for (const deposit of this.doubted.numbers())
      if (this.get(deposit) === null) faults.push(`deposit ${deposit} is in doubt and not there`);
    if (all.filter(({ deposit }) => this.takenBack.has(deposit)).length !== this.takenBack.size)
      faults.push('a deposit that is not there was taken back');
  }

  private auditOne(deposit: DepositView, faults: string[]): void {
    const { status, amount: whole } = deposit;
    const name = `deposit ${deposit.deposit}`;
    if (this.finalPayments.has(deposit) !== (isFinal(status) && !deposit.isInside))
      faults.push(`${name} is ${status} and not remembered so`);
    if (status === 'removed') faults.push(`${name} is over and still there`);
    const waitsInside = deposit.isInside && status === 'restricted';
    if (this.insideSenders.has(deposit.deposit) !== waitsInside) faults.push(`${name} has a wrong sender`);
    if (this.namedReceivers.has(deposit.deposit) && isFinal(status)) faults.push(`${name} still has a named receiver`);
    if (deposit.deposit > this.lastDeposit) faults.push(`${name} has a number that was not given`);
    const isTakenBack = this.isTakenBack(deposit.deposit);
    if ((status === 'lost' && !isTakenBack) || (isTakenBack && !canBeTakenBack(deposit)))
      faults.push(`${name} is ${status} and ${isTakenBack ? '' : 'not '}taken back`);
    const paid = this.fromAccount(deposit.deposit);
    if (paid < 0n || paid > whole) faults.push(`the account of ${name} paid ${paid} of ${whole}`);
  }

  private unlink(number: number): void {
    this.watched.delete(number);
    this.waiting.delete(number);
  }
}

/** Whether a deposit may be one that its chain took back: it is lost, or was paid back and is in no block. */
const canBeTakenBack = ({ status, block }: DepositView): boolean =>
  status === 'lost' || (isPaidBack(status) && block === null);

/** Whether the record leaves after some days: its chain is watched no more, or it has none. */
const leavesLater = ({ status, isInside }: DepositView): boolean =>
  isWatched(status) || (isInside && status === 'refund');

/** Whether a deposit was decided so long ago that its record leaves. */
const isOver = (deposit: DepositView, now: TimestampMs): boolean =>
  leavesLater(deposit) && deposit.updatedAt + engineLimits.creditedDepositWatchedMs <= now;

const ascending = (numbers: ReadonlySet<number>): number[] => [...numbers].sort((first, second) => first - second);

const keyOf = ({ network, output, txId }: PaymentKey): string => `${network}/${output}/${txId}`;
