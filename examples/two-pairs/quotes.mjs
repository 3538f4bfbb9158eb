import { cancelOrder, placeOrder } from '../by-hand/orders.mjs';
import { UnknownOutcome } from '../by-hand/rest.mjs';

const wouldTrade = 30041;

/** Two levels a side; the distance is in half spreads from the middle. */
const slotsOfPair = () =>
  ['BUY', 'SELL'].flatMap((side) => [1, 2.5].map((distance) => ({ side, distance, order: null, work: null })));

/**
 * Orders of a market maker on several pairs. Each has slots, places for one order, which do not wait for each other:
 * one without an answer does not hold up the rest. `rules` are entries of exchangeInfo; `size` and `limit`, of an order
 * and of what a pair may hold more or less than at the start, are in the quote asset; `half` is half a spread, as a
 * share of the price.
 */
export class Quotes {
  counted = { placed: 0, foundByName: 0, refused: 0, canceled: 0, largestShareOfLimit: 0 };
  #named = 0;
  #run = `two-${Date.now().toString(36)}`; // No other run may have used its names.
  #pairs;

  constructor({ rest, market, account, rules, size, limit, half }) {
    Object.assign(this, { rest, market, account, size, limit, half });
    this.#pairs = rules.map((entry) => ({ ...entry, slots: slotsOfPair(), start: null, most: null }));
  }

  /** Brings every slot a step nearer to what it should be. Call it often. */
  round() {
    for (const pair of this.#pairs)
      for (const slot of pair.slots)
        slot.work ??= this.#tend(pair, slot)
          .catch(({ message }) => console.error(message))
          .finally(() => (slot.work = null));
  }

  /** Waits for what is under way, then cancels everything: an order that came later would stay. */
  async stop() {
    await Promise.all(this.#pairs.flatMap(({ slots }) => slots.map(({ work }) => work)));
    await this.cancelAll();
  }

  async cancelAll() {
    const symbol = this.#pairs.map((pair) => pair.symbol).join(',');
    await this.rest.signed('DELETE', '/api/v3/openOrders', { symbol }, { isRepeatable: true });
  }

  /** Places, cancels, or waits until the end of the slot's order is known. */
  async #tend(pair, slot) {
    const { order } = slot;
    const seen = this.#look(pair);
    const price = seen && this.#priceOf(pair, seen, slot);
    if (order === null) return seen && this.#place(pair, slot, price, seen);
    const known = this.account.orders.get(order.name);
    if (known?.isOpen === false || Date.now() > order.canceledAt + 2000) {
      // Balances are pushed before the end of an order: the position already has what it filled.
      this.account.orders.delete(order.name);
      slot.order = null;
    } else if (order.canceledAt === Infinity) {
      const isGood = seen && Math.abs(price / order.price - 1) < this.half / 2;
      if (isGood && (known || Date.now() < order.sentAt + 1000)) return; // Pushes may come later than the answer.
      if (await cancelOrder(this.rest, pair.symbol, order.name)) this.counted.canceled += 1;
      order.canceledAt = Date.now();
    }
  }

  /** What quotes are made of. Null while book or account are not certain: never quote blindly. */
  #look(pair) {
    if (!this.market.book(pair.symbol).isReady || !this.account.isReady) return null;
    const [bid, ask] = [this.#bestOfOthers(pair, 'bids'), this.#bestOfOthers(pair, 'asks')];
    const middle = (bid + ask) / 2;
    if (Number.isNaN(middle)) return null; // Nobody else is there.
    const held = this.account.total(pair.baseAsset);
    pair.start ??= held;
    pair.most ??= this.limit / middle;
    const share = (held - pair.start) / pair.most;
    this.counted.largestShareOfLimit = Math.max(this.counted.largestShareOfLimit, Math.abs(share));
    // Holding too much, it bids and asks less, and so sells sooner than it buys.
    return { bid, ask, position: held - pair.start, center: middle * (1 - 2 * this.half * share) };
  }

  /** Best price of others: following one's own quotes leads nowhere. */
  #bestOfOthers({ symbol }, side) {
    const own = new Map();
    for (const order of this.account.orders.values())
      if (order.isOpen && order.symbol === symbol) own.set(order.price, (own.get(order.price) ?? 0) + order.left);
    const levels = this.market.book(symbol).levels(side);
    return Number(levels.find(([price, quantity]) => quantity - (own.get(price) ?? 0) > 1e-9)?.[0]);
  }

  /** As text, and at least a step short of the other side, so that it does not trade at once. */
  #priceOf({ quotePrecision: digits }, { bid, ask, center }, { side, distance }) {
    const [scale, isBuy] = [10 ** digits, side === 'BUY'];
    const wanted = center * (1 + (isBuy ? -1 : 1) * this.half * distance) * scale;
    const edge = Math.round((isBuy ? ask : bid) * scale);
    const steps = isBuy ? Math.min(Math.floor(wanted), edge - 1) : Math.max(Math.ceil(wanted), edge + 1);
    return (steps / scale).toFixed(digits);
  }

  async #place({ symbol, baseAssetPrecision, most, slots }, slot, price, { center, position }) {
    const { side } = slot;
    const scale = 10 ** baseAssetPrecision;
    const quantity = Math.floor((this.size / center) * scale) / scale;
    // The limit holds even if all orders of this side fill at once, also those whose outcome is not known yet.
    const sameSide = slots.filter((other) => other.side === side && other.order !== null);
    const exposed = sameSide.reduce((sum, { order }) => sum + order.quantity, quantity);
    if ((side === 'BUY' ? position : -position) + exposed > most) return;
    this.#named += 1;
    const newClientOrderId = `${this.#run}-${this.#named}`;
    // Noted before it is sent, whatever comes of it.
    slot.order = { name: newClientOrderId, price, quantity, sentAt: Date.now(), canceledAt: Infinity };
    const amount = { price, quantity: quantity.toFixed(baseAssetPrecision) };
    try {
      const answer = await placeOrder(this.rest, { symbol, side, type: 'LIMIT_MAKER', ...amount, newClientOrderId });
      this.counted['status' in answer ? 'foundByName' : 'placed'] += 1;
    } catch (error) {
      if (error instanceof UnknownOutcome) throw error; // It stays noted: the next round cancels it by its name.
      slot.order = null;
      this.counted.refused += 1;
      if (error.code !== wouldTrade) throw error;
    }
  }
}
