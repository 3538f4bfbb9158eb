import { wireLimits } from '#http/limits.ts';
import { type ReuseRule, SignatureReuse } from '#public-api/signing/signature-reuse.ts';
import { WeightBudget } from '#http/weight-budget.ts';
import { CandlePages } from '#public-api/spot/candle-pages.ts';
import { HistoryReads } from '#public-api/history/history-reads.ts';

/**
 * Limits besides those of addresses: budgets of accounts, requests in flight, and reuse of signatures. Shared by the
 * gateways of a process; all bounded.
 */
export interface EndpointLimits {
  /** Budget of calls of one futures endpoint from one address. DEC-LIM-07. */
  readonly futuresBudget: WeightBudget;
  readonly accountBudget: WeightBudget;
  /** Budget of calls per second of accounts; each spending says the limit of its endpoint. DEC-LIM-05. */
  readonly callBudget: WeightBudget;
  readonly inFlight: InFlight;
  readonly signatureReuse: SignatureReuse;
  /** Reads of history, in turn. DEC-LIM-120. */
  readonly access: HistoryAccess;
  readonly servingSince: ServingSince;
}

/** When serving began: no signature from before is remembered. DEC-REQ-15. */
export interface ServingSince {
  /** On the exchange's clock. */
  readonly at: number;
  /** On the clock of rate windows. */
  readonly inWindow: number;
}

const second = 1000;

/** Creates the limits; `signatureReuse`: which routes refuse a signature that was used before. */
export function createEndpointLimits(
  { signatureReuse }: { readonly signatureReuse: ReuseRule },
  servingSince: ServingSince,
): EndpointLimits {
  const { rate } = wireLimits;
  const bucketsMax = rate.bucketsKept;
  return {
    futuresBudget: new WeightBudget({ windowMs: rate.futuresWindowMs, limit: rate.futuresCallsPerWindow, bucketsMax }),
    accountBudget: new WeightBudget({ windowMs: rate.windowMs, limit: rate.weightPerWindow, bucketsMax }),
    callBudget: new WeightBudget({ windowMs: second, limit: wireLimits.orders.heavyCallsPerSecond, bucketsMax }),
    inFlight: new InFlight(wireLimits.inFlightPerAccount),
    signatureReuse: new SignatureReuse(signatureReuse),
    access: createHistoryAccess(),
    servingSince,
  };
}

/** Requests in flight by account; an account without any has no entry. */
export class InFlight {
  readonly #max: number;
  readonly #counts = new Map<number, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Adds a request; false: the account has its maximum in flight, and the request was not added. */
  enter(account: number): boolean {
    const count = this.#counts.get(account) ?? 0;
    if (count >= this.#max) return false;
    this.#counts.set(account, count + 1);
    return true;
  }

  leave(account: number): void {
    const count = this.#counts.get(account) ?? 0;
    if (count > 1) this.#counts.set(account, count - 1);
    else this.#counts.delete(account);
  }

  countOf(account: number): number {
    return this.#counts.get(account) ?? 0;
  }

  get accounts(): number {
    return this.#counts.size;
  }
}

/** How handlers reach history where many may ask for much: in turn, and with printed candles kept. */
export interface HistoryAccess {
  readonly reads: HistoryReads;
  readonly pages: CandlePages;
}

/** Access without anything kept or waiting; the gateways of a process share one. */
export function createHistoryAccess(): HistoryAccess {
  const reads = new HistoryReads();
  return { reads, pages: new CandlePages(reads) };
}
