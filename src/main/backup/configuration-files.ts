import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Configuration } from '#main/configuration-schema.ts';
import { settingNames, settings } from '#main/configuration-schema.ts';
import { readCustodyFile } from '#main/secrets/custody-file.ts';
import { readPrivateFile } from '#main/secrets/private-file.ts';
import { setupFiles } from '#main/setup/configuration-text.ts';
import { parseCommentedJson } from '#operator-commands/commented-json.ts';
import { usedWrongly } from '#operator-commands/exit-codes.ts';

/** Files of a backup that stand outside the data directory, by their names in it. */
export interface ConfigurationFiles {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Where each of them stands, as absolute paths by the same names. */
  readonly places: ReadonlyMap<string, string>;
  /** Secret settings of the configuration file, which are left out of it. */
  readonly settingsLeftOut: readonly string[];
  /** Secret files that a start reads and that are left out: absolute paths. */
  readonly filesLeftOut: readonly string[];
  readonly holdsMasterKey: boolean;
}

type NamedSettings = 'data' | 'profile' | 'custodyFile' | 'masterKeyFile' | 'masterKey' | 'operatorTokenFile';

/** Which of them a backup is to hold. */
export interface ConfigurationRequest {
  readonly config: Pick<Configuration, NamedSettings>;
  /** Path of the configuration file; `null`: none was named. */
  readonly file: string | null;
  /** Path of the market file; `null`: that beside the configuration file, if there is one. */
  readonly market: string | null;
  readonly withMasterKey: boolean;
}

/** Files as they are gathered. */
class GatheredFiles {
  readonly files = new Map<string, Uint8Array>();
  readonly places = new Map<string, string>();

  /** `bytes`: what the backup gets in place of the file's content. */
  add(name: string, path: string, bytes: Uint8Array = readFileSync(path)): void {
    this.files.set(name, bytes);
    this.places.set(name, resolve(path));
  }
}

/**
 * Reads the configuration file without its secrets, the market file, the custody file with the sealed seeds and lists
 * of addresses that it names, and the master key if that is asked for.
 * @throws CommandFailed where there is no master key, CustodyMisconfigured, or a system error.
 */
export function readConfigurationFiles(request: ConfigurationRequest): ConfigurationFiles {
  const { config, file, withMasterKey } = request;
  const gathered = new GatheredFiles();
  const settingsLeftOut = file === null ? [] : addSettings(gathered, file);
  const market = marketFileOf(request);
  if (market !== null) gathered.add('configuration/market.jsonc', market);
  if (config.custodyFile !== null) addCustody(gathered, config.custodyFile);
  if (withMasterKey) addMasterKey(gathered, config);
  const secretFiles = [withMasterKey ? null : config.masterKeyFile, config.operatorTokenFile];
  const filesLeftOut = secretFiles.flatMap((path) => (path === null ? [] : [resolve(path)]));
  const { files, places } = gathered;
  return { files, places, settingsLeftOut, filesLeftOut, holdsMasterKey: withMasterKey };
}

/** The exchange does not read that file, so no setting names it: `bourse setup` puts it beside the configuration. */
function marketFileOf({ file, market }: ConfigurationRequest): string | null {
  if (market !== null) return market;
  const beside = file === null ? null : join(dirname(file), setupFiles.market);
  return beside !== null && existsSync(beside) ? beside : null;
}

function addSettings(gathered: GatheredFiles, path: string): readonly string[] {
  const bytes = readFileSync(path);
  const content = parseCommentedJson(bytes.toString('utf8')) as Record<string, unknown>;
  const secret = settingNames.filter((name) => settings[name].isSecret && Object.hasOwn(content, name));
  const rest = Object.entries(content).filter(([name]) => !secret.some((each) => each === name));
  const shown = `${JSON.stringify(Object.fromEntries(rest), null, 2)}\n`;
  gathered.add('configuration/bourse.jsonc', path, secret.length === 0 ? bytes : Buffer.from(shown));
  return secret;
}

function addCustody(gathered: GatheredFiles, path: string): void {
  gathered.add('configuration/custody.jsonc', path);
  for (const entry of readCustodyFile(path, (each) => readFileSync(each, 'utf8'))) {
    if (entry.kind === 'watchOnly') {
      if (entry.addressFile !== undefined) gathered.add(`configuration/addresses/${entry.network}`, entry.addressFile);
    } else if (entry.keys.kind === 'hot') gathered.add(`configuration/seeds/${entry.network}`, entry.keys.seedFile);
  }
}

function addMasterKey(gathered: GatheredFiles, config: ConfigurationRequest['config']): void {
  const name = 'configuration/master.key';
  const ofSandbox = join(config.data, 'master.key');
  if (config.masterKey !== null) gathered.files.set(name, Buffer.from(`${config.masterKey}\n`));
  else if (config.masterKeyFile !== null)
    gathered.add(name, config.masterKeyFile, Buffer.from(readPrivateFile(config.masterKeyFile)));
  else if (existsSync(ofSandbox)) gathered.files.set('data/master.key', Buffer.from(readPrivateFile(ofSandbox)));
  else throw usedWrongly('--with-master-key: there is none; name it as a start does, such as with --config.');
}
