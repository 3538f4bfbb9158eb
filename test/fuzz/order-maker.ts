import { futuresWalletOf } from '#model/account.ts';
import { ClientOrderId } from '#model/client-order-id.ts';
import { type OrderKind, type OrderRequest, type Side, sides, stpModes } from '#model/order.ts';
import type { AccountId } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { Book } from '#engine/book/book.ts';
import { buySide, codeOfSide, opposite, type SideCode } from '#engine/book/side-code.ts';
import { collarPrice } from '#engine/spot/collar.ts';
import type { EngineState } from '#engine/state/state.ts';
import { lotsOf, most, whole } from './chance.ts';
import type { FuzzWorld } from './fuzz-world.ts';

const kinds = lotsOf<OrderKind>([
  [11, 'limit'],
  [2, 'postOnly'],
  [3, 'immediateOrCancel'],
  [3, 'fillOrKill'],
  [5, 'market'],
]);
/** Where prices stand: around the middle, at the best of a side, at a bound of prices or amounts. */
const prices = lotsOf([
  [8, 'home'],
  [4, 'opposing'],
  [2, 'own'],
  [1, 'collar'],
  [1, 'share'],
  [0.3, 'mostAmount'],
  [0.3, 'allMoney'],
  [0.3, 'corner'],
  [0.5, 'deeper'],
] as const);
/** What quantities are: few lots, what others offer, what one owns, bounds. */
const quantities = lotsOf([
  [6, 'few'],
  [3, 'levels'],
  [2, 'firstMaker'],
  [3, 'allMoney'],
  [1, 'someMoney'],
  [0.5, 'mostAmount'],
  [0.5, 'mostBase'],
  [0.5, 'mostNotional'],
  [0.5, 'minLots'],
  [0.5, 'minNotional'],
  [0.3, 'corner'],
  [0.5, 'anySize'],
] as const);
/** What quote amounts are: what levels cost, exactly or a hair less than one lot more, what one owns, bounds. */
const budgets = lotsOf([
  [4, 'levels'],
  [3, 'levelsAndAHair'],
  [2, 'levelsAndSome'],
  [2, 'firstMaker'],
  [2, 'few'],
  [2, 'allMoney'],
  [1, 'someMoney'],
  [0.5, 'minNotional'],
  [0.5, 'mostNotional'],
  [0.5, 'corner'],
  [0.5, 'anySize'],
] as const);
/** Texts that are no client id. */
const unfitIds = ['', ' ', 'a b', 'ü', '\ud800', 'x'.repeat(33), 'y'.repeat(200)].map((text) => ClientOrderId.of(text));
/** Few, so that they are used again and again. */
const ids = Array.from({ length: 14 }, (_, index) => ClientOrderId.of(`id_${index}`));

/** What an order meets. */
interface Scene {
  readonly state: EngineState;
  readonly book: Book;
  readonly side: SideCode;
  readonly account: number;
  readonly home: number;
}

/** Makes orders whose numbers stand where something turns: at what a book holds, at what somebody owns, at bounds. */
export class OrderMaker {
  readonly #world: FuzzWorld;

  constructor(world: FuzzWorld) {
    this.#world = world;
  }

  /** An order of an account on a symbol, which may not exist. */
  order(state: EngineState, account: number, symbol: number): OrderRequest {
    const { chance, homes } = this.#world;
    const side: Side = chance.pick(sides);
    const book = state.books[symbol];
    const kind = chance.draw(kinds);
    const head = {
      symbol: as<OrderRequest['symbol']>(symbol),
      side,
      kind,
      clientOrderId: this.#clientId(),
      stpMode: chance.in(0.45) ? ('none' as const) : chance.pick(stpModes),
    };
    if (book === undefined) return { ...head, price: as(chance.corner()), quantity: as(1), budget: null };
    const scene: Scene = { state, book, side: codeOfSide(side), account, home: homes[symbol] ?? 1 };
    if (chance.in(0.004)) return { ...head, ...this.#anyTerms() };
    if (kind === 'market') {
      const byBudget = chance.in(0.5);
      return {
        ...head,
        price: null,
        quantity: byBudget ? null : as(this.#quantity(scene, this.#reference(scene))),
        budget: byBudget ? as(this.#budget(scene)) : null,
      };
    }
    const price = this.#price(scene);
    return { ...head, price: as(price), quantity: as(this.#quantity(scene, price)), budget: null };
  }

  /** An id that is used again and again, none, or a text that is none. */
  #clientId(): ClientOrderId | null {
    const { chance } = this.#world;
    if (chance.in(0.6)) return null;
    if (chance.in(0.01)) return chance.pick(unfitIds);
    return chance.pick(ids);
  }

  /** Terms that no kind of order has. */
  #anyTerms(): Pick<OrderRequest, 'price' | 'quantity' | 'budget'> {
    const { chance } = this.#world;
    return {
      price: chance.in(0.5) ? null : as(chance.in(0.3) ? chance.pick([-1, 2 ** 53, 0.5]) : chance.corner()),
      quantity: chance.in(0.5) ? null : as(chance.corner()),
      budget: chance.in(0.5) ? null : as(chance.corner()),
    };
  }

  /** Price at which an order without one is reckoned. */
  #reference({ book, side, home }: Scene): number {
    const opposing = opposite(side);
    return book.best(opposing) >= 0 ? book.bestPrice(opposing) : book.lastPrice || home;
  }

  #price(scene: Scene): number {
    return Math.max(1, whole(this.#anyPrice(scene)));
  }

  #anyPrice(scene: Scene): number {
    const { chance } = this.#world;
    const { book, side, home, state } = scene;
    const opposing = opposite(side);
    switch (chance.draw(prices)) {
      case 'home': {
        const away = chance.below(4) - 1;
        return side === buySide ? home - away : home + away;
      }
      case 'opposing':
        return book.best(opposing) < 0 ? home : chance.near(book.bestPrice(opposing));
      case 'own':
        return book.best(side) < 0 ? home : chance.near(book.bestPrice(side));
      case 'collar':
        return chance.near(collarPrice(book, side) || home);
      case 'share':
        return chance.near(home * chance.pick([0.5, 0.8, 1.2, 2]));
      case 'mostAmount':
        return chance.near(most / book.quotePerTickLot / chance.pick([1, 1, 2, 3, 10]));
      case 'allMoney':
        return chance.near(this.#free(scene) / book.quotePerTickLot);
      case 'corner':
        return chance.corner();
      case 'deeper':
        return levelAt(state, book, opposing, chance.below(4))?.price ?? home;
    }
  }

  #quantity(scene: Scene, price: number): number {
    const { chance } = this.#world;
    const unit = Math.max(1, price * scene.book.quotePerTickLot);
    const fitting = this.#fitting(scene, this.#anyQuantity(scene, unit), unit);
    return chance.in(0.6) ? whole(fitting) : chance.near(fitting);
  }

  /** `unit`: what a lot costs. */
  #anyQuantity(scene: Scene, unit: number): number {
    const { chance } = this.#world;
    const { book, side, state } = scene;
    const opposing = opposite(side);
    switch (chance.draw(quantities)) {
      case 'few':
        return 1 + chance.below(12);
      case 'levels':
        return lotsIn(state, book, opposing, 1 + chance.below(3));
      case 'firstMaker':
        return firstOpen(state, book, opposing);
      case 'allMoney':
        return this.#affordable(scene, unit);
      case 'someMoney':
        return this.#affordable(scene, unit) / chance.pick([2, 3, 7]);
      case 'mostAmount':
        return most / unit;
      case 'mostBase':
        return most / book.basePerLot;
      case 'mostNotional':
        return book.maxNotional(false) / unit;
      case 'minLots':
        return book.minLots;
      case 'minNotional':
        return book.minNotional(false) / unit;
      case 'corner':
        return chance.corner();
      case 'anySize':
        return chance.anySize(most / book.basePerLot);
    }
  }

  /** Most orders that would be refused for their size get another one. */
  #fitting({ book }: Scene, lots: number, unit: number): number {
    const { chance } = this.#world;
    if (chance.in(0.1)) return lots;
    const atMost = Math.min(book.maxNotional(false) / unit, most / book.basePerLot);
    const atLeast = Math.max(1, book.minLots, book.minNotional(false) / unit);
    if (lots < atLeast) return atLeast + chance.below(12);
    return lots > atMost ? atMost / chance.pick([1, 1, 2, 10]) : lots;
  }

  #budget(scene: Scene): number {
    const { chance } = this.#world;
    const budget = this.#anyBudget(scene);
    return Math.max(chance.in(0.95) ? 1 : 0, chance.in(0.5) ? whole(budget) : chance.near(budget));
  }

  #anyBudget(scene: Scene): number {
    const { chance } = this.#world;
    const { book, side, state, home } = scene;
    const opposing = opposite(side);
    const deep = 1 + chance.below(3);
    const next = (): number => (levelAt(state, book, opposing, deep)?.price ?? home) * book.quotePerTickLot;
    switch (chance.draw(budgets)) {
      case 'levels':
        return costOf(state, book, opposing, deep);
      case 'levelsAndAHair':
        return costOf(state, book, opposing, deep) + next() - 1;
      case 'levelsAndSome':
        return costOf(state, book, opposing, deep) + chance.below(next() + 1);
      case 'firstMaker':
        return firstOpen(state, book, opposing) * this.#reference(scene) * book.quotePerTickLot;
      case 'few':
        return (1 + chance.below(12)) * this.#reference(scene) * book.quotePerTickLot;
      case 'allMoney':
        return this.#free(scene);
      case 'someMoney':
        return this.#free(scene) / chance.pick([2, 3]);
      case 'minNotional':
        return book.minNotional(true);
      case 'mostNotional':
        return book.maxNotional(true);
      case 'corner':
        return chance.corner();
      case 'anySize':
        return chance.anySize(most);
    }
  }

  /** Lots for which the account has the money, of a contract with some leverage; `unit`: what a lot costs. */
  #affordable(scene: Scene, unit: number): number {
    if (scene.book.isContract) return (this.#free(scene) * this.#world.chance.pick([1, 10, 20])) / unit;
    return this.#free(scene) / (scene.side === buySide ? unit : scene.book.basePerLot);
  }

  /** What the account may give now. */
  #free({ state, book, side, account }: Scene): number {
    const { balances } = state.ledger;
    const payer = book.isContract ? futuresWalletOf(as(account)) : as<AccountId>(account);
    const row = balances.find(payer, side === buySide || book.isContract ? book.quote : book.base);
    return row < 0 ? 0 : balances.free.near(row);
  }
}

/** The level that stands this deep in a side, from 0. */
function levelAt(state: EngineState, book: Book, side: SideCode, deep: number): { price: number; lots: number } | null {
  let left = deep;
  let found: { price: number; lots: number } | null = null;
  book.side(side).every((level) => {
    if (left === 0) found = { price: state.tables.levels.price(level), lots: state.tables.levels.lots(level) };
    left -= 1;
    return left >= 0;
  });
  return found;
}

function lotsIn(state: EngineState, book: Book, side: SideCode, deep: number): number {
  let sum = 0;
  for (let at = 0; at < deep; at += 1) sum += levelAt(state, book, side, at)?.lots ?? 0;
  return sum;
}

function costOf(state: EngineState, book: Book, side: SideCode, deep: number): number {
  let sum = 0;
  for (let at = 0; at < deep; at += 1) {
    const level = levelAt(state, book, side, at);
    if (level !== null) sum += level.lots * level.price * book.quotePerTickLot;
  }
  return sum;
}

function firstOpen(state: EngineState, book: Book, side: SideCode): number {
  const level = book.best(side);
  if (level < 0) return 1;
  const slot = state.tables.levels.queues.first(level);
  return state.tables.orders.remaining(slot);
}
