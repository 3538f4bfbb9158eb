/** What the client needs of `fetch`. */
export type FetchFunction = (
  url: string,
  request: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: string;
    readonly redirect: 'error';
    readonly signal: AbortSignal;
  },
) => Promise<FetchedAnswer>;

/** What the client reads of an answer. */
export interface FetchedAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** What the client needs of a websocket: the one of browsers, of Node 22 and of the package `ws` have it. */
export interface StreamSocket {
  binaryType: string;
  send(text: string): void;
  close(): void;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
}
/** A class of websockets. */
export type StreamSocketClass = new (url: string) => StreamSocket;

/** How a client is made. Each member may be left out. DEC-KIT-85. */
export interface ClientOptions {
  /** Where the API is; without it that of an exchange on this machine, `http://127.0.0.1:8080`. */
  readonly baseUrl?: string | undefined;
  /** Where the API of contracts is; without it at `baseUrl`. */
  readonly futuresBaseUrl?: string | undefined;
  /** Where the websocket is; without it `/ws` at `baseUrl`. */
  readonly wsUrl?: string | undefined;
  /** Key and secret of an account; without them public endpoints are left. */
  readonly apiKey?: string | undefined;
  readonly secretKey?: string | undefined;
  /** Header that carries the key; `X-SVC-APIKEY` by itself. */
  readonly keyHeader?: string | undefined;
  /** What client order ids begin with that the client makes: up to 11 letters, digits, `-` and `_`; `b-` by itself. */
  readonly orderPrefix?: string | undefined;
  /** How many ms old a signed request may be on arrival, less than 60,000; 5000 by itself. */
  readonly recvWindow?: number | undefined;
  /** The time in ms; the machine's by itself. How far the exchange's clock is from it is measured in any case. */
  readonly now?: (() => number) | undefined;
  /** How many ms an answer may take; 12,000 by itself. */
  readonly answerTimeoutMs?: number | undefined;
  /** How often what does no harm twice is sent again when no answer came; 3 by itself. */
  readonly retries?: number | undefined;
  /** Whether 429 and 418 are waited out and sent again, as by themselves, or thrown. */
  readonly waitsForLimits?: boolean | undefined;
  /** Longest wait for limits in ms; 60,000 by itself. Whoever is told to wait longer gets the refusal. */
  readonly limitWaitMs?: number | undefined;
  /** How many ms an order is looked for when no answer came; 20,000 by itself. */
  readonly outcomeWaitMs?: number | undefined;
  /** How pushes are encoded: `protobuf` by itself, or `json`. They are the same to handlers. */
  readonly encoding?: 'protobuf' | 'json' | undefined;
  /** A listen key to go on with while it is valid, such as that of an earlier client; by itself one is made. */
  readonly listenKey?: string | undefined;
  /** Hears of each listen key that is made. */
  readonly onListenKey?: ((listenKey: string) => void) | undefined;
  /** Gets what handlers of pushes throw; by itself it is thrown on, outside the client. */
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly fetch?: FetchFunction | undefined;
  readonly WebSocket?: StreamSocketClass | undefined;
}

/** Options with what they are by themselves. */
export interface CompleteOptions {
  readonly baseUrl: string;
  readonly futuresBaseUrl: string;
  readonly wsUrl: string;
  readonly apiKey: string;
  readonly secretKey: string;
  readonly keyHeader: string;
  readonly orderPrefix: string;
  readonly recvWindow: number;
  readonly now: () => number;
  readonly answerTimeoutMs: number;
  readonly retries: number;
  readonly waitsForLimits: boolean;
  readonly limitWaitMs: number;
  readonly outcomeWaitMs: number;
  readonly encoding: 'protobuf' | 'json';
  readonly listenKey: string;
  readonly onListenKey: (listenKey: string) => void;
  readonly onError: (error: unknown) => void;
  readonly fetch: FetchFunction;
  readonly WebSocket: StreamSocketClass | null;
}
