import { computed, signal } from '@preact/signals';
import type { PushOf } from '#client/client.ts';
import { isSessionKept, type Session } from '#web/data/session.ts';
import {
  type BookDecimals,
  type BookView,
  type HeardPush,
  type StreamEvent,
  type StreamName,
  streamOf,
  type StreamRequest,
} from '#web/data/streams/stream-messages.ts';
import workerUrl from '#web/data/streams/stream-worker.ts?worker&url';
import { trustedUrl } from '#web/data/trusted-url.ts';
import { exchange } from '#web/shell/exchange-facts.ts';

/** Streams that were there and are not now. */
const lostStreams = signal<ReadonlySet<StreamName>>(new Set());

/** Whether what is shown stands still, because a connection was lost and is made again. DEC-WEB-15. */
export const isConnectionLost = computed(() => lostStreams.value.size > 0);

/** Why the streams of the account are refused, as for a key that may not listen; `null`: they are not. */
export const listenFault = signal<string | null>(null);

/** The open book; `null`: none is known yet. */
export const openBookView = signal<BookView | null>(null);

interface Hearer {
  readonly onPush: (content: never, symbol: string) => void;
  /** The channel is open, for the first time or again: now is the time to ask for what happened before. */
  readonly onReady: () => void;
}

interface HeardChannel {
  readonly hearers: Set<Hearer>;
  isReady: boolean;
}

const heard = new Map<string, HeardChannel>();
let worker: Worker | null = null;

function mark(name: StreamName, isLost: boolean): void {
  if (lostStreams.peek().has(name) === isLost) return;
  const next = new Set(lostStreams.peek());
  if (isLost) next.add(name);
  else next.delete(name);
  lostStreams.value = next;
}

function takePush({ channel, symbol, content }: HeardPush): void {
  for (const { onPush } of heard.get(channel)?.hearers ?? []) onPush(content as never, symbol);
}

function takeState(event: { readonly kind: 'ready' | 'gap'; readonly channel: string }): void {
  const topic = heard.get(event.channel);
  if (topic === undefined) return;
  topic.isReady = event.kind === 'ready';
  mark(streamOf(event.channel), !topic.isReady);
  if (topic.isReady) for (const { onReady } of [...topic.hearers]) onReady();
}

let hasPrices = false;

/** Marks the frame that shows the first prices that were pushed, for whoever measures the page. DEC-WEB-80. */
function markFirstPrices(): void {
  if (hasPrices) return;
  hasPrices = true;
  requestAnimationFrame(() => performance.mark('first prices'));
}

function take({ data }: MessageEvent<StreamEvent>): void {
  if (data.kind === 'book' || data.kind === 'pushes') markFirstPrices();
  if (data.kind === 'book') openBookView.value = data.view;
  else if (data.kind === 'pushes') for (const push of data.pushes) takePush(push);
  else if (data.kind === 'listenKey') keepListenKey(data.listenKey);
  else if (data.kind !== 'refused') takeState(data);
  else if (streamOf(data.channel) === 'private') listenFault.value = data.reason;
}

/** The listen key of this tab stands beside its API keys, and only where those are kept through a reload. */
const listenKeyName = 'bourse-listen-key';
let listener: Session | null = null;

function keepListenKey(listenKey: string): void {
  if (listener === null || !isSessionKept()) return;
  const { accessKey } = listener;
  sessionStorage.setItem(listenKeyName, JSON.stringify({ accessKey, listenKey }));
}

function forgetListenKey(): void {
  try {
    sessionStorage.removeItem(listenKeyName);
  } catch {
    // Storage is refused.
  }
}

function keptListenKey({ accessKey }: Session): string {
  try {
    const kept = JSON.parse(sessionStorage.getItem(listenKeyName) ?? '{}') as Readonly<Record<string, unknown>>;
    return kept['accessKey'] === accessKey ? String(kept['listenKey']) : '';
  } catch {
    // Without storage a key is made.
    return '';
  }
}

function request(message: StreamRequest): void {
  if (worker === null) {
    worker = new Worker(trustedUrl(workerUrl), { type: 'module' });
    worker.onmessage = take;
  }
  worker.postMessage(message);
}

/**
 * Hears a channel until the answered function is called, and keeps nothing of it then. `onReady` is called whenever the
 * channel is open, for the first time or again: what happened before is to be asked for then. DEC-WEB-82.
 */
export function hear<Name extends string>(
  channel: Name,
  onPush: (content: PushOf<Name>, symbol: string) => void,
  onReady: () => void = () => {},
): () => void {
  const hearer: Hearer = { onPush, onReady };
  const topic = heard.get(channel) ?? { hearers: new Set(), isReady: false };
  topic.hearers.add(hearer);
  if (!heard.has(channel)) {
    heard.set(channel, topic);
    request({ kind: 'subscribe', channel });
  } else if (topic.isReady) queueMicrotask(onReady);
  return () => {
    topic.hearers.delete(hearer);
    if (topic.hearers.size > 0 || heard.get(channel) !== topic) return;
    heard.delete(channel);
    request({ kind: 'unsubscribe', channel });
    const name = streamOf(channel);
    if (![...heard.keys()].some((each) => streamOf(each) === name)) mark(name, false);
  };
}

/** Keeps the book of a pair in `openBookView` until the answered function is called; one at a time. */
export function openBook(symbol: string, decimals: BookDecimals): () => void {
  openBookView.value = null;
  request({ kind: 'openBook', symbol, decimals });
  return () => request({ kind: 'closeBook', symbol });
}

/** Private channels that are heard from now on are those of this session; `null`: of nobody. */
export function listenAs(session: Session | null): void {
  listenFault.value = null;
  listener = session;
  if (session === null) forgetListenKey();
  if (session === null && worker === null) return;
  const { keyHeader } = exchange;
  const keys =
    session === null
      ? null
      : {
          ...{ apiKey: session.accessKey, secretKey: session.secretKey },
          ...{ keyHeader, listenKey: keptListenKey(session) },
        };
  request({ kind: 'listen', keys });
}
