import type { RequestText } from '#web/reference/request-text.ts';

/** What proves who sends a request. `null` where nobody was chosen: then the code says where key and secret go. */
export type Proof =
  | { readonly kind: 'none' }
  | { readonly kind: 'keys'; readonly keyHeader: string; readonly keys: SnippetKeys | null }
  | { readonly kind: 'token'; readonly token: string | null };

/** Key and secret as they stand in the code. */
export interface SnippetKeys {
  readonly accessKey: string;
  readonly secretKey: string;
}

/** Code that sends a request. */
export interface Snippet {
  readonly language: 'curl' | 'Node' | 'Python';
  readonly code: string;
}

/** What stands in for a secret where code is shown: the real one is put in when it is copied. */
export const hidden = '••••••••';

const chooseFirst = 'Choose an account above: its key and secret are put in here.';
const chooseToken = 'Sign in above: your token is put in here.';

/** A word of a shell that means itself. */
const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
/** A text of JavaScript and of Python alike. */
const quoted = (text: string): string => JSON.stringify(text);

/** Lines that tell who sends it, in a language whose comments begin so. */
function whoLines(proof: Proof, comment: string, assign: (name: string, value: string) => string): readonly string[] {
  if (proof.kind === 'none') return [];
  if (proof.kind === 'token')
    return [...(proof.token === null ? [`${comment} ${chooseToken}`] : []), assign('token', proof.token ?? 'TOKEN')];
  const { accessKey, secretKey } = proof.keys ?? { accessKey: 'ACCESS_KEY', secretKey: 'SECRET_KEY' };
  return [
    ...(proof.keys === null ? [`${comment} ${chooseFirst}`] : []),
    assign('key', accessKey),
    assign('secret', secretKey),
  ];
}

const querySign = ({ query }: RequestText): string => (query === '' ? '' : `?${query}`);
/** What is signed, up to the value of the timestamp. */
const signedBegin = ({ query }: RequestText): string => `${query === '' ? '' : `${query}&`}timestamp=`;

function curlOf(request: RequestText, proof: Proof): string {
  const { method, server, path, headers, body } = request;
  const options = [
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...(proof.kind === 'keys' ? [`-H "${proof.keyHeader}: $key"`] : []),
    ...(proof.kind === 'token' ? ['-H "Authorization: Bearer $token"'] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data ${shellWord(body)}`]),
  ];
  const who = whoLines(proof, '#', (name, value) => `${name}=${shellWord(value)}`);
  const send = (address: string): string => ['curl -s', ...options, address].join(' ');
  if (proof.kind !== 'keys') return [...who, send(shellWord(`${server}${path}${querySign(request)}`))].join('\n');
  return [
    `api=${shellWord(server)}`,
    ...who,
    '# The clock of the exchange dates the request, and openssl signs it.',
    `query="${signedBegin(request)}$(curl -s "$api/api/v3/time" | tr -dc 0-9)"`,
    'signature=$(printf %s "$query" | openssl dgst -sha256 -hmac "$secret" | sed "s/.* //")',
    send(`"$api${path}?$query&signature=$signature"`),
  ].join('\n');
}

function nodeOf(request: RequestText, proof: Proof): string {
  const { method, server, path, body } = request;
  const proving: Record<string, string> =
    proof.kind === 'keys'
      ? { [proof.keyHeader]: 'key' }
      : proof.kind === 'token'
        ? { Authorization: `\`Bearer \${token}\`` }
        : {};
  const headers = [
    ...Object.entries(proving).map(([name, value]) => `${quoted(name)}: ${value}`),
    ...Object.entries(request.headers).map(([name, value]) => `${quoted(name)}: ${quoted(value)}`),
  ];
  const init = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} }`]),
    ...(body === null ? [] : [`body: ${quoted(body)}`]),
  ];
  const send = (address: string): readonly string[] => [
    `const answer = await fetch(${address}${init.length === 0 ? '' : `, { ${init.join(', ')} }`});`,
    'console.log(answer.status, await answer.text());',
  ];
  const who = whoLines(proof, '//', (name, value) => `const ${name} = ${quoted(value)};`);
  if (proof.kind !== 'keys') return [...who, ...send(quoted(`${server}${path}${querySign(request)}`))].join('\n');
  return [
    "const { createHmac } = await import('node:crypto');",
    `const api = ${quoted(server)};`,
    ...who,
    `const { serverTime } = await (await fetch(\`\${api}/api/v3/time\`)).json();`,
    `const query = \`${signedBegin(request)}\${serverTime}\`;`,
    "const signature = createHmac('sha256', secret).update(query).digest('hex');",
    ...send(`\`\${api}${path}?\${query}&signature=\${signature}\``),
  ].join('\n');
}

function pythonOf(request: RequestText, proof: Proof): string {
  const { method, server, path, body } = request;
  const headers = [
    ...(proof.kind === 'keys' ? [`${quoted(proof.keyHeader)}: key`] : []),
    ...(proof.kind === 'token' ? ['"Authorization": f"Bearer {token}"'] : []),
    ...Object.entries(request.headers).map(([name, value]) => `${quoted(name)}: ${quoted(value)}`),
  ];
  const parts = [
    ...(method === 'GET' ? [] : [`method="${method}"`]),
    ...(headers.length === 0 ? [] : [`headers={${headers.join(', ')}}`]),
    ...(body === null ? [] : [`data=${quoted(body)}.encode()`]),
  ];
  const send = (address: string): readonly string[] => [
    `request = urllib.request.Request(${[address, ...parts].join(', ')})`,
    'try:',
    '    answer = urllib.request.urlopen(request)',
    'except urllib.error.HTTPError as refused:',
    '    answer = refused',
    'print(answer.status, answer.read().decode())',
  ];
  const who = whoLines(proof, '#', (name, value) => `${name} = ${quoted(value)}`);
  const urllib = 'import urllib.error, urllib.request';
  if (proof.kind !== 'keys')
    return [urllib, '', ...who, ...send(quoted(`${server}${path}${querySign(request)}`))].join('\n');
  return [
    `import hashlib, hmac, json, ${urllib.slice('import '.length)}`,
    '',
    `api = ${quoted(server)}`,
    ...who,
    'server_time = json.load(urllib.request.urlopen(f"{api}/api/v3/time"))["serverTime"]',
    `query = f"${signedBegin(request)}{server_time}"`,
    'signature = hmac.new(secret.encode(), query.encode(), hashlib.sha256).hexdigest()',
    ...send(`f"{api}${path}?{query}&signature={signature}"`),
  ].join('\n');
}

/**
 * Code that sends a request, in three languages, with nothing but what each brings along. It asks the exchange for the
 * time and signs by itself, so that it works whenever it is run. DEC-WEB-72.
 */
export const snippetsOf = (request: RequestText, proof: Proof): readonly Snippet[] => [
  { language: 'curl', code: curlOf(request, proof) },
  { language: 'Node', code: nodeOf(request, proof) },
  { language: 'Python', code: pythonOf(request, proof) },
];
