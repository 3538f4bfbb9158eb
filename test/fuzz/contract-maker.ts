import { futuresWalletOf } from '#model/account.ts';
import type { Command } from '#model/command.ts';
import type { ContractRules } from '#model/contract.ts';
import { contractStates, markDecimals, marginModes } from '#model/contract.ts';
import type { OrderRequest } from '#model/order.ts';
import type { AccountId, Balance, Lots, PriceTicks, SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { EngineState } from '#engine/state/state.ts';
import { freeOf } from '#engine/money/free-balance.ts';
import { lotsOf, most, whole } from './chance.ts';
import { anyContractRates, anyTiers } from './contract-world.ts';
import { anyAccount, asset, type FuzzWorld } from './fuzz-world.ts';
import type { OrderMaker } from './order-maker.ts';

const makes = lotsOf([
  [34, 'order'],
  [6, 'reduce'],
  [14, 'indices'],
  [5, 'leverage'],
  [8, 'money'],
  [2, 'insurance'],
  [2, 'configure'],
  [1.5, 'state'],
] as const);
/** Moves of an index in parts per thousand. */
const moves = [0, 0, 0, 1, -1, 3, -3, 10, -10, -50, 50, -300, 300] as const;
const leverages = [1, 2, 5, 10, 20, 20, 50, 100, 125, 0, -1, 0.5, 1001];

/** Contracts: orders, prices, money and what operators do to them. */
export class ContractMaker {
  readonly #world: FuzzWorld;
  readonly #orders: OrderMaker;
  readonly #soon: (command: Command) => void;

  /** `soon`: puts a command behind some dozens of others. */
  constructor(world: FuzzWorld, orders: OrderMaker, soon: (command: Command) => void) {
    this.#world = world;
    this.#orders = orders;
    this.#soon = soon;
  }

  make(state: EngineState): Command {
    const { chance } = this.#world;
    const stopped = state.contracts.all().find(({ rules }) => rules.state === 'paused');
    if (stopped !== undefined && chance.in(0.2))
      return { kind: 'setContractState', contract: stopped.rules.id, state: 'enabled' };
    switch (chance.draw(makes)) {
      case 'order':
        return this.#order(state);
      case 'reduce':
        return this.#reduce(state);
      case 'indices':
        return this.#indices(state);
      case 'leverage':
        return this.#leverage();
      case 'money':
        return this.#money(state);
      case 'insurance':
        return { kind: 'fundInsurance', contract: this.#contract(), amount: this.#amount(state) };
      case 'configure':
        return this.#configure(state);
      case 'state':
        return this.#state();
    }
  }

  /** A listed one; now and then a pair, or none at all. */
  #contract(): SymbolId {
    const { chance, listings, contracts } = this.#world;
    if (chance.in(0.02)) return as(chance.pick([0, listings.length + contracts.length, 70_000, 2 ** 32]));
    return as(listings.length + chance.below(contracts.length));
  }

  /** Who trades; hardly ever an insurance fund. */
  #account(state: EngineState): AccountId {
    const { chance } = this.#world;
    const fund = state.contracts.all()[0]?.insurer;
    return fund !== undefined && chance.in(0.01) ? fund : as<AccountId>(anyAccount(chance));
  }

  #order(state: EngineState): Command {
    const { chance } = this.#world;
    const account = this.#account(state);
    const contract = this.#contract();
    const order = this.#orders.order(state, account, contract);
    if (order.price === null || chance.in(0.4)) return { kind: 'placeOrder', account, order };
    return { kind: 'placeOrder', account, order: this.#plain(order) };
  }

  /** A few lots at the price of now, so that positions come about. */
  #plain(order: OrderRequest): OrderRequest {
    const { chance, homes } = this.#world;
    const home = homes[order.symbol] ?? 1;
    const price = as<PriceTicks>(chance.in(0.5) ? home : Math.max(1, chance.near(home)));
    const kind = chance.in(0.8) ? 'limit' : 'immediateOrCancel';
    return { ...order, kind, price, quantity: as<Lots>(1 + chance.below(chance.pick([2, 4, 12]))), stpMode: 'none' };
  }

  /** Mostly the other side of a position, of a kind that may reduce. */
  #reduce(state: EngineState): Command {
    const { chance } = this.#world;
    const contract = this.#contract();
    const open = [...state.positions.in(contract)].filter(({ account }) => !state.contracts.isInsurer(account));
    const position = open.length === 0 || chance.in(0.1) ? null : chance.pick(open);
    const account = position?.account ?? this.#account(state);
    const order = this.#orders.order(state, account, contract);
    if (position === null || chance.in(0.05)) return { kind: 'reducePosition', account, order };
    const side = position.lots > 0 ? 'sell' : 'buy';
    const quantity = chance.in(0.5) ? order.quantity : as<never>(chance.near(Math.abs(position.lots)) as never);
    const kind = order.kind === 'market' ? 'market' : 'immediateOrCancel';
    return { kind: 'reducePosition', account, order: { ...order, side, kind, quantity } };
  }

  /** Prices of all contracts, of which some move, and some are missing. */
  #indices(state: EngineState): Command {
    const { chance, homes } = this.#world;
    const prices = state.contracts.all().map(({ rules }) => {
      const home = homes[rules.id] ?? 1;
      if (chance.in(0.4)) homes[rules.id] = Math.max(1, whole(home * (1 + chance.pick(moves) / 1000)));
      const price = whole((homes[rules.id] as number) * 10 ** (markDecimals - rules.priceDecimals));
      const told = chance.in(0.01) ? chance.corner() : chance.in(0.5) ? price : chance.near(price);
      return { contract: rules.id, price: chance.in(0.04) ? null : told };
    });
    if (chance.in(0.01)) prices.push({ contract: this.#contract(), price: 1 });
    return { kind: 'updateIndices', prices: chance.in(0.97) ? prices : prices.slice(1) };
  }

  #leverage(): Command {
    const { chance } = this.#world;
    const account = as<AccountId>(anyAccount(chance));
    const leverage = chance.pick(leverages);
    return { kind: 'setLeverage', account, contract: this.#contract(), mode: chance.pick(marginModes), leverage };
  }

  /** Between the wallets of an account, in the coin that contracts are settled in; mostly to that of futures. */
  #money(state: EngineState): Command {
    const { chance } = this.#world;
    const account = as<AccountId>(anyAccount(chance));
    const id = as<ContractRules['settle']>(asset.quote);
    const isUser = state.accounts.isUser(account);
    const [from, to] = chance.in(0.75) ? (['spot', 'futures'] as const) : (['futures', 'spot'] as const);
    const free = isUser ? freeOf(state, from === 'spot' ? account : futuresWalletOf(account), id) : 0n;
    const some = free / BigInt(chance.pick([1, 2, 3, 10, 100]));
    const amount = as<Balance>(some > 0n ? some : 1n);
    return { kind: 'transferFunds', account, from, to, asset: id, amount, clientTranId: null };
  }

  #amount(state: EngineState): Balance {
    const { chance } = this.#world;
    const cap = state.assets.get(as(asset.quote))?.cap ?? 1n;
    const odd = chance.pick([0n, -1n, cap, cap + 1n]);
    return as<Balance>(chance.in(0.1) ? odd : BigInt(chance.anySize(most)));
  }

  /** The same contract under other rates or tiers; now and then under terms that are refused. */
  #configure(state: EngineState): Command {
    const { chance } = this.#world;
    const contract = chance.pick(this.#world.contracts);
    const tiers = chance.in(0.3) ? { tiers: anyTiers(chance) } : {};
    const refused = chance.in(0.1) && {
      takerFeePpm: chance.pick([-1, 1_000_001]),
      priceDecimals: chance.below(14),
      fundingHours: chance.pick([0, 5, 8, 25]),
    };
    const listed = state.contracts.find(contract.name)?.rules ?? contract;
    const { id: _id, createdAt: _createdAt, ...terms } = { id: 0, createdAt: 0, ...listed };
    return { kind: 'configureContract', contract: { ...terms, ...anyContractRates(chance), ...tiers, ...refused } };
  }

  /** Mostly a pause, which ends soon; hardly ever an end. */
  #state(): Command {
    const { chance } = this.#world;
    const contract = this.#contract();
    if (chance.in(0.1)) return { kind: 'setContractState', contract, state: chance.pick(contractStates) };
    this.#soon({ kind: 'setContractState', contract, state: 'enabled' });
    return { kind: 'setContractState', contract, state: 'paused' };
  }
}
