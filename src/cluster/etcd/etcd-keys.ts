import type { Seq } from '#model/units.ts';

const digits = 16;

/** The keys of one exchange. */
export interface EtcdKeys {
  /** All begin with it. */
  readonly prefix: string;
  readonly foundation: string;
  readonly head: string;
  readonly leader: string;
  readonly handover: string;
  readonly applied: string;
  /** Asks the leader to end its term. */
  readonly stepDown: string;
  /** How the cluster ended. */
  readonly end: string;
  /** Of the batch that ends with entry `last`, so that keys from a position on are all that follows it. */
  batch(last: Seq): string;
  readonly batches: string;
  node(name: string): string;
  readonly nodes: string;
}

/** Keys under `/bourse/` and the exchange's name. */
export function keysOf(exchange: string): EtcdKeys {
  const prefix = `/bourse/${exchange}/`;
  return {
    prefix,
    foundation: `${prefix}foundation`,
    head: `${prefix}head`,
    leader: `${prefix}leader`,
    handover: `${prefix}handover`,
    applied: `${prefix}applied`,
    stepDown: `${prefix}step-down`,
    end: `${prefix}end`,
    batch: (last) => `${prefix}batch/${String(last).padStart(digits, '0')}`,
    batches: `${prefix}batch/`,
    node: (name) => `${prefix}node/${name}`,
    nodes: `${prefix}node/`,
  };
}

/** The first key after all that begin with `prefix`. */
export const endOf = (prefix: string): string =>
  prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);

/** A text or bytes as etcd's JSON carries them. */
export const toBase64 = (value: string | Uint8Array): string =>
  (typeof value === 'string'
    ? Buffer.from(value, 'utf8')
    : Buffer.from(value.buffer, value.byteOffset, value.length)
  ).toString('base64');
/** The bytes that etcd's JSON carries. */
export const fromBase64 = (text: string): Uint8Array => Buffer.from(text, 'base64');
/** The text that etcd's JSON carries. */
export const textOfBase64 = (text: string): string => Buffer.from(text, 'base64').toString('utf8');

/** Parts of a transaction: what must hold, and what is done then. */
export const txn = {
  isUnchanged: (key: string, modRevision: string) => ({
    key: toBase64(key),
    target: 'MOD',
    result: 'EQUAL',
    mod_revision: modRevision,
  }),
  wasCreatedAt: (key: string, createRevision: string) => ({
    key: toBase64(key),
    target: 'CREATE',
    result: 'EQUAL',
    create_revision: createRevision,
  }),
  isAbsent: (key: string) => txn.wasCreatedAt(key, '0'),
  put: (key: string, value: Uint8Array, lease?: string) => ({
    request_put: { key: toBase64(key), value: toBase64(value), ...(lease === undefined ? {} : { lease }) },
  }),
  get: (key: string) => ({ request_range: { key: toBase64(key) } }),
  delete: (key: string) => ({ request_delete_range: { key: toBase64(key) } }),
  deleteFrom: (key: string, end: string) => ({
    request_delete_range: { key: toBase64(key), range_end: toBase64(end) },
  }),
};
