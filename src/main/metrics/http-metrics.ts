import type { Gateway, GatewayLimits } from '#public-api/gateway.ts';
import { type AnswerCounts, durationBoundsMs } from '#http/answer-counts.ts';
import { type ErrorName, errors, type TransportErrorName, transportErrors } from '#http/errors.ts';
import {
  counter,
  declareMetrics,
  gauge,
  histogram,
  type MetricSource,
  sourceOf,
} from '#main/metrics/declare-metrics.ts';

const millisecondsPerSecond = 1000;
const durationBounds = durationBoundsMs.map((bound) => bound / millisecondsPerSecond);

/** Metrics of requests and answers over HTTP. */
export const httpMetrics = declareMetrics(
  'HTTP',
  {
    port: '`public`, `futures` if it has a port of its own, `operator`; `all` for a table that ports share',
    endpoint: 'id of the endpoint; `unrouted` for everything else on the port',
    status: 'HTTP status',
    code: "the error's code, on the futures side too that of the spot side; the problem's code on the operator port",
    table: 'name of the table',
  },
  {
    bourse_http_answers_total: counter('Answers.', ['port', 'endpoint', 'status']),
    bourse_http_answer_seconds: histogram('Time from complete headers to the answer, of endpoints that were called.', [
      'port',
      'endpoint',
    ]),
    bourse_http_refusals_total: counter('Answers that refuse, by what they tell as the reason.', ['port', 'code']),
    bourse_authentication_failures_total: counter(
      'Requests refused because of who sent them: a wrong key, signature or token, or an address not of the key.',
      ['port'],
    ),
    bourse_bans_active: gauge('Addresses that are banned now.'),
    bourse_gateway_table_entries: gauge('Entries of every table that clients can fill; each is bounded.', [
      'port',
      'table',
    ]),
  },
);

/**
 * Gateways of one process, with shared limits, by name of their port: `public`, and `futures` if it has a port of its
 * own.
 */
export type GatewaysByPort = Readonly<Record<string, Gateway>> & { readonly public: Gateway };

/** Responses so far of one endpoint of a port; `unrouted`: of everything else there. */
export interface CountsOfPort {
  readonly port: string;
  readonly endpoint: string;
  readonly counts: AnswerCounts;
}

/** Errors and problems that say that somebody is not who he says. */
const authenticationFailures: ReadonlySet<string> = new Set([
  'unknownAccessKey',
  'apiKeyMalformed',
  'signatureMalformed',
  'signatureInvalid',
  'addressNotAllowed',
  'invalidToken',
] satisfies (ErrorName | 'invalidToken')[]);

const countsOf = (gateways: GatewaysByPort): readonly CountsOfPort[] =>
  Object.entries(gateways).flatMap(([name, gateway]) => [
    ...gateway.routes.all.map(({ id, counts }) => ({ port: name, endpoint: id, counts })),
    { port: name, endpoint: 'unrouted', counts: gateway.unrouted },
  ]);

/** The code that the answer of a port has for a refusal. */
function codeOf(portName: string, name: string): string {
  const spec = errors[name as ErrorName] ?? transportErrors[name as TransportErrorName];
  return portName === 'operator' || spec === undefined ? name : String(spec.code);
}

function refusalRows(all: readonly CountsOfPort[]) {
  return all.flatMap(({ port: portName, counts }) =>
    [...counts.byRefusal].map(([name, count]) => ({ portName, name, count })),
  );
}

const tableSizes = ({ limits, endpointLimits }: GatewayLimits): Readonly<Record<string, number>> => ({
  addressBudgets: limits.addressBudget.size + limits.healthBudget.size,
  futuresBudgets: endpointLimits.futuresBudget.size,
  accountBudgets: endpointLimits.accountBudget.size,
  accountsInFlight: endpointLimits.inFlight.accounts,
  bans: limits.bans.size,
  signatures: endpointLimits.signatureReuse.size,
  faultyAddresses: limits.firewall.size,
});

function tableRows(gateways: GatewaysByPort, shared: GatewayLimits) {
  return [
    ...Object.entries(gateways).map(
      ([name, { keyRing }]) => [{ port: name, table: 'unsealedKeys' }, keyRing.size] as const,
    ),
    ...Object.entries(tableSizes(shared)).map(([table, size]) => [{ port: 'all', table }, size] as const),
  ];
}

/** The source of the metrics of all gateways, which share limits, with the responses of the other ports. */
export function httpSource(gateways: GatewaysByPort, otherPorts: readonly CountsOfPort[] = []): MetricSource {
  const shared = gateways.public;
  const all = [...countsOf(gateways), ...otherPorts];
  return sourceOf(httpMetrics, () => {
    const called = all.filter(({ counts }) => counts.total > 0);
    const refusals = refusalRows(called);
    const ports = [...new Set(all.map((each) => each.port))];
    return {
      bourse_http_answers_total: called.flatMap(({ counts, ...of }) =>
        [...counts.byStatus].map(([status, count]) => [{ ...of, status: String(status) }, count] as const),
      ),
      bourse_http_answer_seconds: called.map(({ counts: { byDuration, total, totalMs }, ...of }) => [
        of,
        { bounds: durationBounds, counts: byDuration, count: total, sum: totalMs / millisecondsPerSecond },
      ]),
      bourse_http_refusals_total: refusals.map(({ portName, name, count }) => [
        { port: portName, code: codeOf(portName, name) },
        count,
      ]),
      bourse_authentication_failures_total: [
        ...ports.map((name) => [{ port: name }, 0] as const),
        ...refusals
          .filter(({ name }) => authenticationFailures.has(name))
          .map(({ portName, count }) => [{ port: portName }, count] as const),
      ],
      bourse_bans_active: shared.limits.bansInForce,
      bourse_gateway_table_entries: tableRows(gateways, shared),
    };
  });
}
