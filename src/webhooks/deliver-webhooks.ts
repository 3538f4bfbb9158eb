import type { Clock, Repeat } from '#base/clock.ts';
import { startPolling } from '#base/polling.ts';
import { as, type Seq, type TimestampMs } from '#model/units.ts';
import type { Webhook } from '#model/webhook.ts';
import type { HistoryStore } from '#history/history-store.ts';
import type { WebhookEventRow } from '#history/tables/webhook-tables.ts';
import type { CommandIngress } from '#sequencer/command-ingress.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { eventBody, eventIdOf } from '#webhooks/event-body.ts';
import type { PostEvent } from '#webhooks/post-event.ts';

/** What delivery needs of the exchange. */
export interface WebhookDeliveryOptions {
  readonly ingress: CommandIngress;
  readonly queries: Pick<ExchangeQueries, 'account' | 'listing' | 'support'>;
  readonly history: Pick<HistoryStore, 'rows'>;
  /** Opens the secret of a webhook. */
  readonly unseal: (webhook: Webhook) => string;
  readonly post: PostEvent;
  /** The exchange's clock, by which events are old. */
  readonly clock: Clock;
  /** The machine's clock, which signatures tell. */
  readonly wall: Clock;
  readonly monotonic: Clock;
  readonly repeat: Repeat;
  readonly everyMs: number;
  readonly onTrouble: (what: string, error: unknown) => void;
}

/** How deliveries to a webhook went since the start. */
export interface DeliveryState {
  readonly lastSuccessAt: number | null;
  readonly lastFailureAt: number | null;
  readonly lastFailure: string | null;
  /** Since when every attempt failed; `null`: the last one did not. */
  readonly failingSince: number | null;
  /** When the oldest event happened that was tried and not delivered; `null`: there is none. */
  readonly waitingSince: number | null;
}

/** Delivery that runs. */
export interface WebhookDelivery {
  stateOf(webhook: string): DeliveryState;
  /** Of all webhooks since the start, also of those that were deleted. */
  totals(): { readonly deliveries: number; readonly failures: number };
  /** Sends a test event at once, beside the others; resolves to `null` if it was taken, else to why not. */
  test(webhook: Webhook): Promise<string | null>;
  /** Looks for events now; resolves when what was due has been tried. */
  run(): Promise<void>;
  stop(): Promise<void>;
}

const nothingDelivered: DeliveryState = {
  ...{ lastSuccessAt: null, lastFailureAt: null, lastFailure: null, failingSince: null, waitingSince: null },
};

/** Events that are read at a time. */
const rowsPerRead = 200;
/** Deliveries after which the position is recorded at the latest: so many come again after a crash. */
const deliveriesPerRecord = 20;
/** The first pause after a failure; each further one is twice as long. */
const firstPauseMs = 1000;
const longestPauseMs = 600_000;
/** A webhook is given up when an event is this old, and so many attempts in a row failed. DEC-OPR-240. */
const givenUpAfterMs = 7 * 86_400_000;
const givenUpFailures = 10;

/** What is known of the delivery to one webhook. */
class Progress {
  state = nothingDelivered;
  /** What was delivered or passed over; the engine's record follows it. */
  position: Pick<WebhookEventRow, 'at' | 'seq' | 'line'>;
  unrecorded = 0;
  failures = 0;
  nextTryAt = 0;
  running: Promise<void> | null = null;

  constructor({ at, seq, line }: Webhook) {
    this.position = { at, seq, line };
  }

  update(part: Partial<DeliveryState>): void {
    this.state = { ...this.state, ...part };
  }
}

/**
 * Starts delivery: to each webhook its events in order, the next one after the one before was taken. Where it stands is
 * journaled after deliveries, so that a crash lets some come again and none be left out. DEC-OPR-240.
 */
export function startWebhookDelivery(options: WebhookDeliveryOptions): WebhookDelivery {
  const { ingress, queries, unseal, post, clock, wall, monotonic, repeat, everyMs, onTrouble } = options;
  const { support } = queries;
  const progressOf = new Map<string, Progress>();
  const ended = new AbortController();
  const totals = { deliveries: 0, failures: 0 };

  const send = (webhook: Webhook, id: string, body: string): Promise<string | null> => {
    const timestamp = Math.floor(wall.now() / 1000);
    return post({ url: webhook.url, secret: unseal(webhook), id, timestamp, body }, ended.signal);
  };

  const record = async ({ webhook }: Webhook, progress: Progress): Promise<void> => {
    if (progress.unrecorded === 0) return;
    progress.unrecorded = 0;
    await ingress.submit({ kind: 'recordWebhookProgress', webhook, ...progress.position });
  };

  const failed = async (webhook: Webhook, progress: Progress, row: WebhookEventRow, why: string): Promise<void> => {
    const now = clock.now();
    progress.failures += 1;
    const pauseMs = Math.min(firstPauseMs * 2 ** Math.min(progress.failures - 1, 20), longestPauseMs);
    progress.nextTryAt = monotonic.now() + pauseMs;
    totals.failures += 1;
    const failingSince = progress.state.failingSince ?? now;
    progress.update({ lastFailureAt: now, lastFailure: why, failingSince, waitingSince: row.at });
    if (now - row.at < givenUpAfterMs || progress.failures < givenUpFailures) return;
    await ingress.submit({ kind: 'giveUpWebhook', webhook: webhook.webhook });
    onTrouble('delivering to a webhook, which is switched off,', new Error(`${webhook.webhook}: ${why}`));
  };

  /** Delivers what is there, in order; ends at the first failure, and where the webhook was changed. */
  const deliver = async (webhook: Webhook, progress: Progress): Promise<void> => {
    for (;;) {
      const rows = await nextRows(options, progress.position);
      for (const row of rows) {
        if (ended.signal.aborted) return record(webhook, progress);
        if (webhook.kinds.includes(row.event)) {
          const why = await send(webhook, eventIdOf(row), await eventBody(queries, row));
          if (ended.signal.aborted && why !== null) return record(webhook, progress);
          if (why !== null) {
            await record(webhook, progress);
            return failed(webhook, progress, row, why);
          }
          progress.failures = 0;
          progress.unrecorded += 1;
          totals.deliveries += 1;
          progress.update({ lastSuccessAt: clock.now(), failingSince: null, waitingSince: null });
        }
        progress.position = { at: row.at, seq: row.seq, line: row.line };
        if (progress.unrecorded >= deliveriesPerRecord) await record(webhook, progress);
        const now = await support.webhook(webhook.webhook);
        if (now === null || now.changedAt !== webhook.changedAt || !now.active) return record(webhook, progress);
      }
      await record(webhook, progress);
      if (rows.length === 0) return;
    }
  };

  const poll = async (): Promise<void> => {
    const known = await support.webhooks();
    for (const id of [...progressOf.keys()]) if (!known.some(({ webhook }) => webhook === id)) progressOf.delete(id);
    for (const webhook of known) {
      const progress = progressOf.get(webhook.webhook) ?? new Progress(webhook);
      progressOf.set(webhook.webhook, progress);
      if (!webhook.active || progress.running !== null || monotonic.now() < progress.nextTryAt) continue;
      progress.running = deliver(webhook, progress)
        .catch((error: unknown) => {
          progress.nextTryAt = monotonic.now() + longestPauseMs / 60;
          onTrouble('delivering to a webhook', error);
        })
        .finally(() => {
          progress.running = null;
        });
    }
  };
  const polling = startPolling({ what: 'delivering webhooks', poll, repeat, everyMs, skippedMax: 64, onTrouble });

  return {
    stateOf: (webhook) => progressOf.get(webhook)?.state ?? nothingDelivered,
    totals: () => ({ ...totals }),
    test: (webhook) => {
      const at = clock.now();
      const id = `test-${at}`;
      return send(webhook, id, JSON.stringify({ id, kind: 'test', at, data: {} }));
    },
    run: async () => {
      await polling.run();
      await Promise.all([...progressOf.values()].map(({ running }) => running));
    },
    stop: async () => {
      await polling.stop();
      ended.abort();
      await Promise.all([...progressOf.values()].map(({ running }) => running));
    },
  };
}

/** Events after a position, oldest first. */
async function nextRows(
  { history }: WebhookDeliveryOptions,
  { at, seq, line }: { readonly at: TimestampMs; readonly seq: Seq; readonly line: number },
): Promise<readonly WebhookEventRow[]> {
  const isLater = (row: WebhookEventRow): boolean => row.seq > seq || (row.seq === seq && row.line > line);
  const to = as<TimestampMs>(Number.MAX_SAFE_INTEGER);
  const rows = await history.rows('webhookEvents', {}, { from: at, to }, rowsPerRead);
  const later = rows.filter(isLater);
  if (later.length > 0 || rows.length < rowsPerRead) return later;
  // Everything that was read is of the position's own moment: all of that, then.
  const ofMoment = (await history.rows('webhookEvents', {}, { from: at, to: at })).filter(isLater);
  if (ofMoment.length > 0) return ofMoment;
  return history.rows('webhookEvents', {}, { from: as<TimestampMs>(at + 1), to }, rowsPerRead);
}
