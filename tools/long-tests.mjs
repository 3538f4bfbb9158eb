/**
 * `npm run test:long -- [NAME ...]`: the tests that `npm test` makes short, at their full size, one after the other:
 * all of them, or those that are named. `--list` prints the names. One line for each when it ends, then the line
 * `N passed, M failed`. A variable that is set already keeps its value. Exits 1 when something failed or nothing ran.
 */
import { argumentsOf } from './arguments.mjs';
import { prepareOrExit } from './prepare.mjs';
import { runVitest } from './run-vitest.mjs';

/** Each run: what it is called, the files it runs, and the variables that make them long. */
export const longRuns = [
  { name: 'orders beside a model', files: ['test/property/engine-against-oracle'], set: { OPERATIONS: 5_000_000 } },
  { name: 'scarce money', files: ['test/property/scarce-money-against-oracle'], set: { CASES: 300_000 } },
  { name: 'simulated match', files: ['test/property/simulated-match'], set: { CASES: 300_000 } },
  { name: 'colluders', files: ['test/property/colluders'], set: { COLLUDERS: 5_000 } },
  { name: 'contracts', files: ['test/property/contracts-against-oracle'], set: { CONTRACTS: 200_000 } },
  { name: 'deposit histories', files: ['test/settlement/deposit-histories'], set: { DEPOSIT_HISTORIES: 2_000 } },
  { name: 'kills', files: ['test/crash/kill.test'], set: { KILLS: 100 } },
  { name: 'kills of a wallet', files: ['test/crash/wallet-kill'], set: { WALLET_KILLS: 100 } },
  { name: 'kills of contracts', files: ['test/crash/contract-kill'], set: { CONTRACT_KILLS: 50 } },
  { name: 'kills at system calls', files: ['test/crash/syscall-kill'], set: { SYSCALL_STEP: 1 } },
  {
    name: 'losses of power',
    files: ['test/crash/journal-faults', 'test/crash/journal-replicas'],
    set: { POWER_LOSSES: 2_000 },
  },
  { name: 'flipped bits', files: ['test/crash/journal-tail.test'], set: { FLIPS: 20_000 } },
  { name: 'random commands', files: ['test/fuzz/fuzz.test'], set: { FUZZ_GROUPS: 20 } },
  {
    name: 'markets under load',
    files: ['test/crash/markets-under-load'],
    set: { MARKET_RATE: 3000, MARKET_SECONDS: 5, MARKET_KILLS: 5 },
  },
  { name: 'broken bodies of a sandbox', files: ['test/property/sandbox-bodies'], set: { SANDBOX_BODIES: 3_000 } },
  {
    name: 'every case',
    files: [
      'test/cluster/drill.test',
      'test/commands/backup.test',
      'test/commands/refund-kill',
      'test/crash/broken-entry',
      'test/crash/journal-faults',
      'test/crash/journal-tail-move',
      'test/evm/refunds',
    ],
    set: { EVERY: 1 },
  },
  { name: 'simulated clusters', files: ['test/cluster/simulated-cluster'], set: { CLUSTERS: 1_000 } },
  { name: 'reads of a cluster', files: ['test/cluster/every-node-serves'], set: { CLUSTER_READS: 10_000 } },
  {
    name: 'withdrawals of a cluster',
    files: ['test/cluster/withdrawal-kills'],
    set: { WITHDRAWAL_KILLS: 50 },
  },
  { name: 'streams through kills', files: ['test/cluster/streams-through-kills'], set: { STREAM_KILLS: 1 } },
  { name: 'a node that joins', files: ['test/cluster/node-joins'], set: { JOIN_ORDERS: 30_000 } },
  { name: 'follower beside a model', files: ['test/cluster/follower-against-oracle'], set: { FOLLOWED: 20_000 } },
  { name: 'balancer', files: ['test/cluster/balancer'], set: { BALANCER: 1 } },
  {
    name: 'clients of a follower',
    files: ['test/api/', 'test/api-contract/', 'test/operator/', 'test/streams/', 'test/simulation/accounts-story'],
    set: { FOLLOWER: 1 },
  },
  { name: 'runbooks of a cluster', files: ['test/guides/cluster-runbooks'], set: { RUNBOOKS: 1 } },
  { name: 'shared knowledge', files: ['test/cluster/shared-knowledge'], set: { SHARED_KNOWLEDGE: 1 } },
  { name: 'clocks of a cluster', files: ['test/cluster/clock-off'], set: { CLUSTER_CLOCK: 1 } },
  { name: 'there and back', files: ['test/cluster/there-and-back'], set: { THERE_AND_BACK: 1 } },
  { name: 'playground', files: ['test/cluster/playground'], set: { PLAYGROUND: 1 } },
  {
    name: 'month of market',
    files: ['test/simulation/first-start', 'test/simulation/market-history'],
    set: { MONTH: 1 },
  },
  {
    name: 'scenarios',
    files: ['test/test-kit/market-maker', 'test/test-kit/shipped-scenarios'],
    set: { SCENARIOS: 1 },
  },
  { name: 'packed package', files: ['test/test-kit/packed-package'], set: { PACKAGE: 1 } },
  { name: 'repeated script', files: ['test/test-kit/repeated-script'], set: { SCRIPT: 1 } },
  { name: 'memory of the terminal', files: ['test/browser/terminal-memory'], set: { PAGE_PARTS: 10, EVERY: 1 } },
  { name: 'guide of operators', files: ['test/guides/run-an-exchange'], set: { GUIDE: 1 } },
];

const variablesOf = ({ set }) =>
  Object.fromEntries(
    Object.entries(set).map(([name, value]) => [
      `BOURSE_TEST_${name}`,
      process.env[`BOURSE_TEST_${name}`] ?? String(value),
    ]),
  );

async function run(names) {
  const unknown = names.filter((name) => !longRuns.some((each) => each.name === name));
  if (unknown.length > 0) {
    console.error(`No long test is called "${unknown[0]}"; --list prints the names.`);
    return 1;
  }
  prepareOrExit();
  const lines = [];
  let [passed, failed] = [0, 0];
  for (const each of longRuns.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const began = performance.now();
    const counts = await runVitest(each.files, variablesOf(each));
    const failures = counts.code !== 0 && counts.failed === 0 ? 1 : counts.failed;
    passed += counts.passed;
    failed += failures;
    const seconds = Math.round((performance.now() - began) / 1000);
    lines.push(`${failures === 0 ? 'ok    ' : 'FAILED'}  ${each.name.padEnd(24)} ${String(seconds).padStart(6)} s`);
    console.log(lines.at(-1));
  }
  console.log(`\n${lines.join('\n')}\n${passed} passed, ${failed} failed`);
  return failed > 0 || passed === 0 ? 1 : 0;
}

if (process.argv[1] === import.meta.filename) {
  const { values, positionals } = argumentsOf(
    import.meta.filename,
    { list: { type: 'boolean' } },
    { allowPositionals: true },
  );
  if (values.list) for (const each of longRuns) console.log(each.name);
  else process.exitCode = await run(positionals);
}
