/**
 * Workload W1: one symbol, 60 % new limit orders around a random-walking middle, 30 % cancels of a
 * random live order, 10 % market orders, about ten thousand orders at rest. A seed gives the same operations on every
 * machine; `totals` are those of a correct price-time book, so that whoever runs the workload can prove it did.
 */

export const w1Operation = { limit: 0, cancel: 1, market: 2 } as const;
/** The first size is the published one: 1,667,000 operations, and these totals. */
export const w1Published = { trades: 660_526, lots: 16_865_028, live: 10_211 } as const;

export interface W1Totals {
  readonly trades: number;
  readonly lots: number;
  /** Orders at rest at the end. */
  readonly live: number;
}

/** Columns, one element per operation; the first `prefill` operations are limit orders that build the book. */
export interface W1 {
  readonly prefill: number;
  readonly count: number;
  /** One of `w1Operation`. */
  readonly operation: Uint8Array;
  /** 0 buys, 1 sells. */
  readonly side: Uint8Array;
  /** Number of the order, of a cancel the order it cancels; from 1. */
  readonly order: Int32Array;
  readonly price: Int32Array;
  readonly quantity: Int32Array;
  /** Buyers are even, sellers odd: self-trade checks always run and never fire. */
  readonly user: Int32Array;
  readonly totals: W1Totals;
}

export interface W1Size {
  /** Limit orders after the prefill; operations are this divided by 0.6. */
  readonly limits: number;
  readonly depth: number;
  readonly seed: number;
}

export const w1PublishedSize: W1Size = { limits: 1_000_000, depth: 10_000, seed: 12_345 };

const middleAtStart = 100_000;
const priceCount = 1 << 18;
const users = 5000;

/** Mulberry32, which the published totals were made with. */
function createChance(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const normal = (): number => {
    let first = 0;
    do first = next();
    while (first === 0);
    return Math.sqrt(-2 * Math.log(first)) * Math.cos(2 * Math.PI * next());
  };
  return { next, normal };
}

interface Queue {
  orders: number[];
  head: number;
  live: number;
}

/** The simplest book that is quick enough to write the workload with: a queue of order numbers for every price. */
class GeneratorBook {
  readonly live: number[] = [];
  readonly open: Int32Array;
  readonly price: Int32Array;
  readonly side: Uint8Array;
  trades = 0;
  lots = 0;
  readonly #placeInLive: Int32Array;
  readonly #queues: readonly [(Queue | undefined)[], (Queue | undefined)[]] = [[], []];
  readonly #best: [number, number] = [-1, priceCount];

  constructor(ordersMax: number) {
    this.open = new Int32Array(ordersMax);
    this.price = new Int32Array(ordersMax);
    this.side = new Uint8Array(ordersMax);
    this.#placeInLive = new Int32Array(ordersMax).fill(-1);
  }

  /** Takes an order off the book. */
  remove(order: number): void {
    const place = this.#placeInLive[order]!;
    const last = this.live.pop()!;
    if (last !== order) {
      this.live[place] = last;
      this.#placeInLive[last] = place;
    }
    this.#placeInLive[order] = -1;
    this.#queues[this.side[order] as 0 | 1][this.price[order]!]!.live -= 1;
  }

  /** Matches up to the limit price; answers what is left. */
  take(side: number, quantity: number, limit: number): number {
    const opposing = (side ^ 1) as 0 | 1;
    let left = quantity;
    while (left > 0) {
      const price = this.#bestOf(opposing);
      if (opposing === 1 ? price >= priceCount || price > limit : price < 0 || price < limit) break;
      left = this.#takeFrom(this.#queues[opposing][price]!, left);
    }
    return left;
  }

  rest(order: number, side: 0 | 1, price: number, quantity: number): void {
    this.open[order] = quantity;
    this.price[order] = price;
    this.side[order] = side;
    this.#placeInLive[order] = this.live.length;
    this.live.push(order);
    const queue = (this.#queues[side][price] ??= { orders: [], head: 0, live: 0 });
    queue.orders.push(order);
    queue.live += 1;
    this.#best[side] = side === 0 ? Math.max(this.#best[0], price) : Math.min(this.#best[1], price);
  }

  #bestOf(side: 0 | 1): number {
    const step = side === 0 ? -1 : 1;
    let price = this.#best[side];
    while (price >= 0 && price < priceCount && !this.#queues[side][price]?.live) price += step;
    this.#best[side] = price;
    return price;
  }

  #takeFrom(queue: Queue, quantity: number): number {
    let left = quantity;
    while (left > 0 && queue.live > 0) {
      const maker = queue.orders[queue.head]!;
      if (this.#placeInLive[maker]! < 0) {
        queue.head += 1;
        continue;
      }
      const filled = Math.min(left, this.open[maker]!);
      left -= filled;
      this.open[maker]! -= filled;
      this.trades += 1;
      this.lots += filled;
      if (this.open[maker] === 0) {
        this.remove(maker);
        queue.head += 1;
      }
    }
    if (queue.live === 0) {
      queue.orders.length = 0;
      queue.head = 0;
    }
    return left;
  }
}

/** Writes the operations down one by one and keeps the generator's own book in step. */
class W1Writer {
  readonly columns;
  readonly book: GeneratorBook;
  readonly #chance;
  #at = 0;
  #orders = 0;

  constructor(count: number, seed: number) {
    this.#chance = createChance(seed);
    this.book = new GeneratorBook(count + 2);
    this.columns = {
      operation: new Uint8Array(count),
      side: new Uint8Array(count),
      order: new Int32Array(count),
      price: new Int32Array(count),
      quantity: new Int32Array(count),
      user: new Int32Array(count),
    };
  }

  chance(): number {
    return this.#chance.next();
  }

  /** A limit order some ticks away from the middle: positive is passive. */
  limit(middle: number, away: (spread: number) => number): void {
    const side = this.#side();
    const distance = away(25 * this.#chance.normal());
    const price = side === 0 ? middle - distance : middle + distance;
    const quantity = this.#quantity();
    const order = this.#write({ operation: w1Operation.limit, side, price, quantity });
    const left = this.book.take(side, quantity, price);
    if (left > 0) this.book.rest(order, side, price, left);
  }

  market(): void {
    const side = this.#side();
    const quantity = this.#quantity();
    this.#write({ operation: w1Operation.market, side, price: 0, quantity });
    this.book.take(side, quantity, side === 0 ? priceCount : -1);
  }

  cancelAny(): void {
    const { book } = this;
    const order = book.live[Math.floor(this.chance() * book.live.length)]!;
    this.#put(w1Operation.cancel, book.side[order]!, order, book.price[order]!, book.open[order]!, 0);
    book.remove(order);
  }

  #side(): 0 | 1 {
    return this.chance() < 0.5 ? 0 : 1;
  }

  #quantity(): number {
    return 1 + Math.floor(this.chance() * 100);
  }

  #write(order: { operation: number; side: number; price: number; quantity: number }): number {
    this.#orders += 1;
    const user = 2 * Math.floor(this.chance() * users) + order.side;
    this.#put(order.operation, order.side, this.#orders, order.price, order.quantity, user);
    return this.#orders;
  }

  #put(operation: number, side: number, order: number, price: number, quantity: number, user: number): void {
    const { columns } = this;
    const at = this.#at;
    columns.operation[at] = operation;
    columns.side[at] = side;
    columns.order[at] = order;
    columns.price[at] = price;
    columns.quantity[at] = quantity;
    columns.user[at] = user;
    this.#at += 1;
  }
}

/** Writes the workload of a size. Feedback on the distance keeps about `depth` orders at rest. */
export function generateW1({ limits, depth, seed }: W1Size = w1PublishedSize): W1 {
  const operations = Math.round(limits / 0.6);
  const count = depth + operations;
  const writer = new W1Writer(count, seed);
  const { book } = writer;
  let middle = middleAtStart;
  for (let index = 0; index < depth; index += 1) writer.limit(middle, (spread) => 1 + Math.abs(Math.round(spread)));
  book.trades = 0;
  book.lots = 0;
  for (let index = 0; index < operations; index += 1) {
    const drift = writer.chance();
    if (drift < 0.005) middle += 1;
    else if (drift < 0.01) middle -= 1;
    const choice = writer.chance();
    if (choice < 0.3 && book.live.length > 0) writer.cancelAny();
    else if (choice < 0.4) writer.market();
    else {
      const missing = (depth - book.live.length) * 0.02 * (10_000 / depth);
      const offset = Math.max(-40, Math.min(200, Math.round(25 + missing)));
      writer.limit(middle, (spread) => Math.round(spread) + offset);
    }
  }
  return {
    prefill: depth,
    count,
    ...writer.columns,
    totals: { trades: book.trades, lots: book.lots, live: book.live.length },
  };
}
