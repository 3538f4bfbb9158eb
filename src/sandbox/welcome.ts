import { isoTime } from '#base/clock.ts';
import type { DemoFile } from '#sandbox/sandbox-files.ts';

/** A clock of the exchange that is apart from the machine's: it runs by itself, or stands until it is advanced. */
export interface ShownClock {
  readonly mode: 'running' | 'manual';
  /** What it shows, in milliseconds since 1970 UTC. */
  readonly now: number;
}

/** The exchange's time as a POSIX shell writes it: of the machine, or asked for where the exchange has its own. */
const timestampText = (baseUrl: string, clock: ShownClock | null): string =>
  clock === null ? '$(date +%s)000' : `$(curl -s ${baseUrl}/api/v3/time | tr -dc 0-9)`;

/** One line for a POSIX shell that asks for an account's balances, signed with openssl. */
export function signedCurl(
  baseUrl: string,
  key: { readonly apiKey: string; readonly secretKey: string },
  clock: ShownClock | null,
): string {
  const signature = `$(printf %s "$q" | openssl dgst -sha256 -hmac "${key.secretKey}" -r | cut -d' ' -f1)`;
  return (
    `q="timestamp=${timestampText(baseUrl, clock)}"; curl -s -H "X-SVC-APIKEY: ${key.apiKey}" ` +
    `"${baseUrl}/api/v3/account?$q&signature=${signature}"`
  );
}

/** What there is to tell when the sandbox is ready. */
export interface Welcome {
  readonly demo: DemoFile;
  /** Where `demo.json` was written. */
  readonly demoPath: string;
  readonly dataDirectory: string;
  /** Pairs that can be traded. */
  readonly symbols: readonly string[];
  readonly simulated: boolean;
  /** `null`: the exchange's clock is the machine's. */
  readonly clock: ShownClock | null;
}

const column = (rows: readonly (readonly string[])[], index: number): number =>
  Math.max(...rows.map((row) => (row[index] ?? '').length));

const clockLines = ({ mode, now }: ShownClock): readonly string[] => [
  mode === 'running'
    ? `  The clock shows ${isoTime(now)} and runs on from there, apart from this machine's.`
    : `  The clock stands at ${isoTime(now)} until POST /v1/clock/advance of the operator API.`,
  '  Timestamps of signed requests are those of GET /api/v3/time.',
];

/** What a person reads when the sandbox is ready: addresses, accounts with keys, a command to try, the reference. */
export function welcomeText(welcome: Welcome): string {
  const { demo, clock } = welcome;
  const addresses = [
    ['REST', demo.base_url],
    // Only where it is another address: what is served there is told by the reference.
    ...(demo.futures_base_url === demo.base_url ? [] : [['Futures REST', demo.futures_base_url] as const]),
    ['Websocket', demo.ws_url],
    ['Operator', demo.operator_url],
    ['Reference', `${demo.base_url}/docs`],
  ] as const;
  const width = column(addresses, 0);
  const table = [
    ['account', 'uid', 'api key', 'secret key'],
    ...demo.accounts.map((account) => [account.name, account.uid, account.apiKey, account.secretKey]),
  ];
  const widths = [0, 1, 2].map((index) => column(table, index));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  const trader = demo.accounts[0];
  return [
    'Bourse sandbox is ready.',
    '',
    ...addresses.map(([name, url]) => `  ${name.padEnd(width)}  ${url}`),
    '',
    `  ${welcome.symbols.length} pairs: ${welcome.symbols.join(' ')}`,
    welcome.simulated ? '  Simulated traders keep them moving.' : '  No simulated traders: the books are empty.',
    ...(clock === null ? [] : clockLines(clock)),
    '',
    'Accounts (play money, keys of this data directory only):',
    '',
    ...table.map((row) => `  ${line(row)}`),
    '',
    ...(trader === undefined
      ? []
      : [`Try it, signed as ${trader.name}:`, '', `  ${signedCurl(demo.base_url, trader, clock)}`, '']),
    `Data lives in ${welcome.dataDirectory}; addresses and keys for programs are in ${welcome.demoPath}.`,
    '',
  ].join('\n');
}
