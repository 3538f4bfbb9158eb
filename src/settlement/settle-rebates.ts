import type { Clock, Repeat } from '#base/clock.ts';
import { as, type TimestampMs } from '#domain/units.ts';
import type { CommandIngress } from '#ingress/command-ingress.ts';
import type { ExchangeQueries } from '#ingress/exchange-queries.ts';
import { type RebateSettlementPorts, settleNextRebates } from '#ingress/settle-due-rebates.ts';
import type { Settlement } from '#settlement/settlement.ts';

/** What the daily settlement of rebates needs of the exchange. */
export interface RebateSettlementOptions {
  readonly ingress: CommandIngress;
  readonly queries: ExchangeQueries;
  /** The exchange's clock: its midnight, UTC, ends a day. */
  readonly clock: Clock;
  readonly repeat: Repeat;
  /** Time between two looks. */
  readonly everyMs: number;
  readonly onTrouble: (what: string, error: unknown) => void;
}

/** Looks that are left out after failures: 1, 2, 4 and so on, at most this many. */
const looksLeftOutMost = 64;

/**
 * Starts the daily settlement: each look settles the days that are over. A look at which nothing is due submits
 * nothing. It keeps nothing that a restart would miss. DEC-SUB-22, DEC-SUB-70, DEC-SUB-71.
 */
export function startRebateSettlement(options: RebateSettlementOptions): Settlement {
  const worker = new RebateWorker(options);
  const end = options.repeat(options.everyMs, () => void worker.look());
  return {
    run: () => worker.run(),
    stop: async () => {
      end();
      await worker.stop();
    },
  };
}

/** Settles days; one run at a time. */
class RebateWorker {
  private readonly options: RebateSettlementOptions;
  private readonly ports: RebateSettlementPorts;
  private running: Promise<void> | null = null;
  private isStopped = false;
  private failures = 0;
  /** What is refused again and again would fill the journal: such looks become rare. */
  private looksLeftOut = 0;

  constructor(options: RebateSettlementOptions) {
    this.options = options;
    this.ports = { submit: (command) => options.ingress.submit(command), queries: options.queries };
  }

  look(): Promise<void> {
    if (this.looksLeftOut === 0) return this.run();
    this.looksLeftOut -= 1;
    return Promise.resolve();
  }

  run(): Promise<void> {
    this.running ??= this.settle().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
  }

  private async settle(): Promise<void> {
    try {
      const now = as<TimestampMs>(this.options.clock.now());
      while (!this.isStopped && (await settleNextRebates(this.ports, now)));
      this.failures = 0;
    } catch (error) {
      this.failures += 1;
      this.looksLeftOut = Math.min(2 ** (this.failures - 1), looksLeftOutMost);
      if (Math.log2(this.failures) % 1 === 0) this.options.onTrouble('settling rebates', error);
    }
  }
}
