export type NaiveStatus =
  | 'apply'
  | 'auditing'
  | 'manual'
  | 'wait'
  | 'processing'
  | 'packaging'
  | 'confirming'
  | 'success'
  | 'failed'
  | 'cancelled';
export type NaiveStep =
  | 'assess'
  | 'approve'
  | 'reject'
  | 'manual'
  | 'begin'
  | 'sign'
  | 'broadcast'
  | 'replace'
  | 'confirm'
  | 'fail'
  | 'displace'
  | 'postpone'
  | 'cancel';

/** Where a step leads that comes with all it needs; all else is refused. DEC-WAL-23, DEC-WAL-24. */
export const allowedSteps: Record<NaiveStatus, Partial<Record<NaiveStep, NaiveStatus>>> = {
  apply: { assess: 'auditing', cancel: 'cancelled' },
  auditing: { assess: 'manual', manual: 'manual', approve: 'wait', cancel: 'cancelled' },
  manual: { approve: 'wait', reject: 'failed', cancel: 'cancelled' },
  wait: { begin: 'processing', cancel: 'cancelled' },
  processing: { sign: 'packaging', fail: 'failed', postpone: 'wait' },
  packaging: { broadcast: 'confirming', replace: 'packaging', fail: 'failed' },
  confirming: { replace: 'confirming', confirm: 'success', displace: 'failed' },
  success: {},
  failed: {},
  cancelled: {},
};
