import { futuresWalletOf, house, innerHouse } from '#model/account.ts';
import type { Entry } from '#model/command.ts';
import type { Event } from '#model/event-record.ts';
import { createEventRecorder } from '#model/event-record.ts';
import { as } from '#model/units.ts';
import type { StateMachine } from '#engine/create-engine.ts';
import { createEngine } from '#engine/create-engine.ts';
import { balancesOf, houseBalance, openOrdersOf } from '#engine/queries/engine-queries.ts';
import { viewOfPosition } from '#engine/futures/position-margin.ts';
import { NaiveContractExchange, type ToldPrices } from './naive-contract-exchange.ts';
import { takenLine } from './naive-listing.ts';
import { brokenInvariants, freeOf } from './naive-contracts.ts';
import { canonicalText } from '#base/checksum.ts';

/** An event of the engine in the words of the model; none where the model has none. */
function linesOf(event: Event): string[] {
  switch (event.kind) {
    case 'orderAccepted': {
      const { order, account, symbol, side, quantity, price } = event.order;
      return [`accepted ${order} of ${account} on ${symbol}: ${side} ${quantity} at ${price}`];
    }
    case 'orderRefused':
      return [`order of ${event.account} refused ${event.reason}`];
    case 'commandRefused':
      return [`refused ${event.reason}`];
    case 'cancelRefused':
      return [`cancel of ${event.account} refused`];
    case 'orderClosed':
      return [`closed ${event.order.order} ${event.order.closeReason}`];
    case 'tradeExecuted': {
      const { symbol, taker, maker, takerSide, lots, price, quoteAmount, takerFee, makerFee } = event.trade;
      return [
        `trade ${symbol}: ${taker} ${takerSide}s ${lots} of ${maker} for ${price}, ${quoteAmount}`,
        `fees of ${taker} ${takerFee}, of ${maker} ${makerFee}`,
      ];
    }
    case 'positionTaken': {
      const { reason, price, ...taken } = event.takeover;
      return [takenLine(reason, { ...taken, ticks: price })];
    }
    case 'fundingSettled': {
      const { contract, paid, received } = event.funding;
      return [`funding of ${contract}: ${paid} paid, ${received} received`];
    }
    case 'markUpdated': {
      const { contract, openInterest, fund } = event.mark;
      return [`mark of ${contract}: ${openInterest} open, ${fund} in the fund`];
    }
    case 'fundSnapshot':
      return [`snapshot of ${event.contract}: ${event.available} at ${event.at}`];
    default:
      return [];
  }
}

/** Prices and due fundings, which the model takes from the engine. */
function toldBy(events: readonly Event[]): ToldPrices {
  const fair = new Map<number, bigint>();
  const fundings = new Map<number, bigint>();
  for (const event of events) {
    if (event.kind === 'markUpdated') fair.set(event.mark.contract, BigInt(event.mark.fair));
    if (event.kind === 'fundingSettled') fundings.set(event.funding.contract, BigInt(event.funding.rate));
  }
  return { fair, fundings };
}

/** The first word of each line, in the order of its first line: kinds are compared one by one. */
const kindOf = (line: string): string => line.slice(0, line.indexOf(' '));

/** The engine and the model of contracts, fed with the same entries. Throws at the first difference. */
export class ContractsSideBySide {
  engine: StateMachine = createEngine();
  readonly model: NaiveContractExchange;
  readonly #recent: Entry[] = [];
  readonly #recorder = createEventRecorder();
  readonly #settle: number;

  constructor(settle: number, settleScale: number) {
    this.#settle = settle;
    this.model = new NaiveContractExchange(settleScale);
  }

  /** Applies an entry to both, compares what it did and all money, and answers all events of the engine. */
  apply(entry: Entry): readonly Event[] {
    this.#recent.push(entry);
    if (this.#recent.length > 6) this.#recent.shift();
    this.#recorder.events = [];
    this.engine.apply(entry, this.#recorder);
    const { events } = this.#recorder;
    const got = events.flatMap(linesOf);
    const expected = this.model.apply(entry.at, entry.command, toldBy(events));
    for (const kind of new Set([...got, ...expected].map(kindOf))) {
      const [ours, theirs] = [got, expected].map((lines) => {
        const own = lines.filter((line) => kindOf(line) === kind);
        // The model does not tell in which order a liquidation cancels.
        return kind === 'closed' && entry.command.kind === 'updateIndices' ? own.sort() : own;
      });
      if (canonicalText(ours) !== canonicalText(theirs)) this.#expect('what happened', got, expected);
    }
    return events;
  }

  /** Holds all balances, orders and positions against each other. */
  compareStates(): void {
    const { model } = this;
    const { contracts } = this.engine.state;
    this.#expect('broken invariants of the model', [], brokenInvariants(model.state));
    for (const account of [...model.users, ...[...model.state.terms.values()].map(({ fund }) => fund)])
      this.#compareAccount(account);
    const { clearing, fees, rounding } = model.state;
    const balance = (account: number): bigint => houseBalance(this.engine.state, as(account), as(this.#settle));
    this.#expect('clearing', balance(innerHouse.clearing), clearing);
    this.#expect('fees', balance(house.fees), fees);
    this.#expect('rounding', balance(house.rounding), rounding);
    for (const [id, market] of model.markets)
      this.#expect(`state of contract ${id}`, contracts.get(as(id))?.rules.state, market.state);
  }

  #compareAccount(account: number): void {
    const { model } = this;
    const { state } = this.engine;
    const wallet = balancesOf(state, futuresWalletOf(as(account))).find(({ asset }) => asset === this.#settle);
    const own = model.state.orders.filter((order) => order.account === account);
    const positions = model.state.positions.filter((position) => position.account === account);
    const held = [...own.map((order) => order.held), ...positions.map(({ margin }) => margin)];
    const total = held.reduce((one, other) => one + other, 0n);
    const orders = [...model.resting].filter((order) => order.account === account).sort((a, b) => a.id - b.id);
    this.#expect(
      `positions of ${account}`,
      state.positions.of(as(account)).map((position) => {
        const { contract, lots, cost, margin, realised, mode, leverage } = viewOfPosition(state, position);
        return { contract, lots: BigInt(lots), cost, margin, realised, mode, leverage: BigInt(leverage) };
      }),
      [...positions]
        .sort((one, other) => one.contract - other.contract)
        .map(({ contract, lots, cost, margin, realised, mode, leverage }) => {
          return { contract, lots, cost, margin, realised, mode, leverage };
        }),
    );
    this.#expect(
      `orders of ${account}`,
      openOrdersOf(state, as(account), null).map(({ order, symbol, side, price, quantity, executed }) => {
        return { order, symbol, side, price: BigInt(price), left: BigInt(quantity - executed) };
      }),
      orders.map(({ id, contract, side, price, lots }) => ({ order: id, symbol: contract, side, price, left: lots })),
    );
    this.#expect(`free of ${account}`, wallet?.free ?? 0n, freeOf(model.state, account));
    this.#expect(`held of ${account}`, wallet?.held ?? 0n, total);
  }

  #expect(what: string, got: unknown, expected: unknown): void {
    if (canonicalText(got) === canonicalText(expected)) return;
    const entries = this.#recent.map((entry) => `  ${canonicalText(entry)}`).join('\n');
    const list = (value: unknown): string =>
      Array.isArray(value) ? value.map((item) => `\n    ${canonicalText(item)}`).join('') : canonicalText(value);
    throw new Error(`${what} differs after\n${entries}\n  engine:${list(got)}\n  model:${list(expected)}`);
  }
}
