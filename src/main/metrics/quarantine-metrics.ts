import { Counter, Registry } from 'prom-client';
import type { QuarantinedTails } from '#engine/state/accounts/quarantined-tails.ts';

/** Counts of quarantined tails since the journal began, for GET /metrics. */
export function quarantineMetrics(tails: Pick<QuarantinedTails, 'count' | 'entryCount'>): () => Promise<string> {
  const registry = new Registry();
  new Counter({
    name: 'bourse_quarantined_tails_total',
    help: 'Times that the tail of the journal was put aside, because of an entry that could not be applied.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(tails.count);
    },
  });
  new Counter({
    name: 'bourse_quarantined_entries_total',
    help: 'Entries of the journal that were put aside so.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(tails.entryCount);
    },
  });
  return () => registry.metrics();
}
