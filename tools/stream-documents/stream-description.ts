import { wireLimits } from '#http/limits.ts';

/*
 * What holds for every channel: the text of the AsyncAPI document. Headings, paragraphs, lists and `code` are all the
 * Markdown that the page reads.
 */

const { streams: limits } = wireLimits;
const seconds = (ms: number): number => ms / 1000;

const connections = `One websocket carries requests and replies as JSON text, and pushes as binary frames: one
protobuf message each. A connection opened with \`encoding=json\` gets the same messages as text. The schema is at
/proto/push.proto.

- Without \`listenKey\` the public channels can be subscribed to, with it the account's private ones too. A wrong,
  expired or deleted key is refused with 401, one whose API key is bound to other addresses with 403, a
  ${limits.connectionsPerListenKey + 1}th connection on a key with 429. It ends with the API key that made it.
- ${seconds(limits.idleMs)} s without a subscription, ${seconds(limits.silentMs)} s without traffic, and 24 hours end a
  connection. The server pings.
- ${limits.channels} channels a connection, ${limits.messagesPerSecond} messages a second, ${limits.messageBytes} bytes
  a message.
- Messages and subscriptions have a weight: a message 1 for each started KiB, a subscription what its channel says
  below. In ${seconds(limits.weightWindowMs)} s a connection has ${limits.weightPerConnection}, an address
  ${limits.weightPerAddressConnection} for each connection that it may have. Subscriptions beyond are refused; going on
  disconnects.
- A reader that falls behind is disconnected with 1013 before ${limits.bufferedBytes} bytes wait for it.
- From a subscription's acknowledgement to the close nothing is left out. There is no resume: read REST after
  reconnecting.`;

// DEC-STR-03, DEC-STR-24.
const outerMessage = `## The outer message

Every push is one \`PushDataV3ApiWrapper\`. Its \`channel\` is the name that was subscribed to; of the members of
\`body\` exactly one is there, which holds the content: protobuf finds it by its number (301 to 315), JSON by its name.

- A protobuf push is the payload of one binary frame, without a length in front. Replies are always text frames. In
  JSON, what has \`channel\` is a push, and what has \`code\` is a reply.
- \`int64\` is text in JSON: \`"createTime":"1767268800035"\`. \`int32\` and \`bool\` are a number and a boolean.
- Prices, quantities and amounts are decimal text in both encodings, without trailing zeros. Compare them as decimals.
- JSON writes plain fields also when they are empty (\`""\`, \`"0"\`, \`0\`, \`false\`, \`[]\`); protobuf leaves those
  out, and decoders read the same values. An \`optional\` field without a value is in neither.
- All times are milliseconds since 1970 UTC on the exchange's clock, but \`windowStart\` and \`windowEnd\` of candles
  are seconds.
- Ignore fields that you do not know: new ones may be added.
- To read an example: \`xxd -r -p example.hex | protoc --decode=bourse.push.PushDataV3ApiWrapper push.proto\`.`;

// DEC-STR-02, DEC-STR-05, DEC-STR-15.
const subscribing = `## Subscribing

A refused channel does not fail its request: \`code\` is 0 all the same, \`msg\` names the refused channels only, and
every other channel of the request is subscribed to. So compare \`msg\` with what was asked for.

- Refused are names that are no channel, pairs that are not listed, private channels on a connection without a listen
  key, and what is beyond ${limits.channels} channels or the weight of the connection or its address.
- The reply comes before the first push of the channels that it names.
- A second subscription to a channel is acknowledged and sends no state again; so is unsubscribing from what was not
  subscribed to.`;

// DEC-STR-06, DEC-STR-10, DEC-STR-19, DEC-STR-20, DEC-STR-21.
const order = `## When pushes come, and in what order

- Pushes of one channel come in the order in which things happened.
- Private channels push each event at once. On one connection an order's first state (\`status\` 1) comes before the
  deals and balances of what it did, and the states it leaves orders in come after them. A refused order pushes
  nothing.
- Public channels push at the end of windows of 10 ms, 100 ms, 1 s or 3 s: at most once a window, and, tickers
  excepted, only if there is something new. A push of ${limits.itemsPerPush} items does not wait for the end. Those that
  begin with the current state send it right after the reply.
- \`aggreDeals\` leaves no trade out, \`bookTickerBatch\` no best price, \`aggreDepth\` no changed level. All other
  public pushes are whole: the newest replaces those before it.
- Across public channels, and between them and private ones, no order is promised.
- \`createTime\` tells when it happened, \`sendTime\` when it was sent: between them is the wait for the window.
- Only aggregated depth has a range of versions. Every other push of a book has \`version\`: the number of changes that
  the book had seen, the same as \`lastUpdateId\` of GET /api/v3/depth. It grows by one with every changed level.`;

// DEC-STR-20.
const localBook = `## A local order book

1. Subscribe to \`spot@public.aggre.depth.v3.api.pb@100ms@BTCUSDT\` and keep what comes.
2. GET /api/v3/depth with \`limit=5000\`. \`lastUpdateId\` is the version of that book, which is at
  least as new as every push that came before the request.
3. Drop kept pushes whose \`toVersion\` is not above \`lastUpdateId\`. If the first one left has a \`fromVersion\` above
  \`lastUpdateId\` + 1, the snapshot is too old: repeat step 2.
4. Apply the others, the first one even if it begins before the snapshot: quantities are absolute, \`0\` removes the
  level. The version of the book is now \`toVersion\`.
5. Each further push must have \`fromVersion\` = the last \`toVersion\` + 1. Anything else is a gap, as is a new
  connection: begin again.

In between, the book is that of the server at \`toVersion\`, also when no push comes for long: then nothing changed.`;

/** The description of the AsyncAPI document. */
export const streamDescription = [connections, outerMessage, subscribing, order, localBook].join('\n\n');
