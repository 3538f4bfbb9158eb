import type { Clock } from '#base/clock.ts';
import type { Seq, Uid } from '#domain/units.ts';
import type { Unseal } from '#gateway/signing/key-ring.ts';
import type { ReuseRule } from '#gateway/signing/signature-reuse.ts';
import type { HttpLog, HttpSettings } from '#http/http-settings.ts';
import type { HistoryStore } from '#history/history-store.ts';
import type { CommandIngress } from '#ingress/command-ingress.ts';
import type { ExchangeQueries } from '#ingress/exchange-queries.ts';
import type { MarketData } from '#projections/market-data.ts';

/** The settings that the gateway obeys, by the names of the configuration. */
export interface GatewaySettings extends HttpSettings {
  /** The sandbox tells clients which text it signed. */
  readonly profile: 'sandbox' | 'production';
  /** Header that carries the access key, and further names of it. */
  readonly keyHeader: string;
  readonly keyHeaderAliases: readonly string[];
  /** Origins of pages that may call signed endpoints; where there are any, public ones answer no others either. */
  readonly allowedOrigins: readonly string[];
  readonly signatureReuse: ReuseRule;
  readonly hardenedPermissions: boolean;
  /** A cancel answers the status that the order had before. DEC-ORD-31. */
  readonly cancelAnswersStatusBefore: boolean;
}

/** Seals listen keys, bound to the account that they belong to. */
export interface ListenKeySeal {
  seal(listenKey: string, uid: Uid): string;
  /** Throws when the seal is broken or belongs to another account. */
  unseal(sealed: string, uid: Uid): string;
}

/** What runs, for GET /version. */
export interface GatewayVersion {
  readonly name: string;
  readonly version: string;
}

/** A key of a demo account with its secret. */
export interface DemoKeyPair {
  readonly name: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

/** Everything outside the gateway that it needs; ports only. */
export interface GatewayContext {
  readonly ingress: CommandIngress;
  readonly queries: ExchangeQueries;
  readonly market: MarketData;
  readonly history: HistoryStore;
  /** Resolves once history answers with everything up to an entry. */
  readonly awaitHistory: (upTo: Seq) => Promise<void>;
  /** The exchange's clock: virtual in the sandbox. */
  readonly clock: Clock;
  /** Never runs backwards: timeouts. */
  readonly monotonic: Clock;
  readonly settings: GatewaySettings;
  readonly unseal: Unseal;
  readonly listenKeySeal: ListenKeySeal;
  readonly log: HttpLog;
  readonly version: GatewayVersion;
  /** Whether the journal is replayed and commands are taken: GET /readyz. */
  readonly isReady: () => boolean;
  /** Base addresses that the OpenAPI document shows, once ports are known; without it they are relative. */
  readonly baseUrls?: () => { readonly spot: string; readonly futures: string };
  /** Keys of the demo accounts, which the sandbox's reference page offers; absent elsewhere. */
  readonly demoKeys?: readonly DemoKeyPair[] | undefined;
  /** Metrics of the rest of the process in the text format, for GET /metrics. */
  readonly otherMetrics?: () => Promise<string>;
}
