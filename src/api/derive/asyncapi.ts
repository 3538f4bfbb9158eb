import { type Channel, type ChannelId, type ChannelParameter, channelParameters, channels } from '#api/channels.ts';
import { type ProtoField, type ProtoMessage, readProto } from '#api/derive/proto-messages.ts';
import type { JsonSchema } from '#api/derive/json-schema.ts';
import { wireLimits } from '#api/limits.ts';

/** What the document contains besides the channels. */
export interface AsyncApiSettings {
  readonly version: string;
  /** Host and port, for example `127.0.0.1:8080`. */
  readonly host: string;
  readonly protocol: 'ws' | 'wss';
  /** Text of the `.proto`; its messages become the schemas. */
  readonly proto: string;
}

const { streams: limits } = wireLimits;
const seconds = (ms: number): number => ms / 1000;

const scalars: Readonly<Record<string, JsonSchema>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  // The JSON form of protobuf writes 64-bit numbers as text.
  int64: { type: 'string', format: 'int64' },
};

const fieldSchema = ({ type, rule, description, number }: ProtoField): JsonSchema => {
  const one = scalars[type] ?? { $ref: `#/components/schemas/${type}` };
  return {
    ...(rule === 'repeated' ? { type: 'array', items: one } : one),
    ...(description === '' ? {} : { description }),
    'x-protobuf-number': number,
  };
};

const messageSchema = ({ fields, description }: ProtoMessage): JsonSchema => ({
  type: 'object',
  ...(description === '' ? {} : { description }),
  properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
});

const wrapperName = 'PushDataV3ApiWrapper';

/** The wrapper with one body: what a channel pushes. */
function pushSchema(wrapper: ProtoMessage, body: string): JsonSchema {
  const fields = wrapper.fields.filter(({ rule, name }) => rule !== 'oneof' || name === body);
  return messageSchema({ ...wrapper, fields });
}

const parameterTexts: Record<ChannelParameter, string> = {
  speed: 'Milliseconds between two pushes.',
  levels: 'Levels a side.',
  interval: 'Length of a candle.',
  zone: 'Where a day begins; 24H is a rolling day.',
  symbol: 'A listed pair, in capitals.',
};
const parameterOf = (name: ChannelParameter): object => {
  const values = channelParameters[name];
  return {
    description: parameterTexts[name],
    ...(values === null ? { examples: ['BTCUSDT'] } : { enum: [...values] }),
  };
};

/** Address of a channel family: `spot@public.kline.v3.api.pb@{symbol}@{interval}`. */
export const channelAddress = ({ stem, parts }: Channel): string =>
  ['spot', stem, ...parts.map((part) => `{${part}}`)].join('@');

function channelOf(id: ChannelId, channel: Channel): object {
  return {
    address: channelAddress(channel),
    title: id,
    summary: channel.summary,
    description:
      `Pushed ${channel.pushedWhen}.` +
      (channel.startsWithState ? ' The current state is pushed on subscription.' : '') +
      (channel.audience === 'private' ? ' Needs a connection with a listen key.' : ''),
    parameters: Object.fromEntries(channel.parts.map((part) => [part, parameterOf(part)])),
    messages: { [id]: { $ref: `#/components/messages/${id}` } },
    tags: [{ name: channel.audience }],
  };
}

const requestSchema = (method: string, withChannels: boolean): JsonSchema => ({
  type: 'object',
  required: withChannels ? ['method', 'params'] : ['method'],
  properties: {
    method: { type: 'string', enum: [method, method.toLowerCase()] },
    ...(withChannels
      ? { params: { type: 'array', minItems: 1, items: { type: 'string' }, description: 'Names of channels.' } }
      : {}),
    id: { type: 'integer', minimum: 0, description: 'Echoed in the reply; 0 when not sent.' },
  },
});

const replySchema: JsonSchema = {
  type: 'object',
  required: ['id', 'code', 'msg'],
  properties: {
    id: { type: 'integer', minimum: 0 },
    code: {
      type: 'integer',
      enum: [0, 1],
      description: '0, also when a channel was refused; 1 for what is no request.',
    },
    msg: {
      type: 'string',
      description:
        'The channels, joined by commas; PONG; or "Not Subscribed successfully! [channels].  Reason： Blocked! " ' +
        'with the refused ones.',
    },
  },
};

const controlRequests = {
  SUBSCRIPTION: { summary: 'Begins pushes of channels.', withChannels: true },
  UNSUBSCRIPTION: { summary: 'Ends pushes of channels.', withChannels: true },
  PING: { summary: 'Shows that the client is there.', withChannels: false },
} as const;
type ControlRequest = keyof typeof controlRequests;
const controlNames = Object.keys(controlRequests) as ControlRequest[];

const exampleOf = (name: ControlRequest): object =>
  controlRequests[name].withChannels
    ? { method: name, params: ['spot@public.aggre.deals.v3.api.pb@100ms@BTCUSDT'], id: 1 }
    : { method: name };

/** Messages by name: requests, the reply, and one per channel. */
function messagesOf(messages: readonly ProtoMessage[]): Record<string, object> {
  const wrapper = messages.find(({ name }) => name === wrapperName) as ProtoMessage;
  const requests = controlNames.map((name) => {
    const { summary, withChannels } = controlRequests[name];
    return [
      name,
      {
        name,
        summary,
        contentType: 'application/json',
        payload: requestSchema(name, withChannels),
        examples: [{ payload: exampleOf(name) }],
      },
    ] as const;
  });
  const pushes = Object.entries(channels).map(
    ([id, { body, summary }]) =>
      [id, { name: body, summary, contentType: 'application/x-protobuf', payload: pushSchema(wrapper, body) }] as const,
  );
  const reply = { name: 'reply', summary: 'Answers a request.', contentType: 'application/json', payload: replySchema };
  return Object.fromEntries([...requests, ['reply', reply], ...pushes]);
}

const description = `One websocket carries requests and replies as JSON text, and pushes as binary frames: one
protobuf message ${wrapperName} each, not length-delimited. The schema is at /proto/push.proto. A connection opened with
\`encoding=json\` gets the same messages as protobuf-JSON text.

- Without \`listenKey\` the public channels can be subscribed to, with it the account's private ones too. A wrong,
  expired or deleted key is refused with 401, a ${limits.connectionsPerListenKey + 1}th connection on a key with 429.
- ${seconds(limits.idleMs)} s without a subscription, ${seconds(limits.silentMs)} s without traffic, and 24 hours end a
  connection. The server pings.
- ${limits.channels} channels a connection, ${limits.messagesPerSecond} messages a second, ${limits.messageBytes} bytes
  a message.
- A reader that falls behind is disconnected with 1013 before ${limits.bufferedBytes} bytes wait for it.
- From a subscription's acknowledgement to the close nothing is left out. There is no resume: read REST after
  reconnecting.`;

/** The websocket as an AsyncAPI 3.0 document. Operations are the server's: it sends pushes and receives requests. */
export function asyncApi({ version, host, protocol, proto }: AsyncApiSettings): object {
  const messages = readProto(proto);
  const families = Object.entries(channels) as [ChannelId, Channel][];
  const control = controlNames.map((name) => ({ $ref: `#/channels/requests/messages/${name}` }));
  return {
    asyncapi: '3.0.0',
    info: { title: 'Streams', version, description },
    defaultContentType: 'application/x-protobuf',
    servers: {
      public: { host, pathname: '/ws', protocol, summary: 'Public and private channels.' },
    },
    channels: {
      requests: {
        address: '/',
        title: 'requests',
        summary: 'What clients send, and its replies.',
        bindings: {
          ws: {
            method: 'GET',
            query: {
              type: 'object',
              properties: {
                listenKey: { type: 'string', description: 'Opens the private channels of its account.' },
                encoding: { type: 'string', enum: ['protobuf', 'json'], default: 'protobuf' },
              },
            },
          },
        },
        messages: Object.fromEntries(
          [...controlNames, 'reply'].map((name) => [name, { $ref: `#/components/messages/${name}` }]),
        ),
      },
      ...Object.fromEntries(families.map(([id, channel]) => [id, channelOf(id, channel)])),
    },
    operations: {
      receiveRequest: {
        action: 'receive',
        channel: { $ref: '#/channels/requests' },
        messages: control,
        reply: {
          channel: { $ref: '#/channels/requests' },
          messages: [{ $ref: '#/channels/requests/messages/reply' }],
        },
      },
      ...Object.fromEntries(
        families.map(([id]) => [
          `push${id[0]?.toUpperCase()}${id.slice(1)}`,
          {
            action: 'send',
            channel: { $ref: `#/channels/${id}` },
            messages: [{ $ref: `#/channels/${id}/messages/${id}` }],
          },
        ]),
      ),
    },
    components: {
      messages: messagesOf(messages),
      schemas: Object.fromEntries(messages.map((message) => [message.name, messageSchema(message)])),
    },
  };
}
