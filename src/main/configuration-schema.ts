import { relative } from 'node:path';
import { z } from 'zod';
import { type Profile, profiles } from '#model/profile.ts';

/**
 * Every setting of the exchange, once. Flags (`--operator-port`), environment twins (`BOURSE_OPERATOR_PORT`), keys of
 * the configuration file (`operatorPort`), the help, the printed configuration and its reference are derived from it.
 */

/** Whether the clock of a sandbox with a time of its own runs by itself. */
export const clockModes = ['running', 'manual'] as const;

/** Levels of the log, gravest first. */
export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug'] as const;

/** How a value is written where everything is text: flags and environment. */
export type Notation = 'text' | 'whole' | 'switch' | 'list';

/** One setting. `byDefault` may depend on the profile; `null` is a value like any other. */
export interface Setting<Schema extends z.ZodType = z.ZodType> {
  readonly group: string;
  readonly notation: Notation;
  readonly schema: Schema;
  readonly byDefault: z.output<Schema> | { readonly sandbox: z.output<Schema>; readonly production: z.output<Schema> };
  readonly summary: string;
  /** Name of the value in the help. */
  readonly placeholder: string;
  /** Masked wherever it is printed, and not taken from the command line, where every user of the machine reads it. */
  readonly isSecret: boolean;
}

type Rest = { readonly placeholder?: string; readonly isSecret?: boolean };
type ByProfile<T> = T | { readonly sandbox: T; readonly production: T };

function setting<Schema extends z.ZodType>(
  notation: Notation,
  schema: Schema,
  byDefault: ByProfile<z.output<Schema>>,
  summary: string,
  { placeholder = notation, isSecret = false }: Rest,
): Omit<Setting<Schema>, 'group'> {
  return { notation, schema, byDefault, summary, placeholder, isSecret };
}

const wholeSchema = (least: number, most: number) => {
  const fault = `must be a whole number from ${least} to ${most}`;
  return z.int(fault).min(least, fault).max(most, fault);
};
const whole = (least: number, most: number, byDefault: ByProfile<number>, summary: string, rest: Rest = {}) =>
  setting('whole', wholeSchema(least, most), byDefault, summary, { placeholder: 'n', ...rest });
const wholeOrNone = (
  least: number,
  most: number,
  byDefault: ByProfile<number | null>,
  summary: string,
  rest: Rest = {},
) => setting('whole', wholeSchema(least, most).nullable(), byDefault, summary, { placeholder: 'n', ...rest });
const switched = (byDefault: ByProfile<boolean>, summary: string) =>
  setting('switch', z.boolean('must be true or false'), byDefault, summary, {});
const choice = <const Names extends readonly [string, ...string[]]>(
  names: Names,
  byDefault: ByProfile<Names[number]>,
  summary: string,
) =>
  setting('text', z.enum(names, `must be one of ${names.join(', ')}`), byDefault, summary, {
    placeholder: names.join('|'),
  });

const filled = z.string('must be text').min(1, 'must not be empty');
const text = (byDefault: string, summary: string, placeholder: string) =>
  setting('text', filled, byDefault, summary, { placeholder });
const textOrNone = (summary: string, rest: Rest) => setting('text', filled.nullable(), null, summary, rest);

const headerName = z
  .string('must be text')
  .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be a header name of letters, digits and "-"');
const addressRange = z.union(
  [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()],
  'must be addresses or CIDR ranges such as 10.0.0.0/8',
);
const addresses = (summary: string) =>
  setting('list', z.array(addressRange).readonly(), [], summary, { placeholder: 'ranges' });
const origin = z
  .string('must be text')
  .regex(/^https?:\/\/[A-Za-z0-9.-]{1,253}(?::\d{1,5})?$/, 'must be origins such as https://desk.example');
const host = z
  .string('must be text')
  .regex(/^(?:[A-Za-z0-9.-]{1,253}|[0-9A-Fa-f:.]{2,45})$/, 'must be a host name or an address');
const secret = (shape: RegExp, fault: string, summary: string) =>
  setting('text', z.string('must be text').regex(shape, fault).nullable(), null, summary, { isSecret: true });

/** What the token of the configuration looks like. */
export const operatorTokenPattern = /^[\x21-\x7e]{16,128}$/;

const day = 'days';
const groups = {
  'Where it listens': {
    host: setting('text', host, '127.0.0.1', 'Address of the public API', { placeholder: 'host' }),
    port: whole(0, 65_535, 8080, 'Port of the public API; 0 takes any free one', { placeholder: 'port' }),
    futuresPort: wholeOrNone(0, 65_535, null, 'Port of the futures API; the same port when not given', {
      placeholder: 'port',
    }),
    operatorHost: setting('text', host, '127.0.0.1', 'Address of the operator API', { placeholder: 'host' }),
    operatorPort: whole(0, 65_535, 8081, 'Port of the operator API; 0 takes any free one', { placeholder: 'port' }),
    operatorNames: setting(
      'list',
      z
        .array(z.string().regex(/^[A-Za-z0-9.-]{1,253}$/, 'must be host names such as ops.example'))
        .max(64)
        .readonly(),
      [],
      'Names that the operator port is asked by, besides localhost, --operator-host and addresses',
      { placeholder: 'names' },
    ),
    publicMetrics: switched(
      false,
      'Serve /metrics on the public ports of production too; the sandbox always does, the operator port everywhere',
    ),
    trustedProxies: addresses('Proxies whose X-Forwarded-For is believed, as addresses or CIDR ranges'),
  },
  'What it is': {
    profile: choice(profiles, 'sandbox', 'A market to develop against, or one with real users'),
    data: text('./data', 'Directory of everything that must survive', 'directory'),
    cluster: textOrNone('File that makes this node one of a cluster; by itself when not given', {
      placeholder: 'file',
    }),
    seed: setting(
      'text',
      z
        .string('must be text')
        .regex(/^[A-Za-z0-9_.-]{1,64}$/, 'must be 1 to 64 letters, digits, "_", "." or "-"')
        .nullable(),
      null,
      'Makes keys, uids and the simulated market repeatable (sandbox, loopback only)',
      { placeholder: 'seed' },
    ),
    replaceIdKey: switched(
      false,
      'Make a new key of wallet ids where the master key of the old one is lost; ids printed before name nothing then',
    ),
    now: setting(
      'text',
      z.iso
        .datetime('must be a time such as 2026-01-01T00:00:00Z')
        .refine((at) => /^20/.test(at), 'must be in a year from 2000 to 2099')
        .nullable(),
      null,
      'Moment at which the history of a new sandbox ends and its clock begins, to repeat a market exactly; with --seed',
      { placeholder: 'time' },
    ),
    clock: choice(
      clockModes,
      'running',
      'Whether the clock of a sandbox with --now runs, or stands until operators advance it',
    ),
    simulate: switched(
      { sandbox: true, production: false },
      'Simulated participants and a seeded history (sandbox only)',
    ),
    shutdownSeconds: whole(1, 600, 10, 'Time that requests in flight have to finish after SIGTERM', {
      placeholder: 'seconds',
    }),
    logLevel: setting(
      'text',
      z.enum(logLevels, `must be one of ${logLevels.join(', ')}`),
      { sandbox: 'warn', production: 'info' },
      `Least level that is logged: ${logLevels.join(', ')}`,
      { placeholder: 'level' },
    ),
  },
  'Signing and keys': {
    masterKeyFile: textOrNone(
      'File with the key that seals secrets, mode 0600 (default in the sandbox: DATA/master.key)',
      { placeholder: 'file' },
    ),
    masterKey: secret(
      /^[0-9a-f]{64}$/,
      'must be 64 lower-case hex characters',
      'The key that seals secrets itself, as 64 hex characters',
    ),
    operatorToken: secret(
      operatorTokenPattern,
      'must be 16 to 128 visible characters',
      'What operators prove themselves with; made at start in the sandbox',
    ),
    operatorTokenFile: textOrNone('File with that token alone, mode 0600', { placeholder: 'file' }),
    keyHeader: setting('text', headerName, 'X-SVC-APIKEY', 'Header that carries the access key', {
      placeholder: 'name',
    }),
    keyHeaderAliases: setting(
      'list',
      z.array(headerName).max(8).readonly(),
      { sandbox: ['X-MEXC-APIKEY'], production: [] },
      'Further names of that header',
      { placeholder: 'names' },
    ),
    signatureReuse: choice(
      ['all', 'money', 'off'],
      { sandbox: 'off', production: 'money' },
      'Routes that refuse a signature already used elsewhere',
    ),
    hardenedPermissions: switched(
      { sandbox: false, production: true },
      'Demand the WRITE permission on endpoints that change something',
    ),
    unboundKeyDays: whole(
      0,
      3650,
      { sandbox: 0, production: 90 },
      'Days after which an API key without addresses ends; 0: never',
    ),
    brokerQueryOnlySignature: switched(
      { sandbox: true, production: false },
      'Accept JSON calls of brokers that sign their query only (in the sandbox only)',
    ),
    subAccountsPerMaster: whole(1, 1_000_000, 30, 'Sub-accounts of one account'),
    subAccountsPerBroker: whole(1, 1_000_000, 10_000, 'Sub-accounts of one broker'),
  },
  Wallet: {
    custodyFile: textOrNone(
      'JSON file that says who keeps the coins of each network; the sandbox simulates the others',
      {
        placeholder: 'file',
      },
    ),
    sandboxChains: setting(
      'list',
      z.array(z.string().regex(/^[1-9]\d{0,15}$/, 'must be chain ids such as 11155111')).readonly(),
      [],
      'Ids of EVM chains without worth, besides 1337 and 31337, that the custody file of a sandbox may name',
      { placeholder: 'ids' },
    ),
    settleEveryMs: whole(50, 600_000, 1000, 'Time between two polls of each chain, and of rebates that are due', {
      placeholder: 'ms',
    }),
  },
  Futures: {
    indexSpotWeight: whole(
      1,
      1_000_000,
      100,
      'Weight of the own spot market in index prices, against the weights of prices that operators give',
    ),
  },
  'Limits and bans': {
    rateLimits: switched(true, 'Rate limits, bans and connection caps (off in the sandbox only, for load tests)'),
    connectionsMax: whole(1, 1_000_000, 10_000, 'Open connections in all'),
    connectionsPerAddressMax: whole(1, 1_000_000, 200, 'Open connections of one address'),
    banAfter: whole(1, 1000, 5, 'Requests inside Retry-After, within a minute, that ban an address'),
    banFirstSeconds: whole(1, 259_200, 120, 'Length of a first ban; each further one doubles', {
      placeholder: 'seconds',
    }),
    banMostSeconds: whole(1, 2_592_000, 259_200, 'Longest ban', { placeholder: 'seconds' }),
    banMemoryHours: whole(1, 720, 72, 'How long bans count towards the next one', { placeholder: 'hours' }),
    banLoopback: switched({ sandbox: false, production: true }, 'Whether this machine itself can be banned'),
    deniedAddresses: addresses('Addresses that are answered 403, as addresses or CIDR ranges'),
    allowedOrigins: setting(
      'list',
      z.array(origin).max(64).readonly(),
      [],
      'Origins of web pages that may open websockets and call the API; none given: any may, but for signed endpoints',
      { placeholder: 'origins' },
    ),
    webhookHosts: setting(
      'list',
      z
        .array(z.string().regex(/^[a-z0-9.:-]{1,253}$/))
        .max(64)
        .readonly(),
      [],
      'The only hosts that webhooks may be sent to, private ones too; none given: every host with a public address',
      { placeholder: 'hosts' },
    ),
    faultsPerWindow: whole(1, 1_000_000, 100, 'Malformed or unrouted requests in 10 s after which an address gets 403'),
  },
  Storage: {
    snapshotEverySeconds: whole(1, 86_400, 600, 'Longest time between two snapshots', { placeholder: 'seconds' }),
    snapshotEveryCommands: whole(1000, 100_000_000, 1_000_000, 'Most commands between two snapshots'),
    journalSegmentMib: whole(1, 1024, 64, 'Size of a journal segment', { placeholder: 'MiB' }),
    backupDirectory: textOrNone(
      'Directory into which operators may have backups made, outside of --data; none: they may not',
      { placeholder: 'directory' },
    ),
    diskReserveMib: whole(16, 1_048_576, 64, 'Free space below which only cancels are taken', { placeholder: 'MiB' }),
    keepJournalDays: wholeOrNone(
      0,
      36_500,
      { sandbox: 0, production: null },
      'How long sealed segments are kept behind the two snapshots; none: for ever',
      { placeholder: day },
    ),
    keepTradesDays: wholeOrNone(
      1,
      36_500,
      { sandbox: 14, production: null },
      'How long public trades are kept; none: for ever',
      { placeholder: day },
    ),
  },
  Habits: {
    cancelAnswersStatusBefore: switched(false, 'A cancel answers the status that the order had before'),
    modelHabits: switched(false, 'The wallet answers in the shape that stock clients of this API family read'),
  },
} satisfies Readonly<Record<string, Readonly<Record<string, Omit<Setting, 'group'>>>>>;

type Groups = typeof groups;
type Merged<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
type Settings = Merged<Groups[keyof Groups]>;

/** Name of a setting: its key in the configuration file. */
export type SettingName = keyof Settings;

/** The settings in the order of the help. */
export const settings: Readonly<Record<SettingName, Setting>> = Object.fromEntries(
  Object.entries(groups).flatMap(([group, members]) =>
    Object.entries(members).map(([name, member]) => [name, { ...member, group }]),
  ),
) as unknown as Record<SettingName, Setting>;

/** Names of the settings, in the order of the help. */
export const settingNames = Object.keys(settings) as readonly SettingName[];

/** Values of every setting, checked. */
export type Configuration = { readonly [Name in SettingName]: z.output<Settings[Name]['schema']> };

/** What a configuration file may hold: some of the settings, nothing else. */
export const configurationFileSchema = z.strictObject(
  Object.fromEntries(settingNames.map((name) => [name, settings[name].schema.optional()])),
);

/** `operatorPort` as a flag is `--operator-port`; a switch that is usually on is turned off by `--no-…`. */
export function flagOf(name: SettingName): string {
  const kebab = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return settings[name].notation === 'switch' && isUsuallyOn(name) ? `--no-${kebab}` : `--${kebab}`;
}

/** `operatorPort` in the environment is `BOURSE_OPERATOR_PORT`. */
export const variableOf = (name: SettingName): string =>
  `BOURSE_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

/** A switch that is on in the sandbox unless told otherwise. */
export const isUsuallyOn = (name: SettingName): boolean => defaultOf(name, 'sandbox') === true;

/** Default of a setting under a profile. */
export function defaultOf(name: SettingName, profile: Profile): unknown {
  const { byDefault } = settings[name];
  const isByProfile = typeof byDefault === 'object' && byDefault !== null && 'sandbox' in byDefault;
  return isByProfile ? (byDefault as Record<Profile, unknown>)[profile] : byDefault;
}

/** Whether only this machine can reach a server that listens there. */
export const isLoopback = (address: string): boolean =>
  address === 'localhost' || address === '::1' || /^(::ffff:)?127(\.\d{1,3}){3}$/.test(address);

/** Whether a path is that of a folder, or leads into it. */
const isWithin = (folder: string, path: string): boolean => !/^\.\.(?:[/\\]|$)/.test(relative(folder, path));

/** Rules between settings; one plain sentence per breach. */
export function contradictions(config: Configuration): readonly string[] {
  const inProduction = config.profile === 'production';
  const sameFixedPort = (one: number | null, other: number): boolean => one !== null && one !== 0 && one === other;
  const breaches: readonly (readonly [boolean, string])[] = [
    [inProduction && config.simulate, 'simulate: the simulated market exists in the sandbox only.'],
    [inProduction && !config.rateLimits, 'no-rate-limits: rate limits can be lifted in the sandbox only.'],
    [
      inProduction && config.brokerQueryOnlySignature,
      'broker-query-only-signature: bodies that nobody signed are accepted in the sandbox only.',
    ],
    [inProduction && config.seed !== null, 'seed: keys made from a seed can be guessed; production makes none.'],
    [inProduction && config.now !== null, 'now: the time of production is that of the machine.'],
    [config.now !== null && config.seed === null, 'now: repeats a market together with its seed only; add --seed.'],
    [config.clock === 'manual' && config.now === null, 'clock: stands from the moment of --now on; add --now.'],
    [
      inProduction && config.masterKey === null && config.masterKeyFile === null,
      'master-key-file: production needs the key that seals secrets; give --master-key-file FILE (mode 0600, 64 hex ' +
        'characters, made for example by: openssl rand -hex 32) or BOURSE_MASTER_KEY.',
    ],
    [
      inProduction && config.operatorToken === null && config.operatorTokenFile === null,
      'operator-token: production needs one; give --operator-token-file FILE (mode 0600) or BOURSE_OPERATOR_TOKEN.',
    ],
    [
      config.operatorToken !== null && config.operatorTokenFile !== null,
      'operator-token: give the token or its file, not both.',
    ],
    [config.masterKey !== null && config.masterKeyFile !== null, 'master-key: give the key or its file, not both.'],
    [
      config.seed !== null && !isLoopback(config.host),
      `seed: the demo keys of a seed are known to everyone, and ${config.host} is reachable from other machines; ` +
        'leave out --seed, or listen on 127.0.0.1.',
    ],
    [config.cluster !== null && config.now !== null, 'now: nodes of a cluster have the time of their machines.'],
    [
      config.backupDirectory !== null && isWithin(config.data, config.backupDirectory),
      'backup-directory: is in the data directory; name one outside of it.',
    ],
    [sameFixedPort(config.operatorPort, config.port), 'operator-port: must differ from --port.'],
    [sameFixedPort(config.futuresPort, config.operatorPort), 'futures-port: must differ from --operator-port.'],
    [config.banFirstSeconds > config.banMostSeconds, 'ban-first-seconds: must not exceed --ban-most-seconds.'],
  ];
  return breaches.filter(([isBroken]) => isBroken).map(([, sentence]) => sentence);
}
