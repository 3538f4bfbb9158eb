import { Counter, Gauge, Registry } from 'prom-client';
import type { Gateway, GatewayLimits } from '#public-api/gateway.ts';
import { type AnswerCounts, durationBoundsMs } from '#http/answer-counts.ts';

const millisecondsPerSecond = 1000;

/**
 * Gateways of one process, with shared limits, by name of their port: `public`, and `futures` if it has a port of its
 * own.
 */
export type GatewaysByPort = Readonly<Record<string, Gateway>>;

/** Responses so far of one endpoint of a port; `unrouted`: of everything else there. */
export interface CountsOfPort {
  readonly port: string;
  readonly endpoint: string;
  readonly counts: AnswerCounts;
}

const countsOf = (gateways: GatewaysByPort): readonly CountsOfPort[] =>
  Object.entries(gateways).flatMap(([port, gateway]) => [
    ...gateway.routes.all.map(({ id, counts }) => ({ port, endpoint: id, counts })),
    { port, endpoint: 'unrouted', counts: gateway.unrouted },
  ]);

function registerAnswers(registry: Registry, all: readonly CountsOfPort[]): void {
  new Counter({
    name: 'bourse_http_answers_total',
    help: 'Answers by port, endpoint and HTTP status.',
    labelNames: ['port', 'endpoint', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { port, endpoint, counts } of all) {
        for (const [status, count] of counts.byStatus) this.inc({ port, endpoint, status: String(status) }, count);
      }
    },
  });
  new Counter({
    name: 'bourse_http_answer_seconds_total',
    help: 'Time from complete headers to the answer, summed by port and endpoint.',
    labelNames: ['port', 'endpoint'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { port, endpoint, counts } of all) {
        this.inc({ port, endpoint }, counts.totalMs / millisecondsPerSecond);
      }
    },
  });
  new Counter({
    name: 'bourse_http_answers_within_total',
    help: 'Answers that came within this many seconds, by port and endpoint.',
    labelNames: ['port', 'endpoint', 'seconds'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { port, endpoint, counts } of all) {
        durationBoundsMs.forEach((bound, index) => {
          const seconds = String(bound / millisecondsPerSecond);
          this.inc({ port, endpoint, seconds }, counts.byDuration[index] ?? 0);
        });
      }
    },
  });
}

const tableSizes = ({ limits, endpointLimits }: GatewayLimits): Readonly<Record<string, number>> => ({
  addressBudgets: limits.addressBudget.size,
  futuresBudgets: endpointLimits.futuresBudget.size,
  accountBudgets: endpointLimits.accountBudget.size,
  accountsInFlight: endpointLimits.inFlight.accounts,
  bans: limits.bans.size,
  signatures: endpointLimits.signatureReuse.size,
  faultyAddresses: limits.firewall.size,
});

function registerTables(registry: Registry, gateways: GatewaysByPort): void {
  new Gauge({
    name: 'bourse_gateway_table_entries',
    help: 'Entries of every table that clients can fill, by port, or port "all" where ports share it; each is bounded.',
    labelNames: ['port', 'table'],
    registers: [registry],
    collect() {
      for (const [port, { keyRing }] of Object.entries(gateways))
        this.set({ port, table: 'unsealedKeys' }, keyRing.size);
      const [shared] = Object.values(gateways);
      if (shared === undefined) return;
      for (const [table, size] of Object.entries(tableSizes(shared))) this.set({ port: 'all', table }, size);
    },
  });
}

/** Metrics of all gateways of the process for GET /metrics, with the responses of its other ports. */
export function gatewayMetrics(gateways: GatewaysByPort, otherPorts: readonly CountsOfPort[] = []): Registry {
  const registry = new Registry();
  registerAnswers(registry, [...countsOf(gateways), ...otherPorts]);
  registerTables(registry, gateways);
  return registry;
}
