import { allowedSteps, type NaiveStatus, type NaiveStep } from './naive-withdrawal-states.ts';

const dayMs = 86_400_000;

/** What an operator set; amounts of the asset that all is valued in. */
export interface NaiveTerms {
  risk: bigint | null;
  fourEyes: bigint | null;
  delayMs: number;
  waitMs: number;
  minConfirm: number;
  isOn: boolean;
  isFrozen: boolean;
  hasAllowList: boolean;
  cap: bigint;
  /** What the other asset is worth, in thousandths; `null`: it has no price. */
  price: bigint | null;
}

export interface NaiveRequest {
  readonly isValued: boolean;
  readonly address: string;
  readonly amount: bigint;
  readonly id: string | null;
}

/** What a payment moved that the journal did not make. */
export interface NaivePayment {
  readonly isValued: boolean;
  readonly address: string;
  readonly amount: bigint;
}

/** What an operator says a payment was. */
export type NaiveBooking = number | 'account' | 'capital';

interface NaiveWithdrawal extends NaiveRequest {
  /** Worth when it was asked for; `null` without a price. */
  readonly worth: bigint | null;
  status: NaiveStatus;
  approvals: string[];
  readonly at: number;
  movedAt: number;
}

/** Withdrawals of one account as the rules tell them, with lists that are searched from end to end. */
export class NaiveWithdrawals {
  readonly all: NaiveWithdrawal[] = [];
  readonly terms: NaiveTerms;
  /** Free money: of what is valued, and of the other asset. */
  readonly free: [bigint, bigint];
  readonly saved = new Map<string, number>();
  /** Payments that the journal did not make and that nobody booked, by nonce. */
  readonly unknown = new Map<number, NaivePayment>();
  /** What the house is owed, and what its operator took: of what is valued, and of the other asset. */
  readonly claims: [bigint, bigint] = [0n, 0n];
  readonly capital: [bigint, bigint] = [0n, 0n];
  private readonly inside: string;
  private readonly own: string;

  constructor(terms: NaiveTerms, funds: bigint, addresses: { readonly inside: string; readonly own: string }) {
    this.terms = terms;
    this.free = [funds, funds];
    this.inside = addresses.inside;
    this.own = addresses.own;
  }

  held(isValued: boolean): bigint {
    const open = this.all.filter((each) => each.isValued === isValued && !isOver(each.status));
    return open.reduce((sum, each) => sum + each.amount, 0n);
  }

  /** The reason of the refusal, or the number and status of the withdrawal. */
  request(request: NaiveRequest, at: number): string {
    const { terms } = this;
    const known = this.all.findLastIndex(
      (each) => request.id !== null && each.id === request.id && (!isOver(each.status) || at - each.at < dayMs),
    );
    if (known >= 0) return this.repeated(known, request);
    if (terms.isFrozen) return 'accountNotUsable';
    if (!terms.isOn) return 'withdrawalsOff';
    if (request.amount < 2n || request.amount > 1000n) return 'wrongAmount';
    if (request.address === this.own) return 'ownAddress';
    if (!this.isAllowed(request, at)) return 'addressNotAllowed';
    const worth = this.worthOf(request);
    if (worth !== null && this.askedWithin(at) + worth > terms.cap) return 'dailyCapExceeded';
    const purse = request.isValued ? 0 : 1;
    if (this.free[purse] < request.amount) return 'notEnoughFunds';
    this.free[purse] -= request.amount;
    const status = request.address === this.inside ? 'success' : 'apply';
    this.all.push({ ...request, worth, status, approvals: [], at, movedAt: at });
    if (status === 'success') this.save(request, at);
    return `${this.all.length} ${status}`;
  }

  /** The same for a step; `confirmations` and `by` where it has them. */
  step(number: number, step: NaiveStep, at: number, confirmations: number, by: string): string {
    const withdrawal = this.all[number - 1];
    if (withdrawal === undefined || (isOver(withdrawal.status) && at - withdrawal.at >= dayMs)) return 'gone';
    const to = allowedSteps[withdrawal.status][step];
    if (to === undefined) return step === 'cancel' ? 'notCancellable' : 'wrongState';
    // Nothing goes towards the chain while somebody may have paid it before. DEC-WAL-120.
    if (this.unknown.size > 0 && ['sign', 'broadcast', 'replace'].includes(step)) return 'networkHeld';
    // What is not signed yet stays here while its account is frozen. DEC-WAL-105.
    if (step === 'sign' && this.terms.isFrozen) return 'accountNotUsable';
    const next = this.next(withdrawal, step, to, { at, confirmations, by });
    if (next.reason !== undefined) return next.reason;
    if (next.status === 'failed' || next.status === 'cancelled')
      this.free[withdrawal.isValued ? 0 : 1] += withdrawal.amount;
    if (next.status === 'success') this.save(withdrawal, at);
    withdrawal.status = next.status;
    withdrawal.movedAt = at;
    return `${number} ${next.status}`;
  }

  /** Books an unknown payment: to a withdrawal by its number, to the account, or as capital. DEC-WAL-123 to 125. */
  book(nonce: number, booking: NaiveBooking, at: number): string {
    const payment = this.unknown.get(nonce);
    if (payment === undefined) return 'wrongState';
    const purse = payment.isValued ? 0 : 1;
    if (booking === 'capital') this.capital[purse] -= payment.amount;
    if (booking === 'account') {
      const left = this.free[purse] - payment.amount;
      this.free[purse] = left < 0n ? 0n : left;
      this.claims[purse] += left < 0n ? left : 0n;
    }
    if (typeof booking === 'number') {
      const withdrawal = this.all[booking - 1];
      if (withdrawal === undefined || (isOver(withdrawal.status) && at - withdrawal.at >= dayMs)) return 'gone';
      if (withdrawal.address === this.inside) return 'gone';
      if (!unsigned.has(withdrawal.status)) return 'wrongState';
      const { isValued, address, amount } = payment;
      if (withdrawal.isValued !== isValued || withdrawal.address !== address || withdrawal.amount !== amount + 1n)
        return 'paymentDiffers';
      withdrawal.status = 'success';
      withdrawal.movedAt = at;
      this.save(withdrawal, at);
    }
    this.unknown.delete(nonce);
    return typeof booking === 'number' ? `${booking} success` : 'booked';
  }

  private repeated(index: number, request: NaiveRequest): string {
    const { isValued, address, amount, status } = this.all[index]!;
    const isSame = isValued === request.isValued && address === request.address && amount === request.amount;
    return isSame ? `${index + 1} ${status} again` : 'requestIdInUse';
  }

  private next(
    withdrawal: NaiveWithdrawal,
    step: NaiveStep,
    to: NaiveStatus,
    { at, confirmations, by }: { readonly at: number; readonly confirmations: number; readonly by: string },
  ): { readonly status: NaiveStatus; readonly reason?: undefined } | { readonly reason: string } {
    const { terms } = this;
    const { worth } = withdrawal;
    const isAbove = (bound: bigint | null): boolean => bound !== null && (worth === null || worth > bound);
    // Held without a price, above the risk hold, and where two have to approve.
    const isHeld = worth === null || isAbove(terms.risk) || isAbove(terms.fourEyes);
    if (step === 'assess' && withdrawal.status === 'apply') return { status: isHeld ? 'auditing' : 'wait' };
    if (step === 'approve') {
      const needed = isAbove(terms.fourEyes) ? 2 : 1;
      if (needed === 2 && withdrawal.approvals.includes(by)) return { reason: 'sameOperator' };
      if (!withdrawal.approvals.includes(by)) withdrawal.approvals.push(by);
      return { status: withdrawal.approvals.length >= needed ? 'wait' : withdrawal.status };
    }
    if (step === 'begin') {
      if (terms.isFrozen) return { reason: 'accountNotUsable' };
      if (!terms.isOn) return { reason: 'withdrawalsOff' };
      if (this.unknown.size > 0) return { reason: 'networkHeld' };
      if (!this.isAllowed(withdrawal, at)) return { reason: 'addressNotAllowed' };
      if (at - withdrawal.movedAt < terms.waitMs) return { reason: 'notYet' };
    }
    if (step === 'confirm' && confirmations < terms.minConfirm) return { status: 'confirming' };
    if (step === 'displace' && confirmations < terms.minConfirm) return { reason: 'notConfirmed' };
    return { status: to };
  }

  private isAllowed(request: NaiveRequest, at: number): boolean {
    const { delayMs, hasAllowList } = this.terms;
    if (delayMs === 0 && !hasAllowList) return true;
    const savedAt = this.saved.get(nameOf(request));
    return savedAt !== undefined && at - savedAt >= delayMs;
  }

  private save(request: NaiveRequest, at: number): void {
    if (!this.saved.has(nameOf(request))) this.saved.set(nameOf(request), at);
  }

  private worthOf({ isValued, amount }: NaiveRequest): bigint | null {
    if (isValued) return amount;
    return this.terms.price === null ? null : (amount * this.terms.price) / 1000n;
  }

  private askedWithin(at: number): bigint {
    const counted = this.all.filter(
      (each) => at - each.at < dayMs && each.status !== 'failed' && each.status !== 'cancelled',
    );
    return counted.reduce((sum, { worth }) => sum + (worth ?? 0n), 0n);
  }
}

const unsigned: ReadonlySet<NaiveStatus> = new Set(['apply', 'auditing', 'manual', 'wait', 'processing']);

/** What names a saved address. */
export const nameOf = ({ isValued, address }: Pick<NaiveRequest, 'isValued' | 'address'>): string =>
  `${isValued} ${address}`;

const isOver = (status: NaiveStatus): boolean => Object.keys(allowedSteps[status]).length === 0;
