import type { Clock, SetTimer } from '#base/clock.ts';
import type { Custody } from '#custody/custody.ts';
import type { ChainControls } from '#custody/simulated/chain-controls.ts';
import type { Seq } from '#model/units.ts';
import type { WalletIds } from '#model/wallet-id.ts';
import type { HistoryStore } from '#history/history-store.ts';
import type { Health } from '#http/health-pages.ts';
import type { HttpLog } from '#http/http-settings.ts';
import type { KeySettings, SealApiKey, NewSecret } from '#http/new-api-key.ts';
import type { CommandIngress } from '#sequencer/command-ingress.ts';
import type { EventFeed } from '#sequencer/event-feed.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import type { OperatorFeed, PriceIndex } from '#market-data/price-index/price-index.ts';
import type { BackupControls } from '#operator-api/operators/backup-controls.ts';
import type { Faucet } from '#sandbox/faucet.ts';
import type { ClockControls } from '#sandbox/clock-controls.ts';
import type { FaultControls } from '#sandbox/faults/fault-controls.ts';
import type { LogControls } from '#sandbox/request-log/log-controls.ts';
import type { StateControls } from '#sandbox/kept-states.ts';
import type { MarketControls } from '#sandbox/market-controls.ts';
import type { WebhookDelivery } from '#webhooks/deliver-webhooks.ts';
import type { PayingState } from '#custody/settlement/settlement.ts';
import type { MarketData } from '#market-data/market-data.ts';

/** The ports that the operator API needs from outside. */
export interface OperatorContext extends Health {
  readonly ingress: CommandIngress;
  readonly feed: EventFeed;
  readonly queries: ExchangeQueries;
  readonly market: MarketData;
  readonly history: HistoryStore;
  /** Resolves once history contains everything up to an entry. */
  readonly awaitHistory: (upTo: Seq) => Promise<void>;
  /** The exchange's clock: virtual in the sandbox. */
  readonly clock: Clock;
  /** Monotonic clock, for durations. */
  readonly monotonic: Clock;
  /** Timer of the machine. */
  readonly setTimer: SetTimer;
  readonly log: HttpLog;
  /** Token of the configuration, which may do everything; `null`: there is none. */
  readonly rootToken: string | null;
  readonly sealApiKey: SealApiKey;
  readonly walletIds: WalletIds;
  readonly newSecret: NewSecret;
  readonly settings: KeySettings;
  /** Custody of every network that is served. */
  readonly custody: Custody;
  /** What keeps a network from paying, as of the last look at it; `null`: nobody settles it. */
  readonly payingState: (network: string) => PayingState | null;
  /** Simulated chains, in the sandbox; `null`: there are none. Endpoints that control them are not served then. */
  readonly chains: ChainControls | null;
  /** The simulated market, in the sandbox; `null`: there is none, likewise. */
  readonly simulation: MarketControls | null;
  /** The clock of a sandbox by itself, likewise. */
  readonly time: ClockControls | null;
  /** Faults on demand, likewise. */
  readonly faults: FaultControls | null;
  /** The log of requests, likewise. */
  readonly requestLog: LogControls | null;
  /** States of the whole sandbox, likewise. */
  readonly states: StateControls | null;
  /** Play money and keys on demand, likewise. */
  readonly faucet: Faucet | null;
  /** Index prices of contracts, and the sources that operators give prices of. */
  readonly priceIndex: PriceIndex;
  readonly operatorFeed: OperatorFeed;
  /** Backups of this process; `null`: the settings name no directory for them. */
  readonly backups: BackupControls | null;
  /** Delivery to webhooks, and the rules of their urls. */
  readonly webhooks: Pick<WebhookDelivery, 'stateOf' | 'test'> & {
    /** Why nothing may be sent to a url; `null`: it may. */
    readonly faultOfUrl: (url: string) => string | null;
    readonly seal: (webhook: string, secret: string) => string;
  };
}

/** Whether the exchange is a sandbox: in production nobody gets play money. */
export const isSandbox = ({ faucet }: Pick<OperatorContext, 'faucet'>): boolean => faucet !== null;
