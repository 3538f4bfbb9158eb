import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { NumberHeap } from '#base/number-heap.ts';
import { engineLimits } from '#model/limits.ts';
import type { AccountId, Amount, AssetId, TimestampMs } from '#model/units.ts';
import { withdrawal as withdrawalCodec, type WithdrawalView } from '#model/wallet.ts';
import { noHold } from '#engine/ledger/hold-table.ts';
import { RecordTable } from '#engine/state/state-table.ts';
import { isFinal } from '#engine/state/wallet/withdrawal-states.ts';

const { requestIdKeptMs, withdrawalLimitWindowMs } = engineLimits;
/** How long a withdrawal stays after its request at least. */
const keptMs = Math.max(requestIdKeptMs, withdrawalLimitWindowMs);
/** Withdrawals that one command forgets at most: more than one adds. */
const forgottenAtOnce = 4;

/** What is counted for an account. */
interface OfAccount {
  inProgress: number;
  /** Numbers of its withdrawals within the window of the limit, ascending; older ones until they are counted next. */
  readonly recent: number[];
  /** Worth of `recent`, without those that were cancelled or failed. */
  worth: bigint;
}

/**
 * Withdrawals that are not final, and those of the last 24 hours (DEC-WAL-58). Indexes by account, by `withdrawOrderId`
 * and by deposit follow from the records, so images have the records alone.
 */
export class Withdrawals extends RecordTable<WithdrawalView> {
  readonly name = 'withdrawals';
  /** By number. */
  readonly live = new Map<number, WithdrawalView>();
  /** The last number that was given. */
  lastWithdrawal = 0;
  private readonly holds = new Map<number, number>();
  private readonly accounts = new Map<AccountId, OfAccount>();
  private readonly byOrderId = new Map<string, number>();
  private readonly pending = new Map<AssetId, bigint>();
  /** The newest withdrawal that pays a deposit back, by deposit. */
  private readonly byDeposit = new Map<number, number>();
  /** Numbers of those that are not final. */
  private readonly open = new Set<number>();
  /** Numbers of final ones. The least was requested first, so it is forgotten first. */
  private readonly finished = new NumberHeap();

  constructor() {
    super(withdrawalCodec);
  }

  get count(): number {
    return this.live.size;
  }

  get(withdrawal: number): WithdrawalView | null {
    return this.live.get(withdrawal) ?? null;
  }

  /** By number. */
  all(): readonly WithdrawalView[] {
    return [...this.live.values()].sort((first, second) => first.withdrawal - second.withdrawal);
  }

  /** Those that are not final, by number. */
  allOpen(): readonly WithdrawalView[] {
    return [...this.open].sort((first, second) => first - second).map((withdrawal) => this.live.get(withdrawal)!);
  }

  /** The withdrawal that has this id: it is not final, or of the last 24 hours. DEC-REQ-27. */
  find(account: AccountId, withdrawOrderId: string, at: TimestampMs): WithdrawalView | null {
    const known = this.live.get(this.byOrderId.get(keyOf(account, withdrawOrderId)) ?? 0);
    if (known === undefined) return null;
    return isFinal(known.status) && known.requestedAt + requestIdKeptMs <= at ? null : known;
  }

  /** The newest withdrawal that pays a deposit back, or did or tried; `null` if there is none, or it was forgotten. */
  refundOf(deposit: number): WithdrawalView | null {
    return this.live.get(this.byDeposit.get(deposit) ?? 0) ?? null;
  }

  /** Withdrawals of an account that are not final. */
  inProgressOf(account: AccountId): number {
    return this.accounts.get(account)?.inProgress ?? 0;
  }

  /** What the withdrawals of an asset that are not final pay, fees included. */
  pendingOf(asset: AssetId): bigint {
    return this.pending.get(asset) ?? 0n;
  }

  /** How many an account asked for in the last 24 hours, and what those are worth that were not given back. */
  ofLastDay(account: AccountId, at: TimestampMs): { readonly count: number; readonly worth: bigint } {
    const own = this.accounts.get(account);
    if (own === undefined) return { count: 0, worth: 0n };
    this.leaveWindow(own, at);
    return { count: own.recent.length, worth: own.worth };
  }

  /** Adds a withdrawal with the next number, or replaces the record of one that is there. */
  put(withdrawal: WithdrawalView): void {
    const { withdrawal: number, account, deposit, withdrawOrderId, status } = withdrawal;
    const before = this.live.get(number);
    this.live.set(number, withdrawal);
    this.lastWithdrawal = Math.max(this.lastWithdrawal, number);
    const own = this.accounts.get(account) ?? { inProgress: 0, recent: [], worth: 0n };
    this.accounts.set(account, own);
    if (before === undefined) {
      own.recent.push(number);
      if (withdrawOrderId !== null) this.byOrderId.set(keyOf(account, withdrawOrderId), number);
      if (deposit !== null) this.byDeposit.set(deposit, number);
    }
    if (number >= (own.recent[0] ?? Infinity))
      own.worth += worthOf(withdrawal) - (before === undefined ? 0n : worthOf(before));
    this.countProgress(own, before ?? null, withdrawal);
    if (isFinal(status)) this.open.delete(number);
    else this.open.add(number);
    if (isFinal(status) && (before === undefined || !isFinal(before.status))) this.finished.add(number);
  }

  /** Removes some of those that are final and older than 24 hours, the first requested first. */
  forget(at: TimestampMs): void {
    for (let left = forgottenAtOnce; left > 0; left -= 1) {
      const known = this.live.get(this.finished.least ?? 0);
      if (known === undefined || known.requestedAt + keptMs > at) return;
      this.finished.removeLeast();
      this.remove(known, at);
    }
  }

  /** Hold of a withdrawal; `noHold` if it has none. */
  holdOf(withdrawal: Amount): number {
    return this.holds.get(Number(withdrawal)) ?? noHold;
  }

  setHold(withdrawal: number, hold: number): void {
    if (hold === noHold) this.holds.delete(withdrawal);
    else this.holds.set(withdrawal, hold);
  }

  override write(writer: ByteWriter): void {
    writer.varint(this.lastWithdrawal);
    super.write(writer);
  }

  override read(reader: ByteReader): void {
    const last = reader.varint();
    super.read(reader);
    this.lastWithdrawal = last;
  }

  private countProgress(own: OfAccount, before: WithdrawalView | null, after: WithdrawalView): void {
    const change = inProgress(after) - (before === null ? 0 : inProgress(before));
    own.inProgress += change;
    this.pending.set(after.asset, this.pendingOf(after.asset) + BigInt(change) * after.amount);
  }

  private remove({ withdrawal, account, deposit, withdrawOrderId }: WithdrawalView, at: TimestampMs): void {
    const own = this.accounts.get(account);
    // The first of several that are forgotten takes all of them out of the window, and with them what is counted.
    if (own !== undefined) {
      this.leaveWindow(own, at);
      if (own.inProgress === 0 && own.recent.length === 0) this.accounts.delete(account);
    }
    if (withdrawOrderId !== null) {
      const key = keyOf(account, withdrawOrderId);
      if (this.byOrderId.get(key) === withdrawal) this.byOrderId.delete(key);
    }
    if (deposit !== null && this.byDeposit.get(deposit) === withdrawal) this.byDeposit.delete(deposit);
    this.live.delete(withdrawal);
  }

  private leaveWindow(own: OfAccount, at: TimestampMs): void {
    const { recent } = own;
    while (recent.length > 0) {
      const first = this.live.get(recent[0]!)!;
      if (first.requestedAt + withdrawalLimitWindowMs > at) return;
      own.worth -= worthOf(first);
      recent.shift();
    }
  }
}

const inProgress = ({ status }: WithdrawalView): number => (isFinal(status) ? 0 : 1);
const keyOf = (account: AccountId, withdrawOrderId: string): string => `${account}/${withdrawOrderId}`;

/** What a withdrawal counts towards the withdrawal limit: nothing once it was given back. DEC-WAL-27. */
const worthOf = ({ status, value }: WithdrawalView): bigint =>
  status === 'failed' || status === 'cancelled' ? 0n : (value ?? 0n);
