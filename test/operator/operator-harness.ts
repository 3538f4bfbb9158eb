import { machineTimer } from '#base/clock.ts';
import { house } from '#model/account.ts';
import { type AccountId, type AssetId, as, type Balance, type Uid } from '#model/units.ts';
import { MemoryChainStorage } from '../ports/memory-chain-storage.ts';
import { openSimulatedCustody } from '#custody/simulated/simulated-custody.ts';
import { memoryStates } from '../ports/memory-states.ts';
import { MemoryHistoryStore } from '../ports/memory-history-store.ts';
import type { HttpSettings } from '#http/http-settings.ts';
import { randomSecret } from '#http/new-api-key.ts';
import { openRateLimits } from '#main/composition/open-rate-limits.ts';
import { createOperatorServer, type OperatorServer } from '#operator-api/operator-app.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { faultOfUrl } from '#webhooks/allowed-host.ts';
import { startWebhookDelivery } from '#webhooks/deliver-webhooks.ts';
import { createPostEvent } from '#webhooks/post-event.ts';
import { createPriceIndex } from '#market-data/price-index/index-mean.ts';
import { createOperatorFeed } from '#market-data/price-index/operator-feed.ts';
import { startHistoryWriter } from '#history/collectors/history-writer.ts';
import { createMarketData } from '#market-data/market-data.ts';
import { openSandboxInterception } from '#main/composition/sandbox-interception.ts';
import type { GatewaySettings } from '#public-api/gateway-context.ts';
import type { MarketControls } from '#sandbox/market-controls.ts';
import { createMarketSimulation } from '#sandbox/market-simulation.ts';
import { createFaucet } from '#sandbox/faucet.ts';
import { createManualTime } from '#sandbox/simulated-time.ts';
import { createVirtualClock } from '#sandbox/virtual-clock.ts';
import { testWalletIds } from '../api/gateway-harness.ts';
import { MachineTime } from './machine-time.ts';
import type { TestExchange } from '../exchange-harness.ts';
import { openExchange } from '../follower-exchange.ts';

/** Token of the configuration in tests. */
export const rootToken = 'root-token-of-the-tests-0123456789';

/** An answer of the operator API. */
export interface OperatorReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at, member by member, by tests
  readonly body: any;
}

/** How a test asks. */
export interface Asking {
  /** `null`: none; default: the root token. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is; overrides `body`. */
  readonly rawBody?: string | Uint8Array;
}

/** A running operator API over an exchange in memory; every part is the real one. */
export interface TestOperator {
  readonly exchange: TestExchange;
  // biome-ignore lint/suspicious/noExplicitAny: the document is read as its readers get it
  readonly document: any;
  readonly url: string;
  readonly port: number;
  readonly logged: string[];
  readonly history: MemoryHistoryStore;
  readonly time: MachineTime;
  /** Looks once for events to deliver to webhooks, and waits for history before. */
  deliver(): Promise<void>;
  /** How often a problem was answered, by all endpoints. */
  refusals(code: string): number;
  readonly alice: { readonly uid: number; readonly account: AccountId };
  readonly bob: { readonly uid: number; readonly account: AccountId };
  /** Sends a request, and checks that its answer is one that the document at `/openapi.json` describes. */
  ask(method: string, path: string, body?: unknown, asking?: Asking): Promise<OperatorReply>;
  /** Digest of the business state: unchanged by a refusal. */
  digest(): string;
  close(): Promise<void>;
}

const settings: HttpSettings = {
  trustedProxies: [],
  deniedAddresses: [],
  rateLimits: true,
  connectionsMax: 1000,
  connectionsPerAddressMax: 200,
  banAfter: 5,
  banFirstSeconds: 120,
  banMostSeconds: 259_200,
  banMemoryHours: 72,
  banLoopback: false,
  faultsPerWindow: 10_000,
};

/** Changes to what a test runs on. */
export interface TestOperatorOptions {
  /** Whether there are simulated chains, a market that has not begun to trade, a clock that stands, and states. */
  readonly hasChains?: boolean;
  readonly settings?: Partial<HttpSettings>;
  readonly context?: (context: OperatorContext) => OperatorContext;
}

const scale = { USDT: 9, BTC: 8 } as const;
const million = 1_000_000n;

async function openMarket(exchange: TestExchange): Promise<Pick<TestOperator, 'alice' | 'bob'>> {
  for (const [code, places] of Object.entries(scale)) {
    await exchange.submit({
      kind: 'configureAsset',
      asset: { code, fullName: `${code} coin`, scale: places, cap: as<Balance>(10n ** 18n), coinId: '0'.repeat(32) },
    });
  }
  const first = house.rebates + 1;
  const alice = { uid: 10_000_001, account: as<AccountId>(first) };
  const bob = { uid: 10_000_002, account: as<AccountId>(first + 1) };
  for (const [name, { uid, account }] of Object.entries({ alice, bob })) {
    await exchange.submit({
      kind: 'openAccount',
      uid: as<Uid>(uid),
      name,
      master: null,
      class: 'user',
      kycLevel: 2,
      simulated: false,
    });
    const amount = as<Balance>(10n ** BigInt(scale.USDT) * million);
    await exchange.submit({ kind: 'creditFunds', account, asset: as<AssetId>(0), amount });
  }
  return { alice, bob };
}

/** Moves are taken, though nobody trades. */
const simulationOf = ({ sequencer, queries, clock }: TestExchange): MarketControls => ({
  ...createMarketSimulation({
    ingress: sequencer,
    queries,
    feed: sequencer,
    clock: createVirtualClock(clock),
    seed: 'operator',
    addressOf: () => null,
    repeat: () => () => {},
    onTrouble: () => {},
  }),
  isActing: true,
});

/** Faults that touch nothing, a log that sees nothing, and the faucet. */
const interceptionOf = ({ clock, queries }: TestExchange, { monotonic }: MachineTime) => {
  const { faults, requestLog } = openSandboxInterception({
    ...{ clock, monotonic, queries, version: { name: 'bourse', version: 'test' } },
    settings: { keyHeader: 'X-SVC-APIKEY', keyHeaderAliases: [] } as unknown as GatewaySettings,
  });
  return { faults, requestLog, faucet: createFaucet(queries) };
};

/** Delivery to webhooks of any host, at the call of `deliver` alone. */
function deliveryOf(
  exchange: TestExchange,
  awaitHistory: OperatorContext['awaitHistory'],
  { history, time, logged }: Pick<TestOperator, 'history' | 'time' | 'logged'>,
) {
  const delivery = startWebhookDelivery({
    ...{ ingress: exchange.sequencer, queries: exchange.queries, history, wall: exchange.clock, everyMs: 1 },
    unseal: ({ sealedSecret }) => sealedSecret.replace('sealed ', ''),
    post: createPostEvent({ isSandbox: true, hosts: [] }, 300),
    clock: exchange.clock,
    monotonic: time.monotonic,
    repeat: () => () => {},
    onTrouble: (what, error) => void logged.push(`error ${what} failed: ${error}`),
  });
  return {
    delivery,
    deliver: async () => {
      await awaitHistory((await exchange.queries.position()).seq);
      await delivery.run();
    },
    controls: {
      ...{ stateOf: delivery.stateOf, test: delivery.test },
      faultOfUrl: (url: string) => faultOfUrl(url, { isSandbox: true, hosts: [] }),
      seal: (_webhook: string, secret: string) => `sealed ${secret}`,
    },
  };
}

/** What writes lines of a level into a list. */
const notesInto = (logged: string[]) => (level: string) => (fields: object, text: string) => {
  const shown = JSON.stringify(fields, (_name, value: unknown) => (value instanceof Error ? value.stack : value));
  logged.push(`${level} ${text} ${shown}`);
};

/** Asks the operator API at a url. */
const askAt =
  (url: string): TestOperator['ask'] =>
  async (method, path, body, { token = rootToken, headers = {}, rawBody } = {}) => {
    const sent = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent as string }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) };
  };

const shownParts = { names: ['ops.example'], metrics: async () => Buffer.from('bourse_up 1\n') };

/** Starts the operator API on a free port of this machine. */
export async function startTestOperator(options: TestOperatorOptions = {}): Promise<TestOperator> {
  const exchange = await openExchange();
  const history = new MemoryHistoryStore();
  const writer = await startHistoryWriter({
    store: history,
    onFailure: (error) => {
      throw error;
    },
    setTimer: machineTimer,
  });
  const awaitHistory: OperatorContext['awaitHistory'] = (upTo) => writer.flush(upTo);
  const market = createMarketData({ history, awaitHistory });
  exchange.sequencer.subscribe(market);
  exchange.sequencer.subscribe(writer);
  const logged: string[] = [];
  const time = new MachineTime();
  const note = notesInto(logged);
  const storage = new MemoryChainStorage();
  const simulated =
    options.hasChains === true
      ? await openSimulatedCustody({ seed: 'operator', clock: exchange.clock, blockMs: 5000, storage })
      : null;
  const webhooks = deliveryOf(exchange, awaitHistory, { history, time, logged });
  const operatorFeed = createOperatorFeed();
  const context: OperatorContext = {
    operatorFeed,
    priceIndex: createPriceIndex([operatorFeed]),
    ...{ ingress: exchange.sequencer, feed: exchange.sequencer, queries: exchange.queries },
    market,
    history,
    awaitHistory,
    settings: { unboundKeyDays: 0 },
    sealApiKey: (plain) => `sealed ${plain}`,
    walletIds: testWalletIds,
    newSecret: randomSecret,
    clock: exchange.clock,
    ...{ monotonic: time.monotonic, setTimer: time.setTimer },
    log: { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') },
    rootToken,
    custody: simulated?.custody ?? new Map(),
    payingState: () => null,
    webhooks: webhooks.controls,
    backups: null,
    chains: simulated?.controls ?? null,
    simulation: options.hasChains === true ? simulationOf(exchange) : null,
    time: options.hasChains === true ? createManualTime(exchange.clock.now()).controls : null,
    ...(options.hasChains === true ? interceptionOf(exchange, time) : { faults: null, requestLog: null, faucet: null }),
    states: options.hasChains === true ? memoryStates() : null,
    version: { name: 'bourse', version: 'test' },
    isReady: () => true,
    ...(exchange.reads === undefined ? {} : { reads: exchange.reads }),
  };
  const used = options.context?.(context) ?? context;
  const limits = await openRateLimits(
    { ...used, settings: { ...settings, ...options.settings }, wall: exchange.clock },
    exchange.sequencer,
  );
  const accounts = await openMarket(exchange);
  const { http, counts } = createOperatorServer(used, { ...shownParts, limits });
  const port = await http.listen('127.0.0.1', 0);
  const url = `http://127.0.0.1:${port}`;
  const document = await (await fetch(`${url}/openapi.json`)).json();
  return {
    ...{ exchange, document, url, port, logged, history, time },
    deliver: webhooks.deliver,
    refusals: (code) => refusalsIn(counts, code),
    ...accounts,
    ask: askAt(url),
    digest: () => exchange.engine.digest(),
    close: async () => {
      await http.close();
      await webhooks.delivery.stop();
      await simulated?.close();
      await exchange.close();
      await writer.close();
      await history.close();
    },
  };
}

const refusalsIn = (counts: OperatorServer['counts'], code: string): number =>
  counts.reduce((sum, { counts: { byRefusal } }) => sum + (byRefusal.get(code) ?? 0), 0);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
