import type { Command, Entry } from '#model/command.ts';
import { noopSink } from '#model/event-record.ts';
import type { OrderRequest } from '#model/order.ts';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { ClusterIngress } from '#cluster/cluster-ingress.ts';
import { audit } from '#engine/image/audit.ts';
import { createEngine, type StateMachine } from '#engine/create-engine.ts';
import { type ExchangeQueries, exchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import type { Outcome } from '#sequencer/command-ingress.ts';
import type { Journal } from '#journal/journal.ts';
import { Sequencer } from '#sequencer/sequencer.ts';

/** A clock that stands where the test puts it. */
export interface TestClock {
  time: number;
  now(): number;
}

/** Keeps entries in an array: the least a journal can be. */
export function arrayJournal(entries: Entry[] = []): Journal {
  return {
    append: async (_after, batch) => {
      for (const entry of batch.entries) entries.push(structuredClone(entry));
    },
    read: async function* read(from: Seq) {
      yield entries.slice(from - 1);
    },
    first: () => as<Seq>(1),
    last: () => as<Seq>(entries.length),
    release: async () => {},
    close: async () => {},
  };
}

/** A running exchange in memory: engine, sequencer, query port; everything a floor above needs. */
export interface TestExchange {
  readonly clock: TestClock;
  readonly engine: StateMachine;
  /** Where commands go, and what tells events. */
  readonly sequencer: Sequencer | ClusterIngress;
  readonly queries: ExchangeQueries;
  readonly entries: Entry[];
  submit(command: Command): Promise<Outcome>;
  place(account: number, order: Partial<OrderRequest>): Promise<Outcome>;
  /** What is wrong with the state; empty when all is well. */
  faults(): string[];
  /** Takes no more commands. */
  close(): Promise<void>;
}

/** The command that places an order: a limit order to buy in the first pair, unless said otherwise. */
export const placed = (account: number, order: Partial<OrderRequest>): Command => ({
  kind: 'placeOrder',
  account: as(account),
  order: {
    ...{ symbol: as(0), side: 'buy', kind: 'limit', price: null, quantity: null, budget: null },
    ...{ clientOrderId: null, stpMode: 'none' },
    ...order,
  },
});

/**
 * `journalOf` may put another journal around the one in memory. `backup`: entries of another exchange, which this one
 * goes on from.
 */
export function startExchange(
  journalOf: (inner: Journal) => Journal = (inner) => inner,
  backup: readonly Entry[] = [],
): TestExchange {
  const entries: Entry[] = [...backup];
  const clock: TestClock = { time: entries.at(-1)?.at ?? 1_700_000_000_000, now: () => clock.time };
  const engine = createEngine();
  for (const entry of entries) engine.apply(entry, noopSink);
  const sequencer = new Sequencer({
    engine,
    journal: journalOf(arrayJournal(entries)),
    hasRoom: () => true,
    clock,
    onBroken: () => {},
    onFatal: (error) => {
      throw error;
    },
  });
  return {
    clock,
    engine,
    sequencer,
    entries,
    queries: exchangeQueries(engine),
    submit: (command) => sequencer.submit(command),
    place: (account, order) => sequencer.submit(placed(account, order)),
    faults: () => audit(engine.state),
    close: () => sequencer.close(),
  };
}
