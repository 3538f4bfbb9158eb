import { expect, test } from 'vitest';
import { channels, parseChannel } from '#api/channels.ts';
import { asyncApi, channelAddress } from '#api/derive/asyncapi.ts';
import { readProto } from '#api/derive/proto-messages.ts';
import { pushProto } from '#api/wire/push-proto.ts';

interface Document {
  readonly asyncapi: string;
  readonly channels: Readonly<Record<string, { address: string; parameters?: Record<string, { enum?: string[] }> }>>;
  readonly operations: Readonly<Record<string, { action: string }>>;
  readonly components: {
    readonly schemas: object;
    readonly messages: Readonly<Record<string, { payload: { properties: object } }>>;
  };
}
const document = asyncApi({ version: '1', host: 'h:1', protocol: 'ws', proto: pushProto }) as Document;

/** Every reference of the document with where it points. */
function* references(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (name === '$ref') yield member as string;
    else yield* references(member);
  }
}
const target = (reference: string): unknown =>
  reference
    .split('/')
    .slice(1)
    .reduce<unknown>((value, part) => (value as Record<string, unknown>)?.[part], document);

test('every reference leads somewhere', () => {
  const found = [...references(document)];
  expect(found.length).toBeGreaterThan(50);
  for (const reference of found) expect([reference, target(reference) === undefined]).toEqual([reference, false]);
});

test('every channel of the catalogue is there with its address, parameters, operation and body', () => {
  for (const [id, channel] of Object.entries(channels)) {
    const described = document.channels[id];
    expect(described?.address).toBe(channelAddress(channel));
    expect(Object.keys(described?.parameters ?? {})).toEqual(channel.parts);
    expect(document.components.messages[id]?.payload.properties).toHaveProperty(channel.body);
    const filled = channelAddress(channel).replaceAll(
      /\{(\w+)\}/g,
      (_all, part: string) => described?.parameters?.[part]?.enum?.[0] ?? 'BTCUSDT',
    );
    expect(parseChannel(filled)?.id).toBe(id);
  }
  expect(Object.values(document.operations).filter(({ action }) => action === 'send')).toHaveLength(
    Object.keys(channels).length,
  );
});

test('the reader finds every message and field of the schema', () => {
  const messages = readProto(pushProto);
  const count = (pattern: RegExp): number => pushProto.match(pattern)?.length ?? 0;
  expect(messages).toHaveLength(count(/^message /gm));
  expect(messages.flatMap(({ fields }) => fields)).toHaveLength(count(/ = \d+;$/gm));
  expect(messages[0]?.fields.filter(({ rule }) => rule === 'oneof')).toHaveLength(count(/^ {4}\w+ \w+ = \d+;$/gm));
  expect(messages[0]?.fields[1]).toMatchObject({ name: 'symbol', number: 3, rule: 'optional', type: 'string' });
});
