import { createHmac } from 'node:crypto';

export interface Signer {
  readonly apiKey: string;
  readonly secretKey: string;
  /** Address that a proxy reports for it; absent: there is no proxy. */
  readonly from?: string;
}

const headers = (signer: Partial<Signer>): string => {
  const key = signer.apiKey === undefined ? '' : `X-SVC-APIKEY: ${signer.apiKey}\r\n`;
  return `Host: 127.0.0.1\r\n${key}${signer.from === undefined ? '' : `X-Forwarded-For: ${signer.from}\r\n`}`;
};

/** A signed request as bytes of HTTP/1.1, everything in the query, good for a minute from now. */
export function signedRequest(signer: Signer, call: { method: 'GET' | 'POST'; path: string; query: string }): string {
  const joint = call.query === '' ? '' : '&';
  const query = `${call.query}${joint}recvWindow=59999&timestamp=${Date.now()}`;
  const signature = createHmac('sha256', signer.secretKey).update(query).digest('hex');
  const length = call.method === 'POST' ? 'Content-Length: 0\r\n' : '';
  const target = `${call.path}?${query}&signature=${signature}`;
  return `${call.method} ${target} HTTP/1.1\r\n${headers(signer)}${length}\r\n`;
}

/** A public request as bytes of HTTP/1.1. */
export const publicRequest = (target: string, from: Pick<Signer, 'from'> = {}): string =>
  `GET ${target} HTTP/1.1\r\n${headers(from)}\r\n`;

/** A signed POST with a JSON body; time and signature stand in the query. */
export function signedPost(signer: Signer, path: string, fields: Readonly<Record<string, string>>): string {
  const query = `recvWindow=59999&timestamp=${Date.now()}`;
  const body = JSON.stringify(fields);
  const signature = createHmac('sha256', signer.secretKey).update(query).update(body).digest('hex');
  const length = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return `POST ${path}?${query}&signature=${signature} HTTP/1.1\r\n${headers(signer)}${length}\r\n${body}`;
}

/**
 * Who buys offers more than anybody asks for: whatever is still open, in whatever order it came, meets the next of the
 * other side, and never do orders of both sides stay.
 */
function priceOf(side: 'BUY' | 'SELL', index: number): number {
  const away = Math.floor(index / 4) % 50;
  return side === 'BUY' ? 60_000 + away : 60_000 - away;
}

/** Orders that meet each other in fours, so that neither account runs out of anything and the book stays small. */
export function orderRequests(count: number, [first, second]: readonly [Signer, Signer]): string[] {
  const turns = [
    { signer: first, side: 'BUY' },
    { signer: second, side: 'SELL' },
    { signer: second, side: 'BUY' },
    { signer: first, side: 'SELL' },
  ] as const;
  return Array.from({ length: count }, (_, index) => {
    const { signer, side } = turns[index % turns.length]!;
    const price = String(priceOf(side, index));
    const order = { symbol: 'BTCUSDT', side, type: 'LIMIT', quantity: '0.0002', price };
    return signedPost(signer, '/api/v3/order', order);
  });
}

/** Orders of an even number of accounts in turn, which meet each other as in `orderRequests`. */
export function ordersOfAll(count: number, signers: readonly Signer[]): string[] {
  const pairs = signers.length / 2;
  const lists = Array.from({ length: pairs }, (_, index) =>
    orderRequests(Math.ceil(count / pairs), [signers[2 * index]!, signers[2 * index + 1]!]),
  );
  return lists[0]!.flatMap((_, at) => lists.map((list) => list[at]!));
}

/** Address and headers of an order for Node's own client; orders meet each other in fours as in `orderRequests`. */
export function orderHead(
  index: number,
  [first, second]: readonly Signer[],
): {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
} {
  const turn = index % 4;
  const signer = turn === 0 || turn === 3 ? first! : second!;
  const side = turn % 2 === 0 ? 'BUY' : 'SELL';
  const order = `symbol=BTCUSDT&side=${side}&type=LIMIT&quantity=0.0002&price=${priceOf(side, index)}`;
  const query = `${order}&recvWindow=59999&timestamp=${Date.now()}`;
  const signature = createHmac('sha256', signer.secretKey).update(query).digest('hex');
  return { path: `/api/v3/order?${query}&signature=${signature}`, headers: { 'X-SVC-APIKEY': signer.apiKey } };
}
