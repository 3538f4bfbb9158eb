import type { DepositDecision, DepositStatus } from '#model/wallet.ts';

/** A payment as a chain has it. */
export interface NaivePayment {
  readonly network: string;
  readonly txId: string;
  readonly asset: number;
  /** `null`: to an address of ours with a memo that names nobody; 'nobody': not ours. */
  readonly receiver: number | null | 'nobody';
  readonly amount: bigint;
}

/** Terms that may change while deposits wait. */
export interface NaiveTerms {
  minConfirm: number;
  depositMin: bigint;
  depositEnabled: boolean;
}

interface NaiveDeposit extends NaivePayment {
  readonly number: number;
  account: number;
  status: DepositStatus;
  confirmations: number;
  changedAt: number;
  /** Number of its block; `null`: none. */
  height: number | null;
  inDoubt: boolean;
  /** What its account paid when it was lost. */
  paid: bigint;
}

const outside = 0;
const chainLosses = 2 ** 27 + 2;
const grants = 2 ** 27;
const watchedMs = 3 * 86_400_000;
/** What nobody decides about any more. */
const final: readonly DepositStatus[] = ['success', 'rejected', 'refund', 'refunded', 'lost'];
/** What a chain may take back or give again; other records stay. DEC-WAL-54, DEC-WAL-86. */
const leaving: readonly DepositStatus[] = ['success', 'refunded', 'lost'];

/**
 * Deposits as the rules tell them (DEC-WAL-01, DEC-WAL-13 to 18, 52 to 55), over plain lists that are searched from
 * end to end. Refused and ignored are the same here: nothing changes.
 */
export class NaiveDeposits {
  at = 0;
  readonly frozen = new Set<number>();
  /** By asset. */
  readonly terms: NaiveTerms[] = [];
  /** Units of what the wallet is valued in for one of each asset; `null`: no price. */
  readonly prices: (bigint | null)[] = [];
  readonly cap: bigint;
  readonly largeDeposit: bigint;
  #all: NaiveDeposit[] = [];
  /** Forks that were recorded, by network. */
  readonly forks = new Map<string, number>();
  readonly #finished: NaivePayment[] = [];
  readonly #balances = new Map<string, bigint>();
  #last = 0;

  constructor(cap: bigint, largeDeposit: bigint) {
    this.cap = cap;
    this.largeDeposit = largeDeposit;
  }

  balance(account: number, asset: number): bigint {
    return this.#balances.get(`${account}/${asset}`) ?? 0n;
  }

  move(from: number, to: number, asset: number, amount: bigint): void {
    this.#balances.set(`${from}/${asset}`, this.balance(from, asset) - amount);
    this.#balances.set(`${to}/${asset}`, this.balance(to, asset) + amount);
  }

  /** Credits without a chain, if the cap allows it; answers whether it did. */
  grant(account: number, asset: number, amount: bigint): boolean {
    const fits = this.#fits(asset, amount);
    if (fits) this.move(grants, account, asset, amount);
    return fits;
  }

  /** Deposits that can be asked for now. */
  live(): readonly NaiveDeposit[] {
    return this.#all.filter(({ status, changedAt }) => !leaving.includes(status) || this.at < changedAt + watchedMs);
  }

  /** What stood above a fork is in doubt. DEC-WAL-102. */
  fork(network: string, height: number): void {
    this.forks.set(network, (this.forks.get(network) ?? 0) + 1);
    for (const deposit of this.#all)
      if (deposit.network === network && deposit.height !== null && deposit.height > height) deposit.inDoubt = true;
  }

  /** Whether anything of an account is in doubt. */
  isInDoubt(account: number): boolean {
    return this.#all.some((deposit) => deposit.inDoubt && deposit.account === account);
  }

  /** `isOld`: custody was asked before the last fork. DEC-WAL-101. */
  report(payment: NaivePayment, confirmations: number, height: number, isOld: boolean): void {
    if (isOld) return;
    const known = this.#find(payment);
    if (known !== undefined) {
      if (known.amount !== payment.amount) return;
      known.inDoubt = false;
      const isMoved = known.height !== height;
      if (!['success', 'rejected', 'refund', 'refunded'].includes(known.status))
        this.#recount(known, confirmations, isMoved);
      else if (isMoved) {
        if (known.status === 'refunded' && known.height === null)
          this.move(outside, chainLosses, known.asset, known.amount);
        this.#set(known, known.status, confirmations);
      }
      if (known.status !== 'lost' || isMoved) known.height = height;
      return;
    }
    if (this.#finished.some((other) => isSame(other, payment)) || payment.receiver === 'nobody') return;
    this.#last += 1;
    const place = { height, inDoubt: false };
    const fresh = { ...payment, ...place, number: this.#last, account: payment.receiver ?? outside, paid: 0n };
    const deposit: NaiveDeposit = { ...fresh, status: 'pending', confirmations: -1, changedAt: this.at };
    this.#all.push(deposit);
    this.#recount(deposit, confirmations, true);
  }

  remove(payment: NaivePayment, isOld: boolean): void {
    const known = this.#find(payment);
    if (known === undefined || isOld) return;
    known.inDoubt = false;
    if (['auditing', 'rejected', 'refund', 'refunded', 'lost'].includes(known.status)) {
      if (known.height !== null && known.status === 'refunded')
        this.move(chainLosses, outside, known.asset, known.amount);
      if (known.height !== null) this.#set(known, known.status, 0);
      known.height = null;
      return;
    }
    if (known.status !== 'success') {
      this.#all = this.#all.filter((other) => other !== known);
      return;
    }
    known.paid = this.balance(known.account, known.asset);
    if (known.paid > known.amount) known.paid = known.amount;
    this.move(known.account, outside, known.asset, known.paid);
    this.move(chainLosses, outside, known.asset, known.amount - known.paid);
    this.frozen.add(known.account);
    this.#set(known, 'lost', 0);
    known.height = null;
  }

  review(number: number, decision: DepositDecision, account: number | null): void {
    const known = this.live().find((deposit) => deposit.number === number);
    if (known === undefined) return;
    const { status, confirmations } = known;
    const isHeld = ['largeDelay', 'invalid', 'restricted', 'auditing'].includes(status);
    if (decision === 'flag') {
      if (['pending', 'small', 'largeDelay', 'invalid', 'restricted'].includes(status))
        this.#set(known, 'auditing', confirmations);
    } else if (decision === 'reject') {
      if (status === 'auditing' || status === 'largeDelay') this.#set(known, 'rejected', confirmations);
    } else if (decision === 'paidBack') {
      if (status === 'refund') this.#set(known, 'refunded', confirmations);
    } else if (decision === 'refund') {
      if (isHeld && status !== 'largeDelay') this.#set(known, 'refund', confirmations);
    } else {
      const owner = known.account === outside ? account : known.account;
      const isOwner = owner !== null && owner !== outside && (account === null || account === owner);
      const isConfirmed = confirmations >= this.#terms(known).minConfirm;
      if (isHeld && isOwner && isConfirmed && this.#fits(known.asset, known.amount)) {
        known.inDoubt = false;
        known.height = 1;
        this.#credit(known, owner);
      }
    }
  }

  #recount(deposit: NaiveDeposit, confirmations: number, isMoved: boolean): void {
    const { minConfirm } = this.#terms(deposit);
    const wasEnough = deposit.confirmations >= minConfirm;
    const isEnough = confirmations >= minConfirm;
    switch (deposit.status) {
      case 'success':
      case 'rejected':
      case 'refund':
      case 'refunded':
      case 'removed':
        return;
      case 'lost':
        if (!isEnough) {
          if (isMoved || confirmations !== deposit.confirmations) this.#set(deposit, 'lost', confirmations);
        } else if (this.#fits(deposit.asset, deposit.paid)) this.#regain(deposit, confirmations);
        return;
      case 'auditing':
        if (isMoved || !(wasEnough && isEnough)) deposit.confirmations = confirmations;
        return;
      case 'pending':
        deposit.confirmations = confirmations;
        if (isEnough) this.#classify(deposit);
        return;
      default:
        if (!isEnough) this.#set(deposit, 'pending', confirmations);
        else if (isMoved || !wasEnough) deposit.confirmations = confirmations;
    }
  }

  #classify(deposit: NaiveDeposit): void {
    const { account, asset, amount, confirmations } = deposit;
    const price = this.prices[asset] ?? null;
    const { depositEnabled, depositMin } = this.#terms(deposit);
    if (account === outside) this.#set(deposit, 'invalid', confirmations);
    else if (this.frozen.has(account)) this.#set(deposit, 'restricted', confirmations);
    else if (price === null || amount * price >= this.largeDeposit) this.#set(deposit, 'largeDelay', confirmations);
    else if (!this.#fits(asset, amount)) this.#set(deposit, 'auditing', confirmations);
    else if (!depositEnabled) return;
    else if (amount >= depositMin) this.#credit(deposit, account);
    else this.#set(deposit, 'small', confirmations);
  }

  /** Custody was asked for all of them: each stands where it stood. DEC-WAL-15. */
  creditSmall(account: number, asset: number): void {
    const { depositEnabled, depositMin, minConfirm } = this.terms[asset]!;
    const together = this.#all.filter(
      (each) => each.status === 'small' && each.account === account && each.asset === asset,
    );
    const heads = together.map(({ height, confirmations }) => height! + confirmations - 1);
    const head = Math.min(...heads);
    if (together.some(({ inDoubt, height }) => inDoubt || head - height! + 1 < minConfirm)) return;
    const sum = together.reduce((total, { amount }) => total + amount, 0n);
    if (sum < depositMin || !depositEnabled || this.frozen.has(account)) return;
    for (const small of together) {
      small.confirmations = head - small.height! + 1;
      if (this.#fits(asset, small.amount)) this.#credit(small, account);
      else this.#set(small, 'auditing', small.confirmations);
    }
  }

  #credit(deposit: NaiveDeposit, account: number): void {
    deposit.account = account;
    this.move(outside, account, deposit.asset, deposit.amount);
    this.#set(deposit, 'success', deposit.confirmations);
  }

  #regain(deposit: NaiveDeposit, confirmations: number): void {
    this.move(outside, deposit.account, deposit.asset, deposit.paid);
    this.move(outside, chainLosses, deposit.asset, deposit.amount - deposit.paid);
    this.#set(deposit, 'success', confirmations);
  }

  #set(deposit: NaiveDeposit, status: DepositStatus, confirmations: number): void {
    Object.assign(deposit, { status, confirmations, changedAt: this.at });
    if (final.includes(status)) this.#finished.push(deposit);
  }

  /** Whether so much more of an asset may be owned by others than those who owe. */
  #fits(asset: number, amount: bigint): boolean {
    const owed = [outside, grants, chainLosses].reduce((sum, account) => sum - this.balance(account, asset), 0n);
    return owed + amount <= this.cap;
  }

  #find(payment: NaivePayment): NaiveDeposit | undefined {
    return this.live().find((deposit) => isSame(deposit, payment));
  }

  #terms({ asset }: NaivePayment): NaiveTerms {
    return this.terms[asset]!;
  }
}

const isSame = (one: NaivePayment, other: NaivePayment): boolean =>
  one.network === other.network && one.txId === other.txId;
