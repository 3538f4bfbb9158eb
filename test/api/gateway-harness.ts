import { createHmac } from 'node:crypto';
import type { Server } from 'node:http';
import { type ApiKeyView, house } from '#model/account.ts';
import { type Permission, allPermissions, permissionSet } from '#model/permission.ts';
import type { SymbolListing } from '#model/symbol.ts';
import { type AccountId, type AssetId, type Balance, type Lots, type Quanta, type Uid, as } from '#model/units.ts';
import { orderKinds } from '#model/order.ts';
import { type Clock, machineTimer } from '#base/clock.ts';
import { createEndpointLimits } from '#public-api/pipeline/endpoint-limits.ts';
import { createGateway, surfaces, type Gateway } from '#public-api/gateway.ts';
import type { GatewayContext, GatewaySettings } from '#public-api/gateway-context.ts';
import { createHttpServer } from '#public-api/http-server.ts';
import { httpSource } from '#main/metrics/http-metrics.ts';
import { metricsText } from '#main/metrics/metrics-text.ts';
import { MemoryHistoryStore } from '../ports/memory-history-store.ts';
import { randomSecret } from '#http/new-api-key.ts';
import type { RateLimits } from '#http/rate-limits.ts';
import { openRateLimits } from '#main/composition/open-rate-limits.ts';
import { createWalletIds } from '#main/secrets/wallet-ids.ts';
import { startHistoryWriter } from '#history/collectors/history-writer.ts';
import { createContractData } from '#market-data/contracts/contract-data.ts';
import { createMarketData } from '#market-data/market-data.ts';
import type { TestExchange } from '../exchange-harness.ts';
import { openExchange } from '../follower-exchange.ts';

/** Ids of the wallet of test exchanges. */
export const testWalletIds = createWalletIds(Buffer.alloc(16, 7));

/** The fixed moment and secret of the adversarial cases A01 to A13. */
export const now = 1_700_000_000_000;
export const secret = 'k7Q2vB9xT4mZ8wL1sD6fH3jN5pR0yCgE';

/** A clock that stands where the test puts it. */
export interface SetClock extends Clock {
  time: number;
}

/** Keys of the test exchange by the name of their owner; all sign with the same secret but `stranger`. */
export const keys = {
  alice: 'mx0aliceAAAAAAAAAA',
  bob: 'mx0bobBBBBBBBBBBBB',
  sub: 'mx0subSSSSSSSSSSSS',
  broker: 'mx0brokerRRRRRRRRR',
} as const;
export type KeyName = keyof typeof keys;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at, member by member, by tests
  readonly body: any;
}

/** How a test sends a request; parameters are percent-encoded and signed unless said otherwise. */
export interface Sending {
  readonly key?: string;
  readonly secret?: string;
  readonly timestamp?: number | string | null;
  readonly headers?: Record<string, string>;
}

export interface TestGateway {
  readonly exchange: TestExchange;
  readonly gateway: Gateway;
  readonly monotonic: SetClock;
  readonly wall: SetClock;
  readonly port: number;
  readonly server: Server;
  readonly url: string;
  readonly accounts: Readonly<Record<KeyName, AccountId>>;
  readonly logged: string[];
  /** Sends a request as it is. */
  send(
    method: string,
    address: string,
    init?: { headers?: Record<string, string>; body?: string | Buffer },
  ): Promise<Reply>;
  get(path: string, parameters?: Record<string, string>): Promise<Reply>;
  /** Sends a signed request with its parameters in the query. */
  signed(method: string, path: string, parameters?: Record<string, string>, sending?: Sending): Promise<Reply>;
  addKey(account: AccountId, accessKey: string, names: readonly Permission[], ips?: readonly string[]): Promise<void>;
  configure(changes: Partial<SymbolListing>, name?: string): Promise<void>;
  /** Digest of the business state: unchanged by a refusal ("NC"). */
  digest(): string;
  close(): Promise<void>;
}

export const sign = (text: string, key = secret, encoding: 'utf8' | 'latin1' = 'utf8'): string =>
  createHmac('sha256', key).update(text, encoding).digest('hex');
export const encode = (parameters: Record<string, string>): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');

const usdtScale = 9;
const btcScale = 8;
const usdt = 10 ** usdtScale;
const ids = { USDT: as<AssetId>(0), BTC: as<AssetId>(1), SVC: as<AssetId>(2) };

const asset = (code: string, scale: number) => ({
  kind: 'configureAsset' as const,
  asset: { code, fullName: `${code} coin`, scale, cap: as<Balance>(10n ** 18n), coinId: '0'.repeat(32) },
});

export const btcUsdt: SymbolListing = {
  name: 'BTCUSDT',
  base: ids.BTC,
  quote: ids.USDT,
  priceDecimals: 2,
  quantityDecimals: 6,
  status: 'online',
  openAt: null,
  tradeSideType: 'all',
  orderKinds: [...orderKinds],
  apiTradingAllowed: true,
  minLots: as<Lots>(1),
  minNotional: as<Quanta>(0.5 * usdt),
  minNotionalMarket: as<Quanta>(usdt),
  maxNotional: as<Quanta>(4_000_000 * usdt),
  maxNotionalMarket: as<Quanta>(1_000_000 * usdt),
  makerFeePpm: 0,
  takerFeePpm: 500,
  bidMultiplierUpPpm: 1_200_000,
  askMultiplierDownPpm: 800_000,
  collarPpm: 50_000,
  fullName: 'Bitcoin',
  contractAddress: '',
  specialTreatment: false,
};

const coins = (amount: number, scale: number): Balance => as<Balance>(BigInt(amount) * 10n ** BigInt(scale));

async function openAccounts(exchange: TestExchange): Promise<Record<KeyName, AccountId>> {
  const first = house.rebates + 1;
  const accounts = {
    alice: as<AccountId>(first),
    bob: as<AccountId>(first + 1),
    sub: as<AccountId>(first + 2),
    broker: as<AccountId>(first + 3),
  };
  const open = (name: string, uid: number, master: AccountId | null, isBroker = false) =>
    exchange.submit({
      kind: 'openAccount',
      uid: as<Uid>(uid),
      name,
      master,
      class: isBroker ? 'broker' : 'user',
      kycLevel: 2,
      simulated: false,
    });
  await open('alice', 1001, null);
  await open('bob', 2002, null);
  await open('subAccountA1', 1002, accounts.alice);
  await open('broker', 3003, null, true);
  for (const name of Object.keys(accounts) as KeyName[]) {
    const account = accounts[name];
    await exchange.submit({ kind: 'creditFunds', account, asset: ids.USDT, amount: coins(1_000_000, usdtScale) });
    await exchange.submit({ kind: 'creditFunds', account, asset: ids.BTC, amount: coins(20, btcScale) });
    await exchange.submit({
      kind: 'createApiKey',
      account,
      accessKey: keys[name],
      sealedSecret: secret,
      note: name,
      permissions: allPermissions,
      ips: [],
      unboundLifeMs: null,
    });
  }
  return accounts;
}

const defaultSettings: GatewaySettings = {
  profile: 'sandbox',
  keyHeader: 'X-SVC-APIKEY',
  keyHeaderAliases: ['X-MEXC-APIKEY'],
  trustedProxies: [],
  deniedAddresses: [],
  allowedOrigins: [],
  rateLimits: true,
  connectionsMax: 1000,
  connectionsPerAddressMax: 200,
  banAfter: 5,
  banFirstSeconds: 120,
  banMostSeconds: 259_200,
  banMemoryHours: 72,
  banLoopback: false,
  faultsPerWindow: 100,
  signatureReuse: 'off',
  hardenedPermissions: false,
  unboundKeyDays: 0,
  brokerQueryOnlySignature: true,
  subAccountsPerMaster: 30,
  subAccountsPerBroker: 10_000,
  cancelAnswersStatusBefore: false,
  modelHabits: false,
};

/**
 * Tests share one exchange; a request that a test wants refused before the engine needs a way to fail: see overrides.
 */
export interface TestGatewayOptions {
  readonly settings?: Partial<GatewaySettings>;
  readonly context?: (context: GatewayContext) => GatewayContext;
  /** False: the port serves no metrics. */
  readonly hasMetrics?: boolean;
}

async function replyOf(response: Response): Promise<Reply> {
  const { status, headers } = response;
  const text = await response.text();
  let body: unknown = null;
  try {
    body = JSON.parse(text);
  } catch {
    body = text;
  }
  return { status, headers, text, body };
}

const metricsOf = (gateway: Gateway): Promise<string> =>
  metricsText([httpSource({ public: gateway })], (what, error) => {
    throw new Error(what, { cause: error });
  });

/** A gateway that serves from now on. */
function gatewayFrom(context: GatewayContext, { clock }: TestExchange, limits: RateLimits): Gateway {
  const servingSince = { at: clock.time, inWindow: limits.windows.now() };
  return createGateway(context, surfaces, {
    limits,
    endpointLimits: createEndpointLimits(context.settings, servingSince),
  });
}

/** An exchange in memory behind a real HTTP server on a free port of this machine; every part is the real one. */
export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const exchange = await openExchange();
  const history = new MemoryHistoryStore();
  const writer = await startHistoryWriter({
    store: history,
    onFailure: (error) => {
      throw error;
    },
    setTimer: machineTimer,
  });
  const awaitHistory = (upTo: Parameters<typeof writer.flush>[0]) => writer.flush(upTo);
  const market = createMarketData({ history, awaitHistory });
  const contracts = createContractData({ market, history, awaitHistory });
  for (const sink of [market, contracts, writer]) exchange.sequencer.subscribe(sink);
  const monotonic: SetClock = { time: 0, now: () => monotonic.time };
  const wall: SetClock = { time: now, now: () => wall.time };
  const logged: string[] = [];
  const note = (level: string) => (fields: object, text: string) => {
    const shown = JSON.stringify(fields, (_name, value: unknown) => (value instanceof Error ? value.stack : value));
    logged.push(`${level} ${text} ${shown}`);
  };
  const context: GatewayContext = {
    ingress: exchange.sequencer,
    queries: exchange.queries,
    market,
    contracts,
    indexSources: async () => ['SPOT', 'EXCHANGE A'],
    history,
    awaitHistory,
    custody: new Map(),
    clock: exchange.clock,
    monotonic,
    settings: { ...defaultSettings, ...options.settings },
    unseal: (key: ApiKeyView) => key.sealedSecret,
    sealApiKey: (plain) => plain,
    walletIds: testWalletIds,
    newSecret: randomSecret,
    listenKeySeal: { seal: (key, uid) => `${uid} ${key}`, unseal: (sealed, uid) => sealed.slice(`${uid} `.length) },
    log: { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') },
    version: { name: 'bourse', version: 'test' },
    isReady: () => true,
    ...(exchange.reads === undefined ? {} : { reads: exchange.reads }),
  };
  const used = options.context?.(context) ?? context;
  const limits = await openRateLimits({ ...used, wall }, exchange.sequencer);
  const gateway = gatewayFrom(used, exchange, limits);
  for (const command of [asset('USDT', usdtScale), asset('BTC', btcScale), asset('SVC', 8)])
    await exchange.submit(command);
  await exchange.submit({ kind: 'configureSymbol', symbol: btcUsdt });
  const accounts = await openAccounts(exchange);
  const metrics = options.hasMetrics === false ? null : async () => Buffer.from(await metricsOf(gateway));
  const server = createHttpServer(gateway, metrics);
  const port = await server.listen('127.0.0.1', 0);
  const url = `http://127.0.0.1:${port}`;
  const send: TestGateway['send'] = async (method, address, init = {}) =>
    replyOf(await fetch(url + address, { method, ...init }));
  return {
    exchange,
    gateway,
    monotonic,
    wall,
    port,
    server: server.server,
    url,
    accounts,
    logged,
    send,
    get: (path, parameters = {}) => send('GET', `${path}?${encode(parameters)}`),
    signed: (method, path, parameters = {}, sending = {}) => {
      const stamp = sending.timestamp === undefined ? exchange.clock.time : sending.timestamp;
      const text = encode({ ...parameters, ...(stamp === null ? {} : { timestamp: String(stamp) }) });
      const headers = { 'X-SVC-APIKEY': sending.key ?? keys.alice, ...sending.headers };
      return send(method, `${path}?${text}&signature=${sign(text, sending.secret)}`, { headers });
    },
    addKey: async (account, accessKey, names, ips = []) => {
      await exchange.submit({
        kind: 'createApiKey',
        account,
        accessKey,
        sealedSecret: secret,
        note: 'test',
        permissions: permissionSet(names),
        ips,
        unboundLifeMs: null,
      });
    },
    configure: async (changes, name = 'BTCUSDT') => {
      const symbol = { ...btcUsdt, ...changes, name };
      const { events } = await exchange.submit({ kind: 'configureSymbol', symbol });
      const refusal = events.find((event) => event.kind === 'commandRefused');
      if (refusal !== undefined) throw new TypeError(`the engine refused to list ${name}: ${JSON.stringify(refusal)}`);
    },
    digest: () => exchange.engine.digest(),
    close: async () => {
      await server.close();
      await exchange.close();
      await writer.close();
      await history.close();
    },
  };
}
