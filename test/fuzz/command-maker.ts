import { accountStatuses } from '#domain/account.ts';
import type { Command } from '#domain/command.ts';
import { engineLimits } from '#domain/limits.ts';
import { newestRules } from '#domain/rules.ts';
import type { OrderNumber } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import type { OrderCursor } from '#engine/book/order-table.ts';
import type { EngineState } from '#engine/state.ts';
import {
  anyAccount,
  anyCredit,
  anyFeeToken,
  asset,
  createWorld,
  type FuzzWorld,
  openingOf,
  relisted,
  users,
} from './fuzz-world.ts';
import { OrderMaker } from './order-maker.ts';

type PlaceOrder = Extract<Command, { kind: 'placeOrder' }>;

/** A command and when it comes. */
export interface FuzzStep {
  readonly at: number;
  readonly command: Command;
}

const start = 1_700_000_000_000;
const latest = 4_000_000_000_000;
const keyPool = 40;

/**
 * The commands of one run: what an exchange with few accounts gets in years, within some thousand. It looks into the
 * engine to aim at the edges of what is there; the same seed and the same engine give the same commands.
 */
export class CommandMaker {
  readonly #world: FuzzWorld;
  readonly #orders: OrderMaker;
  readonly #queue: Command[];
  /** What comes once so many commands were made, the first to come first. */
  readonly #delayed: { readonly due: number; readonly command: Command }[] = [];
  #sent: PlaceOrder[] = [];
  #at = start;
  #made = 0;

  constructor(seed: number) {
    this.#world = createWorld(seed);
    this.#orders = new OrderMaker(this.#world);
    this.#queue = openingOf(this.#world);
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
    return { at: this.#at, command };
  }

  #make(state: EngineState): Command {
    return this.#world.chance.weighted<() => Command>([
      [62, () => this.#place(state)],
      [7, () => this.#several(state)],
      [4, () => this.#requote(state)],
      [10, () => this.#cancel(state)],
      [0.7, () => ({ kind: 'cancelOrders', account: as(this.#account()), symbols: this.#symbols() })],
      [4, () => this.#credit()],
      [2, () => ({ kind: 'setFeeDeduction', account: as(this.#account()), enabled: this.#world.chance.in(0.6) })],
      [1, () => this.#terms()],
      [0.5, () => this.#status()],
      [1.2, () => this.#relist()],
      [0.6, () => anyFeeToken(this.#world.chance)],
      [2, () => this.#group(state)],
      [0.8, () => this.#apiKey()],
      [1.2, () => this.#listenKey()],
      [0.4, () => this.#ban()],
      [1, () => ({ kind: 'advanceClock' })],
      [0.3, () => ({ kind: 'assertDigest', ...state.checkpoint })],
      [0.05, () => ({ kind: 'activateRules', version: this.#world.chance.below(newestRules + 1) })],
      [0.2, () => this.#openAccount()],
      [0.2, () => this.#asset()],
      [0.02, () => this.#manyKeys()],
    ])();
  }

  #account(): number {
    return anyAccount(this.#world.chance);
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
    return this.#slots(state, account).map((slot) => state.takerView.at(slot).order);
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
    const view: OrderCursor | null = stray ? null : state.takerView.at(chance.pick(slots));
    const account = as<Extract<Command, { kind: 'cancelOrder' }>['account']>(chance.in(0.03) ? this.#account() : owner);
    const symbol = view === null || chance.in(0.02) ? as<OrderCursor['symbol']>(this.#symbol()) : view.symbol;
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

  #credit(): Command {
    const { chance } = this.#world;
    const id = chance.in(0.01) ? chance.pick([4, 4096, -1]) : chance.below(Object.keys(asset).length);
    const amount = chance.in(0.01)
      ? chance.pick([0n, -1n, 2n ** 62n, 2n ** 63n - 1n])
      : anyCredit(this.#world, Math.min(3, Math.max(0, id)));
    return { kind: 'creditFunds', account: as(this.#account()), asset: as(id), amount: as(amount) };
  }

  #terms(): Command {
    const { chance } = this.#world;
    const account = as<Extract<Command, { kind: 'setAccountTerms' }>['account']>(this.#account());
    const openOrdersMax = chance.pick([
      500,
      500,
      500,
      30,
      30,
      5,
      2,
      0,
      2 ** 31 - 1,
      2 ** 31,
      2 ** 32 + 5,
      2 ** 53 - 1,
      -1,
    ]);
    const free = { makerFeePpm: null, takerFeePpm: null, openOrdersMax: 500 };
    if (openOrdersMax !== 500) this.#soon({ kind: 'setAccountTerms', account, ...free });
    const rates = [null, null, 0, 1, 1000, 999_999, 1_000_000, 1_000_001, -1];
    return {
      kind: 'setAccountTerms',
      account,
      makerFeePpm: chance.pick(rates),
      takerFeePpm: chance.pick(rates),
      openOrdersMax,
    };
  }

  /** Whoever is set aside comes back soon. */
  #status(): Command {
    const { chance } = this.#world;
    const account = as<Extract<Command, { kind: 'setAccountStatus' }>['account']>(this.#account());
    const status = chance.pick(accountStatuses);
    if (status !== 'normal') this.#soon({ kind: 'setAccountStatus', account, status: 'normal' });
    return { kind: 'setAccountStatus', account, status };
  }

  /** Other rules for a pair; one that was closed opens again before long. */
  #relist(): Command {
    const { chance, listings } = this.#world;
    const at = chance.below(listings.length);
    const listing = listings[at] as (typeof listings)[number];
    const changed = relisted(this.#world, at);
    if (changed.tradeSideType !== 'all' || changed.orderKinds.length < 5)
      this.#soon({ kind: 'configureSymbol', symbol: listing });
    return { kind: 'configureSymbol', symbol: changed };
  }

  #soon(command: Command): void {
    this.#delayed.push({ due: this.#made + 30, command });
  }

  #group(state: EngineState): Command {
    const { chance } = this.#world;
    const master = as<Extract<Command, { kind: 'createStpGroup' }>['master']>(
      chance.in(0.9) ? users[0] : this.#account(),
    );
    const group = chance.in(0.05) ? chance.corner() : 1 + chance.below(Math.max(1, state.stpGroups.lastGroup));
    const members = users.filter(() => chance.in(0.5)).map((id) => as<typeof master>(id));
    if (chance.in(0.02)) members.push(as(chance.pick([0, 9, 2 ** 32 + 4, -1])));
    return chance.weighted<Command>([
      [2, { kind: 'createStpGroup', master, name: `group${chance.below(14)}` }],
      [1.5, { kind: 'deleteStpGroup', master, group }],
      [5, { kind: 'addToStpGroup', master, group, members }],
      [3, { kind: 'removeFromStpGroup', master, group, members }],
    ]);
  }

  #apiKey(): Command {
    const { chance } = this.#world;
    const account = as<Extract<Command, { kind: 'deleteApiKey' }>['account']>(this.#account());
    const accessKey = `key${chance.below(keyPool)}`;
    if (chance.in(0.3)) return { kind: 'deleteApiKey', account, accessKey };
    return {
      kind: 'createApiKey',
      account,
      accessKey,
      sealedSecret: 'sealed',
      note: chance.pick(['', '"\\\n', 'ü\ud83d\ude00', '\ud800']),
      permissions: chance.corner(),
      ips: Array.from({ length: chance.below(3) }, () => '::1'),
    };
  }

  #listenKey(): Command {
    const { chance } = this.#world;
    const account = as<Extract<Command, { kind: 'createListenKey' }>['account']>(this.#account());
    const keyHash = chance.below(keyPool).toString(16).padStart(64, '0');
    return chance.weighted<Command>([
      [3, { kind: 'createListenKey', account, keyHash, sealedKey: 'sealed' }],
      [2, { kind: 'renewListenKey', account, keyHash }],
      [1, { kind: 'deleteListenKey', account, keyHash }],
    ]);
  }

  #ban(): Command {
    const { chance } = this.#world;
    const until = chance.pick([0, this.#at, this.#at + 120_000, 2 ** 53 - 1, -5]);
    return { kind: 'banAddress', address: `10.0.0.${chance.below(9)}`, until: as(until), times: chance.below(9) };
  }

  /** One more account, mostly with the number of one that exists. */
  #openAccount(): Command {
    const { chance } = this.#world;
    return {
      kind: 'openAccount',
      uid: as(chance.pick([10_000_000, 10_000_001, 20_000_000 + chance.below(5), -1])),
      name: 'another',
      class: 'broker',
      kycLevel: chance.pick([1, 4, -3]),
      simulated: chance.in(0.5),
      master: chance.in(0.5) ? null : as(this.#account()),
    };
  }

  #asset(): Command {
    const { chance, scales, caps } = this.#world;
    const id = chance.below(4);
    const known = chance.in(0.7);
    return {
      kind: 'configureAsset',
      asset: {
        code: known ? (['AAA', 'UUU', 'TTT', 'CCC'][id] as string) : `X${chance.below(4)}`,
        fullName: `renamed ${chance.below(100)}`,
        scale: known && chance.in(0.9) ? (scales[id] as number) : chance.below(14),
        cap: as(known && chance.in(0.9) ? (caps[id] as bigint) : chance.pick([0n, 5n, 2n ** 62n])),
        coinId: String(id).repeat(32),
      },
    };
  }

  /** As many keys as one account may have, and some more. */
  #manyKeys(): Command {
    const account = as<Extract<Command, { kind: 'createListenKey' }>['account']>(this.#account());
    for (let index = 0; index <= engineLimits.listenKeysPerAccount; index += 1) {
      const name = `${this.#at}-${index}`;
      this.#queue.push({ kind: 'createListenKey', account, keyHash: name, sealedKey: '' });
      if (index > engineLimits.keysPerAccount) continue;
      const key = { account, accessKey: name, sealedSecret: '', note: '', permissions: 0, ips: [] };
      this.#queue.push({ kind: 'createApiKey', ...key });
    }
    for (let index = 0; index <= engineLimits.stpGroupsPerMaster; index += 1)
      this.#queue.push({ kind: 'createStpGroup', master: as(users[0]), name: `group ${index}` });
    return { kind: 'advanceClock' };
  }
}
