import { setTimeout } from 'node:timers/promises';
import { parseDecimal } from '#base/decimal.ts';
import { createPrng, type Prng } from '#base/prng.ts';
import { canonicalAddress } from '#custody/addresses/addresses.ts';
import { ClusterClient, type Settled, type SignedCall } from './cluster-client.ts';
import type { Trader } from './exchange-set-up.ts';
import { type ChainCoin, chainCoins, coinText, type TestChain, withdrawalMin } from './on-chain-exchange.ts';

/** A withdrawal that was asked for, to an address that nobody else is paid at. Amounts are in millionths of a coin. */
export interface AskedWithdrawal {
  readonly lane: number;
  readonly withdrawOrderId: string;
  readonly address: string;
  readonly micros: bigint;
  /** `refused`: every attempt was, for sure; `unsure`: refused or given up after an attempt that nobody heard of. */
  outcome: 'acknowledged' | 'refused' | 'unsure';
  /** Code of the error that it was refused with. */
  code: number | null;
  /** What the acknowledgement said; else `null`. */
  id: string | null;
  cancel: 'none' | 'done' | 'refused' | 'unsure';
}

/** What somebody paid to the deposit address of a customer. */
export interface PaidDeposit {
  readonly lane: number;
  readonly txId: string;
  readonly micros: bigint;
}

/** A customer with one coin, who asks any node. */
export interface Lane {
  readonly customer: Trader;
  readonly coin: ChainCoin;
  /** Two connections of his that begin at different nodes. */
  readonly clients: readonly [ClusterClient, ClusterClient];
  readonly depositAddress: string;
}

const refusedForFunds = 10_101;
/** A fork of a deposit's chain is judged: the account moves nothing out for the moment. */
const beingChecked = 60_005;
const pauseMs = 600;
/** Coins of a deposit: at most so many. */
const depositMost = 5;

const codeOf = ({ body }: Settled): number | undefined => (body as { readonly code?: number }).code;

/**
 * Customers who deposit, and withdraw until nothing is left: parts of what they have, and all of it twice at the same
 * time at two nodes. What was not answered is asked again with its withdrawOrderId.
 */
export class WithdrawalLoad {
  readonly asked: AskedWithdrawal[] = [];
  readonly paid: PaidDeposit[] = [];
  /** Answers that no customer may get. */
  readonly faults: string[] = [];
  readonly lanes: readonly Lane[];
  private readonly chain: TestChain;
  private readonly prng: Prng;
  private running: Promise<unknown> = Promise.resolve();
  private isOver = false;
  private isCut = false;

  private constructor(lanes: readonly Lane[], chain: TestChain, seed: number) {
    [this.lanes, this.chain, this.prng] = [lanes, chain, createPrng(seed)];
  }

  /** Makes the deposit addresses. */
  static async open(
    urls: readonly string[],
    customers: readonly Trader[],
    chain: TestChain,
    seed: number,
  ): Promise<WithdrawalLoad> {
    const from = (node: number): readonly string[] => urls.map((_, step) => urls[(node + step) % urls.length]!);
    const lanes: Lane[] = [];
    for (const [index, customer] of customers.entries()) {
      const clients = [new ClusterClient(from(index)), new ClusterClient(from(index + 1))] as const;
      const coin = chainCoins[index % chainCoins.length]!;
      const call = {
        key: customer,
        address: addressOf(index),
        method: 'POST',
        path: '/api/v3/capital/deposit/address',
      };
      const made = await clients[0].settle({ ...call, parameters: { coin, network: 'ETH' } }, () => false);
      const [row] = made!.body as { readonly address: string }[];
      lanes.push({ customer, coin, clients, depositAddress: row!.address });
    }
    return new WithdrawalLoad(lanes, chain, seed);
  }

  /** Withdrawals that were acknowledged. */
  get acknowledged(): number {
    return this.asked.filter(({ outcome }) => outcome === 'acknowledged').length;
  }

  start(): void {
    this.running = Promise.all(
      this.lanes.map((_, lane) => this.run(lane).catch((error: unknown) => void this.faults.push(String(error)))),
    );
  }

  /** Nothing new is begun; resolves when all is answered, or given up after `withinMs`. */
  async stop(withinMs: number): Promise<void> {
    this.isOver = true;
    const late = new AbortController();
    const cut = setTimeout(withinMs, undefined, { signal: late.signal }).then(
      () => (this.isCut = true),
      () => {},
    );
    await this.running;
    late.abort();
    await cut;
  }

  close(): void {
    for (const { clients } of this.lanes) for (const client of clients) client.close();
  }

  /** A request of a customer, repeated until a node answers. @throws Error when it is refused */
  async ask<Answer>(lane: number, path: string): Promise<Answer> {
    const decided = await this.lanes[lane]!.clients[0].settle(this.call(lane, 'GET', path, {}), () => false);
    if (decided!.status !== 200) throw new Error(`${path}: ${JSON.stringify(decided!.body)}`);
    return decided!.body as Answer;
  }

  /** What the customer has: free, and locked. */
  async balanceOf(lane: number): Promise<{ readonly free: bigint; readonly locked: bigint }> {
    const { balances } = await this.ask<{ balances: { asset: string; free: string; locked: string }[] }>(
      lane,
      '/api/v3/account',
    );
    const row = balances.find(({ asset }) => asset === this.lanes[lane]!.coin);
    const micros = (text: string): bigint => parseDecimal(text, 6) as bigint;
    return { free: micros(row?.free ?? '0'), locked: micros(row?.locked ?? '0') };
  }

  private call(lane: number, method: string, path: string, parameters: Readonly<Record<string, string>>): SignedCall {
    return { key: this.lanes[lane]!.customer, address: addressOf(lane), method, path, parameters };
  }

  private async run(lane: number): Promise<void> {
    let isPaidIn = false;
    while (!this.isOver) {
      const { free } = await this.balanceOf(lane);
      if (free >= withdrawalMin) {
        isPaidIn = false;
        await this.withdraw(lane, free);
      } else if (!isPaidIn) {
        await this.deposit(lane);
        isPaidIn = true;
      }
      await setTimeout(this.prng.below(pauseMs));
    }
  }

  private async deposit(lane: number): Promise<void> {
    const { coin, depositAddress } = this.lanes[lane]!;
    const micros = 1_000_000n + BigInt(this.prng.below((depositMost - 1) * 1_000_000));
    const txId = await this.chain.pay(coin, depositAddress, micros);
    this.paid.push({ lane, txId, micros });
  }

  /** A part of it; or all of it, twice at once: only one of the two may be taken. */
  private async withdraw(lane: number, free: bigint): Promise<void> {
    const rest = free - withdrawalMin;
    const part = withdrawalMin + (rest * BigInt(this.prng.below(1000))) / 1000n;
    // What remains must be worth a withdrawal.
    if (this.prng.below(3) > 0 && free - part >= withdrawalMin) {
      await this.cancelSome([await this.request(lane, part, 0)]);
      return;
    }
    const twins = await Promise.all([this.request(lane, free, 0), this.request(lane, free, 1)]);
    const names = twins.map(({ withdrawOrderId }) => withdrawOrderId).join(' and ');
    if (twins.every(({ outcome }) => outcome === 'acknowledged'))
      this.faults.push(`${names} were both acknowledged, of ${free} that are there once`);
    if (twins.every(({ outcome, code }) => outcome === 'refused' && code === refusedForFunds))
      this.faults.push(`${names} were both refused, of ${free} that are there`);
    await this.cancelSome(twins);
  }

  private async cancelSome(all: readonly AskedWithdrawal[]): Promise<void> {
    for (const each of all) if (each.id !== null && this.prng.below(6) === 0) await this.cancel(each);
  }

  private async request(lane: number, micros: bigint, connection: 0 | 1): Promise<AskedWithdrawal> {
    const { coin, clients } = this.lanes[lane]!;
    const bytes = Array.from({ length: 20 }, () => this.prng.below(256).toString(16).padStart(2, '0'));
    const asked: AskedWithdrawal = {
      ...{ lane, withdrawOrderId: `w${this.asked.length}`, address: canonicalAddress('ETH', `0x${bytes.join('')}`)! },
      ...{ micros, outcome: 'unsure', code: null, id: null, cancel: 'none' },
    };
    this.asked.push(asked);
    const { withdrawOrderId, address } = asked;
    const parameters = { coin, netWork: 'ETH', address, amount: coinText(micros), withdrawOrderId };
    const call = this.call(lane, 'POST', '/api/v3/capital/withdraw', parameters);
    const decided = await clients[connection].settle(call, () => this.isCut);
    if (decided?.status === 200) {
      asked.outcome = 'acknowledged';
      asked.id = (decided.body as { readonly id: string }).id;
    } else if (decided !== null) {
      asked.code = codeOf(decided) ?? null;
      if (asked.code !== refusedForFunds && asked.code !== beingChecked)
        this.faults.push(`${withdrawOrderId}: ${decided.status} ${JSON.stringify(decided.body)}`);
      if (decided.unknowns === 0) asked.outcome = 'refused';
    }
    return asked;
  }

  private async cancel(asked: AskedWithdrawal): Promise<void> {
    const call = this.call(asked.lane, 'DELETE', '/api/v3/capital/withdraw', { id: asked.id! });
    asked.cancel = 'unsure';
    const decided = await this.lanes[asked.lane]!.clients[0].settle(call, () => this.isCut);
    if (decided?.status === 200) asked.cancel = 'done';
    else if (decided?.unknowns === 0) asked.cancel = 'refused';
  }
}

/** Each customer's proxy reports an address of its own. */
const addressOf = (lane: number): string => `10.3.0.${lane}`;
