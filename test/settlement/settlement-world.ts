import { house } from '#model/account.ts';
import type { Command, Entry } from '#model/command.ts';
import type { AccountId, AssetId } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { AssetNetwork, DepositView, WithdrawalView } from '#model/wallet.ts';
import type { ChainAddress, Custody, NetworkCustody } from '#custody/custody.ts';
import type { Network } from '#custody/addresses/networks.ts';
import { depositAddresses } from '#custody/simulated/deposit-addresses.ts';
import { MemoryChainStorage } from '../ports/memory-chain-storage.ts';
import { openSimulatedCustody, type SimulatedCustody } from '#custody/simulated/simulated-custody.ts';
import type { CommandIngress, Outcome } from '#sequencer/command-ingress.ts';
import { firstDemoPrices } from '#sandbox/demo-prices.ts';
import { demoAssets } from '#sandbox/listing.ts';
import { demoAssetNetworks, demoBlockMs, demoWalletRules } from '#sandbox/wallet-listing.ts';
import { reconcile } from '#custody/settlement/reconcile.ts';
import { type ChainSettlement, type PayingState, startSettlement } from '#custody/settlement/settlement.ts';
import { startExchange, type TestExchange } from '../exchange-harness.ts';

/** Decides whether a call ends before it begins, or after it took effect, as if the process had died there. */
export type Crash = (what: string, step: 'before' | 'after') => void;
/** The process died: nobody hears the answer. */
export class Crashed extends Error {
  override name = 'Crashed';
}

export const alice = as<AccountId>(4);
export const bob = as<AccountId>(5);
export const seed = 'settlement';

/** An exchange with the demo wallet and the simulated chains, whose settlement can die and start again at any call. */
export class SettlementWorld {
  readonly exchange: TestExchange;
  readonly troubles: string[] = [];
  readonly notices: string[] = [];
  crash: Crash = () => {};
  /** What settlement reaches of a network's custody; from the next start on. */
  wrap: (custody: NetworkCustody) => NetworkCustody = (custody) => custody;
  private networks: readonly string[] | null = null;
  private readonly storage: MemoryChainStorage;
  private simulated: SimulatedCustody | null = null;
  private settlement: ChainSettlement | null = null;
  private monotonic = 0;

  private constructor(storage = new MemoryChainStorage(), backup: readonly Entry[] = []) {
    this.storage = storage;
    this.exchange = startExchange(undefined, backup);
  }

  /** Another exchange that goes on from these entries of this one, on the chains as they are now. */
  async restored(backup: readonly Entry[]): Promise<SettlementWorld> {
    const world = new SettlementWorld(this.storage, backup);
    world.exchange.clock.time = this.exchange.clock.time;
    await world.restart();
    return world;
  }

  /** Payments that a network knows of the wallet that pays withdrawals, in a block or not. */
  async chainTransactions(network: Network): Promise<number> {
    const asked = { nonceFrom: 0, since: null, confirmations: 1 };
    const { final, waiting } = await this.custody.get(network)!.sentPayments(asked);
    return final.length + waiting.length;
  }

  /** `networks`: those that settlement looks at; all unless given. */
  static async open(networks: readonly string[] | null = null): Promise<SettlementWorld> {
    const world = new SettlementWorld();
    world.networks = networks;
    for (const asset of demoAssets) await world.must({ kind: 'configureAsset', asset });
    for (const uid of [10_000_001, 10_000_002]) {
      await world.must({
        kind: 'openAccount',
        uid: as(uid),
        name: `user ${uid}`,
        master: null,
        class: 'user',
        kycLevel: 4,
        simulated: false,
      });
    }
    const { assets } = await world.exchange.queries.listing();
    for (const network of demoAssetNetworks(assets)) await world.must({ kind: 'configureAssetNetwork', network });
    const usdt = assets.find(({ code }) => code === 'USDT')!;
    for (const price of firstDemoPrices(assets, usdt.id)) await world.must({ ...price, validMs: 10 ** 12 } as Command);
    await world.must({ kind: 'configureWallet', rules: demoWalletRules(usdt) });
    await world.restart();
    // The chains are older than the first payment, so that a reorganisation has blocks to replace.
    await world.turn(100 * demoBlockMs);
    return world;
  }

  get controls(): SimulatedCustody['controls'] {
    return this.simulated!.controls;
  }

  get custody(): Custody {
    return this.simulated!.custody;
  }

  payingState(network: string): PayingState {
    return this.settlement!.payingState(network)!;
  }

  /** Starts chain and settlement anew from what is durable, as a new process would. */
  async restart(): Promise<void> {
    const { exchange, storage } = this;
    this.simulated = await openSimulatedCustody({ storage, seed, clock: exchange.clock, blockMs: demoBlockMs });
    const crashing = (what: string): void => this.crash(what, 'before');
    const ingress: CommandIngress = {
      submit: async (command): Promise<Outcome> => {
        const what = command.kind === 'advanceWithdrawal' ? `${command.kind} ${command.event}` : command.kind;
        crashing(what);
        const outcome = await exchange.sequencer.submit(command);
        this.crash(what, 'after');
        return outcome;
      },
      post: (command) => exchange.sequencer.post(command),
    };
    this.settlement = startSettlement({
      custody: new Map(
        [...this.custody]
          .filter(([code]) => this.networks?.includes(code) ?? true)
          .map(([code, custody]) => [code, this.dying(this.wrap(custody))]),
      ),
      ingress,
      queries: exchange.queries,
      clock: exchange.clock,
      monotonic: { now: () => this.monotonic },
      repeat: () => () => {},
      everyMs: 1000,
      notice: (message) => void this.notices.push(message),
      onTrouble: (what, error) => {
        if (!(error instanceof Crashed)) this.troubles.push(`${what}: ${(error as Error).message}`);
      },
    });
  }

  /** Polls every chain once, and starts anew if that crashed. Time passes by `ms` first. */
  async turn(ms = 0): Promise<void> {
    this.exchange.clock.time += ms;
    this.monotonic += 30_000;
    await this.settlement!.run();
    if (this.hasDied) {
      this.hasDied = false;
      await this.restart();
    }
  }

  /** Turns of a block each until `isDone` or `most` are over. */
  async turnsUntil(isDone: () => Promise<boolean>, most = 200): Promise<void> {
    for (let turn = 0; turn < most; turn += 1) {
      if (await isDone()) return;
      await this.turn(demoBlockMs);
    }
    throw new Error(`still not done after ${most} turns; ${this.troubles.join('; ')}`);
  }

  hasDied = false;

  async must(command: Command): Promise<Outcome> {
    const outcome = await this.exchange.submit(command);
    for (const event of outcome.events)
      if (event.kind === 'commandRefused') throw new Error(`${command.kind} was refused: ${event.reason}`);
    return outcome;
  }

  assetId(code: string): AssetId {
    return this.exchange.engine.state.assets.find(code)!.id;
  }

  listed(code: string, network: string): AssetNetwork {
    return this.exchange.engine.state.assetNetworks.get(this.assetId(code), network)!;
  }

  /** The deposit address of an account, given if it has none. */
  async addressOf(account: AccountId, network: string): Promise<ChainAddress> {
    const { queries } = this.exchange;
    const known = await queries.wallet.depositAddress(account, network);
    if (known !== null) return { address: known.address, memo: known.memo };
    const index = (await queries.wallet.chain(network))!.addressCount;
    const address = (await this.custody.get(network)!.depositAddress(index))!;
    await this.must({ kind: 'assignDepositAddress', account, network, index, ...address });
    return address;
  }

  /** An address of the network that is not ours. */
  strangerOn(network: Network): ChainAddress {
    return depositAddresses(network, 'somebody else').at(0)!;
  }

  /** Somebody pays an account; `units` of the chain. */
  async pay(account: AccountId, code: string, network: string, units: bigint): Promise<string> {
    const to = await this.addressOf(account, network);
    return this.controls.deposit({ network, ...to, contract: this.listed(code, network).contract, amount: units });
  }

  async withdraw(account: AccountId, code: string, network: Network, amount: bigint): Promise<number> {
    const to = this.strangerOn(network);
    const outcome = await this.must({
      kind: 'requestWithdrawal',
      account,
      asset: this.assetId(code),
      network,
      ...to,
      amount: as(amount),
      withdrawOrderId: null,
      remark: null,
    });
    for (const event of outcome.events) if (event.kind === 'withdrawalChanged') return event.withdrawal.withdrawal;
    throw new Error('a withdrawal was made');
  }

  async deposits(): Promise<readonly DepositView[]> {
    return this.exchange.queries.wallet.liveDeposits(null);
  }

  withdrawal(withdrawal: number): WithdrawalView {
    return this.exchange.engine.state.withdrawals.get(withdrawal)!;
  }

  free(account: AccountId, code: string): bigint {
    const { balances } = this.exchange.engine.state.ledger;
    const row = balances.find(account, this.assetId(code));
    return row < 0 ? 0n : balances.free.get(row);
  }

  /** Everything that is not as it must be: the engine's invariants, and what reconciliation cannot explain. */
  async faults(): Promise<readonly string[]> {
    const rows = await reconcile(this.exchange.queries, this.custody);
    const differences = rows
      .filter(({ isExplained }) => !isExplained)
      .map(({ asset, expected, inCustody }) => `${asset.code}: custody has ${inCustody}, expected ${expected}`);
    return [...this.exchange.faults(), ...differences];
  }

  /** What the exchange owes the outside. */
  onLedger(code: string): bigint {
    return -this.free(house.outside, code);
  }

  private dying(custody: NetworkCustody): NetworkCustody {
    const around =
      <Arguments extends readonly unknown[], Answer>(name: string, call: (...args: Arguments) => Promise<Answer>) =>
      async (...args: Arguments): Promise<Answer> => {
        this.crash(name, 'before');
        const answer = await call(...args);
        this.crash(name, 'after');
        return answer;
      };
    return {
      network: custody.network,
      isPaying: custody.isPaying,
      addressCountMax: custody.addressCountMax,
      isReading: custody.isReading,
      depositAddress: (index) => custody.depositAddress(index),
      observe: around('observe', (request) => custody.observe(request)),
      placesOf: around('placesOf', (payments) => custody.placesOf(payments)),
      sign: around('sign', (payment, nonceFrom, paidLastHour) => custody.sign(payment, nonceFrom, paidLastHour)),
      readSigned: (transaction) => custody.readSigned(transaction),
      send: around('send', (transaction) => custody.send(transaction)),
      fateOf: around('fateOf', (transaction) => custody.fateOf(transaction)),
      replacementFor: around('replacementFor', (payment, sent) => custody.replacementFor(payment, sent)),
      sentPayments: around('sentPayments', (request) => custody.sentPayments(request)),
      describePayment: around('describePayment', (name, since) => custody.describePayment(name, since)),
      sweep: around('sweep', (count) => custody.sweep(count)),
      sweepsSince: around('sweepsSince', (position, count) => custody.sweepsSince(position, count)),
      status: (contracts) => custody.status(contracts),
      holdings: (contracts, count) => custody.holdings(contracts, count),
    };
  }
}
