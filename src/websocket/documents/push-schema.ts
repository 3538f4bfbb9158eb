import type { Channel } from '#websocket/channel.ts';
import { channels } from '#websocket/channels.ts';
import { headFields, wrapperName } from '#websocket/pushes/push.ts';
import { bookTicker } from '#websocket/topics/book-topics.ts';
import {
  declareMessage,
  field,
  type Field,
  fieldsByNumber,
  type Message,
  neverSent,
  repeated,
} from '#websocket/wire/message.ts';

/*
 * The schema of all pushes: the messages of the channels, and those that clients of this API family know beside them.
 */

const eventType = (number: number) => field(number, 'string');
const level = { price: field(1, 'string'), quantity: field(2, 'string') };

const deal = declareMessage('PublicDealsV3ApiItem', '', {
  ...level,
  tradeType: field(3, 'int32'),
  time: field(4, 'int64'),
});
const deals = declareMessage('PublicDealsV3Api', '', { deals: repeated(1, deal), eventType: eventType(2) });
const increaseDepth = declareMessage('PublicIncreaseDepthV3ApiItem', '', level);
const increaseDepths = declareMessage('PublicIncreaseDepthsV3Api', '', {
  asks: repeated(1, increaseDepth),
  bids: repeated(2, increaseDepth),
  eventType: eventType(3),
  version: field(4, 'string'),
});
const increaseDepthsBatch = declareMessage('PublicIncreaseDepthsBatchV3Api', '', {
  items: repeated(1, increaseDepths),
  eventType: eventType(2),
});

/** A field of the wrapper that holds one body. */
export interface BodyField {
  readonly name: string;
  readonly number: number;
  readonly message: Message;
  readonly description: string;
}

const body = (name: string, number: number, message: Message, description = neverSent): BodyField => ({
  name,
  number,
  message,
  description,
});

/** All bodies that a push may have, by number. */
export const bodies: readonly BodyField[] = [
  ...Object.values(channels).map(({ stem, body: { name, number, message } }: Channel) =>
    body(name, number, message, `Of spot@${stem}.`),
  ),
  body('publicDeals', 301, deals),
  body('publicIncreaseDepths', 302, increaseDepths),
  body('publicBookTicker', 305, bookTicker),
  body('publicIncreaseDepthsBatch', 312, increaseDepthsBatch),
].sort((one, other) => one.number - other.number);

/** Each message once: the bodies by name, and after each what it holds. */
function messagesOf(roots: readonly Message[]): Message[] {
  const found = new Set<Message>();
  const add = (message: Message): void => {
    found.add(message);
    for (const { type } of fieldsByNumber(message)) if (typeof type !== 'string') add(type);
  };
  roots.toSorted((one, other) => (one.name < other.name ? -1 : 1)).forEach(add);
  return [...found];
}

/** Every message but the wrapper. */
export const messages: readonly Message[] = messagesOf(bodies.map(({ message }) => message));

const widthMax = 120;

/** Lines of comment, wrapped. */
function comment(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').filter((each) => each !== '')) {
    if (line !== '' && `${indent}// ${line} ${word}`.length > widthMax) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? word : ` ${word}`;
  }
  return (line === '' ? lines : [...lines, line]).map((each) => `${indent}// ${each}`);
}

const typeName = (type: Field['type']): string => (typeof type === 'string' ? type : type.name);

const fieldLines = (message: Message): string[] =>
  fieldsByNumber(message).flatMap(({ name, number, rule, type, description }) => [
    ...comment(description, '  '),
    `  ${rule === 'plain' ? '' : `${rule} `}${typeName(type)} ${name} = ${number};`,
  ]);

const messageText = ({ name, description }: Message, lines: readonly string[]): string =>
  [...comment(description, ''), `message ${name} {`, ...lines, '}'].join('\n');

const wrapper: Message = declareMessage(wrapperName, '', headFields);
const bodyLines = bodies.flatMap(({ name, number, message, description }) => [
  ...comment(description, '    '),
  `    ${message.name} ${name} = ${number};`,
]);

/** The schema as clients download it: protobuf's own language. */
export const pushProto = `${[
  `// What the websocket pushes: one ${wrapperName} a binary frame, not length-delimited.
// Names, numbers and types are those that clients of this API family know.
syntax = "proto3";`,
  'package bourse.push;',
  messageText(wrapper, [...fieldLines(wrapper), '  oneof body {', ...bodyLines, '  }']),
  ...messages.map((message) => messageText(message, fieldLines(message))),
].join('\n\n')}\n`;
