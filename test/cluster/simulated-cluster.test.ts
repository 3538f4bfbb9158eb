import { expect, test } from 'vitest';
import { createFoundingJournal } from './founding-journal.ts';
import { runCluster } from './simulated-cluster.ts';

/** 8 by default; more by `BOURSE_TEST_CLUSTERS`, from the seed `BOURSE_TEST_CLUSTER_SEED` on. */
const runs = Number(process.env['BOURSE_TEST_CLUSTERS'] ?? 6);
const firstSeed = Number(process.env['BOURSE_TEST_CLUSTER_SEED'] ?? 1);
type Report = Awaited<ReturnType<typeof runCluster>>;
/** What the first run came to, to be compared with another of the same seed. */
let first: Report | null = null;

test('DEC-CLU-01, DEC-CLU-02, DEC-CLU-03, DEC-CLU-11, DEC-CLU-12: through random faults a cluster loses nothing, doubles nothing and goes on', {
  timeout: 60_000 + runs * 2_000,
}, async () => {
  const founding = await createFoundingJournal();
  const sums = new Map<string, number>();
  for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
    const report: Report = await runCluster(seed, founding).catch((error: Error) => ({
      faults: [`${error.stack}`],
      counts: new Map<string, number>(),
      trace: '',
    }));
    const { faults, counts } = report;
    expect([`BOURSE_TEST_CLUSTER_SEED=${seed}`, ...faults]).toEqual([`BOURSE_TEST_CLUSTER_SEED=${seed}`]);
    for (const [what, count] of counts) sums.set(what, (sums.get(what) ?? 0) + count);
    first ??= report;
  }
  if (process.env['BOURSE_TEST_CLUSTERS'] !== undefined) console.log(Object.fromEntries(sums));
});

test('a seed gives the same run each time', async () => {
  const founding = await createFoundingJournal();
  first ??= await runCluster(firstSeed, founding);
  expect(await runCluster(firstSeed, founding)).toEqual(first);
});
