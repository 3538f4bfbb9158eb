import { expect, test } from 'vitest';
import { channels, parseChannel } from '#websocket/channels.ts';
import { channelAddress } from '#websocket/channel.ts';
import { asyncApi } from '../../tools/stream-documents/asyncapi.ts';
import type { StreamExamples } from '../../tools/stream-documents/stream-examples.ts';

interface Document {
  readonly asyncapi: string;
  readonly channels: Readonly<Record<string, { address: string; parameters?: Record<string, { enum?: string[] }> }>>;
  readonly operations: Readonly<Record<string, { action: string }>>;
  readonly components: {
    readonly schemas: object;
    readonly messages: Readonly<
      Record<string, { payload: { properties: object }; examples?: object[]; 'x-protobuf-examples'?: object[] }>
    >;
  };
}
const push = { occasion: 'It happened.', json: '{"channel":"c"}', protobuf: new Uint8Array([10, 1, 99]) };
const pushes: unknown = Object.fromEntries(Object.keys(channels).map((id) => [id, [push]]));
const examples = {
  pushes: pushes as StreamExamples['pushes'],
  replies: [{ occasion: 'Alive.', request: '{"method":"PING"}', reply: '{"id":0,"code":0,"msg":"PONG"}' }],
};
const document = asyncApi(examples) as Document;

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
    expect(document.components.messages[id]?.payload.properties).toHaveProperty(channel.body.name);
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

test('DEC-STR-27: examples stand at the messages, with their bytes under the same name', () => {
  for (const id of Object.keys(channels)) {
    const message = document.components.messages[id];
    expect(message?.examples).toEqual([{ name: `${id}1`, summary: 'It happened.', payload: { channel: 'c' } }]);
    expect(message?.['x-protobuf-examples']).toEqual([{ name: `${id}1`, bytes: 3, hex: '0a0163' }]);
  }
  expect(document.components.messages['reply']).toMatchObject({
    examples: [{ name: 'reply1', summary: 'Alive.', payload: { id: 0, code: 0, msg: 'PONG' } }],
    'x-requests': [{ name: 'reply1', request: '{"method":"PING"}' }],
  });
});
