import { isoTime } from '#base/clock.ts';
import { momentOf, type RequestEntry } from '#sandbox/request-log/log-entry.ts';
import {
  baseUrlOf,
  type CopyParts,
  demoKeysPath,
  signingKeyOf,
  unsignedRequest,
} from '#sandbox/request-log/unsigned-request.ts';

/** Text as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A shell's word for the secret of a key: the variable, for a demo account else what the sandbox gives away. */
function secretWord(accessKey: string, base: string, isDemoKey: boolean): string {
  if (!isDemoKey) return '"$BOURSE_SECRET"';
  const part = String.raw`s/.*"secretKey":"\([^"]*\)".*/\1/p`;
  const lines = `curl -s ${quoted(base + demoKeysPath)} | tr '}' '\\n'`;
  return `"\${BOURSE_SECRET:-$(${lines} | grep -F ${quoted(accessKey)} | sed -n ${quoted(part)})}"`;
}

/**
 * A request as lines of a shell: what was signed is signed anew, at the exchange's time, with the secret that the
 * variable `BOURSE_SECRET` has, or that the sandbox gives where the key is a demo account's. The access key is shown,
 * because it is no secret; secret keys never are. DEC-KIT-30.
 */
export function curlOf(entry: RequestEntry, { hide, keyHeader, isDemoKey }: CopyParts): string {
  const { id, answer } = entry;
  const asked = unsignedRequest(entry, hide);
  const base = baseUrlOf(entry);
  const title = `# ${id}: ${isoTime(momentOf(entry))}, answered ${answer.status ?? 'nothing'}`;
  const method = asked.method === 'GET' ? '' : ` -X ${asked.method}`;
  const type = asked.contentType === '' ? '' : ` -H ${quoted(`Content-Type: ${asked.contentType}`)}`;
  const data = asked.body === '' ? '' : ` --data-binary ${quoted(asked.body)}`;
  const url = base + asked.path;
  const accessKey = signingKeyOf(entry);
  if (accessKey === null)
    return `${title}\ncurl -s${method}${type}${data} ${quoted(asked.query === '' ? url : `${url}?${asked.query}`)}`;
  const pairs = [asked.query, asked.recvWindow === null ? '' : `recvWindow=${asked.recvWindow}`, 'timestamp='];
  const body = asked.body === '' ? '' : quoted(asked.body);
  const time = `$(curl -s ${quoted(`${base}/api/v3/time`)} | tr -dc 0-9)`;
  return [
    title,
    `SECRET=${secretWord(accessKey, base, isDemoKey(accessKey))}`,
    `QUERY=${quoted(pairs.filter((pair) => pair !== '').join('&'))}${time}`,
    `SIGNATURE=$(printf %s "$QUERY"${body} | openssl dgst -sha256 -hmac "$SECRET" -r | cut -c 1-64)`,
    `curl -s${method} -H ${quoted(`${keyHeader}: ${accessKey}`)}${type}${data} ` +
      `${quoted(`${url}?`)}"$QUERY&signature=$SIGNATURE"`,
  ].join('\n');
}
