import type { MessageInitShape } from '@bufbuild/protobuf';
import { wireLimits } from '#http/limits.ts';
import { lotsText, priceText } from '#market-data/symbol-directory.ts';
import { tradeTypes } from '#websocket/pushes/private-contents.ts';
import { speedMs, type PublicTopic, type SymbolTopicParts } from '#websocket/topics/public-topic.ts';
import type { PublicAggreDealsV3ApiItemSchema } from '#websocket/wire/push_pb.ts';

type Deals = MessageInitShape<typeof PublicAggreDealsV3ApiItemSchema>[];
const limits = wireLimits.streams;

/** Every trade of a symbol, not merged; one push per window. */
export function dealsTopic({ market, scheduler, publisher, symbol }: SymbolTopicParts): PublicTopic {
  const periodMs = speedMs(publisher.channel);
  let deals: Deals = [];
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
        time: BigInt(at),
        tradeId: String(trade.trade),
      });
      if (deals.length >= limits.itemsPerPush) topic.flush();
      else scheduler.mark(topic, periodMs);
    },
    flush: () => {
      if (deals.length === 0) return;
      const value = { deals, eventType: publisher.eventType };
      deals = [];
      publisher.publish(publisher.createPush(lastAt, { case: 'publicAggreDeals', value }));
    },
  };
  return topic;
}
