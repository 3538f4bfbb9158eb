import { setTimeout as sleep } from 'node:timers/promises';
import { channels } from 'bourse/client';

const [open, partlyFilled] = [1, 3];

/**
 * Open orders of a pair and balances of an account, from private pushes. After each subscription it asks for both once:
 * what was pushed since then counts more than the answers, because if an answer is newer, its push is on its way.
 */
export class OwnAccount {
  /** By client order id: { clientId, side, price, quantity, filled }. */
  orders = new Map();
  /** By asset: { free, locked }. */
  balances = new Map();
  /** Whether orders and balances are certain. */
  isReady = false;
  #told = new Set();
  #round = 0;
  #subscriptions;

  /** `onFill` gets each deal that is pushed; those of a gap are asked for with myTrades. */
  constructor({ client, symbol, onFill = () => {} }) {
    Object.assign(this, { client, symbol });
    // Three channels of one connection: they are subscribed to, and lost, together.
    this.#subscriptions = [
      client.subscribe(channels.account(), (balance) => this.#takeBalance(balance)),
      client.subscribe(channels.orders(), (order, head) => head.symbol === symbol && this.#takeOrder(order)),
      client.subscribe(channels.deals(), (deal, head) => head.symbol === symbol && onFill(deal), {
        onReady: () => this.#start(),
        onGap: () => this.#lose(),
      }),
    ];
  }

  /** Free and locked of an asset. */
  total(asset) {
    const { free, locked } = this.balances.get(asset) ?? { free: '0', locked: '0' };
    return Number(free) + Number(locked);
  }

  close() {
    this.#lose();
    for (const subscription of this.#subscriptions) subscription.close();
  }

  /** Nothing is known for certain until it was asked for. */
  #lose() {
    this.#round += 1;
    this.isReady = false;
    this.#told = new Set();
  }

  async #start() {
    this.#lose();
    const round = this.#round;
    while (round === this.#round) {
      try {
        const orders = await this.client.openOrders({ symbol: this.symbol });
        const { balances } = await this.client.account();
        if (round === this.#round) this.#take(orders, balances);
        return;
      } catch (error) {
        console.error(`No orders and balances: ${error.message}`);
      }
      await sleep(1000);
    }
  }

  #take(openOrders, balances) {
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

  #takeOrder({ clientId, tradeType, price, quantity, cumulativeQuantity, status }) {
    this.#told.add(clientId);
    const side = tradeType === 1 ? 'BUY' : 'SELL';
    if (status !== open && status !== partlyFilled) this.orders.delete(clientId);
    else this.orders.set(clientId, { clientId, side, price, quantity, filled: cumulativeQuantity });
  }

  #takeBalance({ vcoinName, balanceAmount, frozenAmount }) {
    this.#told.add(vcoinName);
    this.balances.set(vcoinName, { free: balanceAmount, locked: frozenAmount });
  }
}
