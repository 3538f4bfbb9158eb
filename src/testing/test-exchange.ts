import type { BourseClient, ClientOptions } from '#client/client.ts';
import type { OperatorCalls } from '#testing/operator-calls.ts';

/** How an exchange for a test is made. Each member may be left out. DEC-KIT-80. */
export interface TestExchangeOptions {
  /** Keys, addresses and the market are made from it; without it from chance. With `now` it is `1` by itself. */
  readonly seed?: string;
  /** Moment at which its clock begins, such as `2026-01-01T00:00:00Z`; without it the clock is the machine's. */
  readonly now?: string;
  /** Whether a clock that begins at `now` stands until it is advanced (`manual`, as by itself) or runs on. */
  readonly clock?: 'manual' | 'running';
  /** Whether simulated traders make a market and its history, which takes a while; by itself they do not. */
  readonly simulate?: boolean;
  /**
   * Whether it runs in a thread of its own: what it does then never delays the test, and calls take a little longer. By
   * itself it runs in the thread of the test.
   */
  readonly thread?: boolean;
  /** Further settings by their names in a configuration file, such as `{ rateLimits: false }`. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** An account with its API key. */
export interface TestAccount {
  readonly name: string;
  readonly uid: number;
  /** The access key: it goes into the header X-SVC-APIKEY. */
  readonly apiKey: string;
  /** The secret key: requests are signed with it. */
  readonly secretKey: string;
}

/** Where an exchange is, and what opens it. */
export interface ExchangeFacts {
  /** The public API, without a slash at its end. */
  readonly baseUrl: string;
  /** The API of contracts. */
  readonly futuresBaseUrl: string;
  /** Websockets. */
  readonly wsUrl: string;
  readonly operatorUrl: string;
  /** A token that may do everything. */
  readonly operatorToken: string;
  /** Accounts of people, such as `alice` and `bob`, by name. */
  readonly accounts: Readonly<Record<'alice' | 'bob', TestAccount>> & Readonly<Record<string, TestAccount>>;
}

/** An exchange that runs in this process until it is closed. DEC-KIT-80. */
export interface TestExchange extends ExchangeFacts {
  /** Every endpoint of the operator API as a method. */
  readonly operator: OperatorCalls;
  /**
   * A client of this exchange: for the account of that name or key, or for none. It is closed with the exchange.
   * DEC-KIT-85.
   * @throws TypeError where there is no account of that name, or an option cannot be used
   */
  client(account?: string | Pick<TestAccount, 'apiKey' | 'secretKey'>, options?: ClientOptions): BourseClient;
  /**
   * Closes it, waits for so many milliseconds of the machine, and starts it again on the same ports and from the same
   * directory. Websockets are closed with 1001. What a process alone knows, such as rules of faults, is gone.
   */
  restart(downMs?: number): Promise<void>;
  /**
   * Closes it and removes its directory: nothing of it is left in the process. Repeated calls wait for the first.
   * Rejects where the exchange had failed before, once all is removed.
   */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
