import { setTimeout as pause } from 'node:timers/promises';
import type { BourseClient } from '#client/client.ts';

interface BusyPairParts {
  /** Whose orders stand in the book. */
  readonly maker: BourseClient;
  /** Who trades with what stands there. */
  readonly taker: BourseClient;
  readonly symbol: string;
  /** Price that orders are placed around at first, and the least step of prices. */
  readonly price: number;
  readonly tick: number;
  readonly quantity: string;
  /** Requests a second; each changes a level of the book, every fifth trades. */
  readonly perSecond: number;
}

const turnMs = 50;
/** An order of the maker is as large as so many of the taker: most are cancelled before they are filled. */
const ordersAreWorth = 4;
/** Own orders stand within so many ticks of the middle. */
const spreadTicks = 40;
/** A trade may cost so much more than the price around which orders stand. */
const reach = 0.002;

/** Two accounts that change the book of a pair and trade on it, at a steady rate. */
export class BusyPair {
  private readonly parts: BusyPairParts;
  private readonly standing: string[] = [];
  private readonly asked = new Set<Promise<unknown>>();
  private turns = 0;
  private sent = 0;
  private refused = 0;
  private middle: number;
  private isOver = false;
  private running: Promise<void> = Promise.resolve();

  constructor(parts: BusyPairParts) {
    this.parts = parts;
    this.middle = parts.price;
  }

  /** How many requests were sent, and how many of them the exchange refused. */
  get counts(): { readonly sent: number; readonly refused: number } {
    return { sent: this.sent, refused: this.refused };
  }

  start(): void {
    this.running = this.run();
  }

  /** Sends nothing more, and takes its orders away. */
  async stop(): Promise<void> {
    this.isOver = true;
    await this.running;
    await Promise.all(this.asked);
    await this.parts.maker.cancelOpenOrders({ symbol: this.parts.symbol });
  }

  private async run(): Promise<void> {
    const began = performance.now();
    let followedAt = began;
    while (!this.isOver) {
      const due = Math.floor(((performance.now() - began) / 1000) * this.parts.perSecond);
      // What could not be sent in a second is not caught up with.
      this.turns = Math.max(this.turns, due - this.parts.perSecond);
      while (this.turns < due) this.take(this.turns++);
      if (performance.now() - followedAt > 1000) {
        followedAt = performance.now();
        this.ask(this.follow());
      }
      await pause(turnMs);
    }
  }

  private take(turn: number): void {
    const { taker, symbol, quantity } = this.parts;
    const distance = 1 + ((turn * 7) % spreadTicks);
    const kind = turn % 5;
    if (kind < 2) this.place(kind === 0 ? 'BUY' : 'SELL', distance);
    else if (kind < 4) this.cancelOldest();
    else {
      const side = Math.floor(turn / 5) % 2 === 0 ? 'BUY' : 'SELL';
      const price = this.priceText(this.middle * (side === 'BUY' ? 1 + reach : 1 - reach));
      this.send(taker.placeOrder({ symbol, quantity, side, type: 'IMMEDIATE_OR_CANCEL', price }));
    }
  }

  private place(side: 'BUY' | 'SELL', distance: number): void {
    const { maker, symbol, quantity, tick } = this.parts;
    const price = this.priceText(this.middle + (side === 'BUY' ? -distance : distance) * tick);
    this.send(
      maker
        .placeOrder({ symbol, quantity: String(Number(quantity) * ordersAreWorth), side, type: 'LIMIT', price })
        .then(({ orderId }) => {
          this.standing.push(orderId);
        }),
    );
  }

  private cancelOldest(): void {
    const orderId = this.standing.shift();
    if (orderId !== undefined) this.send(this.parts.maker.cancelOrder({ symbol: this.parts.symbol, orderId }));
  }

  /** Goes along with the market of the others. */
  private async follow(): Promise<void> {
    const { bids, asks } = await this.parts.taker.depth({ symbol: this.parts.symbol, limit: 5 });
    const [bid, ask] = [Number(bids[0]?.[0]), Number(asks[0]?.[0])];
    if (bid > 0 && ask > 0) this.middle = (bid + ask) / 2;
  }

  private priceText(price: number): string {
    const decimals = Math.max(0, Math.round(-Math.log10(this.parts.tick)));
    return price.toFixed(decimals);
  }

  private send(request: Promise<unknown>): void {
    this.sent += 1;
    this.ask(request);
  }

  /** Waits for an answer; a refusal is counted. */
  private ask(request: Promise<unknown>): void {
    const answered = request
      .catch(() => {
        // An order may be filled before it is cancelled.
        this.refused += 1;
      })
      .finally(() => this.asked.delete(answered));
    this.asked.add(answered);
  }
}
