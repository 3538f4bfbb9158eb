import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type BourseClient, BourseError, channels, type ClientOptions, type LocalBook } from '#client/client.ts';
import { startBourse, type TestExchange } from '#testing/testing.ts';
import { until } from '../guides/example-bot.ts';

/** Streams and books of the client against a sandbox, with its faults. */

let exchange: TestExchange;
const clients: BourseClient[] = [];
beforeAll(async () => {
  exchange = await startBourse({ seed: '7', settings: { rateLimits: false } });
});
afterEach(async () => {
  await exchange.operator.clearFaults();
  for (const client of clients.splice(0)) await client.close();
  for (const name of ['alice', 'bob']) await exchange.client(name).cancelOpenOrders({ symbol });
});
afterAll(() => exchange?.close());

const symbol = 'BTCUSDT';
const clientOf = (account: string, options: ClientOptions = {}): BourseClient => {
  const client = exchange.client(account, options);
  clients.push(client);
  return client;
};
const order = (side: 'BUY' | 'SELL', price: string, quantity = '0.01') =>
  ({ symbol, side, type: 'LIMIT', quantity, price }) as const;
const strike = (channel: string, fault: object, match: object = {}) =>
  exchange.operator.addFault({ match: { channel, ...match }, fault, count: 1 } as never);
const depthChannel = channels.aggreDepth({ symbol, speed: '10ms' });

describe('streams', () => {
  test('DEC-KIT-88: handlers get the same pushes in both encodings, private ones too', async () => {
    const names = [channels.orders(), channels.deals(), channels.account(), depthChannel] as const;
    const market = [
      channels.aggreDeals({ symbol, speed: '10ms' }),
      channels.limitDepth({ symbol, levels: '5' }),
      channels.kline({ symbol, interval: 'Min1' }),
      channels.miniTicker({ symbol, zone: '24H' }),
    ] as const;
    const heard = [new Map<string, object[]>(), new Map<string, object[]>()] as const;
    const [binary] = await Promise.all(
      (['protobuf', 'json'] as const).map(async (encoding, index) => {
        const client = clientOf('alice', { encoding });
        const subscriptions = [...names, ...market].map((name) =>
          client.subscribe(name, (content, head) => {
            expect(head.channel).toBe(name);
            heard[index]!.set(name, [...(heard[index]!.get(name) ?? []), content]);
          }),
        );
        await Promise.all(subscriptions.map(({ ready }) => ready));
        return client;
      }),
    );
    await binary!.placeOrder(order('BUY', '60000'));
    await clientOf('bob').placeOrder(order('SELL', '60000', '0.004'));
    const all = [...names, ...market];
    await until('all have pushes', () => heard.every((each) => all.every((name) => (each.get(name)?.length ?? 0) > 0)));
    await until('the fill came', () => heard.every((each) => each.get(channels.orders())?.length === 2));
    for (const name of names) expect(heard[0].get(name)).toEqual(heard[1].get(name));
    const [deal] = heard[0].get(channels.deals()) as [{ price: string; time: number; isMaker: boolean }];
    expect(deal).toMatchObject({ price: '60000', quantity: '0.004', isMaker: true });
    expect(deal.time).toBeTypeOf('number');
  });

  test('DEC-KIT-88: after a lost connection channels are subscribed to again, and a gap is told', async () => {
    const client = clientOf('alice', { encoding: 'json' });
    const story: string[] = [];
    const subscription = client.subscribe(
      depthChannel,
      ({ toVersion }) => story.push(`push ${Number(toVersion) > 0}`),
      {
        onReady: () => story.push('ready'),
        onGap: (why) => story.push(`gap: ${why}`),
      },
    );
    await subscription.ready;
    await strike(depthChannel, { kind: 'close', code: 1001 });
    await client.placeOrder(order('BUY', '50000'));
    await until('it is ready again', () => story.length === 3);
    expect(story).toEqual(['ready', expect.stringMatching(/^gap: closed with 1001/), 'ready']);
    await client.placeOrder(order('BUY', '50001'));
    await until('pushes come again', () => story.at(-1) === 'push true');
    const before = story.length;
    subscription.close();
    await client.placeOrder(order('BUY', '50002'));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(story).toHaveLength(before);
  });

  test('DEC-KIT-88: a push that cannot be read is a gap, and what a handler throws harms nobody else', async () => {
    const errors: unknown[] = [];
    let deaf = true;
    const client = clientOf('alice', { encoding: 'json', onError: (error) => errors.push(error) });
    const kept = globalThis.JSON.parse;
    const heard: unknown[] = [];
    const gaps: string[] = [];
    client.subscribe(depthChannel, () => {
      throw new Error('mine');
    });
    const { ready } = client.subscribe(depthChannel, (push) => heard.push(push), { onGap: (why) => gaps.push(why) });
    await ready;
    await client.placeOrder(order('BUY', '50000'));
    await until('both were called', () => errors.length > 0 && heard.length > 0);
    expect(errors).toMatchObject([{ message: 'mine' }]);
    // Whoever comes later shares the channel, and hears nothing once the subscription is closed.
    const late = client.subscribe(depthChannel, () => expect.fail('it is closed'), { onReady: () => late.close() });
    await late.ready;
    globalThis.JSON.parse = (text: string) => {
      if (!deaf || !text.includes(depthChannel)) return kept(text);
      deaf = false;
      throw new SyntaxError('cut');
    };
    try {
      await client.placeOrder(order('BUY', '50001'));
      await until('a gap is told', () => gaps.length === 1);
    } finally {
      globalThis.JSON.parse = kept;
    }
    expect(gaps).toEqual(['a push could not be read']);
  });

  test('DEC-KIT-88: a channel that the exchange refuses is told, and others go on', async () => {
    const client = clientOf('alice');
    const refused: BourseError[] = [];
    const nowhere = client.subscribe(channels.aggreDepth({ symbol: 'NOSUCH', speed: '10ms' }), () => {}, {
      onRefused: (error) => refused.push(error),
    });
    const good = client.subscribe(depthChannel, () => {});
    await expect(nowhere.ready).rejects.toBeInstanceOf(BourseError);
    await good.ready;
    expect(refused).toHaveLength(1);
    expect(() => client.subscribe('a b', () => {})).toThrow('the channel must be a name');
    expect(() => client.subscribe(depthChannel, null as never)).toThrow('the handler must be a function');
    expect(() => exchange.client().subscribe(channels.orders(), () => {})).toThrow('it needs an apiKey');
    // A key that may not make listen keys.
    const { uid } = exchange.accounts.alice;
    const { key } = await exchange.operator.impersonate({ uid, seconds: 600, permissions: ['SPOT_DEAL_READ'] });
    const blind = exchange.client({ apiKey: key.accessKey, secretKey: key.secretKey });
    await expect(blind.subscribe(channels.orders(), () => {}).ready).rejects.toMatchObject({ code: 700007 });
  });

  test('DEC-KIT-88: more channels than a connection takes are spread over several', async () => {
    const client = clientOf('alice');
    const pairs = (await client.defaultSymbols()).slice(0, 12);
    const names = pairs.flatMap((pair) =>
      (['5', '10', '20'] as const).map((levels) => channels.limitDepth({ symbol: pair, levels })),
    );
    const heard = new Set<string>();
    const all = names.map((name) => client.subscribe(name, (_, { channel }) => heard.add(channel)));
    await Promise.all(all.map(({ ready }) => ready));
    await until('every channel pushed its state', () => heard.size === names.length);
    expect(names.length).toBeGreaterThan(30);
  });

  test('DEC-KIT-88: a listen key that is given is used while it is valid, else another one is made and told', async () => {
    const { listenKey } = await exchange.client('alice').createListenKey();
    const told: string[] = [];
    const onListenKey = (key: string): void => void told.push(key);
    const keys = async () => (await exchange.client('alice').listenKeys()).listenKey;
    const client = clientOf('alice', { listenKey, onListenKey });
    await client.subscribe(channels.orders(), () => {}).ready;
    expect({ keys: await keys(), told }).toEqual({ keys: [listenKey], told: [] });
    await client.close();
    expect(await keys()).toEqual([]);
    await clientOf('alice', { listenKey, onListenKey }).subscribe(channels.orders(), () => {}).ready;
    expect(told).toEqual(await keys());
  });

  test('DEC-KIT-88: a listen key that ended is made anew, and the last one is ended with the client', async () => {
    const client = clientOf('bob', { encoding: 'json' });
    const gaps: string[] = [];
    const orders: string[] = [];
    const { ready } = client.subscribe(channels.orders(), ({ price }) => orders.push(price), {
      onGap: (why) => gaps.push(why),
    });
    await ready;
    const [first] = (await client.listenKeys()).listenKey;
    await client.deleteListenKey({ listenKey: first as string });
    await until('the gap is told', () => gaps.length === 1);
    await until('another key is there', async () => (await client.listenKeys()).listenKey.length === 1);
    await until('orders are heard of again', async () => {
      await client.placeOrder(order('BUY', '40000', '0.001'));
      return orders.length > 0;
    });
    expect((await client.listenKeys()).listenKey).not.toContain(first);
    await client.close();
    const again = clientOf('bob');
    expect((await again.listenKeys()).listenKey).toEqual([]);
  });
});

describe('a local book', () => {
  /** Levels of the exchange at the version of the book. */
  async function compare(client: BourseClient, book: LocalBook): Promise<void> {
    await until('the book shows what the exchange does', async () => {
      const { lastUpdateId, bids, asks } = await client.depth({ symbol, limit: 5000 });
      await until('the pushes came', () => book.isReady && book.version >= lastUpdateId);
      if (book.version !== lastUpdateId) return false;
      expect([book.levels('bids'), book.levels('asks')]).toEqual([bids, asks]);
      return true;
    });
  }

  test('DEC-KIT-89: it is exact after gaps, doubled, reordered and lost pushes, and reconnects', async () => {
    const [client, maker] = [clientOf('alice'), clientOf('bob')];
    let changes = 0;
    const book = client.book(symbol, { speed: '10ms', onChange: () => (changes += 1) });
    await book.ready;
    const faults = [
      { kind: 'gap' },
      { kind: 'duplicate' },
      { kind: 'close', code: null },
      { kind: 'reorder' },
      { kind: 'close', code: 1001 },
    ];
    for (const [round, fault] of faults.entries()) {
      const { gaps } = book.counts;
      await strike(depthChannel, fault);
      for (let step = 0; step < 6; step += 1) {
        const price = 50_000 + 10 * round + step;
        await maker.placeOrder(order('BUY', `${price}`));
        await maker.placeOrder(order('SELL', `${70_000 - price + 50_000}`));
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
      await until(`${fault.kind} is a gap`, () => book.counts.gaps > gaps);
      await compare(client, book);
    }
    await maker.cancelOpenOrders({ symbol });
    await compare(client, book);
    expect([book.bestBid, book.bestAsk, book.levels('bids')]).toEqual([null, null, []]);
    await maker.placeOrder(order('BUY', '51000', '0.5'));
    await until('the best bid is there', () => book.bestBid !== null);
    expect([book.bestBid, changes > 0]).toEqual([['51000', '0.5'], true]);
    book.close();
    expect(book.isReady).toBe(false);
  }, 60_000);

  test('DEC-KIT-89: what the exchange refuses is told, and so is an option that cannot be used', async () => {
    const client = clientOf('alice');
    await expect(client.book('NOSUCH').ready).rejects.toBeInstanceOf(BourseError);
    expect(() => client.book(symbol, { levels: 5 })).toThrow('levels must be a whole number from 100 to 5000');
    expect(() => client.book(symbol, { speed: '1s' as never })).toThrow('speed must be');
    const book = client.book(symbol);
    await client.close();
    await book.ready;
    expect(book.isReady).toBe(false);
  });
});
