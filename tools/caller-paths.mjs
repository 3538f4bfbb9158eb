/**
 * npm runs scripts in the project's folder, wherever it was called: paths that a caller gives by flag or variable are
 * meant from the caller's own folder, which npm names in INIT_CWD. DEC-OPR-25.
 */
import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';

const flagsOfPaths = [
  ...['--data', '--config', '--master-key-file', '--operator-token-file', '--custody-file'],
  '--cluster',
];

const variableOf = (flag) => `BOURSE_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`;

/** Folder that npm was called in to start the project at `root`; `null` when something else started this process. */
export function callersFolder(root, environment) {
  const { INIT_CWD: folder, npm_package_json: manifest, npm_lifecycle_event: script } = environment;
  if (!folder || !manifest || script !== 'start') return null;
  return realpathSync(manifest) === realpathSync(join(root, 'package.json')) ? folder : null;
}

/** The arguments with relative paths made absolute, from `folder` on. */
export function argumentsFrom(folder, args) {
  return args.map((argument, index) => {
    if (flagsOfPaths.includes(args[index - 1])) return resolve(folder, argument);
    const flag = flagsOfPaths.find((each) => argument.startsWith(`${each}=`));
    return flag === undefined ? argument : `${flag}=${resolve(folder, argument.slice(flag.length + 1))}`;
  });
}

/** The variables of paths that are set, made absolute. */
export function variablesFrom(folder, environment) {
  const given = flagsOfPaths.map(variableOf).filter((name) => environment[name]);
  return Object.fromEntries(given.map((name) => [name, resolve(folder, environment[name])]));
}
