import { FuzzCoverage } from './fuzz-coverage.ts';
import { countOf, type Finding, runSeed, signatureOf } from './fuzz-run.ts';
import { printSeed, seedOf } from './kept-seeds.ts';
import { shrink } from './shrink.ts';

/** What a process of the fuzzer tells the one that started it. */
export type FuzzMessage =
  | { readonly kind: 'ran'; readonly commands: number; readonly coverage: readonly (readonly [string, number])[] }
  /** A fault for the first time in this process, with the text of its seed file. */
  | { readonly kind: 'found'; readonly seed: number; readonly signature: string; readonly file: string }
  | { readonly kind: 'foundAgain'; readonly seed: number; readonly signature: string };

/** Seeds from `first` on, `step` apart, until the time is over. */
const [first = '1', step = '1', seconds = '60'] = process.argv.slice(2);
const end = performance.now() + Number(seconds) * 1000;
const known = new Set<string>();

const send = (message: FuzzMessage): Promise<void> =>
  new Promise((resolve) => {
    process.send?.(message, undefined, undefined, () => resolve());
  });

async function tell(finding: Finding): Promise<void> {
  const { seed } = finding;
  const signature = signatureOf(finding);
  if (known.has(signature)) {
    await send({ kind: 'foundAgain', seed, signature });
    return;
  }
  known.add(signature);
  await send({ kind: 'found', seed, signature, file: printSeed(seedOf(await shrink(finding))) });
}

for (let seed = Number(first); performance.now() < end; seed += Number(step)) {
  const coverage = new FuzzCoverage();
  const finding = await runSeed(seed, countOf(seed), coverage);
  await send({ kind: 'ran', commands: finding?.index ?? countOf(seed), coverage: [...coverage.counts] });
  if (finding !== null) await tell(finding);
}
process.disconnect?.();
