import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { placeOrder } from './orders.mjs';
import { Rest } from './rest.mjs';

const bourse = join(import.meta.dirname, '..', '..', 'dist', 'main', 'bourse.js');
const startSeconds = 60;

/** Starts an empty exchange with keys made from a seed, on free ports and a directory of its own. */
export async function startSandbox({ seed = 'ci', more = [] } = {}) {
  const data = mkdtempSync(join(tmpdir(), 'bourse-ci-'));
  const args = [
    'start',
    '--data',
    data,
    '--port',
    '0',
    '--operator-port',
    '0',
    '--no-simulate',
    '--seed',
    seed,
    ...more,
  ];
  const child = spawn(process.execPath, [bourse, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  const stop = async () => {
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
    rmSync(data, { recursive: true, force: true });
  };
  // The file is written, whole, once the exchange takes orders. A new directory has no old one.
  const path = join(data, 'demo.json');
  for (const end = Date.now() + startSeconds * 1000; !existsSync(path); await sleep(50)) {
    if (child.exitCode === null && Date.now() < end) continue;
    await stop();
    throw new Error(`the exchange did not start within ${startSeconds} s`);
  }
  const demo = JSON.parse(readFileSync(path, 'utf8'));
  const rest = (name) => {
    const { apiKey, secretKey } = demo.accounts.find((account) => account.name === name);
    return new Rest({ base: demo.base_url, apiKey, secretKey });
  };
  return { demo, data, rest, stop };
}

/**
 * Puts `levels` orders on each side around a price, each a tick further away: something to trade against. Funding a
 * book again needs another `name`.
 */
export async function fundBook(rest, { symbol, price, tick, quantity, levels, name = 'fund' }) {
  const decimals = (String(tick).split('.')[1] ?? '').length;
  for (let level = 1; level <= levels; level += 1) {
    for (const [side, sign] of [
      ['BUY', -1],
      ['SELL', 1],
    ]) {
      const text = (price + sign * level * tick).toFixed(decimals);
      const newClientOrderId = `${name}-${side}-${level}`;
      await placeOrder(rest, { symbol, side, type: 'LIMIT', quantity, price: text, newClientOrderId });
    }
  }
}
