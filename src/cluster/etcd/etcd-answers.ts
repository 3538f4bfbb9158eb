import { z } from 'zod';
import { LogUnreachable } from '#cluster/command-log.ts';

// Answers of etcd's JSON API. Whole numbers of 64 bits come as texts; members with a zero or nothing are left out.

const whole = z.string().regex(/^\d{1,20}$/);
const header = z.object({ revision: whole.default('0') });

const keyValue = z.object({
  key: z.base64(),
  value: z.base64().default(''),
  create_revision: whole.default('0'),
  mod_revision: whole.default('0'),
  lease: z.string().default('0'),
});
/** A key with its value, both in base64. */
export type KeyValue = z.infer<typeof keyValue>;

const kvs = z.array(keyValue).nullish();

/** Of `kv/range`. */
export const rangeAnswer = z.object({ header, kvs, more: z.boolean().default(false) });
/** Of `kv/txn`; only ranges have something to say. */
export const txnAnswer = z.object({
  header,
  succeeded: z.boolean().default(false),
  responses: z.array(z.object({ response_range: z.object({ kvs }).optional() })).nullish(),
});
/** Of `kv/put` that asks for what was there before. */
export const putAnswer = z.object({ header, prev_kv: keyValue.optional() });
/** Of everything that only has a revision. */
export const headerAnswer = z.object({ header });
/** Of `lease/grant`. */
export const leaseAnswer = z.object({ ID: z.string().regex(/^-?\d{1,20}$/) });
/** Of `lease/keepalive`: without a time the lease has ended. */
export const keepAliveAnswer = z.object({ result: z.object({ TTL: whole.default('0') }) });
/** Of `lease/timetolive`: without times the lease has ended. */
export const leaseLeftAnswer = z.object({ TTL: z.string().default('0'), grantedTTL: whole.default('0') });
/** Of `maintenance/status`. */
export const statusAnswer = z.object({ dbSize: whole, dbSizeInUse: whole, errors: z.array(z.string()).nullish() });
/** Of `maintenance/alarm`. */
export const alarmAnswer = z.object({
  alarms: z.array(z.object({ memberID: whole, alarm: z.string().default('NONE') })).nullish(),
});
/** A line of `watch`. */
export const watchAnswer = z.object({
  result: z
    .object({
      header,
      created: z.boolean().default(false),
      canceled: z.boolean().default(false),
      compact_revision: whole.default('0'),
      cancel_reason: z.string().default(''),
      events: z.array(z.object({ type: z.string().default('PUT'), kv: keyValue })).nullish(),
    })
    .optional(),
  error: z.object({ message: z.string() }).optional(),
});

/** The answer in its form. @throws LogUnreachable where it has another: what was done is unknown. */
export function parseAnswer<Answer>(schema: z.ZodType<Answer>, answer: unknown): Answer {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new LogUnreachable(`etcd answered what makes no sense: ${z.prettifyError(parsed.error).slice(0, 300)}`);
}
