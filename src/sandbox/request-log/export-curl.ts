import { isoTime } from '#base/clock.ts';
import { momentOf, type RequestEntry } from '#sandbox/request-log/log-entry.ts';
import { unsignedRequest } from '#sandbox/request-log/unsigned-request.ts';
import type { HideSecrets } from '#sandbox/request-log/without-secrets.ts';

/** Text as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** What writes a request for a shell. */
export interface CurlParts {
  readonly hide: HideSecrets;
  /** Name of the header of the access key. */
  readonly keyHeader: string;
}

const hostOf = ({ request: { headers } }: RequestEntry): string => `http://${String(headers['host'] ?? 'localhost')}`;

/**
 * A request as lines of a shell: what was signed is signed anew, at the exchange's time, with the secret that the
 * variable `BOURSE_SECRET` has. The access key is shown, because it is no secret; secret keys never are. DEC-KIT-30.
 */
export function curlOf(entry: RequestEntry, { hide, keyHeader }: CurlParts): string {
  const { id, request, answer } = entry;
  const asked = unsignedRequest(entry, hide);
  const host = hostOf(entry);
  const title = `# ${id}: ${isoTime(momentOf(entry))}, answered ${answer.status ?? 'nothing'}`;
  const method = asked.method === 'GET' ? '' : ` -X ${asked.method}`;
  const type = asked.contentType === '' ? '' : ` -H ${quoted(`Content-Type: ${asked.contentType}`)}`;
  const data = asked.body === '' ? '' : ` --data-binary ${quoted(asked.body)}`;
  const url = host + asked.path;
  if (request.key === null || request.route?.isSigned !== true)
    return `${title}\ncurl -s${method}${type}${data} ${quoted(asked.query === '' ? url : `${url}?${asked.query}`)}`;
  const pairs = [asked.query, asked.recvWindow === null ? '' : `recvWindow=${asked.recvWindow}`, 'timestamp='];
  const body = asked.body === '' ? '' : quoted(asked.body);
  const time = `$(curl -s ${quoted(`${host}/api/v3/time`)} | tr -dc 0-9)`;
  return [
    title,
    `QUERY=${quoted(pairs.filter((pair) => pair !== '').join('&'))}${time}`,
    `SIGNATURE=$(printf %s "$QUERY"${body} | openssl dgst -sha256 -hmac "$BOURSE_SECRET" -r | cut -c 1-64)`,
    `curl -s${method} -H ${quoted(`${keyHeader}: ${request.key.accessKey}`)}${type}${data} ` +
      `${quoted(`${url}?`)}"$QUERY&signature=$SIGNATURE"`,
  ].join('\n');
}
