const [partlyFilled, open] = [3, 1];

/**
 * Open orders and balances of an account, from private pushes. After each subscription `restart`, then `start` with
 * what GET answers. Pushes since then count more than the answer: if that is newer, a push of the same is on its way.
 */
export class OwnAccount {
  /** By client order id: { clientId, side, price, quantity, filled }. */
  orders = new Map();
  /** By asset: { free, locked }. */
  balances = new Map();
  isReady = false;
  #told = new Set();

  /** Nothing is known for certain until `start`. */
  restart() {
    this.isReady = false;
    this.#told = new Set();
  }

  start(openOrders, balances) {
    const listed = new Map(openOrders.map((order) => [order.clientOrderId || order.orderId, order]));
    for (const id of this.orders.keys()) if (!listed.has(id) && !this.#told.has(id)) this.orders.delete(id);
    for (const [clientId, { side, price, origQty, executedQty }] of listed) {
      if (this.#told.has(clientId)) continue;
      this.orders.set(clientId, { clientId, side, price, quantity: origQty, filled: executedQty });
    }
    for (const { asset, free, locked } of balances) {
      if (!this.#told.has(asset)) this.balances.set(asset, { free, locked });
    }
    this.isReady = true;
  }

  /** Takes a push of the channel orders: the state of an order after a change. */
  takeOrder({ clientId, tradeType, price, quantity, cumulativeQuantity, status }) {
    this.#told.add(clientId);
    const side = tradeType === 1 ? 'BUY' : 'SELL';
    if (status !== open && status !== partlyFilled) this.orders.delete(clientId);
    else this.orders.set(clientId, { clientId, side, price, quantity, filled: cumulativeQuantity });
  }

  /** Takes a push of the channel account: a balance after a change. */
  takeBalance({ vcoinName, balanceAmount, frozenAmount }) {
    this.#told.add(vcoinName);
    this.balances.set(vcoinName, { free: balanceAmount, locked: frozenAmount });
  }

  /** Free and locked of an asset. */
  total(asset) {
    const { free, locked } = this.balances.get(asset) ?? { free: '0', locked: '0' };
    return Number(free) + Number(locked);
  }
}
