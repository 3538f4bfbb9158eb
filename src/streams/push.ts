import { create, toBinary, toJsonString, type MessageInitShape } from '@bufbuild/protobuf';
import { frameOf } from '#streams/frame.ts';
import { type PushDataV3ApiWrapper, PushDataV3ApiWrapperSchema } from '#streams/wire/push_pb.ts';

/** Content of a push: one of the bodies of the wrapper message. */
export type PushBody = NonNullable<MessageInitShape<typeof PushDataV3ApiWrapperSchema>['body']>;

/** How pushes are written. DEC-STR-03. */
export type Encoding = 'protobuf' | 'json';

/** What a push says besides its content; times in milliseconds since 1970 UTC. */
export interface PushHead {
  readonly channel: string;
  /** `null` where the content is not about one pair. */
  readonly symbol: string | null;
  /** When what it tells happened. */
  readonly createTime: number;
  readonly sendTime: number;
}

/**
 * One push, encoded at most once per encoding and framed at most once, however many receive it. The frame is the bytes
 * as they go over the socket: sending it costs a receiver no more than the copy.
 */
export class Push {
  private readonly message: PushDataV3ApiWrapper;
  private protobuf: Buffer | null = null;
  private json: Buffer | null = null;

  constructor({ channel, symbol, createTime, sendTime }: PushHead, body: PushBody) {
    this.message = create(PushDataV3ApiWrapperSchema, {
      channel,
      createTime: BigInt(createTime),
      sendTime: BigInt(sendTime),
      body,
      ...(symbol === null ? {} : { symbol }),
    });
  }

  /** The whole frame; the same bytes for everybody, not to be changed. */
  frame(encoding: Encoding): Buffer {
    if (encoding === 'protobuf') {
      this.protobuf ??= frameOf('binary', toBinary(PushDataV3ApiWrapperSchema, this.message));
      return this.protobuf;
    }
    this.json ??= frameOf(
      'text',
      Buffer.from(toJsonString(PushDataV3ApiWrapperSchema, this.message, { alwaysEmitImplicit: true }), 'utf8'),
    );
    return this.json;
  }
}

/** Who gets pushes. */
export interface Receiver {
  push(push: Push): void;
}
