import type { Standing } from '#web/design/facts.tsx';

/** What a number of a status means to people. */
export interface StateWords {
  readonly text: string;
  readonly standing: Standing;
  /** More, where that is not plain. */
  readonly why?: string;
}

const deposits: Readonly<Record<number, StateWords>> = {
  1: { text: 'Below the minimum', standing: 'open', why: 'It is credited once further deposits reach the minimum.' },
  2: { text: 'Delayed', standing: 'open' },
  3: { text: 'Held: large', standing: 'open', why: 'An operator looks at it.' },
  4: { text: 'Confirming', standing: 'open' },
  5: { text: 'Credited', standing: 'good' },
  6: { text: 'In review', standing: 'open', why: 'An operator looks at it.' },
  7: { text: 'Rejected', standing: 'bad' },
  8: { text: 'Refunded', standing: 'bad' },
  9: { text: 'Nearly credited', standing: 'open' },
  10: { text: 'Unknown memo', standing: 'bad', why: 'An operator looks at it.' },
  11: { text: 'Restricted', standing: 'bad', why: 'The account may not receive at the moment.' },
  12: { text: 'Completed', standing: 'good' },
};

const withdrawals: Readonly<Record<number, StateWords>> = {
  1: { text: 'Requested', standing: 'open' },
  2: { text: 'In review', standing: 'open', why: 'It is checked against the limits.' },
  3: { text: 'Waiting', standing: 'open', why: 'It is sent soon.' },
  4: { text: 'Processing', standing: 'open' },
  5: { text: 'Signed', standing: 'open' },
  6: { text: 'Confirming', standing: 'open' },
  7: { text: 'Done', standing: 'good' },
  8: { text: 'Failed', standing: 'bad', why: 'The money was given back.' },
  9: { text: 'Cancelled', standing: 'bad', why: 'The money was given back.' },
  10: { text: 'Waits for approval', standing: 'open', why: 'An operator looks at it.' },
};

const unknown = (status: number): StateWords => ({ text: `State ${status}`, standing: '' });

/** What the status of a deposit means. */
export const depositState = (status: number): StateWords => deposits[status] ?? unknown(status);
/** What the status of a withdrawal means. */
export const withdrawalState = (status: number): StateWords => withdrawals[status] ?? unknown(status);

/** Statuses to choose from, with their words. */
export const depositStates = Object.entries(deposits).map(([status, { text }]) => ({ value: status, text }));
/** As `depositStates`, of withdrawals. */
export const withdrawalStates = Object.entries(withdrawals).map(([status, { text }]) => ({ value: status, text }));

/** Whether a user may still cancel a withdrawal. */
export const mayCancel = (status: number): boolean => [1, 2, 3, 10].includes(status);
