import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ChannelId, channels, parseChannel } from '#websocket/channels.ts';
import { channelAddress } from '#websocket/channel.ts';
import type { SetTimer } from '#base/clock.ts';
import type { Command } from '#model/command.ts';
import type { Epoch, Seq, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import { createEngine } from '#engine/create-engine.ts';
import { MemoryHistoryStore } from '../../test/ports/memory-history-store.ts';
import {
  storyBegins,
  storyOpening,
  storyRequests,
  type StoryStep,
  storySteps,
  storySubscriber,
  storySubscription,
} from './stream-story.ts';
import { exampleAddress } from './example-address.ts';
import { createMarketData } from '#market-data/market-data.ts';
import { exchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { createFanOut } from '#sequencer/event-feed.ts';
import { EventRouter } from '#websocket/pushes/event-router.ts';
import { readRequest, replies } from '#websocket/connections/protocol.ts';
import type { Push, Receiver } from '#websocket/pushes/push.ts';

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

/** What the pages about the websocket show. Made by the code that serves it. */
export interface StreamExamples {
  /** At least one push of each channel, in the order in which they were made. */
  readonly pushes: Readonly<Record<ChannelId, readonly PushExample[]>>;
  readonly replies: readonly ReplyExample[];
}

/** Less than the window of the tickers: they are shown once. */
const subscribingMs = 1_000;
/** Every push window, the longest included, ends within a step. */
const stepMs = 3_000;

/** A clock and its timers, which advance only when told to. */
class StoryTime {
  private time = storyBegins;
  private readonly timers = new Set<{ readonly at: number; readonly run: () => void }>();

  readonly now = (): number => this.time;

  readonly setTimer: SetTimer = (delayMs, run) => {
    const timer = { at: this.time + delayMs, run };
    this.timers.add(timer);
    return () => void this.timers.delete(timer);
  };

  set(time: number): void {
    this.time = time;
  }

  /** Runs what falls due, each at its moment, and what it started. */
  async advance(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      // Tickers are made asynchronously, at the time at which they were due.
      await nextTurn();
      const [next] = [...this.timers].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
      if (next === undefined) break;
      this.timers.delete(next);
      this.time = next.at;
      next.run();
    }
    this.time = end;
  }
}

/** An exchange of one engine without a journal, and the streams' router behind it. */
function openStory(
  time: StoryTime,
  onFailure: (error: unknown) => void,
): { readonly router: EventRouter; readonly apply: (command: Command) => void } {
  const engine = createEngine();
  const market = createMarketData({ history: new MemoryHistoryStore(), awaitHistory: async () => {} });
  const router = new EventRouter({
    queries: exchangeQueries(engine),
    market,
    clock: time,
    monotonic: time,
    setTimer: time.setTimer,
    onFact: () => {},
    onTrouble: (_what, error) => onFailure(error),
  });
  const sinks = createFanOut();
  sinks.subscribe(market);
  sinks.subscribe(router.sink);
  const apply = (command: Command): void => {
    const seq = as<Seq>(engine.seq + 1);
    engine.apply({ seq, epoch: as<Epoch>(0), at: as<TimestampMs>(time.now()), command }, sinks);
    router.privatePushes.flush();
  };
  return { router, apply };
}

/** Replies that a connection without a listen key gets. */
function replyExamples(router: EventRouter): readonly ReplyExample[] {
  return storyRequests.map(({ occasion, request: members }) => {
    const text = JSON.stringify(members);
    const request = readRequest(text);
    const replyTo = (): string => {
      if (request.method === null) return replies.malformed(request);
      if (request.method === 'PING') return replies.pong(request.id);
      if (request.method === 'UNSUBSCRIPTION') return replies.unsubscribed(request.id, request.channels);
      const refused = request.channels.filter((channel) => router.find(channel, null) === null);
      return replies.subscribed(request.id, request.channels, refused);
    };
    return { occasion, request: text, reply: replyTo() };
  });
}

/** Subscribes to one channel of each family. What is pushed goes to `take`. */
async function subscribeToAll(router: EventRouter, take: (id: ChannelId, push: Push) => void): Promise<void> {
  for (const id of Object.keys(channels) as ChannelId[]) {
    const channel = parseChannel(exampleAddress(channelAddress(channels[id])));
    if (channel === null) throw new TypeError(`the example of ${id} is no channel`);
    const receiver: Receiver = { push: (push) => take(id, push) };
    await router.prepare(channel, receiver, storySubscriber);
    router.join(channel, receiver, storySubscriber);
  }
}

/**
 * Pushes of every channel, as the router makes them of the story's commands, in both encodings; and replies. The same
 * at every call. Rejects if a push could not be made. DEC-STR-27.
 */
export async function makeStreamExamples(): Promise<StreamExamples> {
  const time = new StoryTime();
  const failures: unknown[] = [];
  const { router, apply } = openStory(time, (error) => failures.push(error));
  for (const { at, commands } of storyOpening) {
    time.set(at);
    commands.forEach(apply);
  }
  time.set(storyBegins);
  const ids = Object.keys(channels) as ChannelId[];
  const pushes = Object.fromEntries(ids.map((id) => [id, []])) as unknown as Record<ChannelId, PushExample[]>;
  let shown: Pick<StoryStep, 'occasion' | 'shows'> = storySubscription;
  const chosen = new Set([storySubscription, ...storySteps].flatMap(({ shows }) => shows));
  await subscribeToAll(router, (id, push) => {
    // Of a channel that no step chooses, the first push is shown.
    if (chosen.has(id) ? !shown.shows.includes(id) : pushes[id].length > 0) return;
    const json = Buffer.from(push.payload('json')).toString('utf8');
    pushes[id].push({ occasion: shown.occasion, json, protobuf: push.payload('protobuf') });
  });
  await time.advance(subscribingMs);
  for (const step of storySteps) {
    shown = step;
    step.commands.forEach(apply);
    await time.advance(stepMs);
  }
  router.scheduler.close();
  if (failures.length > 0) throw failures[0];
  return { pushes, replies: replyExamples(router) };
}
