import { FuzzCoverage } from './fuzz-coverage.ts';
import { type Finding, runSeed, signatureOf } from './fuzz-run.ts';
import { shrink } from './shrink.ts';

/** Seed after seed, `step` apart, until the parent ends it or the time is over; tells the parent what was met. */
const [first = '1', step = '1', seconds = '60', size = '3000'] = process.argv.slice(2);
const end = performance.now() + Number(seconds) * 1000;
const known = new Set<string>();

async function tell(finding: Finding): Promise<void> {
  const signature = signatureOf(finding);
  if (known.has(signature)) {
    process.send?.({ kind: 'again', signature, seed: finding.seed });
    return;
  }
  known.add(signature);
  process.send?.({ kind: 'finding', signature, finding: plain(await shrink(finding)) });
}

/** Big integers and client ids do not pass from process to process as they are. */
const plain = (finding: Finding): unknown =>
  JSON.parse(JSON.stringify(finding, (_name, value) => (typeof value === 'bigint' ? `${value}n` : value)));

for (let seed = Number(first); performance.now() < end; seed += Number(step)) {
  const coverage = new FuzzCoverage();
  const count = Number(size);
  const finding = await runSeed(seed, count, coverage);
  process.send?.({ kind: 'ran', commands: finding?.index ?? count, coverage: [...coverage.counts] });
  if (finding !== null) await tell(finding);
}
process.disconnect?.();
