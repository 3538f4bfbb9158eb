import { signal } from '@preact/signals';
import type { Push } from '#web/data/streams/pushes.ts';
import type {
  BookView,
  StreamEvent,
  StreamName,
  StreamRequest,
  StreamState,
} from '#web/data/streams/stream-messages.ts';
import workerUrl from '#web/data/streams/stream-worker.ts?worker&url';
import { trustedUrl } from '#web/data/trusted-url.ts';

/** How each connection is. */
export const streamStates = {
  public: signal<StreamState>('closed'),
  private: signal<StreamState>('closed'),
} as const satisfies Record<StreamName, unknown>;

/** How often each connection was made: what was read before is to be read again when it grows. */
export const streamOpenings = { public: signal(0), private: signal(0) } as const;

/** The open book; `null`: none is known yet. */
export const openBookView = signal<BookView | null>(null);

type Listener = (push: Push) => void;

const listeners = new Map<string, Set<Listener>>();
const privateListeners = new Set<Listener>();
let worker: Worker | null = null;

function take({ data }: MessageEvent<StreamEvent>): void {
  if (data.kind === 'book') openBookView.value = data.view;
  else if (data.kind === 'state') {
    streamStates[data.stream].value = data.state;
    if (data.state === 'open') streamOpenings[data.stream].value += 1;
  } else
    for (const push of data.pushes) {
      const isPrivate = push.channel.startsWith('spot@private.');
      for (const listener of (isPrivate ? privateListeners : listeners.get(push.channel)) ?? []) listener(push);
    }
}

function request(message: StreamRequest): void {
  if (worker === null) {
    worker = new Worker(trustedUrl(workerUrl), { type: 'module' });
    worker.onmessage = take;
  }
  worker.postMessage(message);
}

/** Hears a public channel until the answered function is called. */
export function hear(channel: string, listener: Listener): () => void {
  const known = listeners.get(channel);
  const all = known ?? new Set<Listener>();
  listeners.set(channel, all);
  all.add(listener);
  if (known === undefined) request({ kind: 'subscribe', channel });
  return () => {
    all.delete(listener);
    if (all.size > 0 || listeners.get(channel) !== all) return;
    listeners.delete(channel);
    request({ kind: 'unsubscribe', channel });
  };
}

/** Keeps the book of a pair in `openBookView` until the answered function is called; one at a time. */
export function openBook(symbol: string): () => void {
  openBookView.value = null;
  request({ kind: 'openBook', symbol });
  return () => request({ kind: 'closeBook', symbol });
}

/** Hears the private channels of a listen key; `null`: of nobody. */
export function listenAs(listenKey: string | null): void {
  if (listenKey !== null || worker !== null) request({ kind: 'listen', listenKey });
}

/** Hears what is pushed on the private channels until the answered function is called. */
export function hearPrivate(listener: Listener): () => void {
  privateListeners.add(listener);
  return () => privateListeners.delete(listener);
}
