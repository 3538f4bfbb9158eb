import { setTimeout as sleep } from 'node:timers/promises';

const unknownOrder = -2011;
/** Would take; not enough quote, not enough base; too far from the last price. Another price may do in a moment. */
const refusedForNow = new Set([30041, 30004, 30005, 30010]);

/**
 * Quotes one bid and one ask around the middle of a book, and lets both slide away from what it already holds.
 * `rules` is the pair's entry of exchangeInfo; `quantity` the base amount of one quote; `halfSpread` and `tolerance`
 * are shares of the price; `positionMax` is how much more or less of the base asset than at the start it may hold.
 */
export class Maker {
  placed = 0;
  #quotes = { BUY: null, SELL: null };
  #startingBase = null;
  #named = 0;
  #isBusy = false;
  #isStopped = false;

  constructor({ client, book, account, rules, quantity, positionMax, halfSpread = 0.0002, tolerance = 0.0001 }) {
    Object.assign(this, { client, book, account, rules, quantity, positionMax, halfSpread, tolerance });
    // Names of orders must not come again in another run; 32 letters, digits, - and _ at most.
    this.run = `mm-${Date.now().toString(36)}`;
  }

  /** Brings the quotes where they should be. Call it often: it does nothing while it is still at work. */
  async round() {
    if (this.#isBusy || this.#isStopped) return;
    this.#isBusy = true;
    try {
      for (const side of ['BUY', 'SELL']) await this.#move(side, this.#wantedPrices()[side]);
    } finally {
      this.#isBusy = false;
    }
  }

  /** Ends quoting; what is at work is waited for. */
  async stop() {
    this.#isStopped = true;
    while (this.#isBusy) await sleep(50);
    await this.cancelAll();
  }

  /** Takes everything of the pair off the book, also what an earlier run left. */
  async cancelAll() {
    await this.client.cancelOpenOrders({ symbol: this.rules.symbol });
  }

  /** How much more of the base asset it holds than at the start; 0 while that is not known. */
  get position() {
    if (!this.account.isReady) return 0;
    const base = this.account.total(this.rules.baseAsset);
    this.#startingBase ??= base;
    return base - this.#startingBase;
  }

  /** Prices as text; `null`: no quote. Without a certain book or account there are none: never quote blindly. */
  #wantedPrices() {
    if (!this.book.isReady || !this.account.isReady) return { BUY: null, SELL: null };
    const [bid, ask] = [this.#bestOfOthers('bids'), this.#bestOfOthers('asks')];
    if (bid === null || ask === null) return { BUY: null, SELL: null };
    const filled = this.position / this.positionMax;
    const middle = ((bid + ask) / 2) * (1 - filled * this.halfSpread);
    return {
      BUY: filled >= 1 ? null : this.#priceText(Math.min(middle * (1 - this.halfSpread), bid), Math.floor),
      SELL: filled <= -1 ? null : this.#priceText(Math.max(middle * (1 + this.halfSpread), ask), Math.ceil),
    };
  }

  /** The best price at which somebody else has an order: following one's own quotes leads nowhere. */
  #bestOfOthers(side) {
    const own = new Map();
    for (const { price, quantity, filled } of this.account.orders.values()) {
      own.set(Number(price), (own.get(Number(price)) ?? 0) + Number(quantity) - Number(filled));
    }
    const levels = this.book.levels(side, 10);
    const foreign = levels.find(([price, quantity]) => Number(quantity) - (own.get(Number(price)) ?? 0) > 1e-9);
    return foreign === undefined ? null : Number(foreign[0]);
  }

  #priceText(price, round) {
    const scale = 10 ** this.rules.quotePrecision;
    return (round(price * scale) / scale).toFixed(this.rules.quotePrecision);
  }

  async #move(side, price) {
    const quote = this.#quotes[side];
    if (quote !== null) {
      const isOpen = this.account.orders.has(quote.clientId);
      const isGood = price !== null && Math.abs(Number(price) / Number(quote.price) - 1) <= this.tolerance;
      if (isOpen && isGood) return;
      // Also when it seems to be closed: cancelling it does no harm, and a quote that lives on unseen costs money.
      await this.#cancel(quote.clientId);
      this.#quotes[side] = null;
    }
    if (price !== null) await this.#place(side, price);
  }

  async #place(side, price) {
    this.#named += 1;
    const clientId = `${this.run}-${this.#named}`;
    // Noted before it is sent: whatever the answer is, the next round cancels what is not known to be open.
    this.#quotes[side] = { clientId, price };
    const { symbol } = this.rules;
    try {
      // LIMIT_MAKER is refused rather than matched at once: a maker never pays the taker's fee.
      const order = { symbol, side, type: 'LIMIT_MAKER', quantity: this.quantity, price, newClientOrderId: clientId };
      await this.client.placeOrder(order);
      this.placed += 1;
    } catch (error) {
      if (!refusedForNow.has(error.code)) throw error;
      this.#quotes[side] = null;
    }
  }

  async #cancel(origClientOrderId) {
    try {
      await this.client.cancelOrder({ symbol: this.rules.symbol, origClientOrderId });
    } catch (error) {
      if (error.code !== unknownOrder) throw error;
    }
  }
}
