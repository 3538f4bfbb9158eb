import type { Heard, ListeningAs } from '#web/pages/docs/listening.ts';
import type { CodeChoice } from '#web/reference/code-block.tsx';
import { hidden } from '#web/reference/snippets.ts';

/** Where the exchange is. */
export interface StreamPlace {
  /** Such as `http://127.0.0.1:8080`. */
  readonly origin: string;
  readonly keyHeader: string;
}

const quoted = (text: string): string => JSON.stringify(text);
const listOf = (channels: readonly string[]): string =>
  `[\n${channels.map((name) => `  ${quoted(name)},\n`).join('')}]`;

function clientCode(channels: readonly string[], as: ListeningAs | null, { origin, keyHeader }: StreamPlace): string {
  const options = [
    `baseUrl: ${quoted(origin)}`,
    ...(as === null ? [] : [`apiKey: ${quoted(as.accessKey)}`, `secretKey: ${quoted(as.secretKey)}`]),
    ...(keyHeader === 'X-SVC-APIKEY' ? [] : [`keyHeader: ${quoted(keyHeader)}`]),
  ];
  return [
    "import { BourseClient } from 'bourse/client';",
    '',
    `const client = new BourseClient({ ${options.join(', ')} });`,
    `for (const channel of ${listOf(channels)})`,
    '  client.subscribe(channel, (content, head) => console.log(head.channel, content));',
  ].join('\n');
}

function plainCode(channels: readonly string[], as: ListeningAs | null, { origin, keyHeader }: StreamPlace): string {
  const socket = `${origin.replace(/^http/, 'ws')}/ws?encoding=json`;
  const key =
    as === null
      ? ['// A browser, or Node 22 and later.', `const socket = new WebSocket(${quoted(socket)});`]
      : [
          '// Node 22 and later. The listen key ends after an hour without PUT /api/v3/userDataStream.',
          "const { createHmac } = await import('node:crypto');",
          `const api = ${quoted(origin)};`,
          `const key = ${quoted(as.accessKey)};`,
          `const secret = ${quoted(as.secretKey)};`,
          `const { serverTime } = await (await fetch(\`\${api}/api/v3/time\`)).json();`,
          `const query = \`timestamp=\${serverTime}\`;`,
          "const signature = createHmac('sha256', secret).update(query).digest('hex');",
          `const request = { method: 'POST', headers: { ${quoted(keyHeader)}: key } };`,
          `const answer = await fetch(\`\${api}/api/v3/userDataStream?\${query}&signature=\${signature}\`, request);`,
          'const { listenKey } = await answer.json();',
          `const socket = new WebSocket(\`${socket}&listenKey=\${listenKey}\`);`,
        ];
  return [
    ...key,
    `const params = ${listOf(channels)};`,
    "socket.onopen = () => socket.send(JSON.stringify({ method: 'SUBSCRIPTION', params, id: 1 }));",
    'socket.onmessage = ({ data }) => console.log(data);',
  ].join('\n');
}

/**
 * Code that listens to the same channels: with the client, and with nothing but a websocket. Of several accounts it
 * has the first one. The secret is not shown; what is copied has it. DEC-WEB-75.
 */
export function listenCodes(heard: readonly Heard[], place: StreamPlace): readonly CodeChoice[] {
  const as = heard.find((each) => each.as !== null)?.as ?? null;
  const channels = heard
    .filter((each) => each.as === null || each.as.accessKey === as?.accessKey)
    .map(({ channel }) => channel);
  const shown = as === null ? null : { ...as, secretKey: hidden };
  return [
    {
      language: 'bourse/client',
      code: clientCode(channels, shown, place),
      copied: clientCode(channels, as, place),
    },
    { language: 'WebSocket', code: plainCode(channels, shown, place), copied: plainCode(channels, as, place) },
  ];
}
