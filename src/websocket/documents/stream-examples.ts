import type { ChannelId } from '#websocket/channels.ts';

/** One push, as each encoding carries it. */
export interface PushExample {
  /** What happened before it, for readers. */
  readonly occasion: string;
  /** Payload of the text frame. */
  readonly json: string;
  /** Payload of the binary frame. */
  readonly protobuf: Uint8Array;
}

/** A request and its reply, as text. */
export interface ReplyExample {
  readonly occasion: string;
  readonly request: string;
  readonly reply: string;
}

/** What the pages about the websocket show. Made by the code that serves it, so examples cannot become outdated. */
export interface StreamExamples {
  /** At least one push of each channel, in the order in which they were made. */
  readonly pushes: Readonly<Record<ChannelId, readonly PushExample[]>>;
  readonly replies: readonly ReplyExample[];
}
