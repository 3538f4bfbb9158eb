import { describe, expect, test } from 'vitest';
import type { Event } from '#model/event-record.ts';
import { as } from '#model/units.ts';
import { Chance } from '../fuzz/chance.ts';
import { nameOf, NaiveWithdrawals, type NaiveTerms } from '../oracle/naive-withdrawals.ts';
import {
  alice,
  bob,
  capital,
  chainLosses,
  coin,
  funds,
  signed,
  steps,
  usd,
  WithdrawalDesk,
  type Step,
} from '../scenario/withdrawal-desk.ts';

const addresses = ['0xdead', '0xbeef', `0x${bob}`, `0x${alice}`] as const;
const seeds = Array.from({ length: 30 }, (_, seed) => seed);
const commandsEach = 500;

/** What an engine answered, in the words of the model. */
function answerOf(events: readonly Event[]): string {
  for (const event of events) {
    if (event.kind === 'commandRefused') return event.reason === 'unknownWithdrawal' ? 'gone' : event.reason;
    if (event.kind === 'withdrawalChanged') return `${event.withdrawal.withdrawal} ${event.withdrawal.status}`;
    if (event.kind === 'unknownPaymentChanged') return event.payment.booking === null ? 'recorded' : 'booked';
    if (event.kind === 'withdrawalRepeated') return `${event.withdrawal.withdrawal} ${event.withdrawal.status} again`;
  }
  return 'nothing';
}

/** An engine and the model side by side. */
class Pair {
  readonly desk = new WithdrawalDesk();
  readonly chance: Chance;
  readonly model: NaiveWithdrawals;
  nonce = 0;

  constructor(seed: number) {
    this.chance = new Chance(seed);
    const terms: NaiveTerms = {
      ...{ risk: null, fourEyes: null, delayMs: 0, waitMs: 5000, minConfirm: 3, isOn: true, isFrozen: false },
      hasAllowList: false,
      cap: 5000n,
      price: 1n,
    };
    this.model = new NaiveWithdrawals(terms, funds, { inside: `0x${bob}`, own: `0x${alice}` });
  }

  /** One random command on both; answers what each of them said. */
  next(): readonly [engine: string, model: string] {
    const { chance, desk } = this;
    desk.at += chance.pick([0, 0, 1, 4999, 5000, 3_600_000]);
    if (chance.in(0.01)) desk.at += chance.pick([86_399_999, 86_400_000]);
    if (chance.in(0.1)) this.change();
    if (chance.in(0.02)) desk.restore();
    if (chance.in(this.model.unknown.size > 0 ? 0.2 : 0.01)) return this.safety();
    return chance.in(0.3) ? this.request() : this.step();
  }

  /** A payment that the journal does not know, or what an operator says of one. */
  private safety(): readonly [string, string] {
    const { chance, desk, model } = this;
    const open = [...model.unknown.keys()];
    if (open.length === 0 || chance.in(0.2)) {
      this.nonce += 1;
      const like = model.all.length > 0 && chance.in(0.8) ? chance.pick(model.all) : null;
      const payment =
        like === null
          ? { isValued: chance.in(0.5), address: chance.pick(addresses), amount: chance.pick([1n, 50n, 20_000n]) }
          : { isValued: like.isValued, address: like.address, amount: like.amount - 1n };
      model.unknown.set(this.nonce, payment);
      const asset = as<never>((payment.isValued ? usd : coin) as never);
      return [answerOf(desk.recordUnknown(this.nonce, asset, payment)), 'recorded'];
    }
    const nonce = chance.pick(open);
    const booking = chance.pick([1 + chance.below(model.all.length + 1), 'account', 'capital'] as const);
    return [answerOf(desk.bookUnknown(nonce, booking)), model.book(nonce, booking, desk.at)];
  }

  private request(): readonly [string, string] {
    const { chance, desk, model } = this;
    const isValued = chance.in(0.6);
    const address = chance.pick(addresses);
    const purse = model.free[isValued ? 0 : 1];
    const amount = chance.pick([1n, 2n, 7n, 300n, 1000n, 1001n, purse, purse + 1n]);
    const id = chance.in(0.3) ? `id${chance.below(4)}` : null;
    const asset = as<never>((isValued ? usd : coin) as never);
    const events = desk.request({ asset, address, amount: as(amount), withdrawOrderId: id });
    return [answerOf(events), model.request({ isValued, address, amount, id }, desk.at)];
  }

  private step(): readonly [string, string] {
    const { chance, desk, model } = this;
    const number = 1 + chance.below(model.all.length + 1);
    const step = chance.pick(steps);
    const by = chance.pick(['olga', 'pete']);
    const confirmations = chance.below(6);
    return [
      answerOf(this.taken(number, step, by, confirmations)),
      model.step(number, step, desk.at, confirmations, by),
    ];
  }

  private taken(number: number, step: Step, by: string, confirmations: number): Event[] {
    const { desk } = this;
    switch (step) {
      case 'cancel':
        return desk.cancel(number);
      case 'approve':
      case 'reject':
      case 'manual':
        return desk.decide(number, step, by);
      case 'sign':
        this.nonce += 1;
        return desk.advance(number, step, { transaction: signed(this.nonce) });
      case 'replace': {
        const nonce = desk.engine.state.withdrawals.get(number)?.transaction?.nonce ?? 0;
        return desk.advance(number, step, { transaction: signed(nonce, `dearer ${desk.at}`) });
      }
      default:
        return desk.advance(number, step, { confirmations });
    }
  }

  /** What an operator or the account changes. */
  private change(): void {
    const { chance, desk, model } = this;
    const { terms, saved } = model;
    const isValued = chance.in(0.5);
    const address = chance.pick(addresses);
    switch (chance.below(7)) {
      case 0:
        terms.risk = chance.pick([null, 5n, 500n]);
        terms.fourEyes = chance.pick([null, 5n, 500n]);
        terms.delayMs = chance.pick([0, 0, 4999, 86_400_000]);
        desk.rules({
          riskHoldAbove: as(terms.risk as bigint),
          fourEyesAbove: as(terms.fourEyes as bigint),
          newAddressDelayMs: terms.delayMs,
        });
        return;
      case 6:
        terms.price = terms.price === null ? 1n : null;
        if (terms.price === null) desk.unprice(coin);
        else desk.price(coin, 1);
        return;
      case 1:
        terms.isOn = chance.in(0.7);
        terms.minConfirm = 1 + chance.below(4);
        for (const asset of [usd, coin])
          desk.configure(asset, { withdrawEnabled: terms.isOn, minConfirm: terms.minConfirm });
        return;
      case 2:
        terms.isFrozen = chance.in(0.3);
        desk.setStatus(alice, terms.isFrozen ? 'frozen' : 'normal');
        return;
      case 3:
        terms.hasAllowList = chance.in(0.3);
        desk.allowList(terms.hasAllowList);
        return;
      case 4:
        if (!saved.has(nameOf({ isValued, address }))) saved.set(nameOf({ isValued, address }), desk.at);
        desk.save(address, { asset: isValued ? usd : coin });
        return;
      default:
        saved.delete(nameOf({ isValued: false, address }));
        desk.unsave(address);
    }
  }
}

describe('withdrawals against a model', () => {
  test.each(seeds)('I3, I24, I27: random commands are answered as the rules say, restored or not (seed %i)', (seed) => {
    const pair = new Pair(seed);
    const { desk, model } = pair;
    for (let made = 0; made < commandsEach; made += 1) {
      const [engine, wanted] = pair.next();
      // A record that may be forgotten is there a little longer where few commands come.
      const isLate = wanted === 'gone' && (engine === 'wrongState' || engine === 'notCancellable');
      expect([made, isLate ? 'gone' : engine]).toEqual([made, wanted]);
      for (const [asset, isValued] of [
        [usd, true],
        [coin, false],
      ] as const) {
        expect(desk.free(alice, asset)).toBe(model.free[isValued ? 0 : 1]);
        expect(desk.held(alice, asset)).toBe(model.held(isValued));
        expect(desk.free(chainLosses, asset)).toBe(model.claims[isValued ? 0 : 1]);
        expect(desk.free(capital, asset)).toBe(model.capital[isValued ? 0 : 1]);
      }
      if (made % 50 === 0) expect(desk.faults()).toEqual([]);
    }
  });
});
