import { readFileSync } from 'node:fs';
import { type Profile, profiles } from '#model/profile.ts';
import type { Configuration, SettingName } from '#main/configuration-schema.ts';
import {
  configurationFileSchema,
  contradictions,
  defaultOf,
  flagOf,
  isUsuallyOn,
  settingNames,
  settings,
  variableOf,
} from '#main/configuration-schema.ts';
import { parseCommentedJson } from '#operator-commands/commented-json.ts';
import { wordsOfTruth } from '#main/configuration/start-hint.ts';

/** Variables of a process, as `process.env` holds them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Sources of settings. Precedence: flags, environment, file, defaults. */
export interface ConfigurationSources {
  readonly flags: ReadonlyMap<SettingName, string | boolean>;
  readonly environment: Environment;
  /** Path of the configuration file, if one was named, and how it was named. */
  readonly file: { readonly path: string; readonly namedBy: string } | null;
  /** Whether a server is to run with it: then the rules between settings hold as well. */
  readonly isForServer: boolean;
  /** Answers the text of a file. @throws what the file system throws. */
  readonly readFile: (path: string) => string;
}

/** Origin of a setting's value as text: `default`, `flag --port`, `environment BOURSE_PORT`, `file x`. */
export type Origins = Readonly<Record<SettingName, string>>;

/** A usable configuration. `warnings` are sentences to show once. */
export interface LoadedConfiguration {
  readonly config: Configuration;
  readonly origins: Origins;
  /** Path of the configuration file; `null`: none was named. */
  readonly file: string | null;
  readonly warnings: readonly string[];
}

/** Something in the configuration cannot be used; each fault is a sentence that names the option and its origin. */
export class ConfigurationRefused extends Error {
  override name = 'ConfigurationRefused';
  /** Every fault found, in the order of the help. */
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

/** A value with where it was found. */
interface Found {
  readonly value: unknown;
  readonly origin: string;
}

/** The only place that reads the environment of this process. */
export const environment = (): Environment => process.env;

/** The file reader of the command line. */
export const readTextFile = (path: string): string => readFileSync(path, 'utf8');

/** Variables of this family that are no settings of the server: named by the command line or by the tools. */
const otherVariables = /^BOURSE_(CONFIG$|OPERATOR_(URL|TOKEN_FILE)$|TEST_|BENCH_)/;

/**
 * Merges the sources by precedence, checks every value and the rules between them.
 * @throws ConfigurationRefused with every fault at once.
 */
export function loadConfiguration(sources: ConfigurationSources): LoadedConfiguration {
  const faults: string[] = [];
  const file = readConfigurationFile(sources, faults);
  const find = (name: SettingName): Found | null =>
    findFlag(name, sources) ?? findVariable(name, sources.environment, faults) ?? findInFile(name, file, sources);
  const found = new Map(settingNames.map((name) => [name, find(name)]));
  const profile = profileOf(found.get('profile')?.value);
  const values: Record<string, unknown> = {};
  const origins: Record<string, string> = {};
  for (const name of settingNames) {
    const given = found.get(name) ?? null;
    const { value, origin } = given ?? { value: defaultOf(name, profile), origin: 'default' };
    const checked = settings[name].schema.safeParse(value);
    if (checked.success) values[name] = checked.data;
    else faults.push(`${bareFlagOf(name)} (${origin}): ${checked.error.issues[0]?.message ?? 'cannot be used'}.`);
    origins[name] = origin;
  }
  if (faults.length > 0) throw new ConfigurationRefused(faults);
  const config = values as unknown as Configuration;
  const broken = sources.isForServer ? contradictions(config) : [];
  if (broken.length > 0) throw new ConfigurationRefused(broken);
  const warnings = unknownVariables(sources.environment);
  return { config, origins: origins as Origins, file: sources.file?.path ?? null, warnings };
}

const profileOf = (value: unknown): Profile => profiles.find((profile) => profile === value) ?? 'sandbox';
const bareFlagOf = (name: SettingName): string => flagOf(name).replace(/^--(no-)?/, '');

function readConfigurationFile({ file, readFile }: ConfigurationSources, faults: string[]): Record<string, unknown> {
  if (file === null) return {};
  const told = `configuration file ${file.path} (${file.namedBy})`;
  let content: unknown;
  try {
    content = parseCommentedJson(readFile(file.path));
  } catch (error) {
    faults.push(`${told}: ${error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'}: ${messageOf(error)}.`);
    return {};
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    faults.push(`${told}: must hold one JSON object.`);
    return {};
  }
  for (const key of Object.keys(content)) {
    if (Object.hasOwn(configurationFileSchema.shape, key)) continue;
    const near = settingNames.find((name) => name.toLowerCase() === key.replace(/[-_]/g, '').toLowerCase());
    faults.push(`${told}: there is no setting "${key}"${near ? `; did you mean "${near}"?` : '.'}`);
  }
  return content as Record<string, unknown>;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function findFlag(name: SettingName, { flags }: ConfigurationSources): Found | null {
  const given = flags.get(name);
  if (given === undefined) return null;
  const flag = given === !isUsuallyOn(name) ? flagOf(name) : `--${bareFlagOf(name)}`;
  return { value: typeof given === 'string' ? fromText(name, given) : given, origin: `flag ${flag}` };
}

/** A switch that is usually on has two twins: `BOURSE_SIMULATE=false` and `BOURSE_NO_SIMULATE=true`. */
function findVariable(name: SettingName, variables: Environment, faults: string[]): Found | null {
  const variable = variableOf(name);
  const direct = variables[variable] || undefined;
  const negation = settings[name].notation === 'switch' ? variable.replace('BOURSE_', 'BOURSE_NO_') : '';
  const negated = variables[negation] || undefined;
  if (negated === undefined) {
    return direct === undefined ? null : { value: fromText(name, direct), origin: `environment ${variable}` };
  }
  const value = fromText(name, negated);
  if (direct !== undefined) faults.push(`${bareFlagOf(name)} (environment): ${variable} and ${negation} are both set.`);
  return { value: typeof value === 'boolean' ? !value : value, origin: `environment ${negation}` };
}

function findInFile(name: SettingName, content: Record<string, unknown>, { file }: ConfigurationSources): Found | null {
  if (!Object.hasOwn(content, name) || file === null) return null;
  return { value: content[name], origin: `file ${file.path}` };
}

/** Parses a value by its notation; an invalid one stays text, which the schema refuses. */
function fromText(name: SettingName, text: string): unknown {
  const { notation, schema } = settings[name];
  if (text === 'none' && schema.safeParse(null).success) return null;
  if (notation === 'whole') return /^\d{1,15}$/.test(text) ? Number(text) : text;
  if (notation === 'switch') return wordsOfTruth[text.toLowerCase()] ?? text;
  if (notation === 'list') return text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
  return text;
}

function unknownVariables(variables: Environment): readonly string[] {
  const known = new Set(
    settingNames.flatMap((name) => [variableOf(name), variableOf(name).replace('BOURSE_', 'BOURSE_NO_')]),
  );
  return Object.keys(variables)
    .filter((name) => name.startsWith('BOURSE_') && !known.has(name) && !otherVariables.test(name))
    .toSorted()
    .map((name) => `The environment variable ${name} is no setting and is ignored.`);
}

/** The effective configuration, one line per setting with its origin, secrets masked; then the warnings. */
export function printConfiguration({ config, origins, warnings }: LoadedConfiguration): string {
  const rows = settingNames.map((name) => ({ name, value: shownValue(name, config), origin: origins[name] }));
  const nameWidth = Math.max(...rows.map((row) => row.name.length));
  const valueWidth = Math.min(40, Math.max(...rows.map((row) => row.value.length)));
  const lines = rows.map((row) => `${row.name.padEnd(nameWidth)}  ${row.value.padEnd(valueWidth)}  # ${row.origin}\n`);
  return [...lines, ...warnings.map((warning) => `# ${warning}\n`)].join('');
}

function shownValue(name: SettingName, config: Configuration): string {
  const value = config[name];
  return settings[name].isSecret && value !== null ? '"********"' : JSON.stringify(value);
}
