import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** A Node of another version. */
export interface NodeBinary {
  readonly version: string;
  readonly path: string;
}

const majors = [22, 24] as const;
const cache = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'nodes');

/**
 * Nodes of the newer versions that the package is to run on, from packages of the registry that bring the program as it
 * is. They are kept in a cache folder. What cannot be had is told, and left out.
 */
export async function nodeBinaries(): Promise<readonly NodeBinary[]> {
  const found: NodeBinary[] = [];
  for (const major of majors) {
    const folder = join(cache, String(major));
    const name = `node-${process.platform}-${process.arch}`;
    const path = join(folder, 'node_modules', name, 'bin', 'node');
    if (!existsSync(path)) {
      mkdirSync(folder, { recursive: true });
      const args = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', `${name}@${major}`];
      spawnSync('npm', args, { stdio: 'ignore', timeout: 120_000 });
    }
    if (existsSync(path)) found.push({ version: `Node ${major}`, path });
    else console.warn(`\nNode ${major} is not to be had: nothing was run on it.\n`);
  }
  return found;
}
