/**
 * Where there is an etcd to test with, and an etcdctl: those that `ETCD_BIN` and `ETCDCTL_BIN` name, else Debian's,
 * which apt downloads once and checks by its signature; they are unpacked below `node_modules/.cache` and need neither
 * root nor an installation.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const cache = join(root, 'node_modules', '.cache');
/** Programs: the variable that names each, the package of Debian that has it, and an argument to try it with. */
const programs = {
  etcd: { variable: 'ETCD_BIN', debian: 'etcd-server', trial: '--version' },
  etcdctl: { variable: 'ETCDCTL_BIN', debian: 'etcd-client', trial: 'version' },
};
const unpackedOf = (name) => join(cache, name);
const binaryOf = (name, folder) => join(folder, 'usr', 'bin', name);
const downloadMs = 60_000;

const succeeds = (command, args, cwd) => {
  const { status } = spawnSync(command, args, { cwd, stdio: 'ignore', timeout: downloadMs });
  return status === 0;
};

/** Unpacks Debian's package beside its final place first: several processes may do so at a time. */
function unpackDebian(name) {
  if (process.platform !== 'linux') return null;
  const { debian, trial } = programs[name];
  const unpacked = unpackedOf(name);
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, `${name}-`));
  try {
    const options = ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=20'];
    if (!succeeds('apt-get', [...options, 'download', debian], folder)) return null;
    const archive = readdirSync(folder).find((file) => file.endsWith('.deb'));
    if (archive === undefined || !succeeds('dpkg-deb', ['-x', archive, 'x'], folder)) return null;
    if (!succeeds(binaryOf(name, join(folder, 'x')), [trial], folder)) return null;
    if (!existsSync(unpacked)) renameSync(join(folder, 'x'), unpacked);
    return binaryOf(name, unpacked);
  } catch {
    return existsSync(binaryOf(name, unpacked)) ? binaryOf(name, unpacked) : null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Path of a program of etcd; `null`: there is none, and none could be got. Takes some seconds at first. */
export function findEtcd(name = 'etcd') {
  const named = process.env[programs[name].variable];
  if (named !== undefined && named !== '') return named;
  const kept = binaryOf(name, unpackedOf(name));
  return existsSync(kept) ? kept : unpackDebian(name);
}

if (process.argv[1] === import.meta.filename) console.log(findEtcd(process.argv[2]) ?? 'not available');
