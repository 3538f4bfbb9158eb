import type { Command } from '#model/command.ts';
import type { SymbolListing, SymbolRules } from '#model/symbol.ts';
import { as } from '#model/units.ts';
import type { EngineState } from '#engine/state/state.ts';
import { lotsOf } from './chance.ts';
import { asset, type FuzzWorld } from './fuzz-world.ts';

const makes = lotsOf([
  [2, 'needed'],
  [3, 'list'],
  [1, 'again'],
] as const);
const names = 12;

/** Pairs that are listed to be delisted, and the ones that are needed, which are not. */
export class DelistingMaker {
  readonly #world: FuzzWorld;
  readonly #now: (commands: readonly Command[]) => void;

  /** `now`: puts commands before all others. */
  constructor(world: FuzzWorld, now: (commands: readonly Command[]) => void) {
    this.#world = world;
    this.#now = now;
  }

  make(state: EngineState): Command {
    const { chance } = this.#world;
    switch (chance.draw(makes)) {
      case 'needed':
        return this.#needed(state);
      case 'list':
        return this.#list(state);
      case 'again':
        return { kind: 'configureSymbol', symbol: this.#listing() };
    }
  }

  /** One of the pairs that are traded, at a time at which it is refused; a contract; or nothing at all. */
  #needed(state: EngineState): Command {
    const { chance, listings } = this.#world;
    const symbol = chance.in(0.1) ? chance.pick([listings.length, 70_000, -1]) : chance.below(listings.length);
    const isClosed = state.books[symbol]?.rules.status === 'offline';
    return isClosed ? { kind: 'advanceClock' } : { kind: 'delistSymbol', symbol: as(symbol) };
  }

  /** A pair of its own, mostly offline; what was listed so before is delisted, now and then from an image. */
  #list(state: EngineState): Command {
    const { chance } = this.#world;
    const isOwn = ({ name, status }: SymbolRules): boolean => /^D\d+$/.test(name) && status === 'offline';
    const own = state.symbols.all().find(isOwn);
    if (own !== undefined) this.#now([{ kind: 'delistSymbol', symbol: own.id }]);
    return { kind: 'configureSymbol', symbol: { ...this.#listing(), status: chance.in(0.8) ? 'offline' : 'paused' } };
  }

  #listing(): SymbolListing {
    const { chance, listings } = this.#world;
    const [base, quote] = [asset.token, asset.quote, asset.base, asset.other].filter(() => chance.in(0.5));
    return {
      ...(listings[0] as SymbolListing),
      name: `D${chance.below(names)}`,
      base: as(base ?? asset.token),
      quote: as(quote ?? asset.base),
      priceDecimals: 0,
      quantityDecimals: 0,
      minNotional: as(1),
      minNotionalMarket: as(1),
      maxNotional: as(1000),
      maxNotionalMarket: as(1000),
    };
  }
}
