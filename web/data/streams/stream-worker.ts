import { BourseClient, type BookLevel, type LocalBook, type StreamSubscription } from '#client/client.ts';
import {
  type BookDecimals,
  type HeardPush,
  type StreamEvent,
  type StreamKeys,
  streamOf,
  type StreamRequest,
} from '#web/data/streams/stream-messages.ts';

/*
 * The streams of a page, by the client and beside the page's thread, so that reading pushes and keeping books costs no
 * frame. Pushes go to the page together, twenty times a second at most; a book goes as a whole when it changed.
 * DEC-WEB-07, DEC-WEB-16.
 */

const flushMs = 50;
const levelsShown = 500;
const levelsKept = 2000;
const baseUrl = location.origin;

/** The open book, and what its numbers are counted in. */
interface OpenBook {
  readonly symbol: string;
  readonly decimals: BookDecimals;
  readonly book: LocalBook;
}

const publicClient = new BourseClient({ baseUrl });
let privateClient: BourseClient | null = null;
const subscriptions = new Map<string, StreamSubscription>();
let open: OpenBook | null = null;
let pushes: HeardPush[] = [];
let isBookChanged = false;
let isFlushDue = false;

const tell = (event: StreamEvent, transfer: Transferable[] = []): void => postMessage(event, { transfer });

function flushSoon(): void {
  if (isFlushDue) return;
  isFlushDue = true;
  setTimeout(flush, flushMs);
}

function flush(): void {
  isFlushDue = false;
  if (pushes.length > 0) tell({ kind: 'pushes', pushes });
  pushes = [];
  if (isBookChanged) tellBook();
  isBookChanged = false;
}

/** Levels in units of the decimals, price and quantity in turn. */
function counted(levels: readonly BookLevel[], { price, quantity }: BookDecimals): Float64Array {
  const [priceUnit, quantityUnit] = [10 ** price, 10 ** quantity];
  return Float64Array.from(
    levels.flatMap(([at, lots]) => [Math.round(Number(at) * priceUnit), Math.round(Number(lots) * quantityUnit)]),
  );
}

/** Tells the open book, if it is certain: after a gap the page keeps the old one until there is another. */
function tellBook(): void {
  if (open === null || !open.book.isReady) return;
  const { symbol, book, decimals } = open;
  const [bids, asks] = [
    counted(book.levels('bids', levelsShown), decimals),
    counted(book.levels('asks', levelsShown), decimals),
  ];
  tell({ kind: 'book', view: { symbol, version: book.version, bids, asks } }, [bids.buffer, asks.buffer]);
}

function openBook(symbol: string, decimals: BookDecimals): void {
  closeBook();
  const onChange = (): void => {
    isBookChanged = true;
    flushSoon();
  };
  open = { symbol, decimals, book: publicClient.book(symbol, { levels: levelsKept, onChange }) };
}

function closeBook(): void {
  open?.book.close();
  open = null;
}

function subscribe(channel: string): void {
  const client = streamOf(channel) === 'private' ? privateClient : publicClient;
  if (client === null) return;
  const take = (content: unknown, { symbol = '' }: { readonly symbol?: string }): void => {
    pushes.push({ channel, symbol, content });
    flushSoon();
  };
  const subscription = client.subscribe(channel, take, {
    onReady: () => tell({ kind: 'ready', channel }),
    onGap: () => tell({ kind: 'gap', channel }),
    onRefused: ({ message }) => tell({ kind: 'refused', channel, reason: message }),
  });
  subscriptions.set(channel, subscription);
}

function unsubscribe(channel: string): void {
  subscriptions.get(channel)?.close();
  subscriptions.delete(channel);
}

/** Private channels are those of these keys from now on. */
function listen(keys: StreamKeys | null): void {
  void privateClient?.close();
  const onListenKey = (listenKey: string): void => tell({ kind: 'listenKey', listenKey });
  privateClient = keys === null ? null : new BourseClient({ ...keys, baseUrl, onListenKey });
}

self.onmessage = ({ data }: MessageEvent<StreamRequest>) => {
  if (data.kind === 'listen') listen(data.keys);
  else if (data.kind === 'openBook') openBook(data.symbol, data.decimals);
  else if (data.kind === 'subscribe') subscribe(data.channel);
  else if (data.kind === 'unsubscribe') unsubscribe(data.channel);
  else if (open?.symbol === data.symbol) closeBook();
};
