import type { ServerProcess } from './server-process.ts';
import { TradingClient } from './trading-client.ts';

/** An order that was acknowledged. */
export interface Acknowledged {
  readonly account: Trader;
  readonly symbol: string;
  readonly orderId: string;
  readonly clientOrderId: string;
}

export const traders = ['alice', 'bob'] as const;
export type Trader = (typeof traders)[number];

/** What is traded all the time: of each pair a price that the orders lie around, and the quantity of each. */
const markets = [
  { symbol: 'BTCUSDT', price: 50_000, step: 10, quantity: '0.0001' },
  { symbol: 'ETHUSDT', price: 3000, step: 1, quantity: '0.002' },
] as const;
type Market = (typeof markets)[number];

const perBatch = 10;
/** Connections of each trader on each pair. */
const lanesPerMarket = 2;
const lanes = markets.length * traders.length * lanesPerMarket;
/** Batches of a lane after which its trader cancels what rests, so that the open-order cap is far. */
const batchesPerCancel = 8;
/** Pairs answer this to a new order while they are not online. */
const suspended = 30_000;

/** What a batch answers for one order. */
interface Answered {
  readonly orderId?: string;
  readonly newClientOrderId?: string | null;
  readonly code?: number;
  readonly msg?: string;
}

/**
 * Orders in batches at a steady rate, on two pairs by two traders: those of alice rest on both sides of a price, those
 * of bob take them at once. A slow machine answers fewer: each lane waits for its answer before the next batch.
 */
export class MarketLoad {
  readonly acknowledged: Acknowledged[] = [];
  /** Answers of another kind than they may be. */
  readonly faults: string[] = [];
  /** Orders that were taken or refused. */
  answered = 0;
  /** Orders that nobody answered. */
  unanswered = 0;
  /** What is going on; a batch belongs to it that was sent and answered during it. */
  phase = 'open';
  /** Orders that were taken, and refused as suspended, by phase and pair. */
  private readonly counts = new Map<string, number>();
  private readonly clients: ReadonlyMap<Trader, TradingClient>;
  private readonly intervalMs: number;
  private readonly name: string;
  private readonly running: Promise<unknown>;
  private isOver = false;

  /** Begins at once. `name`: what client order ids begin with; `rate`: orders a second at most. */
  constructor({ demo }: ServerProcess, { name, rate }: { readonly name: string; readonly rate: number }) {
    this.name = name;
    this.intervalMs = (lanes * perBatch * 1000) / rate;
    this.clients = new Map(traders.map((trader) => [trader, new TradingClient(demo, trader)]));
    const kinds = markets.flatMap((market) => traders.map((trader) => [market, trader] as const));
    this.running = Promise.all(
      Array.from({ length: lanes }, (_, lane) => this.runLane(lane, ...kinds[lane % kinds.length]!)),
    );
  }

  /** Resolves when no request is on its way any more. */
  async stop(): Promise<void> {
    this.isOver = true;
    await this.running;
    for (const client of this.clients.values()) client.close();
  }

  taken(phase: string, symbol: string): number {
    return this.counts.get(`${phase} ${symbol} taken`) ?? 0;
  }

  suspended(phase: string, symbol: string): number {
    return this.counts.get(`${phase} ${symbol} suspended`) ?? 0;
  }

  private async runLane(lane: number, market: Market, trader: Trader): Promise<void> {
    let due = performance.now() + (lane * this.intervalMs) / lanes;
    for (let batch = 0; !this.isOver; batch += 1) {
      const now = performance.now();
      if (due > now) await new Promise((resolve) => setTimeout(resolve, due - now));
      // Time that was lost is not made up for: the rate stays steady.
      due = Math.max(due + this.intervalMs, now);
      if (!(await this.sendBatch(market, trader, `${this.name}-${lane}-${batch}`))) return;
      if (trader === 'alice' && batch % batchesPerCancel === batchesPerCancel - 1)
        await this.clients.get(trader)!.call('DELETE', '/api/v3/openOrders', { symbol: market.symbol });
    }
  }

  /** Answers whether the exchange is still there. */
  private async sendBatch(market: Market, trader: Trader, name: string): Promise<boolean> {
    const { phase } = this;
    const batchOrders = JSON.stringify(
      Array.from({ length: perBatch }, (_, at) => orderOf(market, trader, at, `${name}-${at}`)),
    );
    const reply = await this.clients.get(trader)!.call('POST', '/api/v3/batchOrders', { batchOrders });
    if (reply === null || reply.status >= 500) {
      this.unanswered += perBatch;
      return reply !== null;
    }
    if (reply.status !== 200) this.faults.push(`${name}: ${reply.status} ${JSON.stringify(reply.body)}`);
    else for (const answered of reply.body as readonly Answered[]) this.take(market, trader, answered, phase);
    return true;
  }

  private take({ symbol }: Market, account: Trader, answered: Answered, sentIn: string): void {
    const { orderId, newClientOrderId, code, msg } = answered;
    const isOfPhase = sentIn === this.phase;
    this.answered += 1;
    if (orderId !== undefined) {
      this.acknowledged.push({ account, symbol, orderId, clientOrderId: newClientOrderId ?? '' });
      if (isOfPhase) this.count(`${sentIn} ${symbol} taken`);
    } else if (code !== suspended) this.faults.push(`${newClientOrderId}: ${code} ${msg}`);
    else if (isOfPhase) this.count(`${sentIn} ${symbol} suspended`);
  }

  private count(cell: string): void {
    this.counts.set(cell, (this.counts.get(cell) ?? 0) + 1);
  }
}

/** Both buy and sell in turn, so that nobody runs out of either asset. */
function orderOf({ symbol, price, step, quantity }: Market, trader: Trader, at: number, newClientOrderId: string) {
  const isBuy = at % 2 === 0;
  const isMaker = trader === 'alice';
  const distance = step * (1 + (at % 3));
  const limit = price + (isBuy === isMaker ? -distance : distance);
  const type = isMaker ? 'LIMIT' : 'IMMEDIATE_OR_CANCEL';
  return { symbol, side: isBuy ? 'BUY' : 'SELL', type, quantity, price: String(limit), newClientOrderId };
}
