import type { Command } from '#model/command.ts';
import { lostPaymentBookings, paymentBookings } from '#model/safety.ts';
import { as, type AccountId, type AssetId, type Balance } from '#model/units.ts';
import type { EngineState } from '#engine/state/state.ts';
import { lotsOf } from './chance.ts';
import { anyAccount, asset, type FuzzWorld } from './fuzz-world.ts';

const makes = lotsOf([
  [3, 'record'],
  [2, 'describe'],
  [4, 'book'],
  [1, 'lose'],
  [1, 'bookLost'],
] as const);
const networks = ['WNET', 'WNET', 'WTAG', 'NONE'] as const;
const amounts = [0n, 1n, 2n, 9n, 10n, 1000n, 2n ** 62n - 1n, 2n ** 62n, -1n] as const;

/** Payments that the journal did not make, paid withdrawals that are lost, and what operators book of both. */
export class SafetyMaker {
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
      case 'record':
        return this.#record(state);
      case 'describe':
        return this.#describe(state);
      case 'book':
        return this.#book(state);
      case 'lose':
        return { kind: 'recordLostPayment', withdrawal: this.#paid(state), by: chance.pick(['taker', 'taker', '']) };
      case 'bookLost':
        return { kind: 'bookLostPayment', withdrawal: this.#paid(state), booking: chance.pick(lostPaymentBookings) };
    }
  }

  /** One that holds its network: what would go on is refused, and it is booked before long. */
  #record(state: EngineState): Command {
    const { chance } = this.#world;
    const network = chance.pick(networks);
    const next = state.chains.get(network)?.nextNonce ?? 0;
    const free = state.freeNonces.of(network)[0] ?? next;
    const nonce = chance.pick([next, next, free, null, next + 1, 0, -1]);
    const txId = chance.pick([null, `unknown${chance.below(50)}`, `tx${chance.below(99)}`]);
    const held = state.withdrawals.allOpen().find((each) => each.network === network && each.status === 'wait');
    if (held !== undefined)
      this.#now([
        {
          kind: 'advanceWithdrawal',
          withdrawal: held.withdrawal,
          event: 'begin',
          transaction: null,
          confirmations: 0,
          networkFee: as<Balance>(0n),
        },
      ]);
    return { kind: 'recordUnknownPayment', network, nonce, txId, ...this.#moved(txId !== null) };
  }

  /** More about one that is known by its nonce. */
  #describe(state: EngineState): Command {
    const { chance } = this.#world;
    const open = state.unknownPayments.all().filter(({ booking }) => booking === null);
    if (open.length === 0) return this.#record(state);
    const { network, nonce } = chance.pick(open);
    return { kind: 'recordUnknownPayment', network, nonce, txId: `unknown${chance.below(50)}`, ...this.#moved(true) };
  }

  #moved(isKnown: boolean) {
    const { chance } = this.#world;
    const isTold = isKnown && chance.in(0.7);
    return {
      asset: isTold ? this.#asset() : null,
      amount: as<Balance>(isTold ? chance.pick(amounts) : 0n),
      address: chance.pick([null, 'dead', 'beef']),
      memo: null,
      networkFee: as<Balance>(chance.pick([0n, 1n, 2n])),
    };
  }

  #book(state: EngineState): Command {
    const { chance } = this.#world;
    const all = state.unknownPayments.all();
    const open = all.filter(({ booking }) => booking === null);
    if (all.length === 0) {
      const none = { withdrawal: null, account: null, deposit: null, asset: null, amount: as<Balance>(0n) };
      return { kind: 'bookUnknownPayment', network: 'WNET', payment: 'none', booking: 'capital', ...none };
    }
    const known = chance.pick(open.length > 0 && chance.in(0.95) ? open : all);
    const booking = chance.pick([...paymentBookings, 'account', 'capital', 'capital'] as const);
    const fitting = state.withdrawals
      .allOpen()
      .find(
        (each) =>
          each.network === known.network && each.asset === known.asset && each.amount - each.fee === known.amount,
      );
    const live = state.withdrawals.all();
    const any = live.length === 0 ? chance.corner() : chance.pick(live).withdrawal;
    const isTold = known.asset === null ? chance.in(0.9) : chance.in(0.1);
    return {
      kind: 'bookUnknownPayment',
      network: known.network,
      payment: known.payment,
      booking,
      withdrawal: booking === 'withdrawal' ? (chance.in(0.5) ? (fitting?.withdrawal ?? any) : any) : null,
      account: booking === 'account' ? as<AccountId>(anyAccount(chance)) : null,
      deposit: booking === 'refund' ? this.#deposit(state) : null,
      asset: isTold ? this.#asset() : null,
      amount: as<Balance>(isTold ? chance.pick(amounts) : 0n),
    };
  }

  /** Mostly one that is to be refunded. */
  #deposit(state: EngineState): number | null {
    const { chance } = this.#world;
    const all = state.deposits.all();
    const refunds = all.filter(({ status }) => status === 'refund');
    if (refunds.length > 0 && chance.in(0.8)) return chance.pick(refunds).deposit;
    return chance.in(0.1) ? null : all.length === 0 ? chance.corner() : chance.pick(all).deposit;
  }

  #asset(): AssetId {
    const { chance } = this.#world;
    return as(chance.in(0.02) ? chance.pick([99, -1]) : chance.below(Object.keys(asset).length));
  }

  #paid(state: EngineState): number {
    const { chance } = this.#world;
    const paid = state.withdrawals.all().filter(({ status }) => status === 'success');
    const lost = state.paidWithdrawals.allLost();
    if (lost.length > 0 && chance.in(0.5)) return chance.pick(lost).withdrawal;
    return paid.length === 0 ? chance.corner() : chance.pick(paid).withdrawal;
  }
}
