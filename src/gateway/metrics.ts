import { Counter, Gauge, Registry } from 'prom-client';
import type { AnswerCounts } from '#gateway/endpoint-plan.ts';
import { durationBoundsMs } from '#gateway/endpoint-plan.ts';
import type { Gateway } from '#gateway/gateway.ts';

const millisecondsPerSecond = 1000;

const endpointsOf = (gateway: Gateway): readonly (readonly [string, AnswerCounts])[] => [
  ...gateway.routes.plans.map((plan): readonly [string, AnswerCounts] => [plan.id, plan.counts]),
  ['unrouted', gateway.unrouted],
];

function registerAnswers(registry: Registry, gateway: Gateway): void {
  new Counter({
    name: 'bourse_http_answers_total',
    help: 'Answers by endpoint and HTTP status.',
    labelNames: ['endpoint', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [endpoint, counts] of endpointsOf(gateway)) {
        for (const [status, count] of counts.byStatus) this.inc({ endpoint, status: String(status) }, count);
      }
    },
  });
  new Counter({
    name: 'bourse_http_answer_seconds_total',
    help: 'Time from complete headers to the answer, summed by endpoint.',
    labelNames: ['endpoint'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [endpoint, counts] of endpointsOf(gateway))
        this.inc({ endpoint }, counts.totalMs / millisecondsPerSecond);
    },
  });
  new Counter({
    name: 'bourse_http_answers_within_total',
    help: 'Answers that came within this many seconds, by endpoint.',
    labelNames: ['endpoint', 'seconds'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [endpoint, counts] of endpointsOf(gateway)) {
        durationBoundsMs.forEach((bound, index) => {
          this.inc({ endpoint, seconds: String(bound / millisecondsPerSecond) }, counts.byDuration[index] ?? 0);
        });
      }
    },
  });
}

function registerTables(registry: Registry, gateway: Gateway): void {
  const { admission } = gateway;
  const sizes: Readonly<Record<string, () => number>> = {
    addressBudgets: () => admission.addressBudget.size,
    futuresBudgets: () => admission.futuresBudget.size,
    accountBudgets: () => admission.accountBudget.size,
    accountsInFlight: () => admission.inFlight.accounts,
    unsealedKeys: () => gateway.keyRing.size,
    bans: () => admission.bans.size,
    signatures: () => admission.signatureReuse.size,
    faultyAddresses: () => admission.firewall.size,
  };
  new Gauge({
    name: 'bourse_gateway_table_entries',
    help: 'Entries of every table that clients can fill; each is bounded.',
    labelNames: ['table'],
    registers: [registry],
    collect() {
      for (const [table, size] of Object.entries(sizes)) this.set({ table }, size());
    },
  });
}

/** Numbers of this gateway for GET /metrics; the other parts of the process add theirs to the same registry. */
export function gatewayMetrics(gateway: Gateway): Registry {
  const registry = new Registry();
  registerAnswers(registry, gateway);
  registerTables(registry, gateway);
  return registry;
}
