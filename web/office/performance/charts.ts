import { gauge, largest, mean, quantile, rate, type Read } from '#web/office/performance/readings.ts';

/** What the values of a chart are. */
export type Unit = 'per second' | 'milliseconds' | 'seconds' | 'count' | 'megabytes' | 'processors';

/** A line of a chart. */
export interface ChartLine {
  readonly title: string;
  readonly read: Read;
}

/** A chart of what the metrics tell. */
export interface MetricChart {
  readonly title: string;
  readonly unit: Unit;
  readonly lines: readonly ChartLine[];
}

const megabyte = 2 ** 20;
const orders = ['port="public"', 'endpoint="placeOrder"'];
const took = 'bourse_http_answer_seconds';
const synced = 'bourse_journal_sync_seconds';

/** What the page shows, in its order. Every metric is one of docs/reference/metrics.md. DEC-WEB-54. */
export const charts: readonly MetricChart[] = [
  {
    title: 'Requests',
    unit: 'per second',
    lines: [
      { title: 'public', read: rate('bourse_http_answers_total', ['port="public"']) },
      { title: 'contracts', read: rate('bourse_http_answers_total', ['port="futures"']) },
      { title: 'operators', read: rate('bourse_http_answers_total', ['port="operator"']) },
      { title: 'refused', read: rate('bourse_http_refusals_total') },
    ],
  },
  {
    title: 'Answers to orders',
    unit: 'milliseconds',
    lines: [
      { title: 'mean', read: mean(took, orders) },
      { title: '99 of 100 below', read: quantile(took, 0.99, orders) },
    ],
  },
  {
    title: 'Matching',
    unit: 'per second',
    lines: [
      { title: 'orders', read: rate('bourse_orders_accepted_total') },
      { title: 'trades', read: rate('bourse_trades_total') },
      { title: 'refused', read: rate('bourse_orders_refused_total') },
    ],
  },
  {
    title: 'Journal: time of the disk',
    unit: 'milliseconds',
    lines: [
      { title: 'mean', read: mean(synced) },
      { title: '99 of 100 below', read: quantile(synced, 0.99) },
    ],
  },
  {
    title: 'Journal: what is written',
    unit: 'per second',
    lines: [
      { title: 'batches', read: rate('bourse_journal_batches_total') },
      { title: 'entries', read: rate('bourse_journal_entries_total') },
    ],
  },
  {
    title: 'Streams',
    unit: 'count',
    lines: [
      { title: 'connections', read: gauge('bourse_stream_connections') },
      { title: 'subscriptions', read: gauge('bourse_stream_subscriptions') },
    ],
  },
  {
    title: 'Streams: what is sent',
    unit: 'per second',
    lines: [{ title: 'frames', read: rate('bourse_stream_frames_total') }],
  },
  {
    title: 'Queues: age of the oldest',
    unit: 'seconds',
    lines: [
      { title: 'withdrawals', read: largest('bourse_withdrawal_oldest_age_seconds') },
      { title: 'deposits', read: largest('bourse_deposit_oldest_age_seconds') },
      { title: 'proposals', read: largest('bourse_proposal_oldest_age_seconds') },
      { title: 'webhooks', read: largest('bourse_webhook_lag_seconds') },
    ],
  },
  {
    title: 'Queues: what waits',
    unit: 'count',
    lines: [
      { title: 'commands', read: gauge('bourse_sequencer_queued_commands') },
      { title: 'rows of history', read: gauge('bourse_history_queued_rows') },
      { title: 'entries behind', read: largest('bourse_event_lag_entries') },
    ],
  },
  {
    title: 'Memory',
    unit: 'megabytes',
    lines: [
      { title: 'process', read: gauge('bourse_memory_bytes', ['kind="resident"'], megabyte) },
      { title: 'scripts', read: gauge('bourse_memory_bytes', ['kind="heapUsed"'], megabyte) },
      { title: 'outside of scripts', read: gauge('bourse_memory_bytes', ['kind="external"'], megabyte) },
    ],
  },
  {
    title: 'Processors',
    unit: 'processors',
    lines: [
      { title: 'user', read: rate('bourse_cpu_seconds_total', ['mode="user"']) },
      { title: 'system', read: rate('bourse_cpu_seconds_total', ['mode="system"']) },
    ],
  },
  {
    title: 'Event loop: how late',
    unit: 'milliseconds',
    lines: [
      { title: '99 of 100 below', read: gauge('bourse_event_loop_delay_seconds', ['percentile="99"'], 0.001) },
      { title: 'worst', read: gauge('bourse_event_loop_delay_seconds', ['percentile="100"'], 0.001) },
    ],
  },
];
