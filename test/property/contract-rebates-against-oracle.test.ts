import { describe, expect, test } from 'vitest';
import { createPrng, type Prng } from '#base/prng.ts';
import type { Command } from '#model/command.ts';
import type { Event } from '#model/event-record.ts';
import type { Trade } from '#model/events.ts';
import { rebateDayMs } from '#model/rebate.ts';
import type { AccountId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { NaiveExchange } from '../oracle/naive-exchange.ts';
import { accrueSide } from '../oracle/naive-rebates.ts';
import { contract, FuturesDesk } from '../scenario/contract-rebate-desk.ts';
import { usd } from '../scenario/rebate-desk.ts';

const steps = 300;
const pick = <Value>(prng: Prng, values: readonly Value[]): Value => values[prng.below(values.length)] as Value;

/** Events of rebates, and what they move. */
const isOfRebates = (event: Event): boolean =>
  ['rebateAccrued', 'rebatesSettled', 'rebatesRejected'].includes(event.kind) ||
  (event.kind === 'posted' && event.why === 'rebate');
/** The same without balances: the model is told of no commissions, which rebates are paid out of. */
const withoutBalances = (events: readonly Event[]): readonly object[] =>
  events.filter(isOfRebates).map((event) => ({ ...event, balance: null }));

/** A desk with contracts and the model beside it, which is told what was traded and what it cost. */
class Beside {
  readonly desk = new FuturesDesk();
  readonly model = new NaiveExchange();
  accruals = 0;
  #fed = 0;

  /** Tells the model of commands that it was not told of yet, other than orders of contracts. */
  feed(): Event[] {
    const events: Event[] = [];
    for (const { at, command } of this.desk.entries.slice(this.#fed)) {
      const own = command.kind === 'configureContract' ? insurer : command;
      if (own.kind === 'placeOrder') this.model.state.at = at;
      else events.push(...this.model.apply({ seq: as(0), epoch: as(0), at: as(at), command: own }));
    }
    this.#fed = this.desk.entries.length;
    return events;
  }

  /** The events of an entry must be those of the model. */
  compare(events: readonly Event[]): void {
    const expected = this.feed();
    this.model.state.events = [];
    for (const event of events) if (event.kind === 'tradeExecuted') this.#accrue(event.trade);
    expected.push(...this.model.state.events);
    expect(withoutBalances(events)).toEqual(withoutBalances(expected));
    this.accruals += events.filter(({ kind }) => kind === 'rebateAccrued').length;
  }

  #accrue({ trade, quoteAmount, ...of }: Trade): void {
    const both = { product: 'futures', symbol: contract, trade, turnover: BigInt(quoteAmount), quote: usd } as const;
    const fee = (amount: number) => ({ amount: BigInt(amount), asset: usd }) as never;
    const taker = { account: of.takerAccount, order: of.taker, isMaker: false, fee: fee(of.takerFee) };
    const maker = { account: of.makerAccount, order: of.maker, isMaker: true, fee: fee(of.makerFee) };
    for (const side of [taker, maker]) accrueSide(this.model.state, { ...both, ...side });
  }
}

/** What listing a contract does to accounts: its fund has one. */
const insurer: Command = {
  ...{ kind: 'openAccount', uid: as(1), name: '', master: null, class: 'user', kycLevel: 4, simulated: true },
};

/** Who trades: four of a line, a sub-account, a broker and its customer, and somebody whom nobody invited. */
function peopleOf(desk: FuturesDesk): readonly AccountId[] {
  const anna = desk.open('anna');
  const bob = desk.open('bob', anna);
  const carl = desk.open('carl', bob);
  const dora = desk.open('dora', carl);
  const broker = desk.open('broker', bob, 'broker');
  const customer = desk.openSubAccount(broker, 'customer1');
  desk.run({ kind: 'enableFutures', master: broker, account: customer });
  const people = [anna, bob, carl, dora, broker, customer, desk.openSubAccount(dora, 'childchild'), desk.open('fay')];
  for (const person of people) desk.toFutures(person, 5000);
  return people;
}

/** Rates at their ends: much for the first, much for the farther ones, all of it given back, nothing. */
const rates = [
  [200_000, 50_000, 20_000, 0],
  [500_000, 0, 0, 500_000],
  [300_000, 100_000, 100_000, 50_000],
  [0, 500_000, 0, 0],
  [0, 0, 500_000, 0],
  [333_333, 166_667, 0, 111_111],
  [0, 0, 0, 0],
] as const;

function next(prng: Prng, desk: FuturesDesk, people: readonly AccountId[]): Event[] {
  const somebody = (): AccountId => pick(prng, people);
  const roll = prng.next();
  if (roll < 0.05) {
    const [referralPpm, subAffiliatePpm, thirdPpm, kickbackPpm] = pick(prng, rates);
    const own = { referralPpm, subAffiliatePpm, thirdPpm, kickbackPpm };
    const inviter = people[prng.below(5)]!;
    return desk.run({ kind: 'setRebateRates', inviter, product: pick(prng, ['spot', 'futures']), ...own });
  }
  if (roll < 0.1) desk.at += rebateDayMs / 3;
  if (roll < 0.15) return desk.run({ kind: 'settleRebates', day: as(desk.today - rebateDayMs) });
  if (roll < 0.18) {
    const source = prng.next() < 0.5 ? null : somebody();
    return desk.run({ kind: 'rejectRebates', beneficiary: somebody(), source, day: desk.today });
  }
  const person = prng.next() < 0.3 ? desk.maker : somebody();
  return desk.order(person, pick(prng, ['buy', 'sell']), 1 + prng.below(9), 40 + prng.below(20));
}

describe('the engine beside a naive model of rebates', () => {
  test.each([1, 2, 3, 4])('DEC-FUT-73: what contract trades accrue is the same, seed %i', (seed) => {
    const both = new Beside();
    const people = peopleOf(both.desk);
    both.feed();
    const prng = createPrng(seed);
    for (let step = 0; step < steps; step += 1) both.compare(next(prng, both.desk, people));
    expect(both.accruals).toBeGreaterThan(steps / 5);
    expect(both.desk.replayed().digest()).toEqual(both.desk.engine.digest());
  });
});
