/**
 * `node tools/describe-configuration.mjs [--check]`: the tables of settings in README.md and
 * docs/reference/configuration.md, from `src/main/configuration-schema.ts` (as built).
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runGenerator } from './generated-sections.mjs';
import { root } from './prepare.mjs';

const schema = await import(pathToFileURL(join(root, 'dist', 'main', 'configuration-schema.js')).href);
const { defaultOf, flagOf, settingNames, settings, variableOf } = schema;

const groupsInReadme = ['Where it listens', 'What it is'];

function shown(value) {
  if (value === null) return 'none';
  const text = Array.isArray(value) ? value.join(',') : String(value);
  return text === '' ? 'none' : `\`${text}\``;
}

function shownDefault(name) {
  const [sandbox, production] = ['sandbox', 'production'].map((profile) => shown(defaultOf(name, profile)));
  return sandbox === production ? sandbox : `${sandbox}, in production ${production}`;
}

/** A switch that is usually on is turned off by its flag, so the flag's row says so. */
function row(name) {
  const { notation, placeholder, summary, isSecret } = settings[name];
  const flag = notation === 'switch' ? flagOf(name) : `${flagOf(name)} ${placeholder}`;
  const option = isSecret ? 'environment or file only' : `\`${flag.replaceAll('|', '\\|')}\``;
  const told = notation === 'switch' && flag.startsWith('--no-') ? `${summary}; the flag turns it off` : summary;
  return `| ${option} | \`${variableOf(name)}\` | ${shownDefault(name)} | ${told} |`;
}

const head = ['| flag | environment | default | what it is |', '| --- | --- | --- | --- |'];
const namesOf = (group) => settingNames.filter((name) => settings[name].group === group);
const groups = [...new Set(settingNames.map((name) => settings[name].group))];

const reference = [
  '# Configuration',
  '',
  'Generated from `src/main/configuration-schema.ts`; edit the settings there.',
  '',
  'Every setting can be given as a flag, as an environment variable, or in a JSON file (`--config FILE` or',
  '`BOURSE_CONFIG`) under its name in camel case: `--operator-port`, `BOURSE_OPERATOR_PORT`, `"operatorPort"`.',
  'A flag wins over the environment, that over the file, that over the default. `none` empties a setting that may be',
  'empty; lists are separated by commas; switches take `true` or `false`. Secrets are not taken from the command line.',
  '`bourse start --print-config` prints what is in force and where it comes from.',
  ...groups.flatMap((group) => ['', `## ${group}`, '', ...head, ...namesOf(group).map(row)]),
];

runGenerator('describe-configuration.mjs', [
  { document: 'docs/reference/configuration.md', content: reference.join('\n') },
  {
    document: 'README.md',
    name: 'settings',
    content: [...head, ...groupsInReadme.flatMap(namesOf).map(row)].join('\n'),
  },
]);
