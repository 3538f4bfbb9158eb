import type { Prng } from '#base/prng.ts';
import { ClientOrderId } from '#model/client-order-id.ts';
import type { Command } from '#model/command.ts';
import type { AccountId, Balance, Lots, PriceTicks, SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { IngressRefused, type Outcome } from '#sequencer/command-ingress.ts';
import { asset, firstUser } from '../oracle/opening.ts';
import { type ClusterAuditor, idOf } from './cluster-auditor.ts';
import type { SimulatedNode } from './simulated-node.ts';
import type { VirtualTime } from './virtual-time.ts';

const patienceMs = 1500;
/** One in so many answers is lost on its way to the client. */
const lossOneIn = 30;
/** How many commands are sent at once at most. */
const burst = 6;

/** What a client needs. */
export interface SimulatedClientParts {
  readonly name: string;
  readonly account: AccountId;
  readonly nodes: readonly SimulatedNode[];
  readonly time: VirtualTime;
  readonly prng: Prng;
  readonly auditor: ClusterAuditor;
  /** Milliseconds between two commands at most. */
  readonly pauseMs: number;
}

/** Trades with whoever leads, and repeats under the same id what it got no answer to. */
export class SimulatedClient {
  private readonly parts: SimulatedClientParts;
  private count = 0;
  private isStopped = false;
  /** Answered commands. */
  answered = 0;

  constructor(parts: SimulatedClientParts) {
    this.parts = parts;
  }

  stop(): void {
    this.isStopped = true;
  }

  /** Sends command after command until it is stopped; resolves once the last ones are answered. */
  async trade(): Promise<void> {
    const { time, prng, pauseMs } = this.parts;
    while (!this.isStopped) {
      const size = prng.below(4) === 0 ? 1 + prng.below(burst) : 1;
      await Promise.all(Array.from({ length: size }, () => this.happen(this.next())));
      await time.sleep(prng.below(pauseMs));
    }
  }

  /** Sends one command until it is answered, or refused at the first try. */
  async happen(command: Command): Promise<void> {
    const { time, prng, auditor } = this.parts;
    for (let isUnknown = false; ; ) {
      const result = await this.attempt(command);
      if (result === 'refused' && !isUnknown) return auditor.refuses(command);
      if (typeof result === 'object') {
        this.answered += 1;
        return;
      }
      // Without an id, a command may not be sent again.
      if (result === 'unknown' && idOf(command) === null && command.kind !== 'cancelOrder') return;
      isUnknown ||= result === 'unknown';
      await time.sleep(20 + prng.below(80));
    }
  }

  /** One try. `nobody`: no node takes commands. */
  private async attempt(command: Command): Promise<Outcome | 'refused' | 'unknown' | 'nobody'> {
    const { nodes, time, prng } = this.parts;
    const leading = nodes.filter(({ isLeading }) => isLeading);
    const node = leading[prng.below(leading.length)];
    if (node === undefined) return 'nobody';
    const isLost = prng.below(lossOneIn) === 0;
    await time.sleep(prng.below(3));
    return new Promise((resolve) => {
      const stop = time.setTimer(patienceMs, () => resolve('unknown'));
      node.submit(command).then(
        (outcome) => {
          if (isLost) return;
          stop();
          resolve(outcome ?? 'nobody');
        },
        (error: unknown) => {
          stop();
          resolve(error instanceof IngressRefused ? 'refused' : 'unknown');
        },
      );
    });
  }

  private next(): Command {
    const { name, account, prng } = this.parts;
    const roll = prng.below(10);
    const id = `${name}-${this.count}`;
    if (roll < 2 && this.count > 0) {
      const clientOrderId = `${name}-${prng.below(this.count)}`;
      return { kind: 'cancelOrder', account, symbol: as(0), ref: { clientOrderId } };
    }
    this.count += 1;
    if (roll < 4) {
      const [from, to] = prng.below(2) === 0 ? (['spot', 'futures'] as const) : (['futures', 'spot'] as const);
      const amount = as<Balance>(BigInt(1 + prng.below(1000)));
      return { kind: 'transferFunds', account, from, to, asset: as(asset.usdt), amount, clientTranId: id };
    }
    const order = { symbol: as<SymbolId>(0), kind: 'limit', budget: null, stpMode: 'none' } as const;
    const price = as<PriceTicks>(10_000 + prng.below(20));
    const terms = { side: prng.below(2) === 0 ? ('buy' as const) : ('sell' as const), price };
    const quantity = as<Lots>(1 + prng.below(50));
    return {
      kind: 'placeOrder',
      account,
      order: { ...order, ...terms, quantity, clientOrderId: ClientOrderId.of(id) },
    };
  }
}

/** The accounts of clients, one each. */
export const accountOf = (index: number): AccountId => as<AccountId>(firstUser + index);
