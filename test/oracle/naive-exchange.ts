import { houseAccountCount, innerHouse } from '#model/account.ts';
import type { Command, Entry } from '#model/command.ts';
import type { Event } from '#model/event-record.ts';
import { engineLimits } from '#model/limits.ts';
import type { OrderRef, OrderRequest, OrderView } from '#model/order.ts';
import { referCodeOf } from '#model/refer-code.ts';
import { as } from '#model/units.ts';
import { newOrder } from './naive-collar.ts';
import { amountOfFills } from './naive-funds.ts';
import { closeResting, runOrder } from './naive-matching.ts';
import { lookAtPrices, lookAtToken } from './naive-prices.ts';
import { naiveRefusal } from './naive-refusal.ts';
import { reject, settle } from './naive-rebates.ts';
import { post } from './naive-settlement.ts';
import type { NaiveAccount, NaiveOrder, NaiveSymbol } from './naive-state.ts';
import { goesByBudget, isTradeOff, mayRest, mayTrade, NaiveState, viewOf } from './naive-state.ts';

/**
 * A deliberately naive exchange: the same entries in, the same readable events out as the engine, in its own words and
 * without any of its cleverness. Configuration and account commands are taken at their word; facts are not reported.
 */
export class NaiveExchange {
  readonly state = new NaiveState();

  constructor() {
    for (let id = 0; id < houseAccountCount; id += 1)
      this.#open({ master: null, simulated: false, isBroker: false, code: null });
  }

  /** Applies an entry and answers the events of trading, in order. */
  apply(entry: Entry): Event[] {
    const { state } = this;
    state.at = entry.at;
    state.events = [];
    lookAtPrices(state);
    state.orders = state.orders.filter((order) => this.#isKept(order));
    this.#run(entry.command);
    return state.events;
  }

  /** Open orders of an account, oldest first. */
  openOrders(account: number): OrderView[] {
    return this.state.openOrdersOf(account).map(viewOf);
  }

  /** Price and lots of each level, best first. */
  levels(symbol: number, side: 'buy' | 'sell'): [number, number][] {
    const book = this.state.symbols[symbol];
    const levels: [number, number][] = [];
    for (const order of (side === 'buy' ? book?.bids : book?.asks) ?? []) {
      const open = (order.request.quantity as number) - order.executed;
      const last = levels.at(-1);
      if (last?.[0] === order.price) last[1] += open;
      else levels.push([order.price, open]);
    }
    return levels;
  }

  /** A closed order stays as long as its client id is kept. DEC-REQ-26. */
  #isKept(order: NaiveOrder): boolean {
    if (order.closeReason === null) return true;
    if (order.request.clientOrderId === null) return false;
    return this.state.at - order.updatedAt <= engineLimits.clientOrderIdKeptMs;
  }

  #open(opened: NaiveOpening): void {
    const { accounts, codes } = this.state;
    const { master, simulated, isBroker, code } = opened;
    const id = accounts.length;
    const isOfBroker = master !== null && (accounts[master] as NaiveAccount).isBroker;
    accounts.push({
      id,
      master: master ?? id,
      simulated,
      isBroker,
      isOfBroker,
      inviter: code === null ? (isOfBroker ? master : null) : (codes.get(code) as number),
      code: code ?? '',
      status: 'normal',
      feeDeduction: false,
      makerFeePpm: null,
      takerFeePpm: null,
      openOrdersMax: engineLimits.openOrdersPerAccount,
      isTradeOn: true,
    });
    if (master === null) codes.set(referCodeOf(as(id)), id);
  }

  #run(command: Command): void {
    switch (command.kind) {
      case 'placeOrder':
        this.#place(command.account, command.order);
        return;
      case 'placeOrders':
        for (const order of command.orders) this.#place(command.account, order);
        return;
      case 'requote':
        for (const order of command.cancel) this.#cancel(command.account, command.symbol, { order }, true);
        for (const order of command.place) this.#place(command.account, order);
        return;
      case 'cancelOrder':
        this.#cancel(command.account, command.symbol, command.ref, false);
        return;
      case 'cancelOrders':
        for (const order of this.state.openOrdersOf(command.account)) {
          if (command.symbols.includes(order.request.symbol)) closeResting(this.state, order, 'byUser');
        }
        return;
      default:
        this.#configure(command);
    }
  }

  #place(account: number, request: OrderRequest): void {
    const { state } = this;
    const first = state.orders.find(
      (order) =>
        order.account === account &&
        request.clientOrderId !== null &&
        order.request.clientOrderId?.text === request.clientOrderId.text,
    );
    if (first !== undefined && asksTheSame(first.request, request)) {
      state.events.push({ kind: 'orderRepeated', order: viewOf(first) });
      return;
    }
    const reason = naiveRefusal(state, account, request, first !== undefined);
    if (reason !== null) {
      const clientOrderId = request.clientOrderId?.text ?? null;
      state.events.push({ kind: 'orderRefused', account: as(account), symbol: request.symbol, reason, clientOrderId });
      return;
    }
    const order = newOrder(state, account, request);
    if (!mayRest(request)) order.toCome = amountOfFills(state, account, request);
    state.lastOrder = order.number;
    state.orders.push(order);
    runOrder(state, order);
  }

  #cancel(account: number, symbol: number, ref: OrderRef, mayBeGone: boolean): void {
    const found = this.state.openOrdersOf(account).find((order) => {
      if (order.request.symbol !== symbol) return false;
      return 'order' in ref ? order.number === ref.order : order.request.clientOrderId?.text === ref.clientOrderId;
    });
    if (found !== undefined) closeResting(this.state, found, 'byUser');
    else if (!mayBeGone) {
      this.state.events.push({
        kind: 'cancelRefused',
        account: as(account),
        symbol: as(symbol),
        reason: 'unknownOrder',
      });
    }
  }

  #configure(command: Command): void {
    const { state } = this;
    const account = (id: number): NaiveAccount => state.accounts[id] as NaiveAccount;
    switch (command.kind) {
      case 'configureAsset':
        state.scales.push(command.asset.scale);
        return;
      case 'configureSymbol':
        this.#list(command.symbol);
        return;
      case 'setTrading':
        state.isOpen = command.state === 'open';
        return;
      case 'configureFeeToken':
        state.feeToken = { token: command.token, valuedIn: command.valuedIn, discountPpm: command.discountPpm };
        lookAtToken(state);
        return;
      case 'setReferencePrice': {
        const { asset, digits, decimals, validMs } = command;
        state.references.set(asset, { digits, decimals, until: state.at + validMs });
        lookAtToken(state);
        return;
      }
      case 'removeReferencePrice':
        if (state.references.delete(command.asset)) lookAtToken(state);
        return;
      case 'openAccount':
      case 'registerAccount':
      case 'openSubAccount':
        this.#open(openingOf(command));
        return;
      case 'setAccountStatus':
        account(command.account).status = command.status;
        if (command.status !== 'normal') this.#cancelStopped(command.account);
        return;
      case 'setAccountSwitches':
        account(command.account).isTradeOn = command.switches.trade;
        if (command.cancelOrders) this.#cancelStopped(command.account);
        return;
      case 'setTradingRules': {
        const { makerFeePpm, takerFeePpm, openOrdersMax } = command;
        Object.assign(account(command.account), { makerFeePpm, takerFeePpm, openOrdersMax });
        return;
      }
      case 'setFeeDeduction':
        account(command.account).feeDeduction = command.enabled;
        return;
      case 'creditFunds': {
        const deposit = { asset: command.asset, why: 'deposit', order: null } as const;
        post(state, { ...deposit, account: innerHouse.grants, free: -command.amount });
        post(state, { ...deposit, account: command.account, free: command.amount });
        return;
      }
      default:
        this.#configureRebates(command);
    }
  }

  /** Cancels orders of whoever may not trade, and of sub-accounts that follow it. DEC-SUB-102, DEC-OPR-167. */
  #cancelStopped(stopped: number): void {
    const { state } = this;
    for (const { id, master } of state.accounts)
      if (id === stopped || (master === stopped && (!mayTrade(state, id) || isTradeOff(state, id))))
        for (const order of state.openOrdersOf(id)) closeResting(state, order, 'byExchange');
  }

  #configureRebates(command: Command): void {
    const { state } = this;
    switch (command.kind) {
      case 'configureWallet':
        state.valuedIn = command.rules.valuedIn;
        return;
      case 'createInviteCode':
        state.codes.set(command.code, command.owner);
        return;
      case 'setRebateRates':
        state.rates.set(`${command.inviter}/${command.product}`, command);
        return;
      case 'settleRebates':
        settle(state, command);
        return;
      case 'rejectRebates':
        reject(state, command);
        return;
      default:
        this.#regroup(command);
    }
  }

  #list(listing: Extract<Command, { kind: 'configureSymbol' }>['symbol']): void {
    const known = this.state.symbols.find((symbol) => symbol.listing.name === listing.name);
    if (known !== undefined) known.listing = listing;
    else {
      const id = this.state.symbols.length;
      this.state.symbols.push({ id, listing, bids: [], asks: [], lastPrice: null, lastTrade: 0, version: 0 });
    }
    if (listing.status === 'offline' && known !== undefined) this.#cancelAllOf(known);
  }

  /** A pair that goes offline keeps no orders: bids are cancelled, then asks, the best first. DEC-OPR-161. */
  #cancelAllOf(symbol: NaiveSymbol): void {
    for (const order of [...symbol.bids, ...symbol.asks]) closeResting(this.state, order, 'byExchange');
  }

  #regroup(command: Command): void {
    const { groups } = this.state;
    const find = (id: number) => groups.find((group) => group.id === id)!;
    // Nothing changes a frozen sub-account. DEC-SUB-103.
    if (command.kind === 'addToStpGroup' || command.kind === 'removeFromStpGroup') {
      const isStopped = (member: number) => member !== command.master && !mayTrade(this.state, member);
      if (command.members.some(isStopped)) return;
    }
    if (command.kind === 'createStpGroup') {
      this.state.lastGroup += 1;
      groups.push({ id: this.state.lastGroup, master: command.master, members: [] });
    } else if (command.kind === 'deleteStpGroup') {
      groups.splice(groups.indexOf(find(command.group)), 1);
    } else if (command.kind === 'addToStpGroup') {
      const group = find(command.group);
      group.members.push(...command.members.filter((member) => !group.members.includes(member)));
    } else if (command.kind === 'removeFromStpGroup') {
      const group = find(command.group);
      group.members = group.members.filter((member) => !command.members.includes(as(member)));
    }
  }
}

/** What the model has to know of an account that is opened. */
interface NaiveOpening {
  readonly master: number | null;
  readonly simulated: boolean;
  readonly isBroker: boolean;
  /** Under which it was invited. */
  readonly code: string | null;
}

function openingOf(
  command: Extract<Command, { kind: 'openAccount' | 'registerAccount' | 'openSubAccount' }>,
): NaiveOpening {
  if (command.kind === 'openSubAccount')
    return { master: command.master, simulated: false, isBroker: false, code: null };
  const { simulated } = command;
  const isBroker = command.class === 'broker';
  if (command.kind === 'openAccount') return { master: command.master, simulated, isBroker, code: null };
  return { master: null, simulated, isBroker, code: command.inviteCode };
}

/** Terms that make a repeated client id the same request. DEC-REQ-26. */
function asksTheSame(first: OrderRequest, again: OrderRequest): boolean {
  const terms = (request: OrderRequest) => {
    const byBudget = goesByBudget(request);
    return [
      request.symbol,
      request.side,
      request.kind,
      request.stpMode,
      request.kind === 'market' ? null : request.price,
      byBudget ? null : request.quantity,
      byBudget ? request.budget : null,
    ];
  };
  const second = terms(again);
  return terms(first).every((term, index) => term === second[index]);
}
