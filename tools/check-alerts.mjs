/**
 * `npm run check:alerts`: looks at the configuration of Prometheus and its alerts, and runs their unit tests, with
 * promtool: Debian's package `prometheus` has it, and so has every release of Prometheus. `PROMTOOL` names another one
 * than that of the path. Exits 1 where something is wrong, 2 where there is no promtool.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const promtool = process.env.PROMTOOL ?? 'promtool';
const at = (name) => join(root, 'deploy', 'prometheus', name);
const checks = [
  ['check', 'config', at('prometheus.yml')],
  ['check', 'rules', '--lint-fatal', at('alerts.yml')],
  ['test', 'rules', at('alerts.test.yml')],
];

for (const args of checks) {
  const { error, status } = spawnSync(promtool, args, { stdio: 'inherit' });
  if (error?.code === 'ENOENT') {
    console.error(
      `There is no ${promtool}: alerts were not checked. Install Debian's package prometheus, or name the file of ` +
        'another promtool in PROMTOOL.',
    );
    process.exit(2);
  }
  if (status !== 0) process.exit(1);
}
