import { InvariantBroken } from '#base/assert.ts';
import type { Clock, Repeat } from '#base/clock.ts';
import { type PollingWorker, startPolling } from '#base/polling.ts';
import { NetworkUnavailable, type Custody, type NetworkCustody } from '#custody/custody.ts';
import type { CommandIngress } from '#sequencer/command-ingress.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { PaidFollower } from '#custody/settlement/follow-paid.ts';
import { DepositFollower } from '#custody/settlement/follow-deposits.ts';
import { SweepFollower } from '#custody/settlement/follow-sweeps.ts';
import type { SettlementParts } from '#custody/settlement/network-settlement.ts';
import { WithdrawalPayer } from '#custody/settlement/pay-withdrawals.ts';
import type { FundsLack } from '#custody/settlement/waiting-payments.ts';
import { type NetworkSight, NetworkWatch } from '#custody/settlement/watch-network.ts';
import { HotWalletWatch } from '#custody/settlement/watch-hot-wallet.ts';

/*
 * The workers between chains and ledger, one per network. Each poll of a chain reads what was paid in, takes every
 * withdrawal a step further and records the cost of sweeps. A worker keeps nothing that a restart would miss: what it
 * did stands in the journal, and the chain answers the rest. `follow-deposits.ts` and `pay-withdrawals.ts` are the two
 * directions; `watch-hot-wallet.ts` searches for payments that the journal does not know, before anything is paid.
 */

/** What settlement needs of the exchange. */
export interface SettlementOptions {
  readonly custody: Custody;
  readonly ingress: CommandIngress;
  readonly queries: ExchangeQueries;
  readonly clock: Clock;
  readonly monotonic: Clock;
  readonly repeat: Repeat;
  /** Time between two polls of a chain. */
  readonly everyMs: number;
  /** Gets what an operator should know, in a sentence. */
  readonly notice: (message: string) => void;
  readonly onTrouble: (what: string, error: unknown) => void;
}

/** What keeps a network from paying, as of the last poll. */
export interface PayingState {
  /** Payments of the hot wallet that the journal does not know, with too few confirmations to be recorded. */
  readonly unknownWaiting: number;
  /** The broken claim that ended the work on the network until the next start; `null`: it goes on. */
  readonly stoppedBy: string | null;
  /** Why a withdrawal is not paid now; `null`: nothing of that is known. */
  reasonOf(withdrawal: number): string | null;
  /** What a withdrawal waits for; `null`: not for funds. */
  shortfallOf(withdrawal: number): FundsLack | null;
  /** Every coin that withdrawals of the network wait for. */
  lacks(): readonly FundsLack[];
}

/** A running settlement of chains: `run` polls at every chain once. */
export interface ChainSettlement extends PollingWorker {
  /** `null`: the network is not settled here. */
  payingState(network: string): PayingState | null;
  /** Likewise. */
  sightOf(network: string): NetworkSight | null;
}

/** A chain that fails is polled again after at most this many polls without it. DEC-WAL-107. */
const skippedMax = 8;

/** Starts the workers of every network of custody. A broken claim about a payment ends the worker of its network. */
export function startSettlement(options: SettlementOptions): ChainSettlement {
  const { repeat, everyMs, onTrouble } = options;
  const networks = [...options.custody.values()].map((custody) => new NetworkSettlement(options, custody));
  const workers = networks.map((each) =>
    startPolling({
      what: `settling ${each.network}`,
      poll: () => each.poll(),
      repeat,
      everyMs,
      skippedMax,
      isPassing: (error) => error instanceof NetworkUnavailable,
      onTrouble,
    }),
  );
  return {
    payingState: (network) => networks.find((each) => each.network === network)?.payingState ?? null,
    sightOf: (network) => networks.find((each) => each.network === network)?.sight ?? null,
    run: async () => void (await Promise.all(workers.map((worker) => worker.run()))),
    stop: async () => void (await Promise.all(workers.map((worker) => worker.stop()))),
  };
}

/** Settles one network. */
class NetworkSettlement {
  private readonly parts: SettlementParts;
  private readonly wallet: HotWalletWatch;
  private readonly deposits: DepositFollower;
  private readonly withdrawals: WithdrawalPayer;
  private readonly sweeps: SweepFollower;
  private readonly paid: PaidFollower;
  private stoppedBy: string | null = null;
  private readonly watch: NetworkWatch;

  constructor(options: SettlementOptions, custody: NetworkCustody) {
    const { custody: custodies, ingress, queries, clock, monotonic, notice, onTrouble } = options;
    this.parts = { custody, custodies, ingress, queries, clock, monotonic, notice, onTrouble };
    this.wallet = new HotWalletWatch(this.parts);
    this.deposits = new DepositFollower(this.parts);
    this.withdrawals = new WithdrawalPayer(this.parts, this.wallet);
    this.sweeps = new SweepFollower(this.parts);
    this.paid = new PaidFollower(this.parts, this.wallet);
    this.watch = new NetworkWatch(this.parts);
  }

  get network(): string {
    return this.parts.custody.network;
  }

  get payingState(): PayingState {
    const { unknownWaiting } = this.wallet;
    const { waiting } = this.withdrawals;
    return {
      unknownWaiting,
      stoppedBy: this.stoppedBy,
      reasonOf: (withdrawal) => waiting.reasonOf(withdrawal),
      shortfallOf: (withdrawal) => waiting.shortfallOf(withdrawal),
      lacks: () => waiting.lacks(),
    };
  }

  get sight(): NetworkSight {
    return this.watch.sight(this.deposits.height);
  }

  /** Whatever fails is tried again at a later poll: every step starts from what is journaled. */
  async poll(): Promise<void> {
    try {
      await this.pollOnce();
    } catch (error) {
      if (error instanceof InvariantBroken) this.stoppedBy = error.message;
      throw error;
    }
  }

  private async pollOnce(): Promise<void> {
    const { queries, custody } = this.parts;
    const [listed, { assets }] = await Promise.all([queries.wallet.networks(), queries.listing()]);
    const networks = listed.filter(({ network }) => network === custody.network);
    if (networks.length === 0) return;
    await this.watch.look(networks);
    // First: a poll that cannot tell what the hot wallet has sent pays nothing.
    await this.wallet.run({ networks, assets });
    await this.deposits.run(networks, assets);
    await this.withdrawals.run({ networks, assets });
    await this.sweeps.run(networks, assets);
    await this.paid.run({ networks, assets });
    this.watch.completed();
  }
}
