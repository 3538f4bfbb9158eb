import { isoTime } from '#base/clock.ts';
import { momentOf, type RequestEntry } from '#sandbox/request-log/log-entry.ts';
import {
  baseUrlOf,
  type CopyParts,
  demoKeysPath,
  signingKeyOf,
  unsignedRequest,
} from '#sandbox/request-log/unsigned-request.ts';

/** Text as a literal of Python: what JSON escapes, Python reads in the same way. */
const literal = (text: string): string => JSON.stringify(text);

/** Lines that sign the query and the body, as those of `export-curl.ts` do. */
function signingLines(accessKey: string, recvWindow: string | null, isDemoKey: boolean): readonly string[] {
  const parts = [...(recvWindow === null ? [] : [`"recvWindow=${recvWindow}"`]), 'f"timestamp={time}"'];
  const fromSandbox = [
    `    keys = json.load(urllib.request.urlopen(base + ${literal(demoKeysPath)}))`,
    `    secret = next(key["secretKey"] for key in keys if key["accessKey"] == ${literal(accessKey)})`,
  ];
  return [
    `secret = os.environ${isDemoKey ? '.get("BOURSE_SECRET")' : '["BOURSE_SECRET"]'}`,
    ...(isDemoKey ? ['if secret is None:', ...fromSandbox] : []),
    'time = json.load(urllib.request.urlopen(base + "/api/v3/time"))["serverTime"]',
    `query = "&".join(filter(None, [query, ${parts.join(', ')}]))`,
    'signature = hmac.new(secret.encode(), (query + body).encode(), hashlib.sha256).hexdigest()',
    'query = f"{query}&signature={signature}"',
  ];
}

/**
 * A request as a script of Python that needs no package: what was signed is signed anew, at the exchange's time, with
 * the secret that the variable `BOURSE_SECRET` has, or that the sandbox gives where the key is a demo account's.
 * DEC-KIT-30.
 */
export function pythonOf(entry: RequestEntry, { hide, keyHeader, isDemoKey }: CopyParts): string {
  const { id, answer } = entry;
  const asked = unsignedRequest(entry, hide);
  const accessKey = signingKeyOf(entry);
  const headers = [
    ...(accessKey === null ? [] : [`${literal(keyHeader)}: ${literal(accessKey)}`]),
    ...(asked.contentType === '' ? [] : [`"Content-Type": ${literal(asked.contentType)}`]),
  ];
  return [
    `# ${id}: ${isoTime(momentOf(entry))}, answered ${answer.status ?? 'nothing'}`,
    `import ${accessKey === null ? '' : 'hashlib, hmac, json, os, '}urllib.error, urllib.request`,
    '',
    `base = ${literal(baseUrlOf(entry))}`,
    `query = ${literal(asked.query)}`,
    `body = ${literal(asked.body)}`,
    ...(accessKey === null ? [] : signingLines(accessKey, asked.recvWindow, isDemoKey(accessKey))),
    `url = base + ${literal(asked.path)} + ("?" + query if query else "")`,
    `headers = {${headers.join(', ')}}`,
    `request = urllib.request.Request(url, body.encode() or None, headers, method=${literal(asked.method)})`,
    'try:',
    '    print(urllib.request.urlopen(request).read().decode())',
    'except urllib.error.HTTPError as refusal:',
    '    print(refusal.code, refusal.read().decode())',
  ].join('\n');
}
