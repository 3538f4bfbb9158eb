import { createPrng, type Prng } from '#base/prng.ts';
import { NetworkUnavailable, type NetworkCustody } from '#custody/custody.ts';
import type { Command } from '#model/command.ts';
import { as, type AccountId } from '#model/units.ts';
import { depositDecisions } from '#model/wallet.ts';
import { demoBlockMs } from '#sandbox/wallet-listing.ts';
import { sightOfPayment } from '#custody/settlement/sight-of-payment.ts';
import { NaiveBlocks } from './naive-blocks.ts';
import { alice, bob, Crashed, SettlementWorld } from './settlement-world.ts';
import { operated } from '../operated.ts';
import { changedCustody } from '../changed-custody.ts';

/*
 * Random histories of payments, forks, flags, reviews, switches, silent nodes, restarts and withdrawals, beside a
 * model that knows blocks alone. USDT comes over two chains and leaves over either. The rules that it holds the
 * exchange to: what an account withdraws is in the blocks of the look in which it is signed; and after a look at a
 * chain that answers no deposit is credited that its blocks do not have.
 */

const networks = ['TRX', 'BSC'] as const;
type HistoryNetwork = (typeof networks)[number];
const people = [alice, bob] as const;
/** In whole USDT, and what remains after the point; below 1 is small, from 100,000 on it is large. */
const payments: readonly bigint[] = [400_000n, 700_000n, 20_000_000n, 5_000_000_000n, 150_000_000_000n];
const withdrawals: readonly bigint[] = [10n, 30n, 4_000n, 100_000n];
const usdt = 10n ** 9n;

/** What a history came to. */
export interface HistoryOutcome {
  /** What the rules do not allow. */
  readonly faults: readonly string[];
  /** How often things happened that histories are about. */
  readonly counts: Readonly<Record<'credited' | 'small' | 'byHand' | 'lost' | 'signed' | 'died' | 'silent', number>>;
}

/** Plays the history of a seed. */
export async function playHistory(seed: number, steps: number): Promise<HistoryOutcome> {
  const world = await SettlementWorld.open(networks);
  for (const [index, network] of networks.entries())
    await world.must({
      kind: 'configureAssetNetwork',
      network: { ...world.listed('USDT', network), minConfirm: 2 + index },
    });
  const history = new History(seed, world);
  await history.begin();
  for (let step = 0; step < steps; step += 1) await history.step();
  return history.outcome();
}

class History {
  private readonly world: SettlementWorld;
  private readonly prng: Prng;
  private readonly chains: Readonly<Record<HistoryNetwork, NaiveBlocks>>;
  /** By account: what its withdrawals take, by their number, once they are signed. */
  private readonly taken = new Map<AccountId, Map<string, bigint>>();
  private readonly faults: string[] = [];
  private readonly counts = { credited: 0, small: 0, byHand: 0, lost: 0, signed: 0, died: 0, silent: 0 };
  private readonly silent = new Set<string>();
  private callsLeft = Number.POSITIVE_INFINITY;

  constructor(seed: number, world: SettlementWorld) {
    this.prng = createPrng(seed);
    this.world = world;
    this.chains = { TRX: new NaiveBlocks(), BSC: new NaiveBlocks() };
  }

  async begin(): Promise<void> {
    const { world } = this;
    world.wrap = (custody) => this.watched(custody);
    world.crash = () => {
      if (world.hasDied) throw new Crashed();
      this.callsLeft -= 1;
      if (this.callsLeft > 0) return;
      this.callsLeft = Number.POSITIVE_INFINITY;
      this.counts.died += 1;
      world.hasDied = true;
      throw new Crashed();
    };
    await world.restart();
    for (const person of people) for (const network of networks) await world.addressOf(person, network);
  }

  outcome(): HistoryOutcome {
    for (const { command } of this.world.exchange.entries)
      if (command.kind === 'creditSmallDeposits') this.counts.small += 1;
    for (const deposit of this.world.exchange.engine.state.deposits.all()) {
      if (deposit.status === 'success') this.counts.credited += 1;
      if (deposit.status === 'lost') this.counts.lost += 1;
    }
    return { faults: [...this.faults, ...this.world.exchange.faults()], counts: this.counts };
  }

  async step(): Promise<void> {
    const roll = this.prng.below(100);
    const network = this.pick(networks);
    if (roll < 26) await this.look(0);
    else if (roll < 46) await this.look(1 + this.prng.below(4));
    else if (roll < 58) await this.pay(network);
    else if (roll < 72) await this.reorganise(network);
    else if (roll < 82) await this.withdraw(network);
    else if (roll < 92) await this.review();
    else if (roll < 94) await this.configure(network);
    else if (roll < 96) await this.world.restart();
    else if (roll < 98) this.callsLeft = 1 + this.prng.below(25);
    else if (!this.silent.delete(network)) {
      this.silent.add(network);
      this.counts.silent += 1;
    }
  }

  private pick<Value>(values: readonly Value[]): Value {
    return values[this.prng.below(values.length)]!;
  }

  /** Time for some blocks passes, and every chain is looked at once. */
  private async look(blocks: number): Promise<void> {
    for (const network of networks) this.chains[network].mine(blocks);
    const died = this.counts.died;
    await this.world.turn(blocks * demoBlockMs);
    if (died === this.counts.died) this.compare();
  }

  /** After a look at chains that answered: what is credited is in a block, and nothing is in doubt. */
  private compare(): void {
    const { deposits } = this.world.exchange.engine.state;
    for (const { status, network, txId, deposit } of deposits.all()) {
      if (status !== 'success' || this.silent.has(network)) continue;
      if (!this.chains[network as HistoryNetwork].has(txId))
        this.faults.push(`deposit ${deposit} is credited and gone`);
    }
    if (this.silent.size === 0 && deposits.doubted.count > 0) this.faults.push('a look left deposits in doubt');
  }

  private async pay(network: HistoryNetwork): Promise<void> {
    const account = this.pick(people);
    const amount = this.pick(payments);
    const { scale } = this.world.listed('USDT', network);
    const units = scale >= 6 ? amount * 10n ** BigInt(scale - 6) : amount;
    const txId = await this.world.pay(account, 'USDT', network, units);
    this.chains[network].pool.push({ txId, account, amount: amount * 1000n });
  }

  /** Blocks are replaced, and nobody looks yet. */
  private async reorganise(network: HistoryNetwork): Promise<void> {
    const depth = this.prng.below(12) === 0 ? 20 : 1 + this.prng.below(5);
    const drop = this.prng.below(3) > 0;
    await this.world.controls.reorganise({ network, depth, drop });
    this.chains[network].reorganise(depth, drop);
  }

  private async withdraw(network: HistoryNetwork): Promise<void> {
    const account = this.pick(people);
    const free = this.world.free(account, 'USDT');
    const amount = this.prng.below(2) === 0 ? this.pick(withdrawals) * usdt : free - (free % usdt);
    const to = this.world.strangerOn(network);
    await this.submit({
      kind: 'requestWithdrawal',
      account,
      asset: this.world.assetId('USDT'),
      network,
      ...to,
      amount: as(amount),
      withdrawOrderId: null,
      remark: null,
    });
  }

  /** An operator decides, as the operator API does: custody is asked right before a credit. */
  private async review(): Promise<void> {
    const { world, prng } = this;
    const waiting = (await world.deposits()).filter(({ status }) => status !== 'success' && status !== 'lost');
    if (waiting.length === 0) return;
    const { deposit, network, txId, output } = this.pick(waiting);
    const decision = prng.below(2) === 0 ? 'credit' : this.pick(depositDecisions);
    const parts = { custody: world.custody, queries: world.exchange.queries };
    const seen = await sightOfPayment(parts, { network, txId, output });
    if (decision === 'credit' && (seen.kind !== 'seen' || this.silent.has(network))) return;
    const sight = seen.kind === 'seen' ? seen.sight : null;
    const command = { kind: 'reviewDeposit', deposit, decision, account: null, sight } as const;
    await this.submit(operated('erin', command));
    if (world.exchange.engine.state.deposits.get(deposit)?.status !== 'success') return;
    this.counts.byHand += 1;
    if (!this.chains[network as HistoryNetwork].has(txId)) this.faults.push(`deposit ${deposit} was credited and gone`);
  }

  private async configure(network: HistoryNetwork): Promise<void> {
    const listed = this.world.listed('USDT', network);
    const changed = { minConfirm: 1 + this.prng.below(4), depositEnabled: this.prng.below(4) > 0 };
    await this.submit({ kind: 'configureAssetNetwork', network: { ...listed, ...changed } });
  }

  private async submit(command: Command): Promise<void> {
    await this.world.exchange.submit(command);
  }

  /** The chain as settlement reaches it: it is silent at times, and what it is asked to sign is held to the rule. */
  private watched(custody: NetworkCustody): NetworkCustody {
    const answering = (): void => {
      if (this.silent.has(custody.network)) throw new NetworkUnavailable('silent');
    };
    return changedCustody(custody, {
      observe: async (request) => {
        answering();
        return custody.observe(request);
      },
      placesOf: async (refs) => {
        answering();
        return custody.placesOf(refs);
      },
      sign: async (payment, nonceFrom, paidLastHour) => {
        answering();
        const signing = await custody.sign(payment, nonceFrom, paidLastHour);
        if (signing.kind === 'signed') this.signs(payment.reference);
        return signing;
      },
    });
  }

  private signs(reference: string): void {
    const { account, amount, fee } = this.world.withdrawal(Number(reference));
    const own = this.taken.get(account) ?? new Map<string, bigint>();
    this.taken.set(account, own.set(reference, amount - fee));
    this.counts.signed += 1;
    const taken = [...own.values()].reduce((sum, each) => sum + each, 0n);
    const paid = networks.reduce((sum, network) => sum + this.chains[network].paidTo(account), 0n);
    if (taken > paid) this.faults.push(`account ${account} takes ${taken}, and the blocks have ${paid}`);
  }
}
