import type { ChannelId } from '#websocket/channels.ts';
import { hourMs } from '#base/calendar.ts';
import { houseAccountCount } from '#model/account.ts';
import { ClientOrderId } from '#model/client-order-id.ts';
import type { Command } from '#model/command.ts';
import type { OrderRequest } from '#model/order.ts';
import type { AccountId, AssetId, Lots, PriceTicks, Quanta, SymbolId, Uid } from '#model/units.ts';
import { as } from '#model/units.ts';
import { coins, demoAssets, demoPairs, symbolListing } from '#sandbox/listing.ts';

/*
 * What happens in the examples of the streams: a few orders on an exchange of its own, which lists what the sandbox
 * lists. Prices are in ticks of 0.01, quantities in steps of 0.000001 BTC or 0.00001 ETH.
 */

/** Something that happens while the examples are recorded. */
export interface StoryStep {
  /** For readers of the examples. */
  readonly occasion: string;
  /** Channels whose pushes of this step become examples. */
  readonly shows: readonly ChannelId[];
  readonly commands: readonly Command[];
}

/**
 * When the subscriptions begin, 2026-01-01T12:00:00.035Z: within a push window, so that the times of a push differ from
 * each other.
 */
export const storyBegins = 1_767_268_800_035;

const accounts = { alice: houseAccountCount, bob: houseAccountCount + 1, carol: houseAccountCount + 2 } as const;
type Person = keyof typeof accounts;
const accountOf = (person: Person): AccountId => as<AccountId>(accounts[person]);
/** The account whose private channels are recorded. */
export const storySubscriber = accountOf('alice');

const btcUsdt = as<SymbolId>(0);
const ethUsdt = as<SymbolId>(1);
const assetId = (code: string): AssetId => as<AssetId>(demoAssets.findIndex((asset) => asset.code === code));

interface Terms {
  readonly price?: number;
  readonly lots?: number;
  readonly budget?: number;
  readonly clientOrderId?: string;
  readonly symbol?: SymbolId;
}

function order(person: Person, side: OrderRequest['side'], terms: Terms): Command {
  const { price, lots, budget, clientOrderId, symbol = btcUsdt } = terms;
  return {
    kind: 'placeOrder',
    account: accountOf(person),
    order: {
      symbol,
      side,
      kind: price === undefined ? 'market' : 'limit',
      price: price === undefined ? null : as<PriceTicks>(price),
      quantity: lots === undefined ? null : as<Lots>(lots),
      budget: budget === undefined ? null : as<Quanta>(budget),
      clientOrderId: ClientOrderId.of(clientOrderId ?? null),
      stpMode: 'none',
    },
  };
}

const credit = (person: Person, code: string, amount: number): Command => ({
  kind: 'creditFunds',
  account: accountOf(person),
  asset: assetId(code),
  amount: coins(code, amount),
});

/** Bob and Carol trade with each other. */
const trade = (terms: Terms): readonly Command[] => [order('bob', 'sell', terms), order('carol', 'buy', terms)];

const listing: readonly Command[] = [
  ...demoAssets.map((asset): Command => ({ kind: 'configureAsset', asset })),
  ...demoPairs
    .filter(({ name }) => name === 'BTCUSDT' || name === 'ETHUSDT')
    .map((pair): Command => ({ kind: 'configureSymbol', symbol: symbolListing(pair, assetId) })),
];

const people: readonly Command[] = (Object.keys(accounts) as Person[]).flatMap((name): Command[] => [
  {
    kind: 'openAccount',
    uid: as<Uid>(10_000_000 + accounts[name]),
    name,
    master: null,
    class: 'user',
    kycLevel: 2,
    simulated: false,
  },
  credit(name, 'USDT', 100_000),
  credit(name, 'BTC', 10),
  credit(name, 'ETH', 100),
]);

/** What happened before the subscriptions, and when. Yesterday's trades give the mini tickers a day to compare with. */
export const storyOpening: readonly { readonly at: number; readonly commands: readonly Command[] }[] = [
  {
    at: storyBegins - 30 * hourMs,
    commands: [
      ...listing,
      ...people,
      ...trade({ price: 49_200_00, lots: 500_000 }),
      ...trade({ price: 49_350_00, lots: 80_000 }),
      ...trade({ symbol: ethUsdt, price: 2_600_00, lots: 200_000 }),
    ],
  },
  {
    at: storyBegins - 6 * hourMs,
    commands: [
      ...trade({ price: 49_900_00, lots: 300_000 }),
      ...trade({ symbol: ethUsdt, price: 2_650_00, lots: 150_000 }),
      order('bob', 'buy', { price: 49_990_00, lots: 400_000 }),
      order('bob', 'buy', { price: 49_980_00, lots: 750_000 }),
      order('bob', 'sell', { price: 50_010_00, lots: 300_000 }),
      order('bob', 'sell', { price: 50_020_00, lots: 600_000 }),
    ],
  },
];

const clientOrderId = 'my-order-1';

/** The subscriptions: what they show without any command. */
export const storySubscription: Omit<StoryStep, 'commands'> = {
  occasion: 'On subscription: the current state.',
  shows: ['aggreBookTicker', 'limitDepth', 'bookTickerBatch', 'kline', 'miniTicker', 'miniTickers'],
};

/** What happens once everything is subscribed to; each step is over before the next begins. */
export const storySteps: readonly StoryStep[] = [
  {
    occasion: 'Alice places an order: buy 0.02 BTC at 50000.',
    shows: ['account', 'orders', 'aggreDepth', 'aggreBookTicker', 'limitDepth'],
    commands: [order('alice', 'buy', { price: 50_000_00, lots: 20_000, clientOrderId })],
  },
  {
    occasion: 'Carol sells 0.005 BTC to it.',
    shows: ['account', 'deals', 'orders', 'aggreDeals', 'aggreDepth', 'kline'],
    commands: [order('carol', 'sell', { price: 50_000_00, lots: 5_000 })],
  },
  {
    occasion: 'Alice cancels the rest, and Bob offers 0.1 BTC at 50005.',
    shows: ['account', 'orders', 'aggreDepth', 'bookTickerBatch'],
    commands: [
      { kind: 'cancelOrder', account: storySubscriber, symbol: btcUsdt, ref: { clientOrderId } },
      order('bob', 'sell', { price: 50_005_00, lots: 100_000 }),
    ],
  },
  {
    occasion: 'Alice buys at market for 100 USDT.',
    shows: ['account', 'deals', 'orders', 'aggreDeals'],
    commands: [order('alice', 'buy', { budget: Number(coins('USDT', 100)) })],
  },
  {
    occasion: '250 USDT are credited to Alice.',
    shows: ['account'],
    commands: [credit('alice', 'USDT', 250)],
  },
];

const dealsOf = (symbol: string): string => `spot@public.aggre.deals.v3.api.pb@100ms@${symbol}`;
const bookTicker = 'spot@public.aggre.bookTicker.v3.api.pb@100ms@BTCUSDT';

/** Requests whose replies are shown; the connection has no listen key. */
export const storyRequests: readonly { readonly occasion: string; readonly request: object }[] = [
  {
    occasion: 'All channels are accepted.',
    request: { method: 'SUBSCRIPTION', params: [dealsOf('BTCUSDT'), bookTicker], id: 1 },
  },
  {
    occasion:
      'Partly refused: no such pair, and a private channel without a listen key. The first channel is subscribed to.',
    request: {
      method: 'SUBSCRIPTION',
      params: ['spot@public.kline.v3.api.pb@BTCUSDT@Min1', dealsOf('NOSUCH'), 'spot@private.orders.v3.api.pb'],
      id: 2,
    },
  },
  { occasion: 'Unsubscribed.', request: { method: 'UNSUBSCRIPTION', params: [bookTicker], id: 3 } },
  { occasion: 'Alive.', request: { method: 'PING' } },
  { occasion: 'No request.', request: { method: 'SUBSCRIBE', params: [dealsOf('BTCUSDT')], id: 4 } },
];
