import { join, resolve } from 'node:path';
import { type Configuration, type SettingName, settings } from '#main/configuration-schema.ts';
import { type AllAnswers, listOf } from '#main/setup/setup-questions.ts';

/** Names of the files in a directory that `bourse setup` makes. */
export const setupFiles = {
  configuration: 'bourse.jsonc',
  custody: 'custody.jsonc',
  market: 'market.jsonc',
  secrets: 'secrets',
  masterKey: 'secrets/master.key',
  rootToken: 'secrets/root.token',
  walletSeed: (network: string): string => `secrets/${network.toLowerCase()}.seed`,
  token: (person: string): string => `secrets/${person}.token`,
} as const;

/** Settings of a new exchange. Paths are absolute: it may be started from anywhere. */
function settingsOf(answers: AllAnswers, folder: string): Partial<Configuration> {
  const at = (file: string): string => join(folder, file);
  return {
    profile: 'production',
    data: resolve(folder, answers.data),
    host: answers.host,
    port: Number(answers.port),
    operatorHost: answers.operatorHost,
    operatorPort: Number(answers.operatorPort),
    trustedProxies: listOf(answers.trustedProxies),
    allowedOrigins: listOf(answers.allowedOrigins),
    masterKeyFile: at(setupFiles.masterKey),
    operatorTokenFile: at(setupFiles.rootToken),
    custodyFile: at(setupFiles.custody),
  };
}

/** The configuration file of a new exchange, each setting under what it says. `folder`: where it will be. */
export function configurationText(answers: AllAnswers, folder: string): string {
  const members = Object.entries(settingsOf(answers, folder)).map(
    ([name, value]) =>
      `  // ${settings[name as SettingName].summary}.\n  ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return `// Settings of this exchange. docs/reference/configuration.md lists all of them; a flag or a variable of the
// environment goes before what stands here. Changes hold from the next start on.
{
${members.join(',\n')}
}
`;
}
