/**
 * The tests of `clients/python`, with ruff and mypy: in an environment of their own, `clients/python/.venv`, that pip
 * makes where there is none that fits. Where Python, pip or a package is not to be had they are skipped, in a loud
 * line.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';
import { makeFolder } from './run-vitest.mjs';

const folder = join(root, 'clients', 'python');
const environment = join(folder, '.venv');
const stamp = join(environment, '.bourse-stamp');
const bin = (name) => join(environment, 'bin', name);

/** What the tests need beside the package and what that needs. */
const tools = ['pytest>=8', 'mypy>=1.11', 'ruff>=0.6'];
const oldestPython = [3, 10];
const installSecondsMax = 300;
const runSecondsMax = 900;

/** Modules are compiled at their first import, into the environment, wherever they stand. */
const variables = { ...process.env, PYTHONPYCACHEPREFIX: join(environment, 'compiled'), PYTHONDONTWRITEBYTECODE: '' };

/** Runs a command to its end; `code` is null where it could not be run or took too long. */
function run(command, args, { seconds, env = variables }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: seconds * 1000,
    });
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
    child.on('error', (error) => resolve({ code: null, output: error.message }));
    child.on('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString().trim() }));
  });
}

/** Version of the Python of this machine as text; `null`: there is none that can make an environment. */
async function pythonVersion() {
  const asks = 'import sys, venv, ensurepip; print(*sys.version_info[:3])';
  const { code, output } = await run('python3', ['-c', asks], { seconds: 60 });
  if (code !== 0) return null;
  const [major = 0, minor = 0] = output.split(' ').map(Number);
  const isNewEnough = major > oldestPython[0] || (major === oldestPython[0] && minor >= oldestPython[1]);
  return isNewEnough ? output : null;
}

/** Makes the environment where it does not fit. Answers why there is none; `null`: there is one. */
async function prepareEnvironment() {
  const version = await pythonVersion();
  if (version === null) return `there is no python3 of ${oldestPython.join('.')} or later with venv and pip`;
  const manifest = readFileSync(join(folder, 'pyproject.toml'));
  const digest = createHash('sha256')
    .update(`${version} ${tools.join(' ')}\n`)
    .update(manifest)
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return null;
  rmSync(environment, { recursive: true, force: true });
  const made = await run('python3', ['-m', 'venv', environment], { seconds: installSecondsMax });
  if (made.code !== 0) return `no environment could be made: ${lastLine(made.output)}`;
  // Nothing is compiled, and a registry that is not there is not waited for.
  const options = [
    '--quiet',
    '--disable-pip-version-check',
    '--no-compile',
    '--only-binary',
    ':all:',
    '--retries',
    '0',
  ];
  const asked = ['-m', 'pip', 'install', ...options, '-e', '.[pandas]', ...tools];
  const installed = await run(bin('python'), asked, { seconds: installSecondsMax });
  if (installed.code !== 0) return `packages are not to be had: ${lastLine(installed.output)}`;
  writeFileSync(stamp, digest);
  return null;
}

const lastLine = (text) => text.split('\n').at(-1);

/** Counts of a report as pytest writes it for other programs. */
function countsOf(path) {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const count = (name) => Number(new RegExp(`<testsuite [^>]*\\b${name}="(\\d+)"`).exec(text)?.[1] ?? 0);
  const [failed, skipped] = [count('failures') + count('errors'), count('skipped')];
  return { passed: count('tests') - failed - skipped, failed, skipped };
}

/** The checks: each counts as a test. */
const checks = [
  { name: 'python lint', command: 'ruff', args: ['check', '.'] },
  { name: 'python format', command: 'ruff', args: ['format', '--check', '.'] },
  { name: 'python types', command: 'mypy', args: ['src', 'tests', 'examples'] },
];

/** Runs all of it, one after the other, telling each as it ends. Answers counts; what failed is printed in full. */
export async function runPythonTests() {
  const reason = existsSync(folder) ? await prepareEnvironment() : null;
  if (!existsSync(folder)) return { passed: 0, failed: 0, skipped: 0 };
  if (reason !== null) {
    console.log(`\n!!! Python tests skipped: ${reason}\n`);
    return { passed: 0, failed: 0, skipped: 1 };
  }
  const total = { passed: 0, failed: 0, skipped: 0 };
  const tell = (name, began, { code, output }) => {
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'}  ${name.padEnd(24)} ${seconds.padStart(6)} s`);
    if (code !== 0) console.log(`\n── ${name}\n${output}\n`);
  };
  for (const { name, command, args } of checks) {
    const began = performance.now();
    const ran = await run(bin(command), args, { seconds: runSecondsMax });
    tell(name, began, ran);
    total[ran.code === 0 ? 'passed' : 'failed'] += 1;
  }
  const temporary = makeFolder();
  const report = join(temporary, 'pytest.xml');
  const began = performance.now();
  const env = {
    ...process.env,
    TMPDIR: temporary,
    BOURSE_COMMAND: `node '${join(root, 'dist', 'main', 'bourse.js')}'`,
  };
  const ran = await run(bin('python'), ['-m', 'pytest', '-q', `--junitxml=${report}`], { seconds: runSecondsMax, env });
  tell('python tests', began, ran);
  const counts = countsOf(report);
  // A run that ended without a count failed as one.
  if (ran.code !== 0 && counts.failed === 0) counts.failed = 1;
  rmSync(temporary, { recursive: true, force: true });
  for (const name of Object.keys(total)) total[name] += counts[name];
  return total;
}
