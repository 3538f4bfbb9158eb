/** The code of the guide as tests use it: plain JavaScript, with the types that tests need. */
const load = (name: string) => import(new URL(`../../examples/market-maker/${name}`, import.meta.url).href);

export interface Update {
  readonly fromVersion: string;
  readonly toVersion: string;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}
export interface Level {
  readonly price: string;
  readonly quantity: string;
}
export interface Depth {
  readonly lastUpdateId: number;
  readonly bids: readonly (readonly [string, string])[];
  readonly asks: readonly (readonly [string, string])[];
}
export interface LocalBook {
  readonly version: number;
  readonly isReady: boolean;
  take(update: Update): boolean;
  start(snapshot: Depth): boolean;
  top(side: 'bids' | 'asks', count: number): [string, string][];
}
export interface Rest {
  readonly clockOffsetMs: number;
  get<T>(path: string, parameters?: object): Promise<T>;
  signed<T>(method: string, path: string, parameters?: object, options?: { isRepeatable: boolean }): Promise<T>;
}
export interface RestOptions {
  readonly base: string;
  readonly apiKey: string;
  readonly secretKey: string;
  readonly now?: () => number;
  readonly wait?: (ms: number) => Promise<void>;
}
export interface Order {
  readonly orderId: string;
  readonly clientOrderId: string;
  readonly side: 'BUY' | 'SELL';
  readonly price: string;
  readonly origQty: string;
  readonly executedQty: string;
}
interface Stream {
  cut(): void;
  loseNext(): void;
}
interface FollowedBook {
  readonly book: LocalBook;
  readonly stream: Stream;
  readonly counted: { readonly gaps: number; readonly connections: number; readonly pushes: number };
  close(): void;
}
export interface OwnAccount {
  restart(): void;
  start(openOrders: readonly Order[], balances: readonly object[]): void;
  takeOrder(push: object): void;
  takeBalance(push: object): void;
  readonly isReady: boolean;
  readonly orders: ReadonlyMap<string, { readonly side: string; readonly price: string; readonly filled: string }>;
  readonly balances: ReadonlyMap<string, { readonly free: string; readonly locked: string }>;
}
interface FollowedAccount {
  readonly account: OwnAccount;
  readonly stream: Stream;
  readonly counted: { readonly connections: number; readonly keys: number; readonly renewals: number };
  close(): Promise<void>;
}
interface Maker {
  readonly placed: number;
  round(): Promise<void>;
  stop(): Promise<void>;
}
interface BookCheck {
  note(update: Update): void;
  readonly compared: number;
  run(): Promise<string[]>;
}
interface Follow {
  readonly rest: Rest;
  readonly wsUrl: string;
  readonly symbol: string;
}
interface Sandbox {
  readonly demo: {
    readonly base_url: string;
    readonly ws_url: string;
    readonly accounts: readonly { readonly name: string; readonly apiKey: string; readonly secretKey: string }[];
  };
  readonly data: string;
  rest(name: string): Rest;
  stop(): Promise<void>;
}
interface ExampleBot {
  readonly LocalBook: new () => LocalBook;
  readonly Rest: new (options: RestOptions) => Rest;
  readonly UnknownOutcome: new () => Error;
  readonly Maker: new (parts: object) => Maker;
  readonly BookCheck: new (parts: object) => BookCheck;
  placeOrder(rest: Rest, order: object): Promise<Order>;
  cancelOrder(rest: Rest, symbol: string, clientId: string): Promise<Order | null>;
  followBook(options: Follow & { readonly onUpdate?: (update: Update) => void }): FollowedBook;
  readonly OwnAccount: new () => OwnAccount;
  followAccount(
    options: Follow & {
      readonly renewEveryMs?: number;
      readonly account?: object;
      readonly onFill?: (deal: { readonly tradeId: string; readonly orderId: string }) => void;
    },
  ): FollowedAccount;
  startSandbox(): Promise<Sandbox>;
  fundBook(rest: Rest, book: object): Promise<void>;
}

const modules = [
  'rest',
  'own-account',
  'orders',
  'local-book',
  'book-stream',
  'account-stream',
  'maker',
  'book-check',
  'sandbox',
];

/** Everything that the guide's modules export. */
export async function loadExampleBot(): Promise<ExampleBot> {
  return Object.assign({}, ...(await Promise.all(modules.map((name) => load(`${name}.mjs`)))));
}

/** Waits until something is so; the claim says what was waited for, `withinMs` for how long at most. */
export async function until(
  claim: string,
  isSo: () => boolean | Promise<boolean>,
  withinMs: number = 20_000,
): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`waited in vain: ${claim}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
