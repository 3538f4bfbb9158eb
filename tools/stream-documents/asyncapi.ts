import { type Channel, channelAddress, channelParameters, type ChannelParameter } from '#websocket/channel.ts';
import { type ChannelId, channels } from '#websocket/channels.ts';
import { bodies, type BodyField, messages } from '#websocket/documents/push-schema.ts';
import { headFields, wrapperName } from '#websocket/pushes/push.ts';
import {
  declareMessage,
  type Field,
  fieldsByNumber,
  type Message,
  optional,
  type ScalarType,
} from '#websocket/wire/message.ts';
import type { JsonSchema } from '#http/documents/json-schema.ts';
import { streamDescription } from './stream-description.ts';
import type { PushExample, ReplyExample, StreamExamples } from './stream-examples.ts';

const scalars: Readonly<Record<ScalarType, JsonSchema>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  // The JSON form of protobuf writes 64-bit numbers as text.
  int64: { type: 'string', format: 'int64' },
};

const fieldSchema = ({ type, rule, description, number }: Field): JsonSchema => {
  const one = typeof type === 'string' ? scalars[type] : { $ref: `#/components/schemas/${type.name}` };
  return {
    ...(rule === 'repeated' ? { type: 'array', items: one } : one),
    ...(description === '' ? {} : { description }),
    'x-protobuf-number': number,
  };
};

const messageSchema = (message: Message): JsonSchema => ({
  type: 'object',
  ...(message.description === '' ? {} : { description: message.description }),
  properties: Object.fromEntries(fieldsByNumber(message).map((field) => [field.name, fieldSchema(field)])),
});

/** The wrapper with these bodies. */
const wrapperWith = (shown: readonly BodyField[]): Message =>
  declareMessage(wrapperName, '', {
    ...headFields,
    ...Object.fromEntries(
      shown.map(({ name, number, message, description }) => [name, optional(number, message, description)]),
    ),
  });

/** What a channel pushes. */
const pushSchema = (body: string): JsonSchema => messageSchema(wrapperWith(bodies.filter(({ name }) => name === body)));

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

function channelOf(id: ChannelId, channel: Channel): object {
  return {
    address: channelAddress(channel),
    title: id,
    summary: channel.summary,
    description:
      `Pushed ${channel.pushedWhen}.` +
      (channel.startsWithState ? ' The current state is pushed on subscription.' : '') +
      ` A subscription weighs ${channel.weight}.` +
      (channel.audience === 'private' ? ' Needs a connection with a listen key.' : '') +
      ` ${channel.sequence}`,
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
    id: { type: 'integer', minimum: 0, description: 'That of the request; 0 if it has none or cannot be read.' },
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

/** The document has no place for text that is no valid request, nor for bytes: extensions hold these, by name. */
const replyMessage = (examples: readonly ReplyExample[]): object => ({
  name: 'reply',
  summary: 'Answers a request.',
  contentType: 'application/json',
  payload: replySchema,
  examples: examples.map(({ occasion, reply }, index) => ({
    name: `reply${index + 1}`,
    summary: occasion,
    payload: JSON.parse(reply),
  })),
  'x-requests': examples.map(({ request }, index) => ({ name: `reply${index + 1}`, request })),
});

/** Examples hold the JSON form; their bytes in protobuf have the same name. */
const pushMessage = ({ body, summary }: Channel, id: string, examples: readonly PushExample[]): object => ({
  name: body.name,
  summary,
  contentType: 'application/x-protobuf',
  payload: pushSchema(body.name),
  examples: examples.map(({ occasion, json }, index) => ({
    name: `${id}${index + 1}`,
    summary: occasion,
    payload: JSON.parse(json),
  })),
  'x-protobuf-examples': examples.map(({ protobuf }, index) => ({
    name: `${id}${index + 1}`,
    bytes: protobuf.length,
    hex: [...protobuf].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
  })),
});

/** Messages by name: requests, the reply, and one per channel. */
function messagesOf(examples: StreamExamples): Record<string, object> {
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
  const pushes = (Object.entries(channels) as [ChannelId, Channel][]).map(
    ([id, channel]) => [id, pushMessage(channel, id, examples.pushes[id])] as const,
  );
  return Object.fromEntries([...requests, ['reply', replyMessage(examples.replies)], ...pushes]);
}

/**
 * The websocket as an AsyncAPI 3.0 document, without what each server puts in: the version and its address. Operations
 * are the server's: it sends pushes and receives requests.
 */
export function asyncApi(examples: StreamExamples): object {
  const families = Object.entries(channels) as [ChannelId, Channel][];
  const control = controlNames.map((name) => ({ $ref: `#/channels/requests/messages/${name}` }));
  return {
    asyncapi: '3.0.0',
    info: { title: 'Streams', version: '', description: streamDescription },
    defaultContentType: 'application/x-protobuf',
    servers: {
      public: { host: '', pathname: '/ws', protocol: '', summary: 'Public and private channels.' },
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
      messages: messagesOf(examples),
      schemas: Object.fromEntries(
        [wrapperWith(bodies), ...messages].map((message) => [message.name, messageSchema(message)]),
      ),
    },
  };
}
