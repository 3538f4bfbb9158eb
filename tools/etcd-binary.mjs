/**
 * Where there is an etcd to test with: the one that `ETCD_BIN` names, else Debian's, which apt downloads once and
 * checks by its signature; it is unpacked below `node_modules/.cache` and needs neither root nor an installation.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const cache = join(root, 'node_modules', '.cache');
const unpacked = join(cache, 'etcd');
const binaryOf = (folder) => join(folder, 'usr', 'bin', 'etcd');
const downloadMs = 60_000;

const succeeds = (command, args, cwd) => {
  const { status } = spawnSync(command, args, { cwd, stdio: 'ignore', timeout: downloadMs });
  return status === 0;
};

/** Unpacks Debian's package beside its final place first: several processes may do so at a time. */
function unpackDebian() {
  if (process.platform !== 'linux') return null;
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'etcd-'));
  try {
    const options = ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=20'];
    if (!succeeds('apt-get', [...options, 'download', 'etcd-server'], folder)) return null;
    const archive = readdirSync(folder).find((name) => name.endsWith('.deb'));
    if (archive === undefined || !succeeds('dpkg-deb', ['-x', archive, 'x'], folder)) return null;
    if (!succeeds(binaryOf(join(folder, 'x')), ['--version'], folder)) return null;
    if (!existsSync(unpacked)) renameSync(join(folder, 'x'), unpacked);
    return binaryOf(unpacked);
  } catch {
    return existsSync(binaryOf(unpacked)) ? binaryOf(unpacked) : null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Path of an etcd; `null`: there is none, and none could be got. Takes some seconds when it is first asked. */
export function findEtcd() {
  const named = process.env.ETCD_BIN;
  if (named !== undefined && named !== '') return named;
  return existsSync(binaryOf(unpacked)) ? binaryOf(unpacked) : unpackDebian();
}

if (process.argv[1] === import.meta.filename) console.log(findEtcd() ?? 'not available');
