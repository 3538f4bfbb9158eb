import { type Metrics, sumOf } from '#web/office/data/exposition.ts';

/** Something that an operator has to look at. */
export interface Alarm {
  readonly text: string;
  /** Where it is looked at. */
  readonly href: string;
}

interface Watched extends Alarm {
  readonly metric: string;
  readonly isAlarm: (value: number) => boolean;
}

const isOne = (value: number): boolean => value > 0;

const watched: readonly Watched[] = [
  {
    metric: 'bourse_ready',
    isAlarm: (value) => value === 0,
    text: 'The exchange takes no commands.',
    href: '/metrics',
  },
  {
    metric: 'bourse_ledger_balanced',
    isAlarm: (value) => value === 0,
    text: 'The ledger does not add up.',
    href: '/solvency',
  },
  { metric: 'bourse_network_held', isAlarm: isOne, text: 'Withdrawals of a network are held.', href: '/safety' },
  { metric: 'bourse_network_unknown_payments', isAlarm: isOne, text: 'Payments wait for a booking.', href: '/safety' },
  {
    metric: 'bourse_network_lost_payments',
    isAlarm: isOne,
    text: 'Payments were lost in a reorganisation.',
    href: '/safety',
  },
  { metric: 'bourse_network_stopped', isAlarm: isOne, text: 'A network is not looked at any more.', href: '/safety' },
  {
    metric: 'bourse_withdrawals_waiting_for_funds',
    isAlarm: isOne,
    text: 'Withdrawals wait for funds of the hot wallet.',
    href: '/safety',
  },
  {
    metric: 'bourse_proposals_open',
    isAlarm: isOne,
    text: 'Proposals wait for a second operator.',
    href: '/proposals',
  },
  {
    metric: 'bourse_clock_stops_order_entry',
    isAlarm: isOne,
    text: 'The clock leapt: order entry waits.',
    href: '/metrics',
  },
  {
    metric: 'bourse_snapshot_failures_total',
    isAlarm: isOne,
    text: 'A snapshot could not be written.',
    href: '/metrics',
  },
  {
    metric: 'bourse_quarantined_tails_total',
    isAlarm: isOne,
    text: 'A part of the journal was taken out.',
    href: '/metrics',
  },
  { metric: 'bourse_history_lost', isAlarm: isOne, text: 'History cannot be written.', href: '/metrics' },
  { metric: 'bourse_webhooks_failing', isAlarm: isOne, text: 'A webhook cannot be delivered to.', href: '/metrics' },
];

/** What these metrics give cause to look at. */
export const alarmsOf = (metrics: Metrics): readonly Alarm[] =>
  watched.flatMap(({ metric, isAlarm, text, href }) => {
    const value = sumOf(metrics, metric);
    return value !== null && isAlarm(value) ? [{ text, href }] : [];
  });
