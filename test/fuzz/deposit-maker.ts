import type { Command } from '#model/command.ts';
import type { AssetId, Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { AssetNetwork, DepositSight, DepositStatus, WalletRules } from '#model/wallet.ts';
import { depositDecisions } from '#model/wallet.ts';
import type { EngineState } from '#engine/state/state.ts';
import { type Chance, lotsOf } from './chance.ts';
import { anyAccount, anyCredit, asset, type FuzzWorld, users } from './fuzz-world.ts';
import { operated } from '../operated.ts';

type Report = Extract<Command, { kind: 'reportDeposit' }>;

const acts = lotsOf([
  [10, 'report'],
  [2.5, 'remove'],
  [3, 'review'],
  [0.6, 'network'],
  [0.3, 'address'],
  [0.3, 'position'],
  [0.4, 'fork'],
  [1.5, 'small'],
  [0.2, 'rules'],
  [1, 'payBack'],
  [0.2, 'cancelRefund'],
] as const);
/** Networks of every run; the second shares one address. */
const networks = { NET: [asset.base, asset.quote], TAG: [asset.token] } as const;
type Network = keyof typeof networks;
const sharedAddress = 'shared';
/** Payments that may be reported again. */
const paymentsKept = 15;
const amountCorners = [0n, -1n, 1n, 2n ** 61n, 2n ** 62n - 1n, 2n ** 62n, 2n ** 63n - 1n] as const;

/** Commands that put assets on networks and give the accounts their addresses; now and then the wallet has no rules. */
export function depositOpeningOf(world: FuzzWorld): Command[] {
  const { chance } = world;
  const rules: Command[] = chance.in(0.9) ? [{ kind: 'configureWallet', rules: anyRules(world) }] : [];
  const listed = (Object.keys(networks) as Network[]).flatMap((network) =>
    networks[network].map(
      (id): Command => ({ kind: 'configureAssetNetwork', network: anyNetwork(chance, network, id) }),
    ),
  );
  const given = (Object.keys(networks) as Network[]).flatMap((network) =>
    users.map((account, index): Command => ({ kind: 'assignDepositAddress', ...addressOf(network, account), index })),
  );
  return [...rules, ...listed, ...given];
}

const addressOf = (network: Network, account: number) => ({
  account: as<never>(account as never),
  network,
  address: network === 'TAG' ? sharedAddress : `0x${account}`,
  memo: network === 'TAG' ? String(account) : null,
});

/** Mostly bounds that deposits of this world meet on either side. */
const anyRules = (world: FuzzWorld): WalletRules => ({
  valuedIn: as(asset.quote),
  largeDeposit: as<Balance>(world.chance.pick([anyCredit(world, asset.quote), 2n ** 62n - 1n, 2n ** 62n - 1n, 0n])),
  dailyCaps: [as(1n), as(10n), as(1000n), as(2n ** 61n)],
  riskHoldAbove: null,
  fourEyesAbove: null,
  adjustFourEyesAbove: null,
  newAddressDelayMs: 0,
  waitMs: 0,
  transferable: [as(asset.quote)],
  dustBelow: as(5n),
  dustCallMax: as(50n),
  dustFeePpm: 2000,
});

function anyNetwork(chance: Chance, network: Network, id: number): AssetNetwork {
  return {
    asset: as(id),
    network,
    label: `${network} of ${id}`,
    contract: id === networks[network][0] ? null : `0xc${id}`,
    scale: 18,
    depositEnabled: chance.in(0.8),
    withdrawEnabled: chance.in(0.8),
    minConfirm: chance.pick([1, 2, 3, 3]),
    depositMin: as(chance.pick([0n, 3n, 1000n, 2n ** 61n])),
    withdrawFee: as(1n),
    withdrawMin: as(2n),
    withdrawMax: as(2n ** 61n),
    withdrawStep: as(1n),
    sharesAddress: network === 'TAG',
    depositDesc: null,
    depositTips: null,
    withdrawTips: null,
  };
}

/** What chains do to deposits, and what operators decide. */
export class DepositMaker {
  readonly #world: FuzzWorld;
  #seen: Report[] = [];
  #payments = 0;

  constructor(world: FuzzWorld) {
    this.#world = world;
  }

  make(state: EngineState): Command {
    const { chance } = this.#world;
    switch (chance.draw(acts)) {
      case 'report':
        return this.#report(state);
      case 'remove': {
        const { network, txId, output } = this.#payment();
        return { kind: 'removeDeposit', network, txId, output, forks: this.#forks(state, network) };
      }
      case 'review':
        return this.#review(state);
      case 'network': {
        const network = this.#network();
        return { kind: 'configureAssetNetwork', network: anyNetwork(chance, network, chance.pick(networks[network])) };
      }
      case 'address':
        return this.#address(state);
      case 'position':
        return {
          kind: 'recordChainPosition',
          network: this.#strayNetwork(),
          position: 'p',
          height: chance.below(9),
          sweepPosition: null,
        };
      case 'fork':
        return {
          kind: 'recordFork',
          network: this.#strayNetwork(),
          height: chance.in(0.05) ? chance.corner() : chance.below(9) - 1,
        };
      case 'small':
        return this.#small(state);
      case 'rules':
        return { kind: 'configureWallet', rules: anyRules(this.#world) };
      case 'payBack':
        return this.#payBack(state);
      case 'cancelRefund':
        return { kind: 'cancelRefund', deposit: this.#deposit(state, 'refunding') };
    }
  }

  #network(): Network {
    return this.#world.chance.in(0.7) ? 'NET' : 'TAG';
  }

  #strayNetwork(): string {
    const { chance } = this.#world;
    return chance.in(0.05) ? chance.pick(['', 'ELSE', 'NET/0']) : this.#network();
  }

  /** A payment that was reported before, or a new one. */
  #payment(): Report {
    const { chance } = this.#world;
    if (this.#seen.length > 0 && chance.in(0.75)) return chance.pick(this.#seen);
    const network = this.#network();
    const id = chance.pick(networks[network]);
    this.#payments += 1;
    const { address, memo } = addressOf(network, anyAccount(chance));
    const amount = chance.in(0.05) ? chance.pick(amountCorners) : anyCredit(this.#world, id);
    const payment: Report = {
      kind: 'reportDeposit',
      network: this.#strayNetwork() === network ? network : this.#strayNetwork(),
      txId: `tx${this.#payments}`,
      output: chance.in(0.1) ? chance.corner() : 0,
      asset: as<AssetId>(chance.in(0.02) ? chance.pick([9, 4096, -1]) : id),
      address,
      memo: chance.in(0.2) ? chance.pick([null, '77', '']) : memo,
      amount: as<Balance>(amount),
      sight: null,
    };
    this.#seen = [...this.#seen.slice(1 - paymentsKept), payment];
    return payment;
  }

  #report(state: EngineState): Command {
    const { chance } = this.#world;
    const payment = this.#payment();
    const sight = chance.in(0.05) ? null : this.#sight(state, payment.network);
    const lie = chance.in(0.02) ? { amount: as<Balance>(payment.amount + 1n) } : {};
    return this.#byOperator({ ...payment, ...lie, sight });
  }

  #sight(state: EngineState, network: string): DepositSight {
    const { chance } = this.#world;
    const confirmations = chance.in(0.02) ? chance.corner() : chance.below(6);
    const height = chance.in(0.02) ? chance.corner() : chance.below(9);
    return { forks: this.#forks(state, network), block: { height, hash: `b${chance.below(3)}` }, confirmations };
  }

  /** Mostly as many as were recorded. */
  #forks(state: EngineState, network: string): number {
    const { chance } = this.#world;
    return chance.in(0.05) ? chance.corner() : (state.chains.get(network)?.forks ?? 0);
  }

  /** The small deposits of somebody, mostly all and seen in their blocks. */
  #small(state: EngineState): Command {
    const { chance } = this.#world;
    const small = state.deposits.all().filter(({ status }) => status === 'small');
    const first = small.length === 0 ? null : chance.pick(small);
    const network = first?.network ?? this.#strayNetwork();
    const own = small.filter(({ account, asset: of }) => account === first?.account && of === first?.asset);
    const deposits = chance.in(0.1) ? [chance.corner(), chance.below(9)] : own.map(({ deposit }) => deposit);
    const height = chance.in(0.1) ? chance.corner() : 12;
    return { kind: 'creditSmallDeposits', network, forks: this.#forks(state, network), height, deposits };
  }

  #review(state: EngineState): Command {
    const { chance } = this.#world;
    const { deposits } = state;
    const waiting = deposits.all().filter(({ status }) => status !== 'success' && status !== 'pending');
    const isAimed = waiting.length > 0 && chance.in(0.8);
    const deposit = isAimed ? chance.pick(waiting).deposit : chance.below(deposits.lastDeposit + 2);
    const account = chance.in(0.5) ? null : as<NonNullable<Review['account']>>(anyAccount(chance));
    const { network = '' } = deposits.get(deposit) ?? {};
    const sight = chance.in(0.1) ? null : this.#sight(state, network);
    return this.#byOperator({
      kind: 'reviewDeposit',
      deposit,
      decision: chance.pick(depositDecisions),
      account,
      sight,
    });
  }

  /** A deposit that is to be refunded, mostly, is paid back to somebody, now and then to the exchange itself. */
  #payBack(state: EngineState): Command {
    const { chance } = this.#world;
    const deposit = this.#deposit(state, 'refund');
    const { network = '' } = state.deposits.get(deposit) ?? {};
    const address = chance.pick(['dead', 'beef', 'beef', sharedAddress, '']);
    const sight = chance.in(0.05) ? null : this.#sight(state, network);
    return this.#byOperator({ kind: 'payBackDeposit', deposit, address, memo: chance.pick([null, '7']), sight });
  }

  /** Mostly one of this status. */
  #deposit({ deposits }: EngineState, status: DepositStatus): number {
    const { chance } = this.#world;
    const all = deposits.all().filter((each) => each.status === status);
    return all.length > 0 && chance.in(0.9) ? chance.pick(all).deposit : chance.below(deposits.lastDeposit + 2);
  }

  /** Operators decide; what custody did not see is mostly the word of one. */
  #byOperator(command: Report | Review | PayBack): Command {
    const { chance } = this.#world;
    const isPlain = command.sight !== null && (command.kind === 'reportDeposit' || chance.in(0.5));
    if (isPlain || chance.in(0.1)) return command;
    return operated(chance.pick(['olga', 'OLGA', 'pete', 'tess']), command);
  }

  /** Mostly the next index for somebody who has an address already. */
  #address(state: EngineState): Command {
    const { chance } = this.#world;
    const network = this.#network();
    const next = state.chains.get(network)?.addressCount ?? 0;
    const index = chance.in(0.8) ? next : chance.corner();
    const place = addressOf(network, anyAccount(chance));
    return { kind: 'assignDepositAddress', ...place, network: this.#strayNetwork(), index };
  }
}

type Review = Extract<Command, { kind: 'reviewDeposit' }>;
type PayBack = Extract<Command, { kind: 'payBackDeposit' }>;
