import { machineTimer } from '#base/clock.ts';
import { as, type Uid } from '#model/units.ts';
import { catalogue } from '#public-api/catalogue.ts';
import type { AnyEndpoint } from '#public-api/declaration/endpoint.ts';
import { parameterNames } from '#public-api/declaration/request.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { pairParameters } from '#public-api/pipeline/named-pairs.ts';
import type { FaultEndpoint, FaultTargets } from '#sandbox/faults/check-rule.ts';
import { createFaults, type Faults } from '#sandbox/faults/fault-controls.ts';
import { channelAddress } from '#websocket/channel.ts';
import { channels } from '#websocket/channels.ts';
import { createLogControls, type LogControls } from '#sandbox/request-log/log-controls.ts';
import { RequestLog } from '#sandbox/request-log/request-log.ts';
import { createHideSecrets } from '#sandbox/request-log/without-secrets.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';

const faultEndpoint = (endpoint: AnyEndpoint): FaultEndpoint => ({
  method: endpoint.method,
  path: endpoint.path,
  isSigned: endpoint.access.kind === 'signed',
  namesPairs: parameterNames(endpoint).some((name) => (pairParameters as readonly string[]).includes(name)),
});

/** What rules of faults may be about: the catalogue of the public API, and what is listed and open now. */
export function faultTargets(queries: ExchangeQueries): FaultTargets {
  return {
    endpoints: Object.values<AnyEndpoint>(catalogue).map(faultEndpoint),
    channels: Object.values(channels).map(channelAddress),
    isPair: async (name) => {
      const { symbols, contracts = [] } = await queries.listing();
      return [...symbols, ...contracts].some((each) => each.name === name);
    },
    isKey: async (accessKey) => (await queries.apiKey(accessKey)) !== null,
    accountOf: async (uid) => (await queries.accountByUid(as<Uid>(uid)))?.account ?? null,
  };
}

/** What a sandbox puts between requests and their answers. */
export interface SandboxInterception {
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly requestLog: LogControls;
  /** Ends all that is held back and all that waits: it would keep connections open. */
  close(): void;
}

/** What it stands on. */
type InterceptionParts = Pick<GatewayContext, 'clock' | 'monotonic' | 'queries' | 'settings' | 'demoKeys' | 'version'>;

/** Opens faults, of which there are none yet, and the log of requests. DEC-KIT-20, DEC-KIT-27. */
export function openSandboxInterception(context: InterceptionParts): SandboxInterception {
  const { clock, monotonic, queries, settings, demoKeys = [], version } = context;
  const faults = createFaults({ clock, setTimer: machineTimer, targets: faultTargets(queries) });
  const log = new RequestLog({ clock, monotonic, setTimer: machineTimer });
  const requestLog = createLogControls({
    log,
    hide: createHideSecrets(() => demoKeys.map(({ secretKey }) => secretKey)),
    keyHeader: settings.keyHeader,
    keyHeaders: [settings.keyHeader, ...settings.keyHeaderAliases].map((name) => name.toLowerCase()),
    version: version.version,
    isDemoKey: (accessKey) => demoKeys.some((each) => each.accessKey === accessKey),
    uidOf: async (account) => (await queries.account(account))?.uid ?? null,
  });
  return {
    ...{ faults, log, requestLog },
    close: () => {
      faults.clear();
      log.close();
    },
  };
}
