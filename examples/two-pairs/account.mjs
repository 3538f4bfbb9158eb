const [isNew, isPartlyFilled] = [1, 3];

/** Own orders and balances: what GET answers once, and what pushes tell since. Reads no network. */
export class Account {
  /** Orders that closed while nobody listened. */
  closedUnheard = 0;
  /** By the name of the order: { symbol, price, left, isOpen }. Closed ones stay until they are deleted. */
  orders = new Map();
  /** By asset: { free, locked }. */
  balances = new Map();
  isReady = false;
  #told = new Set();

  /** A new subscription: what is pushed from now on is right, all else has to be asked for. */
  restart() {
    this.isReady = false;
    this.#told.clear();
  }

  /** Takes what openOrders and account answered; what pushes told since the subscription counts more. */
  start(openOrders, balances) {
    const listed = new Map(openOrders.map((order) => [order.clientOrderId || order.orderId, order]));
    const missed = [...this.orders].filter(([id, { isOpen }]) => isOpen && !listed.has(id) && !this.#told.has(id));
    for (const [, order] of missed) order.isOpen = false;
    for (const [id, { symbol, price, origQty, executedQty }] of listed)
      if (!this.#told.has(id)) this.orders.set(id, { symbol, price, left: origQty - executedQty, isOpen: true });
    for (const { asset, free, locked } of balances)
      if (!this.#told.has(asset)) this.balances.set(asset, { free, locked });
    this.closedUnheard += missed.length;
    this.isReady = true;
  }

  takeOrder({ clientId, price, quantity, cumulativeQuantity, status }, symbol) {
    this.#told.add(clientId);
    const isOpen = status === isNew || status === isPartlyFilled;
    this.orders.set(clientId, { symbol, price, left: quantity - cumulativeQuantity, isOpen });
  }

  takeBalance({ vcoinName, balanceAmount, frozenAmount }) {
    this.#told.add(vcoinName);
    this.balances.set(vcoinName, { free: balanceAmount, locked: frozenAmount });
  }

  /** How much there is of an asset, free or in orders. */
  total(asset) {
    const { free = 0, locked = 0 } = this.balances.get(asset) ?? {};
    return Number(free) + Number(locked);
  }

  /** What differs from the same two answers, when nothing is under way any more. */
  compare(openOrders, balances) {
    const different = openOrders.map(({ clientOrderId }) => `${clientOrderId} is still open there`);
    for (const [name, { isOpen }] of this.orders) if (isOpen) different.push(`${name} is still open here`);
    const text = ({ free = '0', locked = '0' } = {}) => `${free} free, ${locked} locked`;
    const there = new Map(balances.map((balance) => [balance.asset, balance]));
    for (const asset of new Set([...there.keys(), ...this.balances.keys()])) {
      const [mine, theirs] = [text(this.balances.get(asset)), text(there.get(asset))];
      if (mine !== theirs) different.push(`${asset}: ${mine} here; ${theirs} there`);
    }
    return different;
  }
}
