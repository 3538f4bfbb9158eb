import { noopSink } from '#model/event-record.ts';
import { collectGarbage } from './harness.ts';
import { generateW1 } from './w1-workload.ts';
import { withOwnedCancels, workloadOfW1 } from './workload.ts';
import { emptyExchange, WorkloadFeed } from './workload-exchange.ts';

/** Prints how many bytes of resident memory each of so many resting orders adds to an exchange that was empty. */
const resting = Number(process.argv[2]);
const workload = withOwnedCancels(workloadOfW1(generateW1({ limits: 6, depth: resting, seed: 3 }), 10_000));
const engine = emptyExchange(workload);
const feed = new WorkloadFeed(workload);
feed.run(engine, noopSink, 0, 2000);
collectGarbage();
const before = process.memoryUsage.rss();
feed.run(engine, noopSink, 2000, resting);
collectGarbage();
console.log((process.memoryUsage.rss() - before) / (resting - 2000));
