import { wireLimits } from '#http/limits.ts';
import { lotsText, priceText } from '#market-data/symbol-directory.ts';
import { tradeTypes } from '#websocket/pushes/private-channels.ts';
import { declareBody } from '#websocket/pushes/push.ts';
import { publicChannel, type PublicTopic, speedMs, type TopicParts } from '#websocket/topics/public-topic.ts';
import { type ContentOf, declareMessage, field, repeated } from '#websocket/wire/message.ts';

const limits = wireLimits.streams;

const aggreDeal = declareMessage('PublicAggreDealsV3ApiItem', '', {
  price: field(1, 'string'),
  quantity: field(2, 'string'),
  tradeType: field(3, 'int32', 'Side of the taker: 1 buy, 2 sell.'),
  time: field(4, 'int64', 'When it traded, milliseconds since 1970 UTC.'),
  tradeId: field(5, 'string', 'Running number of the trade within its pair.'),
});

const aggreDeals = declareMessage('PublicAggreDealsV3Api', '', {
  deals: repeated(1, aggreDeal),
  eventType: field(2, 'string', 'The channel without its pair.'),
});

/** Every trade of a symbol, not merged; one push per window. */
function dealsTopic({ market, scheduler, publisher, symbol }: TopicParts<typeof aggreDeals>): PublicTopic {
  const periodMs = speedMs(publisher.name);
  let deals: ContentOf<typeof aggreDeal>[] = [];
  let lastAt = 0;
  const topic: PublicTopic = {
    sendSnapshot: () => {},
    trade: (trade, at) => {
      lastAt = at;
      const listed = market.directory.at(symbol);
      deals.push({
        price: priceText(listed, trade.price),
        quantity: lotsText(listed, trade.lots),
        tradeType: tradeTypes[trade.takerSide],
        time: at,
        tradeId: String(trade.trade),
      });
      if (deals.length >= limits.itemsPerPush) topic.flush();
      else scheduler.mark(topic, periodMs);
    },
    flush: () => {
      if (deals.length === 0) return;
      const content = { deals, eventType: publisher.eventType };
      deals = [];
      publisher.publish(publisher.createPush(lastAt, content));
    },
  };
  return topic;
}

/** The channel of trades. */
export const tradeChannels = {
  aggreDeals: publicChannel({
    stem: 'public.aggre.deals.v3.api.pb',
    parts: ['speed', 'symbol'],
    body: declareBody('publicAggreDeals', 314, aggreDeals),
    summary: 'Trades of a pair, none merged.',
    pushedWhen: 'every 10 or 100 ms with trades',
    startsWithState: false,
    weight: 1,
    sequence: 'Oldest first. `tradeId` counts the trades of the pair from 1 without a gap: `id` of GET /api/v3/trades.',
    openTopic: dealsTopic,
  }),
};
