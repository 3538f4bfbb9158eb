import { signal } from '@preact/signals';

/** The withdrawal that is shown beside the queue; `null`: none. */
export const chosenWithdrawal = signal<number | null>(null);
