import { create, toBinary, toJsonString, type MessageInitShape } from '@bufbuild/protobuf';
import { WebSocket } from 'ws';
import { type PushDataV3ApiWrapper, PushDataV3ApiWrapperSchema } from '#streams/wire/push_pb.ts';

/** Content of a push: one of the bodies of the wrapper message. */
export type PushBody = NonNullable<MessageInitShape<typeof PushDataV3ApiWrapperSchema>['body']>;

/** How pushes are written. */
export type Encoding = 'protobuf' | 'json';

/**
 * One push, encoded at most once per encoding and framed at most once, however many receive it. The frame is the bytes
 * as they go over the socket: writing it costs a receiver no more than the copy.
 */
export class Push {
  private readonly message: PushDataV3ApiWrapper;
  private protobuf: Buffer | null = null;
  private json: Buffer | null = null;

  /** Times in milliseconds since 1970 UTC: of the event, and of sending. */
  constructor(channel: string, symbol: string | null, createTime: number, sendTime: number, body: PushBody) {
    this.message = create(PushDataV3ApiWrapperSchema, {
      channel, createTime: BigInt(createTime), sendTime: BigInt(sendTime), body, ...(symbol === null ? {} : { symbol }),
    });
  }

  frame(encoding: Encoding): Buffer {
    if (encoding === 'protobuf') {
      this.protobuf ??= framed(Buffer.from(toBinary(PushDataV3ApiWrapperSchema, this.message)), true);
      return this.protobuf;
    }
    this.json ??= framed(Buffer.from(toJsonString(PushDataV3ApiWrapperSchema, this.message, { alwaysEmitImplicit: true })), false);
    return this.json;
  }
}

/** A whole unmasked frame, as servers send it. */
export function framed(payload: Buffer, isBinary: boolean): Buffer {
  const parts = WebSocket.Sender.frame(payload, {
    fin: true, rsv1: false, opcode: isBinary ? 2 : 1, mask: false, readOnly: false,
  } as never) as unknown as Buffer[];
  return Buffer.concat(parts);
}
