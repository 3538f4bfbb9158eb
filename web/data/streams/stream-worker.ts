import { type DepthSnapshot, LocalBook } from '#web/data/streams/local-book.ts';
import { channels, type Push } from '#web/data/streams/pushes.ts';
import type { BookView, StreamEvent, StreamName, StreamRequest } from '#web/data/streams/stream-messages.ts';
import { StreamSocket } from '#web/data/streams/stream-socket.ts';

/*
 * The websockets of a page: beside its thread, so that reading pushes and keeping books costs no frame. Pushes go to
 * the page together, twenty times a second at most; a book goes as a whole when it changed. DEC-WEB-07.
 */

const flushMs = 50;
const levelsShown = 500;
const snapshotLevels = 2000;
const retryMs = 1000;
const wsUrl = `${location.origin.replace(/^http/, 'ws')}/ws`;

/** An open book with what its numbers are counted in. */
interface OpenBook {
  readonly symbol: string;
  readonly book: LocalBook;
  readonly decimals: Promise<readonly [price: number, quantity: number]>;
  isAsking: boolean;
}

let pushes: Push[] = [];
const changedBooks = new Set<OpenBook>();
let isFlushDue = false;
let open: OpenBook | null = null;
let privateSocket: StreamSocket | null = null;

const tell = (event: StreamEvent, transfer: Transferable[] = []): void => postMessage(event, { transfer });

function flushSoon(): void {
  if (isFlushDue) return;
  isFlushDue = true;
  setTimeout(() => {
    isFlushDue = false;
    if (pushes.length > 0) tell({ kind: 'pushes', pushes });
    pushes = [];
    for (const changed of changedBooks) void tellBook(changed);
    changedBooks.clear();
  }, flushMs);
}

async function tellBook(opened: OpenBook): Promise<void> {
  const [price, quantity] = await opened.decimals;
  const { book, symbol } = opened;
  if (book.version === null || open !== opened) return;
  const view: BookView = {
    symbol,
    version: book.version,
    bids: book.levels('bids', levelsShown, price, quantity),
    asks: book.levels('asks', levelsShown, price, quantity),
  };
  tell({ kind: 'book', view }, [view.bids.buffer, view.asks.buffer]);
}

function takePush(push: Push): void {
  if (push.depth === undefined) {
    pushes.push(push);
    flushSoon();
    return;
  }
  if (open === null || push.channel !== channels.depth(open.symbol)) return;
  const isWhole = open.book.change(push.depth);
  if (!isWhole) void askForBook(open);
  changedBooks.add(open);
  flushSoon();
}

const socketOf = (stream: StreamName, url: string): StreamSocket =>
  new StreamSocket({
    url,
    onPush: takePush,
    onState: (state) => tell({ kind: 'state', stream, state }),
    onOpen: () => {
      if (stream !== 'public' || open === null) return;
      open.book.stop();
      void askForBook(open);
    },
  });

const publicSocket = socketOf('public', wsUrl);

async function readJson<Answer>(path: string): Promise<Answer> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
}

/** Asks for the book until it has no gap, as long as it is the open one. */
async function askForBook(opened: OpenBook): Promise<void> {
  if (opened.isAsking) return;
  opened.isAsking = true;
  const address = `/api/v3/depth?symbol=${encodeURIComponent(opened.symbol)}&limit=${snapshotLevels}`;
  while (open === opened) {
    try {
      const snapshot = await readJson<DepthSnapshot>(address);
      if (opened.book.start(snapshot)) break;
    } catch {
      // It is asked for again below.
    }
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
  opened.isAsking = false;
  changedBooks.add(opened);
  flushSoon();
}

/** Decimals of a pair's prices and quantities. */
async function readDecimals(symbol: string): Promise<readonly [number, number]> {
  const { symbols } = await readJson<{
    readonly symbols: readonly { readonly quotePrecision: number; readonly baseAssetPrecision: number }[];
  }>(`/api/v3/exchangeInfo?symbol=${encodeURIComponent(symbol)}`);
  const [rules] = symbols;
  if (rules === undefined) throw new Error(`${symbol} is not listed`);
  return [rules.quotePrecision, rules.baseAssetPrecision];
}

function openBook(symbol: string): void {
  if (open?.symbol === symbol) return;
  if (open !== null) closeBook(open.symbol);
  const decimals = readDecimals(symbol);
  // A pair that is gone has no book to tell.
  decimals.catch(() => {});
  open = { symbol, book: new LocalBook(), decimals, isAsking: false };
  publicSocket.subscribe(channels.depth(symbol));
  void askForBook(open);
}

function closeBook(symbol: string): void {
  if (open?.symbol !== symbol) return;
  publicSocket.unsubscribe(channels.depth(symbol));
  open = null;
}

function listen(listenKey: string | null): void {
  privateSocket?.close();
  privateSocket = null;
  if (listenKey === null) return;
  privateSocket = socketOf('private', `${wsUrl}?listenKey=${listenKey}`);
  for (const channel of channels.private) privateSocket.subscribe(channel);
}

self.onmessage = ({ data }: MessageEvent<StreamRequest>) => {
  if (data.kind === 'listen') listen(data.listenKey);
  else if (data.kind === 'openBook') openBook(data.symbol);
  else if (data.kind === 'closeBook') closeBook(data.symbol);
  else if (data.kind === 'subscribe') publicSocket.subscribe(data.channel);
  else publicSocket.unsubscribe(data.channel);
};
