import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Configuration } from '#main/configuration-schema.ts';
import { settingNames, settings } from '#main/configuration-schema.ts';
import { readCustodyFile } from '#main/secrets/custody-file.ts';
import { readPrivateFile } from '#main/secrets/private-file.ts';
import { parseCommentedJson } from '#operator-commands/commented-json.ts';
import { usedWrongly } from '#operator-commands/exit-codes.ts';

/** Files of a backup that stand outside the data directory, by their names in it. */
export interface ConfigurationFiles {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Secret settings of the configuration file, which are left out of it. */
  readonly settingsLeftOut: readonly string[];
  readonly holdsMasterKey: boolean;
}

/** Which of them a backup is to hold. */
export interface ConfigurationRequest {
  readonly config: Pick<Configuration, 'data' | 'profile' | 'custodyFile' | 'masterKeyFile' | 'masterKey'>;
  /** Path of the configuration file; `null`: none was named. */
  readonly file: string | null;
  readonly withMasterKey: boolean;
}

/**
 * Reads the configuration file without its secrets, the custody file with the sealed seeds and lists of addresses that
 * it names, and the master key if that is asked for.
 * @throws CommandFailed where there is no master key, CustodyMisconfigured, or a system error.
 */
export function readConfigurationFiles({ config, file, withMasterKey }: ConfigurationRequest): ConfigurationFiles {
  const files = new Map<string, Uint8Array>();
  const settingsLeftOut = file === null ? [] : addSettings(files, file);
  if (config.custodyFile !== null) addCustody(files, config.custodyFile);
  if (withMasterKey) addMasterKey(files, config);
  return { files, settingsLeftOut, holdsMasterKey: withMasterKey };
}

function addSettings(files: Map<string, Uint8Array>, path: string): readonly string[] {
  const bytes = readFileSync(path);
  const content = parseCommentedJson(bytes.toString('utf8')) as Record<string, unknown>;
  const secret = settingNames.filter((name) => settings[name].isSecret && Object.hasOwn(content, name));
  const rest = Object.entries(content).filter(([name]) => !secret.some((each) => each === name));
  const shown = `${JSON.stringify(Object.fromEntries(rest), null, 2)}\n`;
  files.set('configuration/bourse.jsonc', secret.length === 0 ? bytes : Buffer.from(shown));
  return secret;
}

function addCustody(files: Map<string, Uint8Array>, path: string): void {
  files.set('configuration/custody.jsonc', readFileSync(path));
  for (const entry of readCustodyFile(path, (each) => readFileSync(each, 'utf8'))) {
    if (entry.kind === 'watchOnly') {
      if (entry.addressFile !== undefined)
        files.set(`configuration/addresses/${entry.network}`, readFileSync(entry.addressFile));
    } else if (entry.keys.kind === 'hot')
      files.set(`configuration/seeds/${entry.network}`, readFileSync(entry.keys.seedFile));
  }
}

function addMasterKey(files: Map<string, Uint8Array>, config: ConfigurationRequest['config']): void {
  const ofSandbox = join(config.data, 'master.key');
  if (config.masterKey !== null) files.set('configuration/master.key', Buffer.from(`${config.masterKey}\n`));
  else if (config.masterKeyFile !== null)
    files.set('configuration/master.key', Buffer.from(readPrivateFile(config.masterKeyFile)));
  else if (existsSync(ofSandbox)) files.set('data/master.key', Buffer.from(readPrivateFile(ofSandbox)));
  else throw usedWrongly('--with-master-key: there is none; name it as a start does, such as with --config.');
}
