import { expect, test } from 'vitest';
import { AppendTimes } from '#cluster/append-times.ts';
import { ClusterMonitor } from '#cluster/cluster-monitor.ts';
import type { Leader, NodeStatus } from '#cluster/command-log.ts';
import { type ClusterMetricParts, clusterMetrics, clusterSource } from '#main/metrics/cluster-metrics.ts';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { scrapeOf } from '#test/scraped-metrics.ts';

let now = 0;
const clock = { now: () => now };
const leaderOf = (node: string, epoch: number): Leader => ({ node, epoch: as(epoch), address: '', build: '' });
const own = {
  head: as<Seq>(120),
  journaled: as<Seq>(110),
  applied: as<Seq>(90),
  quorumSilentMs: 2500,
  clockOffsetMs: -1500,
};
const statusOf = (node: string, isCandidate: boolean): NodeStatus => ({
  ...{ node, address: '', build: '', isCandidate, newestRules: 1, commandFormat: 1 },
  ...{ journaled: as<Seq>(1), applied: as<Seq>(1) },
});

function partsOf(monitor: ClusterMonitor, changes: Partial<ReturnType<ClusterMonitor['state']>> = {}) {
  return {
    state: () => ({ ...monitor.state(own), ...changes }),
    linkCounts: () => ({ connected: 2, fetching: 1, wrongKey: 3, unproven: 7 }),
    isLeaderConnected: true,
    times: new AppendTimes(() => now),
  } satisfies ClusterMetricParts;
}

test('DEC-CLU-18: an exchange by itself tells nothing of a cluster', async () => {
  expect((await scrapeOf(clusterSource(undefined))).samples).toEqual([]);
});

test('DEC-CLU-18: a follower tells how far it is behind, and since when the quorum is silent', async () => {
  const monitor = new ClusterMonitor('one', clock);
  monitor.follows(leaderOf('two', 7));
  const scrape = await scrapeOf(clusterSource(partsOf(monitor)));
  expect([scrape.value('bourse_cluster_leader'), scrape.value('bourse_cluster_led')]).toEqual([0, 1]);
  expect(scrape.value('bourse_cluster_epoch')).toBe(7);
  expect(scrape.value('bourse_cluster_lag_entries', { position: 'journaled' })).toBe(10);
  expect(scrape.value('bourse_cluster_lag_entries', { position: 'applied' })).toBe(30);
  expect(scrape.value('bourse_cluster_quorum_silence_seconds')).toBe(2.5);
  expect(scrape.value('bourse_cluster_clock_offset_seconds')).toBe(-1.5);
  expect(scrape.value('bourse_cluster_link_connections')).toBe(2);
  expect(scrape.value('bourse_cluster_link_refusals_total', { reason: 'wrongKey' })).toBe(3);
  expect(scrape.value('bourse_cluster_leader_connected')).toBe(1);
  // The quorum was not asked yet, and this node never took over.
  for (const unknown of ['log_bytes', 'log_bytes_max', 'log_full', 'nodes', 'take_over_seconds'])
    expect(scrape.samples.map(({ name }) => name)).not.toContain(`bourse_cluster_${unknown}`);
});

test('DEC-CLU-18: a leader tells how long nobody led, how long appends take and what the log refused', async () => {
  const monitor = new ClusterMonitor('one', clock);
  const size = { bytes: 5, most: 9, isFull: true };
  const nodes = [statusOf('one', true), statusOf('two', true), statusOf('three', false)];
  const parts = partsOf(monitor, { size, nodes });
  now = 1000;
  monitor.follows(leaderOf('two', 7));
  monitor.follows(null);
  now = 3200;
  monitor.follows(leaderOf('one', 8));
  now = 3400;
  monitor.leads();
  for (const ms of [3, 30, 9000])
    await parts.times.measure(async () => {
      now += ms;
    });
  await expect(parts.times.measure(() => Promise.reject(new Error('moved')))).rejects.toThrow('moved');
  parts.times.takenBack();
  const scrape = await scrapeOf(clusterSource(parts));
  expect(scrape.value('bourse_cluster_leader')).toBe(1);
  expect(scrape.value('bourse_cluster_take_over_seconds')).toBe(2.4);
  expect(scrape.value('bourse_cluster_append_seconds_bucket', { le: '0.005' })).toBe(1);
  expect(scrape.value('bourse_cluster_append_seconds_bucket', { le: '5' })).toBe(2);
  expect(scrape.value('bourse_cluster_append_seconds_count')).toBe(3);
  expect(scrape.value('bourse_cluster_batches_taken_back_total')).toBe(1);
  expect(scrape.value('bourse_cluster_log_bytes')).toBe(5);
  expect(scrape.value('bourse_cluster_log_bytes_max')).toBe(9);
  expect(scrape.value('bourse_cluster_log_full')).toBe(1);
  expect(scrape.value('bourse_cluster_nodes', { role: 'candidate' })).toBe(2);
  expect(scrape.value('bourse_cluster_nodes', { role: 'learner' })).toBe(1);
  const told = new Set(scrape.samples.map(({ name }) => name.replace(/_(bucket|sum|count)$/, '')));
  expect([...told].sort()).toEqual(Object.keys(clusterMetrics.metrics).sort());
});

test('DEC-CLU-18: a leader that comes back before anybody led in between was no gap of this node', async () => {
  const monitor = new ClusterMonitor('one', clock);
  monitor.follows(leaderOf('two', 1));
  monitor.follows(null);
  now += 900;
  monitor.follows(leaderOf('two', 2));
  monitor.follows(leaderOf('one', 3));
  monitor.leads();
  expect((await scrapeOf(clusterSource(partsOf(monitor)))).value('bourse_cluster_take_over_seconds')).toBeNull();
});
