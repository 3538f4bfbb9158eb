import { createPrng, type Prng } from '#base/prng.ts';
import { innerHouse } from '#model/account.ts';
import type { Command, Entry } from '#model/command.ts';
import type { Event } from '#model/event-record.ts';
import { as, type AccountId, type AssetId, type Balance } from '#model/units.ts';
import { depositDecisions, type WithdrawalView } from '#model/wallet.ts';
import type { EngineState } from '#engine/state/state.ts';
import { CommandStream } from '../oracle/command-stream.ts';
import { asset, firstUser, openingCommands, userCount } from '../oracle/opening.ts';
import { contractCommand, contractOpening } from './contract-commands.ts';
import { invitees, rebateCommand, rebateOpening } from './rebate-commands.ts';
import { seenWith } from '../chain-sight.ts';
import { operated } from '../operated.ts';

type Report = Extract<Command, { kind: 'reportDeposit' }>;

const network = 'NET';
const minConfirm = 3;
const plenty = as<Balance>(10n ** 15n);
const users = [...Array.from({ length: userCount }, (_, index) => as<AccountId>(firstUser + index)), ...invitees];
const openingCount = openingCommands({ base: 1n, quote: 1n }).length;
/** Share of the commands that concern the wallet, rebates and contracts. */
const walletShare = 0.45;
/** Entries after which another day begins. */
const entriesPerDay = 700;
const dayMs = 86_400_000;

/** Accounts, networks, rules and addresses; whatever has a price is dust. */
const walletOpening: readonly Command[] = [
  ...rebateOpening,
  {
    kind: 'configureWallet',
    rules: {
      ...{ valuedIn: as<AssetId>(asset.usdt), largeDeposit: as<Balance>(10n ** 9n) },
      ...{
        dailyCaps: [plenty, plenty, plenty, plenty],
        riskHoldAbove: as<Balance>(10n ** 8n),
        fourEyesAbove: null,
        adjustFourEyesAbove: null,
      },
      ...{ newAddressDelayMs: 0, waitMs: 0, transferable: [as<AssetId>(asset.usdt)] },
      ...{ dustBelow: plenty, dustCallMax: plenty, dustFeePpm: 2000 },
    },
  },
  // Dust is what has a price that rules take.
  ...[asset.btc, asset.eth, asset.token].map(
    (id): Command => ({
      ...{ kind: 'setReferencePrice', asset: as<AssetId>(id), digits: as<Balance>(1n), decimals: 0 },
      ...{ validMs: 10 ** 12, reason: 'test' },
    }),
  ),
  ...[asset.btc, asset.usdt].map(
    (id): Command => ({
      kind: 'configureAssetNetwork',
      network: {
        ...{ asset: as<AssetId>(id), network, label: network, contract: id === asset.btc ? null : 'c', scale: 18 },
        ...{ depositEnabled: true, withdrawEnabled: true, minConfirm, depositMin: as<Balance>(1000n) },
        ...{ withdrawFee: as<Balance>(10n), withdrawMin: as<Balance>(100n), withdrawMax: plenty },
        ...{ withdrawStep: as<Balance>(1n), sharesAddress: false },
        ...{ depositDesc: null, depositTips: null, withdrawTips: null },
      },
    }),
  ),
  ...users.map(
    (account, index): Command => ({
      ...{ kind: 'assignDepositAddress', account, network, index, address: `own${account}`, memo: null },
    }),
  ),
  { kind: 'creditFunds', account: innerHouse.dust, asset: as(asset.token), amount: plenty },
  ...contractOpening,
];

/** What operators alone do. */
const decisions: ReadonlySet<Command['kind']> = new Set([
  ...(['reviewDeposit', 'reviewWithdrawal', 'adjustBalance', 'addAccountNote'] as const),
  ...(['setRateLimit', 'liftRateLimit'] as const),
]);

/** Sets the rate limit of an account, or lifts it. */
function rateLimitCommand(state: EngineState, target: string): Command {
  const meant = { limited: 'account', target } as const;
  if (state.operatorRateLimits.find(meant) !== null) return { kind: 'liftRateLimit', ...meant };
  const terms = { weight: 5000, callsPerSecond: null, futuresCalls: null, until: null, reason: 'test' };
  return { kind: 'setRateLimit', ...meant, ...terms };
}

/** Entries of a busy exchange with wallet and contracts: each depends on what the ones before led to, and the seed. */
export class BusyHour {
  readonly #trading: CommandStream;
  readonly #prng: Prng;
  readonly #queue = [...walletOpening];
  #reports: Report[] = [];
  #payments = 0;
  #at = 0;

  constructor(seed: number) {
    this.#trading = new CommandStream(seed);
    this.#prng = createPrng(seed);
  }

  /** The next entry; give its events to `observe` before asking again. */
  next(state: EngineState): Entry {
    const seq = as<Entry['seq']>(state.progress.seq + 1);
    const isOpen = state.progress.seq >= openingCount;
    if (isOpen && (this.#queue.length > 0 || this.#prng.next() < walletShare)) {
      const command = this.#queue.shift() ?? this.#command(state);
      return { seq, epoch: as(0), at: as(this.#at), command: this.#byOperator(command) };
    }
    const { at, command } = this.#trading.next();
    this.#at = Math.max(this.#at, at + dayMs * Math.floor(seq / entriesPerDay));
    return {
      seq,
      epoch: as(0),
      at: as(this.#at),
      command: this.#byOperator(isOpen ? this.#byInvitee(command) : command),
    };
  }

  observe(events: readonly Event[]): void {
    this.#trading.observe(events);
  }

  /** Decisions come from an operator, and one of forty other commands. */
  #byOperator(command: Command): Command {
    if (command.kind === 'operate') return command;
    const isTheirs = decisions.has(command.kind);
    if (!isTheirs && this.#prng.below(40) > 0) return command;
    return operated('carol', command);
  }

  /** One of five orders is placed by an account that was invited. */
  #byInvitee(command: Command): Command {
    if (command.kind !== 'placeOrder' || this.#prng.below(5) > 0) return command;
    return { ...command, account: this.#pick(invitees) };
  }

  #command(state: EngineState): Command {
    if (this.#prng.below(8) === 0) return rebateCommand(state, this.#prng);
    if (this.#prng.below(3) === 0) return contractCommand(state, this.#prng);
    const roll = this.#prng.below(100);
    if (roll < 35) return this.#report();
    if (roll < 38) {
      const { txId, output } = this.#reported();
      return { kind: 'removeDeposit', network, txId, output, forks: 0 };
    }
    if (roll < 44) return this.#reviewDeposit(state);
    if (roll < 87) return this.#withdrawal(state);
    const account = this.#pick(users);
    if (roll < 88) return { kind: 'addAccountNote', account, text: 'test' };
    const some = { asset: as<AssetId>(asset.usdt), amount: as<Balance>(BigInt(1 + this.#prng.below(500))) };
    if (roll < 89) {
      const terms = {
        type: this.#pick(['credit', 'debit'] as const),
        wallet: 'spot',
        reason: 'test',
        reference: null,
      } as const;
      return { kind: 'adjustBalance', account, ...some, ...terms };
    }
    if (roll < 93) {
      const [from, to] = this.#pick([['spot', 'futures'] as const, ['futures', 'spot'] as const]);
      return { kind: 'transferFunds', account, from, to, ...some, clientTranId: null };
    }
    if (roll < 98) {
      const target = String(10_000_000 + this.#prng.below(userCount));
      if (state.progress.seq % 8 === 0) return rateLimitCommand(state, target);
      return { kind: 'sendFunds', account, targetKind: 'uid', target, clientTranId: null, ...some };
    }
    return { kind: 'convertDust', account, assets: [as(asset.btc), as(asset.eth)] };
  }

  /** A payment that was reported before, or a new one. */
  #reported(): Report {
    if (this.#reports.length > 0 && this.#prng.below(4) > 0) return this.#pick(this.#reports);
    this.#payments += 1;
    const report: Report = {
      kind: 'reportDeposit',
      ...{ network, txId: `tx${this.#payments}`, output: 0, asset: this.#asset(), memo: null, sight: seenWith(0) },
      address: this.#prng.below(12) === 0 ? 'nobody' : `own${this.#pick(users)}`,
      amount: as(BigInt(this.#pick([400, 1000, 70_000, 10 ** 8]) + this.#prng.below(300))),
    };
    this.#reports = [...this.#reports.slice(-19), report];
    return report;
  }

  #report(): Command {
    return { ...this.#reported(), sight: seenWith(this.#prng.below(minConfirm + 2)) };
  }

  #reviewDeposit(state: EngineState): Command {
    const waiting = state.deposits.all().filter(({ status }) => status !== 'success' && status !== 'pending');
    if (waiting.length === 0) return this.#report();
    const { deposit, account } = this.#pick(waiting);
    const owner = account < firstUser ? this.#pick(users) : null;
    return {
      kind: 'reviewDeposit',
      deposit,
      decision: this.#pick(depositDecisions),
      account: owner,
      sight: seenWith(minConfirm),
    };
  }

  /** A new withdrawal, or what comes next for one of the last. */
  #withdrawal(state: EngineState): Command {
    const open = state.withdrawals.all().filter(({ status }) => !['success', 'failed', 'cancelled'].includes(status));
    if (open.length > 12 || (open.length > 0 && this.#prng.below(5) > 0)) return this.#step(state, this.#pick(open));
    const terms = { asset: this.#asset(), network, memo: null, withdrawOrderId: null, remark: null };
    const address = this.#prng.below(8) === 0 ? `own${this.#pick(users)}` : 'outside';
    const amount = as<Balance>(BigInt(100 + this.#prng.below(9000)));
    return { kind: 'requestWithdrawal', account: this.#pick(users), ...terms, address, amount };
  }

  #step(state: EngineState, { withdrawal, account, status, confirmations }: WithdrawalView): Command {
    const step = { kind: 'advanceWithdrawal', withdrawal, transaction: null, confirmations: 0 } as const;
    const none = { networkFee: as<Balance>(0n) };
    if (this.#prng.below(15) === 0) return { kind: 'cancelWithdrawal', account, withdrawal };
    switch (status) {
      case 'apply':
        return { ...step, ...none, event: 'assess' };
      case 'wait':
        return { ...step, ...none, event: 'begin' };
      case 'processing': {
        const { nextNonce } = state.chains.at(network);
        const nonce = [...state.freeNonces.of(network), nextNonce][0]!;
        if (this.#prng.below(9) === 0) return { ...step, ...none, event: 'fail' };
        return {
          ...step,
          ...none,
          event: 'sign',
          transaction: { txId: `out${state.progress.seq}`, raw: 'raw', nonce },
        };
      }
      case 'packaging':
        return { ...step, ...none, event: 'broadcast' };
      case 'confirming':
        return { ...step, event: 'confirm', confirmations: confirmations + 1, networkFee: as(3n) };
      default:
        return {
          kind: 'reviewWithdrawal',
          withdrawal,
          decision: this.#pick(['approve', 'reject', 'manual']),
          remark: null,
        };
    }
  }

  #asset(): AssetId {
    return as(this.#pick([asset.btc, asset.usdt]));
  }

  #pick<Value>(values: readonly Value[]): Value {
    return values[this.#prng.below(values.length)] as Value;
  }
}
