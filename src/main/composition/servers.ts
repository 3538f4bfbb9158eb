import type { Configuration } from '#main/configuration-schema.ts';
import type { ChainControls } from '#custody/simulated/chain-controls.ts';
import type { EventFeed } from '#sequencer/event-feed.ts';
import { type Clock, machineTimer } from '#base/clock.ts';
import { createEndpointLimits } from '#public-api/pipeline/endpoint-limits.ts';
import { createGateway, type Gateway, type GatewayLimits, surfaces } from '#public-api/gateway.ts';
import type { Surface } from '#public-api/gateway.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { createHttpServer } from '#public-api/http-server.ts';
import type { MetricsPage } from '#http/health-pages.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { keptBytes } from '#http/kept-bytes.ts';
import { shareLimits } from '#http/limit-counts.ts';
import { wireLimits } from '#http/limits.ts';
import type { LimitCounts } from '#model/shared-limits.ts';
import type { OperatorFeed, PriceIndex } from '#market-data/price-index/price-index.ts';
import type { HttpServer } from '#http/http-app.ts';
import type { Closing } from '#main/composition/ends.ts';
import { openRateLimits } from '#main/composition/open-rate-limits.ts';
import { hostInUrl, listening, type PortAddress, type Ports, portsOf } from '#main/composition/ports.ts';
import { createOperatorServer } from '#operator-api/operator-app.ts';
import type { MetricSource } from '#main/metrics/declare-metrics.ts';
import { httpSource } from '#main/metrics/http-metrics.ts';
import { openSandboxInterception } from '#main/composition/sandbox-interception.ts';
import { metricsText } from '#main/metrics/metrics-text.ts';
import { createProcessMetrics } from '#main/metrics/process-metrics.ts';
import { createStreamMetrics } from '#main/metrics/stream-metrics.ts';
import { createFaucet } from '#sandbox/faucet.ts';
import type { ClockControls } from '#sandbox/clock-controls.ts';
import type { MarketControls } from '#sandbox/market-controls.ts';
import type { StateControls } from '#sandbox/kept-states.ts';
import type { SandboxAddresses } from '#sandbox/sandbox-files.ts';
import { attachStreams } from '#websocket/streams.ts';

/** The ports that a running exchange listens on. */
export interface Servers {
  readonly addresses: SandboxAddresses;
  /**
   * Accepts no more connections, closes the websockets and completes the requests in flight; `isReplaced`: those of
   * operators by themselves.
   */
  close(how?: Closing): Promise<void>;
}

/** Gateways by the name of their port; futures have one of their own where they have a port. */
interface Gateways {
  readonly public: Gateway;
  readonly futures?: Gateway;
}

/** What gateways and the limits that they share stand on. */
export interface ServerContext extends GatewayContext {
  /** The wall: ends of bans. */
  readonly wall: Clock;
  /** Token of the operator API that may do everything; `null`: there is none. */
  readonly rootToken: string | null;
  readonly payingState: OperatorContext['payingState'];
  /** Simulated chains, which operators control; absent where there are none. */
  readonly chainControls?: ChainControls;
  /** The simulated market, which operators control; absent where there is none. */
  readonly marketControls?: MarketControls | undefined;
  /** The clock of a sandbox, which operators control; absent or `null`: there is none. */
  readonly clockControls?: ClockControls | null;
  /** States of the sandbox; absent: there are none. */
  readonly states?: StateControls;
  readonly webhooks: OperatorContext['webhooks'];
  /** Backups of this process; absent or `null`: there are none. */
  readonly backups?: OperatorContext['backups'];
  readonly priceIndex: PriceIndex;
  readonly operatorFeed: OperatorFeed;
  /** The other nodes of a cluster, which count limits together; absent: this process is by itself. */
  readonly limitsOfAll?: { share(own: LimitCounts): void } | undefined;
  /** Metrics of everything but servers and process. */
  readonly metricSources: readonly MetricSource[];
}

/** A listen key may have been made at another node of the cluster a moment ago. DEC-CLU-07. */
const withCurrentListenKeys = ({ queries, reads }: ServerContext): ServerContext['queries'] =>
  reads === undefined
    ? queries
    : {
        ...queries,
        listenKey: async (keyHash) => {
          await reads.current();
          return queries.listenKey(keyHash);
        },
      };

/** What nodes of a cluster count together. DEC-CLU-22. */
const countersOf = ({ limits, endpointLimits }: GatewayLimits): Parameters<typeof shareLimits>[0] => ({
  addressWeight: limits.addressBudget,
  futuresCalls: endpointLimits.futuresBudget,
  accountWeight: endpointLimits.accountBudget,
  accountCalls: endpointLimits.callBudget,
  faults: limits.firewall.faults,
  violations: limits.bans,
});

function openGateways({ futures }: Ports, context: GatewayContext, shared: GatewayLimits): Gateways {
  const serve = (served: readonly Surface[]): Gateway => createGateway(context, served, shared);
  return futures === null ? { public: serve(surfaces) } : { public: serve(['spot']), futures: serve(['futures']) };
}

/** Listens, and answers at which port. */
const listen = (server: HttpServer, at: PortAddress): Promise<number> =>
  listening(at, () => server.listen(at.host, at.port));

const url = (scheme: string, name: string, at: number): string => `${scheme}://${hostInUrl(name)}:${at}`;

/** What viewers ask where contracts have a port of their own; `null`: an address that means all of a machine's. */
const baseUrlsOf = (host: string, port: number, futuresAt: number) =>
  port === futuresAt || host === '0.0.0.0' || host === '::'
    ? null
    : { spot: url('http', host, port), futures: url('http', host, futuresAt) };

/**
 * Opens the public port, the futures port where it is another one, and the operator port.
 * @throws PortUnavailable
 */
export async function openServers(config: Configuration, context: ServerContext, feed: EventFeed): Promise<Servers> {
  const { host, operatorHost } = config;
  const ports = portsOf(config);
  const limits = await openRateLimits(context, feed);
  const endpointLimits = createEndpointLimits(context.settings, {
    at: context.clock.now(),
    inWindow: limits.windows.now(),
  });
  context.limitsOfAll?.share(shareLimits(countersOf({ limits, endpointLimits }), limits.monotonic));
  let operatorUrl: string | null = null;
  let baseUrls: ReturnType<typeof baseUrlsOf> = null;
  const isSandbox = config.profile === 'sandbox';
  const interception = isSandbox ? openSandboxInterception(context) : null;
  const seen = { requestInterceptor: interception?.faults.requests, requestObserver: interception?.log };
  const shown = { ...context, ...seen, operatorUrl: () => operatorUrl, baseUrls: () => baseUrls };
  const gateways = openGateways(ports, shown, { limits, endpointLimits });
  const streamMetrics = createStreamMetrics();
  const processMetrics = createProcessMetrics({
    ...context,
    version: context.version.version,
    profile: config.profile,
  });
  const onTrouble = (what: string, error: unknown): void => context.log.error({ err: error }, `${what} failed`);
  // Metrics include all ports, whichever port serves them, and are rendered once for all: DEC-REQ-45, DEC-LIM-102.
  const metrics: MetricsPage = keptBytes(context.monotonic, wireLimits.pages.metricsKeptMs, () =>
    metricsText([...context.metricSources, answers, streamMetrics.source, processMetrics], onTrouble),
  );
  const controls = {
    chains: context.chainControls ?? null,
    simulation: context.marketControls ?? null,
    time: context.clockControls ?? null,
    faults: interception?.faults ?? null,
    requestLog: interception?.requestLog ?? null,
    states: context.states ?? null,
    backups: context.backups ?? null,
    ...{ faucet: isSandbox ? createFaucet(context.queries) : null, feed },
  };
  const parts = { limits, metrics, names: [operatorHost, ...config.operatorNames] };
  const operator = createOperatorServer({ ...context, ...controls, setTimer: machineTimer }, parts);
  const operatorCounts = operator.counts.map((counts) => ({ port: 'operator', ...counts }));
  const answers = httpSource({ ...gateways }, operatorCounts);
  const publicMetrics = config.publicMetrics || isSandbox ? metrics : null;
  const spot = createHttpServer(gateways.public, publicMetrics);
  const futures = gateways.futures === undefined ? null : createHttpServer(gateways.futures, publicMetrics);
  const streams = await attachStreams({
    ...context,
    queries: withCurrentListenKeys(context),
    server: spot.server,
    feed,
    settings: config,
    limits,
    interceptor: interception?.faults.streams,
    observer: interception?.log,
    metrics: streamMetrics.counts,
    onTrouble,
  });
  const port = await listen(spot, ports.public);
  const futuresAt = futures === null || ports.futures === null ? port : await listen(futures, ports.futures);
  const operatorAt = await listen(operator.http, ports.operator);
  operatorUrl = url('http', operatorHost, operatorAt);
  baseUrls = baseUrlsOf(host, port, futuresAt);
  return {
    addresses: {
      baseUrl: url('http', host, port),
      futuresBaseUrl: url('http', host, futuresAt),
      wsUrl: `${url('ws', host, port)}/ws`,
      operatorUrl,
    },
    close: async ({ isReplaced } = { isReplaced: false }) => {
      interception?.close();
      await streams.close();
      const operators = operator.http.close();
      const open = [spot.close(), futures?.close()];
      if (isReplaced) operators.catch((error: unknown) => onTrouble('closing the operator port', error));
      else open.push(operators);
      await Promise.all(open);
      processMetrics.close();
    },
  };
}
