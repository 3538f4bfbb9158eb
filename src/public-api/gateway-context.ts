import type { Clock } from '#base/clock.ts';
import type { Custody } from '#custody/custody.ts';
import type { ContractRules } from '#model/contract.ts';
import type { Seq, Uid } from '#model/units.ts';
import type { WalletIds } from '#model/wallet-id.ts';
import type { Unseal } from '#public-api/signing/key-ring.ts';
import type { ReuseRule } from '#public-api/signing/signature-reuse.ts';
import type { Health } from '#http/health-pages.ts';
import type { HttpLog, HttpSettings } from '#http/http-settings.ts';
import type { RequestInterceptor } from '#http/request-interception.ts';
import type { RequestObserver } from '#http/request-observation.ts';
import type { HistoryStore } from '#history/history-store.ts';
import type { KeySettings, SealApiKey, NewSecret } from '#http/new-api-key.ts';
import type { SignatureAuthority } from '#sequencer/signature-authority.ts';
import type { CommandIngress } from '#sequencer/command-ingress.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import type { ContractData } from '#market-data/contracts/contract-data.ts';
import type { MarketData } from '#market-data/market-data.ts';

/** Settings of the gateway, by their names in the configuration. */
export interface GatewaySettings extends HttpSettings, KeySettings {
  /** The sandbox returns the text that it expected to be signed, to help client authors. */
  readonly profile: 'sandbox' | 'production';
  /** Header that carries the access key, and further names of it. */
  readonly keyHeader: string;
  readonly keyHeaderAliases: readonly string[];
  /** CORS: origins that may call signed endpoints; if there are any, other origins may not read public ones either. */
  readonly allowedOrigins: readonly string[];
  readonly signatureReuse: ReuseRule;
  readonly hardenedPermissions: boolean;
  /** A JSON POST of brokers may sign its query only. DEC-REQ-51. */
  readonly brokerQueryOnlySignature: boolean;
  /** Greatest number of sub-accounts of one master. DEC-SUB-01. */
  readonly subAccountsPerMaster: number;
  readonly subAccountsPerBroker: number;
  /** Cancel responses show the status from before the cancel. DEC-ORD-31. */
  readonly cancelAnswersStatusBefore: boolean;
  /** The wallet answers in the shape that stock clients read. DEC-WAL-74. */
  readonly modelHabits: boolean;
}

/** Encrypts listen keys, bound to their account. */
export interface ListenKeySeal {
  seal(listenKey: string, uid: Uid): string;
  /** Throws when the seal is broken or belongs to another account. */
  unseal(sealed: string, uid: Uid): string;
}

/** A key of a demo account with its secret. */
export interface DemoKeyPair {
  readonly name: string;
  /** What its account is for, in a word. */
  readonly role: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

/** The ports that the gateway needs from outside. */
export interface GatewayContext extends Health {
  readonly ingress: CommandIngress;
  /** Who decides over signatures in a cluster; absent: this process does alone. */
  readonly signatures?: SignatureAuthority | undefined;
  readonly queries: ExchangeQueries;
  readonly market: MarketData;
  /** What contracts have beyond `market`. */
  readonly contracts: ContractData;
  /** Names of the sources that the index of a contract has now. */
  readonly indexSources: (contract: ContractRules) => Promise<readonly string[]>;
  readonly history: HistoryStore;
  /** Resolves once history contains everything up to an entry. */
  readonly awaitHistory: (upTo: Seq) => Promise<void>;
  /** Networks that deposit addresses come from. */
  readonly custody: Custody;
  /** The exchange's clock: virtual in the sandbox. */
  readonly clock: Clock;
  /** Monotonic clock, for timeouts. */
  readonly monotonic: Clock;
  /** Clock of rate windows: in a sandbox by its own time; absent: `monotonic`. DEC-KIT-06. */
  readonly windows?: Clock;
  readonly settings: GatewaySettings;
  readonly unseal: Unseal;
  readonly sealApiKey: SealApiKey;
  readonly walletIds: WalletIds;
  readonly newSecret: NewSecret;
  readonly listenKeySeal: ListenKeySeal;
  readonly log: HttpLog;
  /** Base URLs where contracts have a port of their own, once ports are known; `null` or absent: this server's. */
  readonly baseUrls?: () => { readonly spot: string; readonly futures: string } | null;
  /** Touches requests in a sandbox; absent elsewhere. */
  readonly requestInterceptor?: RequestInterceptor | undefined;
  /** Sees requests with their answers in a sandbox; absent elsewhere. */
  readonly requestObserver?: RequestObserver | undefined;
  /** Keys of the demo accounts, which the sandbox's reference page offers; absent elsewhere. */
  readonly demoKeys?: readonly DemoKeyPair[] | undefined;
  /** Base URL of the operator API, which the sandbox's index page links to; `null` before its port is open. */
  readonly operatorUrl?: () => string | null;
}
