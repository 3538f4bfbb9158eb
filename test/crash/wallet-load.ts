import type { Prng } from '#base/prng.ts';
import { OperatorClient } from './operator-client.ts';
import type { ServerProcess } from './server-process.ts';
import { type Reply, TradingClient } from './trading-client.ts';

export const depositors = ['alice', 'bob'] as const;
export type Depositor = (typeof depositors)[number];

/** What is moved over a network, and how deep its blocks may be replaced without touching what is final there. */
export interface LoadedNetwork {
  readonly network: string;
  readonly coin: string;
  readonly outsider: string;
  readonly memo: string | null;
  /** Whole coins of a withdrawal; each adds a fraction of its own. */
  readonly amount: number;
  readonly depthMax: number;
  /** Whether replaced blocks may lose their transactions for good. */
  readonly drops: boolean;
}

/** Depths stay below the confirmations that make a payment final: 12, 2, 20 and 1. */
export const loadedNetworks: readonly LoadedNetwork[] = [
  {
    network: 'ETH',
    coin: 'USDT',
    outsider: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    memo: null,
    amount: 20,
    depthMax: 8,
    drops: false,
  },
  {
    network: 'BTC',
    coin: 'BTC',
    outsider: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    memo: null,
    amount: 0,
    depthMax: 1,
    drops: false,
  },
  {
    network: 'TRX',
    coin: 'TRX',
    outsider: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    memo: null,
    amount: 30,
    depthMax: 15,
    drops: true,
  },
  {
    network: 'XRP',
    coin: 'XRP',
    outsider: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
    memo: '7',
    amount: 25,
    depthMax: 0,
    drops: false,
  },
];

/** A withdrawal that was asked for. */
export interface Asked {
  readonly person: Depositor;
  readonly terms: Readonly<Record<string, string>> & { readonly withdrawOrderId: string };
  /** `null`: the connection broke before an answer. */
  id: string | null;
  /** Whether a cancel was acknowledged, refused, or not answered. */
  cancel: 'none' | 'done' | 'unknown';
}

/** A payment from outside to somebody's deposit address. */
export interface Paid {
  readonly person: Depositor;
  readonly network: string;
  readonly amount: string;
  /** `null`: the connection broke before an answer. */
  txId: string | null;
  /** A reorganisation may have lost it for good. */
  mayBeLost: boolean;
}

/** Deposit addresses by person and network. */
export type Addresses = ReadonlyMap<string, { readonly address: string; readonly memo: string | null }>;

/** Whether the account moves nothing out for the moment, because a fork of a deposit's chain is judged. DEC-WAL-102. */
export function isBeingChecked({ body }: Reply): boolean {
  const { code, msg } = body as { readonly code?: number; readonly msg?: string };
  return code === 60005 && msg!.includes('try again');
}

/** Everything that was asked of the exchange and its chains so far, over all rounds. */
export class WalletLoad {
  readonly asked: Asked[] = [];
  readonly paid: Paid[] = [];
  readonly faults: string[] = [];
  readonly #prng: Prng;
  #amounts = 0;

  constructor(prng: Prng) {
    this.#prng = prng;
  }

  /** Loads the exchange until `isOver`; resolves when every lane has ended. */
  async run(server: ServerProcess, addresses: Addresses, isOver: () => boolean): Promise<void> {
    const operator = new OperatorClient(server.demo);
    const clients = depositors.map((person) => [person, new TradingClient(server.demo, person)] as const);
    const pause = () => new Promise((resolve) => setTimeout(resolve, 10 + this.#prng.below(40)));
    const lane = async (step: () => Promise<void>): Promise<void> => {
      while (!isOver()) {
        await step();
        await pause();
      }
    };
    await Promise.all([
      ...clients.map(([person, client]) => lane(() => this.#withdraw(person, client))),
      lane(() => this.#pay(operator, addresses)),
      lane(() => this.#pay(operator, addresses)),
      lane(() => this.#moveChain(operator)),
    ]);
    for (const [, client] of clients) client.close();
  }

  /** An amount that no other payment has. */
  #nextAmount({ amount }: LoadedNetwork): string {
    this.#amounts += 1;
    return `${amount}.${String(10_000 + this.#amounts).padStart(6, '0')}`;
  }

  async #withdraw(person: Depositor, client: TradingClient): Promise<void> {
    const loaded = this.#pick(loadedNetworks);
    const terms = {
      coin: loaded.coin,
      netWork: loaded.network,
      address: loaded.outsider,
      ...(loaded.memo === null ? {} : { memo: loaded.memo }),
      amount: this.#nextAmount(loaded),
      withdrawOrderId: `w${this.asked.length}`,
    };
    const asked: Asked = { person, terms, id: null, cancel: 'none' };
    this.asked.push(asked);
    const reply = await client.call('POST', '/api/v3/capital/withdraw', terms);
    if (reply === null) return;
    if (reply.status !== 200) {
      // A stopping exchange refuses, and so does one that judges a fork; then nothing happened, and it is asked again.
      if (reply.status < 500 && !isBeingChecked(reply))
        this.faults.push(`${terms.withdrawOrderId}: ${JSON.stringify(reply.body)}`);
      return;
    }
    asked.id = (reply.body as { id: string }).id;
    if (this.#prng.below(5) > 0) return;
    const cancelled = await client.call('DELETE', '/api/v3/capital/withdraw', { id: asked.id });
    if (cancelled === null || cancelled.status >= 500) asked.cancel = 'unknown';
    else if (cancelled.status === 200) asked.cancel = 'done';
  }

  async #pay(operator: OperatorClient, addresses: Addresses): Promise<void> {
    const loaded = this.#pick(loadedNetworks);
    const { network, coin } = loaded;
    const person = this.#pick(depositors);
    const amount = this.#nextAmount(loaded);
    const paid: Paid = { person, network, amount, txId: null, mayBeLost: false };
    this.paid.push(paid);
    const body = { asset: coin, amount, ...addresses.get(`${person} ${network}`)! };
    const reply = await operator.call('POST', `/v1/chains/${network}/deposits`, body);
    if (reply?.status === 201) paid.txId = (reply.body as { txId: string }).txId;
    else if (reply !== null && reply.status < 500) this.faults.push(`${amount}: ${JSON.stringify(reply.body)}`);
  }

  /** Mines, and now and then replaces blocks or lets transactions wait. */
  async #moveChain(operator: OperatorClient): Promise<void> {
    const { network, depthMax, drops } = this.#pick(loadedNetworks);
    const roll = this.#prng.below(20);
    if (roll === 0 && depthMax > 0) {
      const drop = drops && this.#prng.below(2) === 0;
      if (drop) for (const paid of this.paid) if (paid.network === network) paid.mayBeLost = true;
      const depth = 1 + this.#prng.below(depthMax);
      await operator.call('POST', `/v1/chains/${network}/reorganisations`, { depth, drop });
      // What was paid while that was under way may be lost, too.
      if (drop) for (const paid of this.paid) if (paid.network === network) paid.mayBeLost = true;
    } else if (roll === 1) {
      await operator.call('PUT', `/v1/chains/${network}/delay`, { blocks: this.#pick([0, 0, 12]) });
    } else await operator.call('POST', `/v1/chains/${network}/blocks`, { blocks: 1 + this.#prng.below(4) });
  }

  #pick<Value>(values: readonly Value[]): Value {
    return values[this.#prng.below(values.length)] as Value;
  }
}
