import type { Command } from '#model/command.ts';
import { engineLimits } from '#model/limits.ts';
import { as, type AccountId, type AssetId, type Balance } from '#model/units.ts';
import {
  depositDecisions,
  withdrawalDecisions,
  withdrawalEvents,
  type AssetNetwork,
  type WalletRules,
  type WithdrawalView,
} from '#model/wallet.ts';
import type { EngineState } from '#engine/state/state.ts';
import { lotsOf } from './chance.ts';
import { anyAccount, asset, type FuzzWorld, users } from './fuzz-world.ts';
import { operated } from '../operated.ts';

const makes = lotsOf([
  [5, 'request'],
  [9, 'likely'],
  [3, 'advance'],
  [1, 'cancel'],
  [2, 'review'],
  [1.2, 'network'],
  [0.5, 'rules'],
  [0.3, 'address'],
  [0.6, 'saved'],
  [0.2, 'allowList'],
  [0.3, 'sweep'],
  [0.06, 'fourEyes'],
  [0.8, 'toFrozen'],
  [0.12, 'manyWithdrawals'],
  [0.015, 'manyAddresses'],
] as const);
/** Networks of the runs; nothing else is on the last one. */
const networks = ['WNET', 'WTAG', 'NONE'] as const;
const largest = 2n ** 62n - 1n;
const amounts = [0n, 1n, 2n, 3n, 1000n, 2n ** 53n, largest, 2n ** 63n - 1n, -1n] as const;

/** Withdrawals at the ends of what is allowed, their steps, and what operators and accounts set about them. */
export class WithdrawalMaker {
  readonly #world: FuzzWorld;
  readonly #now: (commands: readonly Command[]) => void;

  /** `now`: puts commands before all others. */
  constructor(world: FuzzWorld, now: (commands: readonly Command[]) => void) {
    this.#world = world;
    this.#now = now;
  }

  make(state: EngineState): Command {
    const { chance } = this.#world;
    if (state.walletRules.value === null && chance.in(0.4)) return this.#rules();
    if (!state.chains.has('WTAG') && chance.in(0.9)) return this.#network(chance.in(0.5) ? 'WNET' : 'WTAG');
    const live = state.withdrawals.all();
    switch (chance.draw(makes)) {
      case 'request':
        return this.#request(state);
      case 'likely':
        return live.length === 0 ? this.#request(state) : this.#likely(state, chance.pick(live));
      case 'advance':
        return this.#advance(state, this.#number(live), chance.pick(withdrawalEvents));
      case 'cancel':
        return { kind: 'cancelWithdrawal', account: this.#account(), withdrawal: this.#number(live) };
      case 'review':
        return this.#review(this.#number(live));
      case 'network':
        return this.#network(chance.pick(networks));
      case 'rules':
        return this.#rules();
      case 'address':
        return this.#address(state);
      case 'saved':
        return this.#saved();
      case 'allowList':
        return { kind: 'setAllowList', account: this.#account(), enabled: chance.in(0.2) };
      case 'sweep':
        return this.#sweep();
      case 'fourEyes':
        return this.#fourEyes(state);
      case 'toFrozen':
        return this.#toFrozen(state);
      case 'manyWithdrawals':
        return this.#manyWithdrawals();
      case 'manyAddresses':
        return this.#manyAddresses();
    }
  }

  #account(): AccountId {
    return as(anyAccount(this.#world.chance));
  }

  #asset(): AssetId {
    const { chance } = this.#world;
    return as(chance.in(0.02) ? chance.pick([4, 99, -1]) : chance.below(Object.keys(asset).length));
  }

  #number(live: readonly WithdrawalView[]): number {
    const { chance } = this.#world;
    return live.length === 0 || chance.in(0.05) ? chance.corner() : chance.pick(live).withdrawal;
  }

  #destination(): Pick<Extract<Command, { kind: 'requestWithdrawal' }>, 'network' | 'address' | 'memo'> {
    const { chance } = this.#world;
    const address = chance.pick(['dead', 'beef', 'shared', 'shared', ...users.map((user) => `own${user}`)]);
    const network = chance.in(0.03) ? 'NONE' : address === 'shared' ? 'WTAG' : chance.pick(['WNET', 'WNET', 'WTAG']);
    const memo = address === 'shared' ? chance.pick(['4', '5', '6', '99', null]) : chance.pick([null, null, 'x']);
    return { network, address, memo };
  }

  #request(state: EngineState): Command {
    const { chance } = this.#world;
    const account = this.#account();
    const id = this.#asset();
    const row = state.ledger.balances.find(account, id);
    const free = row < 0 ? 0n : state.ledger.balances.free.get(row);
    const amount = as<Balance>(chance.in(0.15) ? chance.pick(amounts) : chance.pick([free, free + 1n, free / 2n, 10n]));
    const withdrawOrderId = chance.in(0.3) ? `id${chance.below(5)}` : null;
    const remark = chance.pick([null, null, null, 'ü', 'r'.repeat(65)]);
    return { kind: 'requestWithdrawal', account, asset: id, ...this.#destination(), amount, withdrawOrderId, remark };
  }

  /** What would come next. */
  #likely(state: EngineState, { withdrawal, status }: WithdrawalView): Command {
    const { chance } = this.#world;
    switch (status) {
      case 'apply':
        return this.#advance(state, withdrawal, 'assess');
      case 'auditing':
      case 'manual':
        return this.#review(withdrawal);
      case 'wait':
        return this.#advance(state, withdrawal, 'begin');
      case 'processing':
        return this.#advance(state, withdrawal, 'sign');
      case 'packaging':
        return this.#advance(
          state,
          withdrawal,
          chance.pick(['broadcast', 'broadcast', 'broadcast', 'replace', 'fail']),
        );
      case 'confirming':
        return this.#advance(state, withdrawal, chance.pick(['confirm', 'confirm', 'confirm', 'replace', 'displace']));
      default:
        return this.#request(state);
    }
  }

  #advance(
    state: EngineState,
    withdrawal: number,
    event: Extract<Command, { kind: 'advanceWithdrawal' }>['event'],
  ): Command {
    const { chance } = this.#world;
    const known = state.withdrawals.get(withdrawal);
    const next = state.chains.get(known?.network ?? '')?.nextNonce ?? 0;
    const free = state.freeNonces.of(known?.network ?? '')[0] ?? next;
    const nonce = event === 'replace' ? (known?.transaction?.nonce ?? null) : chance.pick([next, free, null, next + 2]);
    const transaction = { txId: `tx${chance.below(99)}`, raw: 'raw', nonce: chance.in(0.05) ? chance.corner() : nonce };
    return {
      kind: 'advanceWithdrawal',
      withdrawal,
      event,
      transaction: event === 'sign' || event === 'replace' ? transaction : null,
      confirmations: chance.in(0.05) ? chance.corner() : chance.below(5),
      networkFee: as(chance.in(0.05) ? chance.pick(amounts) : BigInt(chance.below(3))),
    };
  }

  #review(withdrawal: number): Command {
    const { chance } = this.#world;
    const remark = chance.pick([null, null, 'remark', 'r'.repeat(65)]);
    const decision = chance.pick(withdrawalDecisions);
    const command = { kind: 'reviewWithdrawal', withdrawal, decision, remark } as const;
    if (chance.in(0.05)) return command;
    return operated(chance.pick(['olga', 'Olga', 'pete', 'PETE', 'tess']), command);
  }

  #network(network: string): Command {
    const { chance } = this.#world;
    const id = this.#asset();
    const withdrawFee = as<Balance>(chance.pick([0n, 0n, 1n, 5n]));
    const listed: AssetNetwork = {
      ...{ asset: id, network, label: 'label', contract: id === asset.quote ? null : `c${id}`, scale: 8 },
      ...{ depositEnabled: chance.in(0.9), withdrawEnabled: chance.in(0.8), minConfirm: 1 + chance.below(4) },
      ...{ depositMin: as<Balance>(0n), withdrawFee, withdrawMin: as<Balance>(withdrawFee + 1n) },
      withdrawMax: as(chance.pick([largest, largest, 1000n])),
      withdrawStep: as(chance.pick([1n, 1n, 1n, 2n])),
      sharesAddress: network === 'WTAG',
      ...{ depositDesc: null, depositTips: null, withdrawTips: null },
    };
    return { kind: 'configureAssetNetwork', network: listed };
  }

  #rules(changes: Partial<WalletRules> = {}): Command {
    const { chance } = this.#world;
    const bound = (): Balance | null => (chance.in(0.7) ? null : as(chance.pick([0n, 10n, largest])));
    const cap = as<Balance>(chance.pick([largest, largest, largest, 1000n, 0n]));
    return {
      kind: 'configureWallet',
      rules: {
        ...{ valuedIn: as(asset.quote), largeDeposit: as(largest), dailyCaps: [cap, cap, cap, cap] },
        ...{ riskHoldAbove: bound(), fourEyesAbove: bound(), adjustFourEyesAbove: bound() },
        newAddressDelayMs: chance.pick([0, 0, 0, 3000]),
        waitMs: chance.pick([0, 0, 60]),
        ...{ transferable: [as(asset.quote)], dustBelow: as(10n), dustCallMax: as(100n), dustFeePpm: 2000 },
        ...changes,
      },
    };
  }

  #address(state: EngineState): Command {
    const { chance } = this.#world;
    const account = this.#account();
    const network = chance.pick(['WNET', 'WTAG']);
    const index = state.chains.get(network)?.addressCount ?? 0;
    const place =
      network === 'WTAG' ? { address: 'shared', memo: `${account}` } : { address: `own${account}`, memo: null };
    return { kind: 'assignDepositAddress', account, network, index, ...place };
  }

  #saved(): Command {
    const { chance } = this.#world;
    const name = { account: this.#account(), asset: this.#asset(), ...this.#destination() };
    if (chance.in(0.3)) return { kind: 'removeSavedAddress', ...name };
    return { kind: 'saveAddress', ...name, tag: chance.pick(['', 'name', 't'.repeat(65)]) };
  }

  /** A withdrawal that two operators have to approve, of whom one comes twice. */
  #fourEyes(state: EngineState): Command {
    const account = as<AccountId>(this.#world.chance.pick(users));
    const [none, most] = [as<Balance>(0n), as<Balance>(largest)];
    const money = { account, asset: as<AssetId>(asset.quote), amount: as<Balance>(10n) };
    const withdrawal = state.withdrawals.lastWithdrawal + 1;
    const place = { network: 'WNET', address: 'dead', memo: null, withdrawOrderId: null, remark: null };
    const review = { kind: 'reviewWithdrawal', withdrawal, decision: 'approve', remark: null } as const;
    const approve = operated('olga', review);
    this.#now([
      this.#rules({ riskHoldAbove: none, fourEyesAbove: none, dailyCaps: [most, most, most, most] }),
      { kind: 'creditFunds', ...money },
      { kind: 'requestWithdrawal', ...money, ...place },
      this.#advance(state, withdrawal, 'assess'),
      approve,
      approve,
    ]);
    return { kind: 'setAllowList', account, enabled: false };
  }

  /** A payment inside to somebody who is frozen, which an operator then may decide about. */
  #toFrozen(state: EngineState): Command {
    const { chance } = this.#world;
    const [sender, receiver] = [as<AccountId>(chance.pick(users)), as<AccountId>(chance.pick(users))];
    const money = {
      account: sender,
      asset: as<AssetId>(asset.quote),
      amount: as<Balance>(BigInt(1 + chance.below(9))),
    };
    const place = { network: 'WNET', address: `own${receiver}`, memo: null, withdrawOrderId: null, remark: null };
    const most = as<Balance>(largest);
    const frozen = { kind: 'setAccountStatus', account: receiver, status: 'frozen' } as const;
    const review = {
      kind: 'reviewDeposit',
      deposit: state.deposits.lastDeposit + 1,
      account: null,
      sight: null,
    } as const;
    this.#now([
      this.#rules({ dailyCaps: [most, most, most, most] }),
      { kind: 'creditFunds', ...money },
      frozen,
      { kind: 'requestWithdrawal', ...money, ...place },
      ...(chance.in(0.3) ? [] : [{ ...review, decision: chance.pick(depositDecisions) }]),
      ...(chance.in(0.3) ? [] : [{ ...review, decision: chance.pick(['credit', 'refund'] as const) }]),
    ]);
    return { ...frozen, status: 'normal' };
  }

  /** As many withdrawals as one account may have in progress, and one more. */
  #manyWithdrawals(): Command {
    const { chance } = this.#world;
    const account = as<AccountId>(chance.pick(users));
    const terms = { network: 'WNET', address: 'dead', memo: null, amount: as<Balance>(2n), remark: null };
    const request = {
      kind: 'requestWithdrawal',
      account,
      asset: this.#asset(),
      ...terms,
      withdrawOrderId: null,
    } as const;
    this.#now(Array.from({ length: engineLimits.withdrawalsInProgress + 1 }, () => request));
    return { kind: 'setAllowList', account, enabled: false };
  }

  /** As many addresses as one account may save, and one more. */
  #manyAddresses(): Command {
    const { chance } = this.#world;
    const name = { account: as<AccountId>(chance.pick(users)), asset: this.#asset(), network: 'WNET', memo: null };
    this.#now(
      Array.from({ length: engineLimits.savedAddresses + 1 }, (_, index) => {
        return { kind: 'saveAddress', ...name, address: `many${index}`, tag: '' } as const;
      }),
    );
    return this.#network('WNET');
  }

  #sweep(): Command {
    const { chance } = this.#world;
    const networkFee = as<Balance>(chance.in(0.1) ? chance.pick(amounts) : BigInt(chance.below(3)));
    return { kind: 'recordSweep', network: chance.pick(networks), txId: `sweep${chance.below(9)}`, networkFee };
  }
}
