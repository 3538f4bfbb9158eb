import type { BourseClient } from '#client/client.ts';
import { type SandboxProcess, startSandboxProcess } from './sandbox-process.ts';

/** The code of the guides as tests use it: plain JavaScript, with the types that tests need. */
const load = (name: string) => import(new URL(`../../examples/${name}`, import.meta.url).href);

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
  /** How many snapshots it was made from. */
  readonly loads: number;
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
interface Sandbox extends SandboxProcess {
  rest(name: string): Rest;
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
  /** Starts an exchange in a process of its own. */
  startSandbox(): Promise<Sandbox>;
  /** Puts orders on each side around a price, each a tick further away: something to trade against. */
  fundBook(rest: Rest, book: FundedBook): Promise<void>;
}
interface FundedBook {
  readonly symbol: string;
  readonly price: number;
  readonly tick: number;
  readonly quantity: string;
  readonly levels: number;
  readonly name?: string;
}

/** The account of the market maker, which has a client. */
export interface FollowedOrders extends Pick<OwnAccount, 'isReady' | 'orders' | 'balances'> {
  close(): void;
}
interface OwnAccountModule {
  readonly OwnAccount: new (parts: {
    readonly client: BourseClient;
    readonly symbol: string;
    readonly onFill?: (deal: { readonly quantity: string }) => void;
  }) => FollowedOrders;
}
/** That of examples/market-maker. */
export const loadOwnAccount = (): Promise<OwnAccountModule> => load('market-maker/own-account.mjs');

const byHand = ['rest', 'own-account', 'orders', 'local-book', 'book-stream', 'account-stream'];
const ofMaker = ['maker', 'book-check'];
const modules = [...byHand.map((name) => `by-hand/${name}.mjs`), ...ofMaker.map((name) => `market-maker/${name}.mjs`)];

/** Everything that the guides' modules export. */
export async function loadExampleBot(): Promise<ExampleBot> {
  const loaded: ExampleBot = Object.assign({}, ...(await Promise.all(modules.map(load))));
  const startSandbox = async (): Promise<Sandbox> => {
    const sandbox = await startSandboxProcess();
    const keysOf = (name: string) => sandbox.demo.accounts.find((account) => account.name === name)!;
    const rest = (name: string): Rest => new loaded.Rest({ base: sandbox.demo.base_url, ...keysOf(name) });
    return { ...sandbox, rest };
  };
  const fundBook: ExampleBot['fundBook'] = async (rest, { symbol, price, tick, quantity, levels, name = 'fund' }) => {
    const sides = [
      ['BUY', -1],
      ['SELL', 1],
    ] as const;
    for (let level = 1; level <= levels; level += 1) {
      for (const [side, sign] of sides) {
        const newClientOrderId = `${name}-${side}-${level}`;
        const order = { symbol, side, type: 'LIMIT', quantity, price: `${price + sign * level * tick}` };
        await loaded.placeOrder(rest, { ...order, newClientOrderId });
      }
    }
  };
  return { ...loaded, startSandbox, fundBook };
}

/** A book that is kept by hand, as the client shows its books. */
export const asOfClient = (book: LocalBook): object => ({
  get isReady() {
    return book.isReady;
  },
  get version() {
    return book.version;
  },
  get counts() {
    return { snapshots: book.loads };
  },
  levels: (side: 'bids' | 'asks', count = Number.POSITIVE_INFINITY) => book.top(side, count),
});

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
