import { ConfigurationRefused } from '#main/configuration/config.ts';
import { type Configuration, operatorTokenPattern } from '#main/configuration-schema.ts';
import { readPrivateFile } from '#main/secrets/private-file.ts';

/**
 * The operator token of the configuration: the setting, or what the named file holds; `null`: there is none.
 * @throws ConfigurationRefused when the file is unusable or readable by others.
 */
export function operatorTokenOf(config: Pick<Configuration, 'operatorToken' | 'operatorTokenFile'>): string | null {
  const path = config.operatorTokenFile;
  if (path === null) return config.operatorToken;
  const told = `operator token file ${path}`;
  let token: string;
  try {
    token = readPrivateFile(path).trim();
  } catch (error) {
    throw new ConfigurationRefused([`${told}: ${(error as Error).message}.`]);
  }
  if (!operatorTokenPattern.test(token))
    throw new ConfigurationRefused([`${told}: must hold one token of 16 to 128 visible characters.`]);
  return token;
}
