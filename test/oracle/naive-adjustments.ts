/** Kinds of adjustments, as the rules name them. */
export type NaiveKind = 'credit' | 'debit' | 'correction' | 'capitalIn' | 'revenueOut';
/** A purse: a wallet of a user, or a house account; `outside` and `adjustments` are the other sides. */
export type Purse = 'alice' | 'bob' | 'aliceFutures' | 'fees' | 'rounding' | 'gas' | 'dust' | 'capital' | 'revenue';

interface Waiting {
  readonly by: string;
  readonly kind: NaiveKind;
  readonly purse: Purse;
  readonly amount: bigint;
  readonly at: number;
}

const users: readonly string[] = ['alice', 'bob', 'aliceFutures'];
const dayMs = 86_400_000;

/**
 * Adjustments of one asset that is worth one apiece, written from the rules and not from the engine: who pays whom,
 * what there must be, and when a second operator is asked.
 */
export class NaiveAdjustments {
  readonly free = new Map<string, bigint>();
  readonly waiting = new Map<number, Waiting>();
  proposals = 0;
  bound: bigint | null = 100n;
  readonly #alone: { readonly by: string; readonly worth: bigint; readonly at: number }[] = [];

  of(purse: string): bigint {
    return this.free.get(purse) ?? 0n;
  }

  move(from: string, to: string, amount: bigint): void {
    this.free.set(from, this.of(from) - amount);
    this.free.set(to, this.of(to) + amount);
  }

  /** What the house owns after all that it owes. */
  equity(): bigint {
    return ['fees', 'rounding', 'gas', 'dust', 'capital', 'adjustments'].reduce((sum, each) => sum + this.of(each), 0n);
  }

  adjust(by: string, kind: NaiveKind, purse: Purse, amount: bigint, at: number): string {
    const refusal = this.refusal(kind, purse, amount);
    if (refusal !== null) return refusal;
    const worth = amount < 0n ? -amount : amount;
    const before = this.#alone
      .filter((each) => each.by === by && each.at + dayMs > at)
      .reduce((sum, each) => sum + each.worth, 0n);
    if (this.bound !== null && before + worth > this.bound) {
      this.proposals += 1;
      this.waiting.set(this.proposals, { by, kind, purse, amount, at });
      return 'proposalChanged';
    }
    this.#alone.push({ by, worth, at });
    this.#post(kind, purse, amount);
    return 'balanceAdjusted';
  }

  approve(by: string, proposal: number, at: number): string {
    const known = this.waiting.get(proposal);
    if (known === undefined) return 'wrongState';
    if (known.at + dayMs <= at) return 'proposalExpired';
    if (known.by === by) return 'sameOperator';
    const refusal = this.refusal(known.kind, known.purse, known.amount);
    if (refusal !== null) return refusal;
    this.waiting.delete(proposal);
    this.#post(known.kind, known.purse, known.amount);
    return 'proposalChanged';
  }

  refusal(kind: NaiveKind, purse: Purse, amount: bigint): string | null {
    const route = routeOf(kind, purse, amount);
    if (route === null) return 'invalidConfiguration';
    const [from, to] = route;
    const worth = amount < 0n ? -amount : amount;
    const isDebtor = from === 'outside' || from === 'adjustments' || (from === 'capital' && to === 'outside');
    if (!isDebtor && worth > this.of(from)) return users.includes(from) ? 'notEnoughFunds' : 'houseHasTooLittle';
    const isLess = (users.includes(to) && from === 'adjustments') || to === 'revenue';
    return isLess && this.equity() < worth ? 'houseHasTooLittle' : null;
  }

  #post(kind: NaiveKind, purse: Purse, amount: bigint): void {
    const [from, to] = routeOf(kind, purse, amount)!;
    this.move(from, to, amount < 0n ? -amount : amount);
  }
}

/** From whom to whom. */
function routeOf(kind: NaiveKind, purse: Purse, amount: bigint): readonly [string, string] | null {
  if (kind === 'revenueOut') return purse === 'fees' ? ['fees', 'revenue'] : null;
  if (kind === 'capitalIn')
    return purse === 'capital' || purse === 'gas' || purse === 'dust' ? ['outside', purse] : null;
  if (kind === 'correction' && (purse === 'capital' || purse === 'revenue')) {
    const other = purse === 'capital' ? 'outside' : 'fees';
    return amount > 0n ? [other, purse] : [purse, other];
  }
  if (purse === 'revenue') return null;
  return kind === 'debit' || amount < 0n ? [purse, 'adjustments'] : ['adjustments', purse];
}
