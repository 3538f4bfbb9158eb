/**
 * What `npm start`, `npm test` and `npm run check` need before they can begin: installed packages and a fresh `dist/`.
 * npm runs no scripts of its own here (`.npmrc`), so this is the only set-up there is. Needs nothing but Node.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the project. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const oldestNode = [20, 19];
const lockStamp = join(root, 'node_modules', '.bourse-lock-stamp');
const buildStamp = join(root, 'dist', '.build-stamp');
const sourcesOfBuild = [
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'tools/build.mjs',
  'tools/build-web.mjs',
  'tools/declarations.mjs',
];

/** Set-up could not be finished; `message` is what a person needs to read. */
export class PreparationFailed extends Error {}

/** Every file below `folder`, as absolute paths in a stable order. */
export function filesBelow(folder, accept = () => true) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesBelow(path, accept);
      return accept(path) ? [path] : [];
    });
}

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return;
  throw new PreparationFailed(`Node ${oldestNode.join('.')} or later is needed; this is ${process.versions.node}.`);
}

/** Runs npm as the npm that started us does, so that a machine with several keeps to one. */
function npm(args) {
  const script = process.env.npm_execpath;
  const [command, head] = script?.endsWith('.js') ? [process.execPath, [script]] : ['npm', []];
  return spawnSync(command, [...head, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });
}

function dependenciesAreFresh(lockDigest) {
  const installed = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installed) || !existsSync(join(root, 'node_modules', 'typescript-native'))) return false;
  if (existsSync(lockStamp)) return readFileSync(lockStamp, 'utf8') === lockDigest;
  return statSync(installed).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}

function installDependencies(say) {
  const lockDigest = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (!dependenciesAreFresh(lockDigest)) {
    const began = performance.now();
    say('Installing packages (npm ci) …');
    const { status, error, stdout } = npm(['ci', '--include=dev', '--loglevel=error']);
    if (status !== 0) {
      throw new PreparationFailed(`npm ci failed${error ? `: ${error.message}` : '.'}\n${stdout ?? ''}`.trimEnd());
    }
    say(`Packages installed in ${seconds(began)}.`);
  }
  if (!existsSync(lockStamp)) writeFileSync(lockStamp, lockDigest);
}

/** Names, sizes and times of everything the build reads: any edit, addition or removal changes it. */
function digestOfSources() {
  const hash = createHash('sha256');
  const files = [
    ...sourcesOfBuild.map((name) => join(root, name)),
    ...filesBelow(join(root, 'src')),
    ...filesBelow(join(root, 'web')),
  ];
  for (const file of files.filter((path) => existsSync(path))) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${relative(root, file)}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function build({ say, insist, types }) {
  const digest = digestOfSources();
  const entry = join(root, 'dist', 'main', 'bourse.js');
  const isFresh = existsSync(entry) && existsSync(buildStamp) && readFileSync(buildStamp, 'utf8') === digest;
  if (isFresh) return;
  const began = performance.now();
  say('Building …');
  const args = [join(root, 'tools', 'build.mjs'), ...(types ? [] : ['--without-types'])];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0 && insist) throw new PreparationFailed('The build failed; its errors stand above.');
  if (status === 0) writeFileSync(buildStamp, digest);
  say(`Built in ${seconds(began)}.`);
}

/**
 * Installs and builds what is missing or stale; costs a few milliseconds when nothing is.
 * `insist: false` goes on after compile errors, so that tests can name what they break; `types: false` leaves types to
 * the check that looks at all of them.
 * @throws PreparationFailed
 */
export function prepare({ say = (line) => console.log(line), insist = true, types = true } = {}) {
  checkNode();
  installDependencies(say);
  build({ say, insist, types });
}

/** As `prepare`, for commands: a failure is told in plain words and ends the process with 1. */
export function prepareOrExit(options) {
  try {
    prepare(options);
  } catch (error) {
    if (!(error instanceof PreparationFailed)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
