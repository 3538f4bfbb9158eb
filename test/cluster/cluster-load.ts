import { setTimeout } from 'node:timers/promises';
import { createPrng, type Prng } from '#base/prng.ts';
import type { ClusterClient, Settled, SignedCall } from './cluster-client.ts';
import { pair, type Trader } from './exchange-set-up.ts';

/** An order that was acknowledged. */
export interface Acknowledged {
  readonly clientOrderId: string;
  readonly orderId: string;
  /** Who placed it: an index of `ClusterLoad.traders`. */
  readonly lane: number;
  /** What was going on when it was: an index of `ClusterLoad.phase`. */
  readonly phase: number;
}

/** Requests of a lane begin so far apart at least: 500 in 10 s are allowed, and some are repeated. */
const paceMs = 25;
const ordersPerCancel = 5;
const ordersPerSweep = 40;
/** A refusal for sure: the account has not enough, or too much rests. Nothing was placed. */
const businessRefusals: ReadonlySet<number> = new Set([30_004, 30_005, 10_101, 30_010, 30_029]);

const isOrder = ({ status, body }: Settled): boolean =>
  status === 200 && typeof (body as { orderId?: unknown }).orderId === 'string';

/**
 * Orders at full speed, each lane with an account of its own: limit orders at prices that cross those of the others,
 * and cancels. An order whose answer did not come is sent again with its client order id until it is answered.
 */
export class ClusterLoad {
  readonly acknowledged: Acknowledged[] = [];
  /** Orders of which a cancel was acknowledged. */
  readonly canceled: string[] = [];
  /** Client ids of orders that were refused at their first attempt: nothing was placed. */
  readonly refused: string[] = [];
  /** Answers that no request of a customer may get. */
  readonly faults: string[] = [];
  /** Orders that were answered after an attempt that nobody knew the outcome of. */
  repeated = 0;
  /** What is going on now. */
  phase = 0;
  readonly traders: readonly Trader[];
  private readonly client: ClusterClient;
  private readonly prng: Prng;
  private readonly prefix: string;
  private readonly running: Promise<unknown>;
  private isOver = false;
  private isCut = false;
  private lastAt = performance.now();
  private longest = 0;

  /** Begins at once. Client ids begin with `prefix`, another one for each load. */
  constructor(client: ClusterClient, traders: readonly Trader[], seed: number, prefix = 'd') {
    this.prefix = prefix;
    this.client = client;
    this.traders = traders;
    this.prng = createPrng(seed);
    this.running = Promise.all(traders.map((trader, lane) => this.runLane(trader, lane)));
  }

  /** From now on `gapMs` is the longest time without an acknowledged order, up to now; what runs now began earlier. */
  measureGap(): void {
    this.longest = 0;
  }

  /** As `measureGap`; what was before now does not count. */
  restartGap(): void {
    this.longest = 0;
    this.lastAt = performance.now();
  }

  /** The longest time without an acknowledged order that `measureGap` lies in or before. */
  get gapMs(): number {
    return Math.max(this.longest, performance.now() - this.lastAt);
  }

  /** Resolves once an order is acknowledged that comes after now; answers whether one came in time. */
  async untilAcknowledged(withinMs: number): Promise<boolean> {
    const { length } = this.acknowledged;
    const end = performance.now() + withinMs;
    while (this.acknowledged.length === length && performance.now() < end) await setTimeout(5);
    return this.acknowledged.length > length;
  }

  /** No request is begun any more; resolves when those on their way are answered, or given up after some seconds. */
  async stop(withinMs: number): Promise<void> {
    this.isOver = true;
    const late = new AbortController();
    const cut = setTimeout(withinMs, undefined, { signal: late.signal }).then(
      () => (this.isCut = true),
      () => {},
    );
    await this.running;
    late.abort();
    await cut;
  }

  private async runLane(trader: Trader, lane: number): Promise<void> {
    const address = `10.0.${lane >> 8}.${lane & 255}`;
    const call = (method: string, path: string, parameters: Readonly<Record<string, string>>): SignedCall => ({
      ...{ key: trader, address, method, path, parameters },
    });
    let resting: string[] = [];
    for (let step = 0; !this.isOver; step += 1) {
      const began = performance.now();
      const clientOrderId = `${this.prefix}${lane}-${step}`;
      const orderId = await this.place(
        call('POST', '/api/v3/order', this.orderTerms(clientOrderId)),
        clientOrderId,
        lane,
      );
      if (orderId !== null) resting.push(orderId);
      if (step % ordersPerSweep === ordersPerSweep - 1) {
        await this.sweep(call('DELETE', '/api/v3/openOrders', { symbol: pair.symbol }), resting);
        resting = [];
      } else if (step % ordersPerCancel === 0 && resting.length > 0) {
        const [canceled] = resting.splice(this.prng.below(resting.length), 1);
        await this.sweep(call('DELETE', '/api/v3/order', { symbol: pair.symbol, orderId: canceled! }), [canceled!]);
      }
      const left = paceMs - (performance.now() - began);
      if (left > 0) await setTimeout(left);
    }
  }

  private orderTerms(newClientOrderId: string): Record<string, string> {
    const side = this.prng.below(2) === 0 ? 'BUY' : 'SELL';
    const price = String(100 + this.prng.below(11) - 5);
    return { symbol: pair.symbol, side, type: 'LIMIT', quantity: '0.05', price, newClientOrderId };
  }

  /** Answers the order id; `null`: refused. */
  private async place(call: SignedCall, clientOrderId: string, lane: number): Promise<string | null> {
    const decided = await this.client.settle(call, () => this.isCut);
    if (decided === null) return null;
    if (!isOrder(decided)) {
      this.refuse(clientOrderId, decided);
      return null;
    }
    const { orderId } = decided.body as { readonly orderId: string };
    const now = performance.now();
    this.longest = Math.max(this.longest, now - this.lastAt);
    this.lastAt = now;
    if (decided.unknowns > 0) this.repeated += 1;
    this.acknowledged.push({ clientOrderId, orderId, lane, phase: this.phase });
    return orderId;
  }

  private refuse(clientOrderId: string, { status, body, unknowns }: Settled): void {
    const { code } = body as { readonly code?: number };
    if (status >= 400 && status < 500 && code !== undefined && businessRefusals.has(code)) {
      if (unknowns === 0) this.refused.push(clientOrderId);
    } else this.faults.push(`${clientOrderId}: ${status} ${JSON.stringify(body)}`);
  }

  /** Cancels these, as far as they rest. */
  private async sweep(call: SignedCall, orders: readonly string[]): Promise<void> {
    const decided = await this.client.settle(call, () => this.isCut);
    if (decided?.status === 200) this.canceled.push(...orders);
  }
}
