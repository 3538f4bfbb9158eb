import { frameOf } from '#websocket/connections/frame.ts';
import { createEncoder, type Encoder } from '#websocket/wire/encode.ts';
import { type ContentOf, declareMessage, field, type Message, optional, unsent } from '#websocket/wire/message.ts';

/** The message around every push: what it is about, and in exactly one further field what it says. */
export const wrapperName = 'PushDataV3ApiWrapper';

/** The fields that every push has. */
export const headFields = {
  channel: field(1, 'string', 'The name that was subscribed to.'),
  symbol: optional(3, 'string', 'The pair; absent from pushes that are not about one pair.'),
  symbolId: unsent(4, 'string'),
  createTime: optional(
    5,
    'int64',
    'When it happened, milliseconds since 1970 UTC; of what is pushed by the clock, when it was read.',
  ),
  sendTime: optional(6, 'int64', 'When the push was made, milliseconds since 1970 UTC.'),
};

type WrapperContent = Readonly<Record<string, unknown>>;

/** The field of the wrapper that holds what a channel pushes. */
export interface PushBody<Of extends Message = Message> {
  readonly name: string;
  readonly number: number;
  readonly message: Of;
  /** Writes the wrapper with this body. */
  readonly encoder: Encoder<WrapperContent>;
}

/** Declares a body: its name and number in the wrapper, and its message. */
export function declareBody<Of extends Message>(name: string, number: number, message: Of): PushBody<Of> {
  const wrapper: Message = declareMessage(wrapperName, '', { ...headFields, [name]: optional(number, message) });
  return { name, number, message, encoder: createEncoder(wrapper) };
}

/** How pushes are written. DEC-STR-03. */
export type Encoding = 'protobuf' | 'json';

/** Metadata of a push; times in milliseconds since 1970 UTC. */
export interface PushHead {
  readonly channel: string;
  /** `null` if the content is not about one symbol. */
  readonly symbol: string | null;
  /** Time of the event. */
  readonly createTime: number;
  readonly sendTime: number;
}

/**
 * One push. It is encoded and framed at most once per encoding, whatever the number of receivers. The frame is the
 * bytes on the socket: each further receiver costs one copy.
 */
export class Push {
  private readonly encoder: PushBody['encoder'];
  private readonly message: WrapperContent;
  private protobuf: Buffer | null = null;
  private json: Buffer | null = null;

  /** `message` is the wrapper's content; it must not be changed any more. */
  constructor(encoder: PushBody['encoder'], message: WrapperContent) {
    this.encoder = encoder;
    this.message = message;
  }

  /** The name that was subscribed to. */
  get channel(): string {
    return this.message['channel'] as string;
  }

  /** The pair; `null`: it is about none. */
  get symbol(): string | null {
    return (this.message['symbol'] as string | undefined) ?? null;
  }

  /** The whole frame. All receivers share these bytes; do not change them. */
  frame(encoding: Encoding): Buffer {
    if (encoding === 'protobuf') {
      this.protobuf ??= frameOf('binary', this.encoder.protobuf(this.message));
      return this.protobuf;
    }
    this.json ??= frameOf('text', this.payload('json'));
    return this.json;
  }

  /** What the frame carries, encoded anew. */
  payload(encoding: Encoding): Buffer {
    if (encoding === 'protobuf') return Buffer.from(this.encoder.protobuf(this.message));
    return Buffer.from(this.encoder.json(this.message), 'utf8');
  }
}

/** A push of what a body says. The content belongs to it: it must not be changed any more. */
export function createPush<Of extends Message>(
  { symbol, ...head }: PushHead,
  { name, encoder }: PushBody<Of>,
  content: ContentOf<Of>,
): Push {
  return new Push(encoder, { ...head, ...(symbol === null ? {} : { symbol }), [name]: content });
}

/** Who gets pushes. */
export interface Receiver {
  push(push: Push): void;
}
