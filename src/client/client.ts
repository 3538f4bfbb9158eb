/** What the package gives as `bourse/client`. DEC-KIT-84. */
// biome-ignore lint/performance/noBarrelFile: a package has one file for each of its exports
export { BourseClient, type ClientMembers } from '#client/bourse-client.ts';
export { BourseError, UnknownOutcome } from '#client/bourse-error.ts';
export type {
  ClientOptions,
  FetchedAnswer,
  FetchFunction,
  StreamSocket,
  StreamSocketClass,
} from '#client/client-options.ts';
export type { AnswerOf, EndpointCalls, MembersOf } from '#client/endpoint-calls.ts';
export type { BookLevel } from '#client/book-side.ts';
export { channels } from '#client/channels.ts';
export type { BookCounts, BookOptions, LocalBook } from '#client/local-book.ts';
export type * from '#client/push-types.ts';
export type { PushHandler, StreamEvents, StreamSubscription } from '#client/subscription.ts';
