import type { AssetListing } from '#model/asset.ts';
import type { Command } from '#model/command.ts';
import type { SymbolListing, SymbolRules } from '#model/symbol.ts';
import { as } from '#model/units.ts';
import type { AssetNetwork } from '#model/wallet.ts';
import type { EngineState } from '#engine/state/state.ts';
import { lotsOf } from './chance.ts';
import { asset, type FuzzWorld } from './fuzz-world.ts';

const makes = lotsOf([
  [2, 'needed'],
  [3, 'list'],
  [1, 'again'],
  [2, 'neededAsset'],
  [2, 'spareAssets'],
] as const);
const names = 12;
const spareCodes = ['Y0', 'Y1'] as const;

/** Pairs and assets that are listed to be delisted, and those that are needed, which are not. */
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
      case 'neededAsset':
        return { kind: 'delistAsset', asset: as(chance.in(0.1) ? chance.pick([4, 70_000, -1]) : chance.below(4)) };
      case 'spareAssets':
        return this.#spareAssets(state);
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

  /** Two assets of a network: the coin that pays its fees goes last, and they are listed again later. */
  #spareAssets(state: EngineState): Command {
    const { chance } = this.#world;
    const listed = spareCodes.map((code, at): Command => {
      const cap = as<AssetListing['cap']>(1000n);
      const coinId = String(at).repeat(32);
      return { kind: 'configureAsset', asset: { code, fullName: 'spare', scale: 2, cap, coinId } };
    });
    const ids = spareCodes.flatMap((code) => state.assets.find(code)?.id ?? []);
    const onNetwork = ids.map((asset, at): Command => {
      return { kind: 'configureAssetNetwork', network: { ...spareNetwork, asset, contract: at === 0 ? null : '0xy' } };
    });
    const delisted = [0, 1, 0, 0].flatMap((at): Command[] => {
      const asset = ids[at];
      return asset === undefined || chance.in(0.2) ? [] : [{ kind: 'delistAsset', asset }];
    });
    this.#now([...listed, ...onNetwork, ...delisted]);
    return { kind: 'advanceClock' };
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

/** Terms on a network of their own. */
const spareNetwork: Omit<AssetNetwork, 'asset' | 'contract'> = {
  network: 'YNET',
  label: 'of spare assets',
  scale: 2,
  depositEnabled: true,
  withdrawEnabled: true,
  minConfirm: 1,
  depositMin: as(1n),
  withdrawFee: as(1n),
  withdrawMin: as(2n),
  withdrawMax: as(1000n),
  withdrawStep: as(1n),
  sharesAddress: false,
  depositDesc: null,
  depositTips: null,
  withdrawTips: null,
};
