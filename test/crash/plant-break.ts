import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const project = join(import.meta.dirname, '..', '..');
/** Where the engine runs a command; it stands in the build once. */
const place = 'run(entry.command);';
const claim = `
  const { kind, order, orders } = entry.command;
  const placed = kind === 'placeOrder' ? [order] : kind === 'placeOrders' ? orders : [];
  assert(!placed.some((order) => order.quantity === 1337), 'a planted claim holds');`;

/** A copy of the build whose engine makes one claim more. */
export interface PlantedBuild {
  /** To be removed in the end. */
  readonly folder: string;
  /** What to run in place of `dist/main/bourse.js`. */
  readonly bourse: string;
}

/**
 * Copies the exchange as it was built, but for one claim that its engine makes after each command: that no order of
 * 1337 lots was in it. The product has no hook for this; threads of the process are as they were.
 */
export function plantBreak(): PlantedBuild {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-planted-'));
  // Where `dist` is a link, the copy is not: else the claim would stand in the build itself.
  const options = { recursive: true, dereference: true };
  for (const name of ['dist', 'package.json']) cpSync(join(project, name), join(folder, name), options);
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  const bourse = join(folder, 'dist', 'main', 'bourse.js');
  const text = readFileSync(bourse, 'utf8');
  if (text.split(place).length !== 2) throw new Error('there is no one place to plant a claim at');
  writeFileSync(bourse, text.replace(place, place + claim));
  return { folder, bourse };
}
