import type { Schema } from '#web/reference/schema-rows.ts';

/** A channel, as the document of the websocket tells it. */
export interface StreamChannel {
  readonly address: string;
  readonly title: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: Readonly<
    Record<
      string,
      { readonly description: string; readonly enum?: readonly string[]; readonly examples?: readonly string[] }
    >
  >;
  /** `public` or `private`. */
  readonly tags?: readonly { readonly name: string }[];
}

/** A message with examples. */
export interface StreamMessage {
  readonly name: string;
  readonly summary: string;
  readonly payload: Schema;
  readonly examples?: readonly { readonly name?: string; readonly summary?: string; readonly payload: unknown }[];
  readonly 'x-protobuf-examples'?: readonly { readonly name: string; readonly bytes: number; readonly hex: string }[];
  readonly 'x-requests'?: readonly { readonly name: string; readonly request: string }[];
}

/** What is read of `/asyncapi.json`. */
export interface StreamDocument {
  readonly info: { readonly description: string };
  readonly channels: Readonly<Record<string, StreamChannel>>;
  readonly components: {
    readonly messages: Readonly<Record<string, StreamMessage>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

/** Name of the message that every push is. */
export const wrapperName = 'PushDataV3ApiWrapper';

/** Channels that push something. */
export const familiesOf = ({ channels }: StreamDocument): readonly (readonly [string, StreamChannel])[] =>
  Object.entries(channels).filter(([, { tags }]) => tags !== undefined);

/** Messages that are no pushes. */
export const controlsOf = ({ channels, components }: StreamDocument): readonly (readonly [string, StreamMessage])[] =>
  Object.entries(components.messages).filter(([id]) => channels[id] === undefined);

/** A name of a channel of such a family, with the first value of each part. */
export const exampleOf = ({ address, parameters = {} }: StreamChannel): string =>
  address.replaceAll(/\{(\w+)\}/g, (all, part: string) => {
    const { enum: values = [], examples = [] } = parameters[part] ?? {};
    return examples[0] ?? (values.includes('100ms') ? '100ms' : values[0]) ?? all;
  });

const nameOf = (schema: Schema): string | null => schema.$ref?.split('/').at(-1) ?? null;

/** The body that pushes of a message carry, and the messages within it, by name. */
export function bodiesOf(message: StreamMessage, { components: { schemas } }: StreamDocument): readonly string[] {
  const body = message.payload.properties?.[message.name];
  const first = body === undefined ? null : nameOf(body);
  const names = first === null ? [] : [first];
  for (const name of names)
    for (const field of Object.values(schemas[name]?.properties ?? {})) {
      const inner = nameOf(field.items ? field.items : field);
      if (inner !== null && schemas[inner] !== undefined && !names.includes(inner)) names.push(inner);
    }
  return names;
}
