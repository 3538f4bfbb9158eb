import { isoTime } from '#base/clock.ts';
import { momentOf, type RequestEntry } from '#sandbox/request-log/log-entry.ts';
import {
  baseUrlOf,
  type CopyParts,
  demoKeysPath,
  signingKeyOf,
  unsignedRequest,
} from '#sandbox/request-log/unsigned-request.ts';
import type { HideSecrets } from '#sandbox/request-log/without-secrets.ts';

/** Beginnings of paths, with what ccxt calls what stands below them. The longest come first. */
const sections = [
  ['/api/v3/broker/', 'broker'],
  ['/api/v3/', 'spot'],
  ['/api/v1/contract/', 'contract'],
] as const;

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // It is shown as it came.
    return text;
  }
};

function parametersOf(entry: RequestEntry, hide: HideSecrets): Readonly<Record<string, unknown>> {
  const { query, body, contentType, path } = unsignedRequest(entry, hide);
  const template = entry.request.route?.endpoint.path ?? '';
  const given = path.split('/');
  const inPath = template
    .split('/')
    .flatMap((part, at): [string, string][] => (part.startsWith('{') ? [[part.slice(1, -1), given[at] ?? '']] : []));
  const inPairs = (text: string): [string, string][] =>
    text
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair) => {
        const mark = pair.indexOf('=');
        return mark < 0 ? [decoded(pair), ''] : [decoded(pair.slice(0, mark)), decoded(pair.slice(mark + 1))];
      });
  let inBody: [string, unknown][] = [];
  if (contentType.includes('json') && body !== '') {
    try {
      inBody = Object.entries(JSON.parse(body) as object);
    } catch {
      // A body that is no JSON has no parameters.
    }
  } else inBody = inPairs(body);
  return Object.fromEntries([...inPath, ...inBody, ...inPairs(query)]);
}

/**
 * A request as a call of ccxt in JavaScript, by the name that ccxt gives to the endpoint; `null`: it has none, because
 * the request was for no endpoint. ccxt signs it. DEC-KIT-30.
 */
export function ccxtOf(entry: RequestEntry, hide: HideSecrets): string | null {
  const { id, request, answer } = entry;
  const { route } = request;
  const section = sections.find(([beginning]) => route?.endpoint.path.startsWith(beginning) === true);
  if (route === null || section === undefined) return null;
  const [beginning, name] = section;
  const words = route.endpoint.path.slice(beginning.length).split(/[^a-zA-Z0-9]/);
  const access = route.isSigned ? 'Private' : 'Public';
  const method = capitalized(request.method.toLowerCase());
  const call = `${name}${access}${method}${words.map(capitalized).join('')}`;
  const parameters = JSON.stringify(parametersOf(entry, hide));
  const title = `// ${id}: ${isoTime(momentOf(entry))}, answered ${answer.status ?? 'nothing'}`;
  return `${title}\nawait exchange.${call}(${parameters});`;
}

/** Text as a literal of JavaScript. */
const literal = (text: string): string => JSON.stringify(text);

/**
 * Lines that make the `exchange` of a call: its key, and where it is. The secret is that of the variable
 * `BOURSE_SECRET`, or what the sandbox gives where the key is a demo account's. DEC-KIT-30.
 */
export function ccxtSetUpOf(entry: RequestEntry, { isDemoKey }: Omit<CopyParts, 'hide'>): string {
  const accessKey = signingKeyOf(entry);
  const found =
    `(await (await fetch(base + ${literal(demoKeysPath)})).json())` +
    `.find(({ accessKey }) => accessKey === ${literal(accessKey ?? '')}).secretKey`;
  const isDemo = accessKey !== null && isDemoKey(accessKey);
  const secret = `process.env.BOURSE_SECRET${isDemo ? ` ?? ${found}` : ''}`;
  return [
    "import ccxt from 'ccxt';",
    `const base = ${literal(baseUrlOf(entry))};`,
    ...(accessKey === null ? [] : [`const secret = ${secret};`]),
    `const exchange = new ccxt.mexc({ ${accessKey === null ? '' : `apiKey: ${literal(accessKey)}, secret`} });`,
    'exchange.urls.api.spot = { public: base, private: base };',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is text of the script
    'exchange.urls.api.contract = { public: `${base}/api/v1/contract`, private: `${base}/api/v1/private` };',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: likewise
    'exchange.urls.api.broker = { private: `${base}/api/v3/broker` };',
  ].join('\n');
}
