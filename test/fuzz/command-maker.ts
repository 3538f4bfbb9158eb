import type { Command } from '#model/command.ts';
import { engineLimits } from '#model/limits.ts';
import type { OrderView } from '#model/order.ts';
import { newestRules } from '#model/rules.ts';
import type { AccountId, OrderNumber } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { EngineState } from '#engine/state/state.ts';
import { lotsOf } from './chance.ts';
import { AdjustmentMaker } from './adjustment-maker.ts';
import { ContractMaker } from './contract-maker.ts';
import { DelistingMaker } from './delisting-maker.ts';
import { DepositMaker, depositOpeningOf } from './deposit-maker.ts';
import { anyAccount, createWorld, type FuzzWorld, openingOf, users } from './fuzz-world.ts';
import { OperationMaker } from './operation-maker.ts';
import { OperatorMaker } from './operator-maker.ts';
import { OrderMaker } from './order-maker.ts';
import { ProposalMaker } from './proposal-maker.ts';
import { RebateMaker } from './rebate-maker.ts';
import { SafetyMaker } from './safety-maker.ts';
import { SubAccountMaker } from './sub-account-maker.ts';
import { anyWalletRules, TransferMaker } from './transfer-maker.ts';
import { WithdrawalMaker } from './withdrawal-maker.ts';

type PlaceOrder = Extract<Command, { kind: 'placeOrder' }>;

/** A command and when it comes. */
export interface FuzzStep {
  readonly at: number;
  readonly command: Command;
}

const kinds = lotsOf([
  [62, 'place'],
  [7, 'several'],
  [4, 'requote'],
  [10, 'cancel'],
  [0.7, 'cancelOrders'],
  [1.5, 'deduction'],
  [1, 'clock'],
  [0.3, 'digest'],
  [0.05, 'rules'],
  [0.04, 'quarantine'],
  [8, 'operation'],
  [6, 'transfer'],
  [6, 'deposit'],
  [12, 'withdrawal'],
  [1.5, 'safety'],
  [2, 'operator'],
  [1.5, 'proposal'],
  [1.5, 'adjustment'],
  [0.5, 'delisting'],
  [4, 'subAccount'],
  [3, 'rebate'],
  [28, 'contract'],
] as const);
const start = 1_700_000_000_000;
const latest = 4_000_000_000_000;

/**
 * The commands of one run: what an exchange with few accounts gets in years, within some thousand. It looks into the
 * engine to aim at the edges of what is there; the same seed and the same engine give the same commands.
 */
export class CommandMaker {
  readonly #world: FuzzWorld;
  readonly #orders: OrderMaker;
  readonly #operations: OperationMaker;
  readonly #transfers: TransferMaker;
  readonly #deposits: DepositMaker;
  readonly #withdrawals: WithdrawalMaker;
  readonly #safety: SafetyMaker;
  readonly #operators: OperatorMaker;
  readonly #proposals: ProposalMaker;
  readonly #adjustments: AdjustmentMaker;
  readonly #delistings: DelistingMaker;
  readonly #subAccounts: SubAccountMaker;
  readonly #rebates: RebateMaker;
  readonly #contracts: ContractMaker;
  readonly #queue: Command[];
  /** What comes once so many commands were made, the first to come first. */
  readonly #delayed: { readonly due: number; readonly command: Command }[] = [];
  #sent: PlaceOrder[] = [];
  #at = start;
  #made = 0;

  constructor(seed: number) {
    this.#world = createWorld(seed);
    this.#orders = new OrderMaker(this.#world);
    this.#queue = [...openingOf(this.#world), ...depositOpeningOf(this.#world)];
    this.#queue.push({ kind: 'configureWallet', rules: anyWalletRules(this.#world.chance) });
    // Accounts are open by now, simulated ones too, which production opens none of.
    if (this.#world.chance.in(0.3)) this.#queue.push({ kind: 'recordProfile', profile: 'production' });
    this.#transfers = new TransferMaker(this.#world, (commands) => void this.#queue.push(...commands));
    this.#deposits = new DepositMaker(this.#world);
    this.#withdrawals = new WithdrawalMaker(this.#world, (commands) => this.#queue.push(...commands));
    this.#safety = new SafetyMaker(this.#world, (commands) => this.#queue.push(...commands));
    this.#operators = new OperatorMaker(this.#world, (commands) => this.#queue.push(...commands));
    this.#proposals = new ProposalMaker(this.#world, (commands) => this.#queue.push(...commands));
    this.#adjustments = new AdjustmentMaker(this.#world);
    this.#delistings = new DelistingMaker(this.#world, (commands) => this.#queue.push(...commands));
    this.#subAccounts = new SubAccountMaker(this.#world, (command) => this.#soon(command));
    this.#rebates = new RebateMaker(this.#world, (commands) => this.#queue.push(...commands));
    this.#contracts = new ContractMaker(this.#world, this.#orders, (command) => this.#soon(command));
    this.#operations = new OperationMaker(this.#world, {
      now: (commands) => this.#queue.push(...commands),
      soon: (command) => this.#soon(command),
    });
  }

  /** The next one, aimed at the state that the ones before have led to. */
  next(state: EngineState): FuzzStep {
    const { chance } = this.#world;
    this.#made += 1;
    const isDue = this.#delayed[0] !== undefined && this.#delayed[0].due <= this.#made;
    const command = (isDue ? this.#delayed.shift()?.command : this.#queue.shift()) ?? this.#make(state);
    if (chance.in(0.4)) this.#at += chance.pick([1, 1, 7, 60, 400, 3000]);
    if (chance.in(0.004)) this.#at += chance.pick([59_999, 60_000, 60_001, 61_000, 3_599_999, 3_600_000, 86_400_000]);
    if (chance.in(0.0003) && this.#at < latest) this.#at += chance.pick([30, 400]) * 86_400_000;
    return { at: this.#at, command: this.#operators.maybeBy(command) };
  }

  #make(state: EngineState): Command {
    const { chance } = this.#world;
    switch (chance.draw(kinds)) {
      case 'place':
        return this.#place(state);
      case 'several':
        return this.#several(state);
      case 'requote':
        return this.#requote(state);
      case 'cancel':
        return this.#cancel(state);
      case 'cancelOrders':
        return {
          kind: chance.in(0.7) ? 'cancelOrders' : 'cancelSomeOrders',
          account: as<AccountId>(this.#account()),
          symbols: this.#symbols(),
        };
      case 'deduction':
        return { kind: 'setFeeDeduction', account: as(this.#account()), enabled: chance.in(0.6) };
      case 'clock':
        return { kind: 'advanceClock' };
      case 'digest':
        return { kind: 'assertDigest', ...state.progress.checkpoint };
      case 'rules':
        return { kind: 'activateRules', version: chance.below(newestRules + 1) };
      case 'quarantine':
        return this.#quarantine(state);
      case 'operation':
        return this.#operations.make(state, this.#at);
      case 'transfer':
        return this.#transfers.make(state);
      case 'deposit':
        return this.#deposits.make(state);
      case 'withdrawal':
        return this.#withdrawals.make(state);
      case 'safety':
        return this.#safety.make(state);
      case 'operator':
        return this.#operators.make(state);
      case 'adjustment':
        return this.#adjustments.make(state);
      case 'delisting':
        return this.#delistings.make(state);
      case 'proposal':
        return this.#proposals.make(state);
      case 'subAccount':
        return this.#subAccounts.make(state);
      case 'rebate':
        return this.#rebates.make(state);
      case 'contract':
        return this.#contracts.make(state);
    }
  }

  /** A tail that was put aside, mostly where it may be recorded; the account of too many is made normal again. */
  #quarantine(state: EngineState): Command {
    const { chance } = this.#world;
    const account = chance.in(0.2) ? null : as<PlaceOrder['account']>(this.#account());
    if (account !== null) this.#soon({ kind: 'setAccountStatus', account, status: 'normal' });
    const seq = as<typeof state.progress.seq>(state.progress.seq + (chance.in(0.9) ? 1 : 2));
    const lastSeq = as<typeof state.progress.seq>(seq + chance.below(4) - (chance.in(0.05) ? 1 : 0));
    return { kind: 'recordQuarantine', seq, lastSeq, account, commandKind: 'placeOrder', invariant: 'planted' };
  }

  /** Now and then a sub-account, or whoever registered. */
  #account(): number {
    const { chance } = this.#world;
    return chance.in(0.06) ? users.length + users[0] + chance.below(6) : anyAccount(chance);
  }

  #symbol(): number {
    const { chance, listings } = this.#world;
    if (chance.in(0.003)) return chance.pick([listings.length, 70_000, 2 ** 32, 2 ** 53 - 1]);
    return chance.in(0.5) ? 0 : chance.below(listings.length);
  }

  #symbols(): Extract<Command, { kind: 'cancelOrders' }>['symbols'] {
    return Array.from({ length: this.#world.chance.below(4) }, () => as(this.#symbol()));
  }

  /** A new order, or one of the last with a client id once more. */
  #place(state: EngineState): Command {
    const { chance } = this.#world;
    if (this.#sent.length > 0 && chance.in(0.04)) return chance.pick(this.#sent);
    const account = this.#account();
    const order = this.#orders.order(state, account, this.#symbol());
    const command: PlaceOrder = { kind: 'placeOrder', account: as(account), order };
    if (order.clientOrderId !== null) this.#sent = [...this.#sent.slice(-5), command];
    return command;
  }

  #several(state: EngineState): Command {
    const { chance } = this.#world;
    const account = this.#account();
    const count = chance.in(0.05) ? chance.below(engineLimits.ordersPerBatch + 1) : chance.below(5);
    const symbol = this.#symbol();
    const orders = Array.from({ length: count }, () =>
      this.#orders.order(state, account, chance.in(0.1) ? this.#symbol() : symbol),
    );
    return { kind: 'placeOrders', account: as(account), orders };
  }

  #requote(state: EngineState): Command {
    const { chance } = this.#world;
    const account = this.#account();
    const symbol = this.#symbol();
    const cancel = this.#live(state, account).filter(() => chance.in(0.5));
    if (chance.in(0.1)) cancel.push(as(chance.pick([0, 1, 2 ** 22, 2 ** 32 + 1, 2 ** 53 - 1, 2 ** 53, -1])));
    const count = chance.in(0.05) ? chance.below(60) : chance.below(5);
    const place = Array.from({ length: count }, () =>
      this.#orders.order(state, account, chance.in(0.01) ? this.#symbol() : symbol),
    );
    return { kind: 'requote', account: as(account), symbol: as(symbol), cancel, place };
  }

  /** Some open orders of an account, the oldest first. */
  #live(state: EngineState, account: number): OrderNumber[] {
    return this.#slots(state, account).map((slot) => state.tables.viewOf(slot).order);
  }

  #slots(state: EngineState, account: number): number[] {
    const slots: number[] = [];
    if (!state.accounts.isUser(account)) return slots;
    state.accounts.openOrders.every(account, (slot) => slots.push(slot) < 12);
    return slots;
  }

  #cancel(state: EngineState): Command {
    const { chance } = this.#world;
    const owner = this.#account();
    const slots = this.#slots(state, owner);
    const stray = slots.length === 0 || chance.in(0.08);
    const view: OrderView | null = stray ? null : state.tables.viewOf(chance.pick(slots));
    const account = as<Extract<Command, { kind: 'cancelOrder' }>['account']>(chance.in(0.03) ? this.#account() : owner);
    const symbol = view === null || chance.in(0.02) ? as<OrderView['symbol']>(this.#symbol()) : view.symbol;
    if (view === null) {
      const ref = chance.pick([
        { order: as<OrderNumber>(chance.corner()) },
        { order: as<OrderNumber>(state.tables.lastOrder) },
        { clientOrderId: `id_${chance.below(20)}` },
        { clientOrderId: chance.pick(['', ' ', 'ü', 'z'.repeat(40)]) },
      ]);
      return { kind: 'cancelOrder', account, symbol, ref };
    }
    const byId = chance.in(0.5) && view.clientOrderId !== null;
    const ref = byId ? { clientOrderId: view.clientOrderId as string } : { order: view.order };
    return { kind: 'cancelOrder', account, symbol, ref };
  }

  #soon(command: Command): void {
    this.#delayed.push({ due: this.#made + 30, command });
  }
}
