import { create, toBinary, toJsonString, type MessageInitShape } from '@bufbuild/protobuf';
import { frameOf } from '#websocket/connections/frame.ts';
import { type PushDataV3ApiWrapper, PushDataV3ApiWrapperSchema } from '#websocket/wire/push_pb.ts';

/** Content of a push: one of the bodies of the wrapper message. */
export type PushBody = NonNullable<MessageInitShape<typeof PushDataV3ApiWrapperSchema>['body']>;

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

  /** The whole frame. All receivers share these bytes; do not change them. */
  frame(encoding: Encoding): Buffer {
    if (encoding === 'protobuf') {
      this.protobuf ??= frameOf('binary', this.payload('protobuf'));
      return this.protobuf;
    }
    this.json ??= frameOf('text', this.payload('json'));
    return this.json;
  }

  /** What the frame carries, encoded anew. */
  payload(encoding: Encoding): Uint8Array {
    if (encoding === 'protobuf') return toBinary(PushDataV3ApiWrapperSchema, this.message);
    return Buffer.from(toJsonString(PushDataV3ApiWrapperSchema, this.message, { alwaysEmitImplicit: true }), 'utf8');
  }
}

/** Who gets pushes. */
export interface Receiver {
  push(push: Push): void;
}
