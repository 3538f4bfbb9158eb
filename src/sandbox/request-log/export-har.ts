import { isoTime } from '#base/clock.ts';
import { type ShownEntry, statusText } from '#sandbox/request-log/show-entry.ts';

const listOf = (headers: Readonly<Record<string, string>>): readonly object[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

/** Pairs of a query, decoded as a browser would. */
const pairsOf = (query: string): readonly object[] =>
  [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }));

function harRequest(entry: ShownEntry): object {
  const { method, path, query, headers, body } = entry;
  const address = query === null || query === '' ? (path ?? '') : `${path}?${query}`;
  return {
    method,
    url: `http://${headers['host'] ?? 'localhost'}${address}`,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: listOf(headers),
    queryString: pairsOf(query ?? ''),
    ...(body === null ? {} : { postData: { mimeType: headers['content-type'] ?? '', text: body } }),
    headersSize: -1,
    bodySize: body === null ? 0 : Buffer.byteLength(body),
  };
}

function harResponse({ status, answer, answerHeaders }: ShownEntry): object {
  const size = Buffer.byteLength(answer ?? '');
  return {
    // 0 is what browsers write where no answer came.
    status: status ?? 0,
    statusText: statusText(status),
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: listOf(answerHeaders),
    content: { size, mimeType: 'application/json', text: answer ?? '' },
    redirectURL: '',
    headersSize: -1,
    bodySize: size,
  };
}

/**
 * Requests with their answers as HAR 1.2, which browsers and other programs open. What HAR has no place for stands in
 * members that begin with `_`. DEC-KIT-30.
 */
export function harOf(entries: readonly ShownEntry[], version: string): object {
  return {
    log: {
      version: '1.2',
      creator: { name: 'bourse', version },
      entries: entries.map((entry) => ({
        startedDateTime: isoTime(entry.at),
        time: entry.durationMs ?? 0,
        request: harRequest(entry),
        response: harResponse(entry),
        cache: {},
        timings: { send: 0, wait: entry.durationMs ?? 0, receive: 0 },
        serverIPAddress: '',
        _id: entry.id,
        _endpoint: entry.endpoint,
        _account: entry.account,
        _refusal: entry.refusal,
        _fault: entry.fault,
      })),
    },
  };
}
