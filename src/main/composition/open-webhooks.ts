import { type Clock, repeatedly, type Repeat, wallClock } from '#base/clock.ts';
import type { Webhook } from '#model/webhook.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import type { ExchangeCore } from '#main/composition/exchange-core.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import { type SecretSeal, webhookAssociatedData } from '#main/secrets/secret-seal.ts';
import { faultOfUrl } from '#webhooks/allowed-host.ts';
import { startWebhookDelivery, type WebhookDelivery } from '#webhooks/deliver-webhooks.ts';
import { createPostEvent } from '#webhooks/post-event.ts';

/** Time between two polls for events. */
const everyMs = 500;

/** What webhooks stand on. */
export interface WebhookParts {
  readonly config: Pick<Configuration, 'profile' | 'webhookHosts'>;
  readonly core: ExchangeCore;
  readonly seal: SecretSeal;
  /** The exchange's clock. */
  readonly clock: Clock;
  /** By which pauses after failures pass. */
  readonly looks: Clock;
  readonly onTrouble: (what: string, error: unknown) => void;
}

/** Webhooks of a running exchange: their delivery, and what the operator API asks of it. */
export interface OpenWebhooks {
  readonly delivery: Pick<WebhookDelivery, 'stateOf' | 'totals'>;
  readonly controls: OperatorContext['webhooks'];
  /** Begins to deliver. */
  start(): void;
  /** Ends deliveries after what they are at. */
  stop(): Promise<void>;
}

/** Polls by the machine's time, from `begin` on. */
function repeatedlyOnceBegun(): { readonly repeat: Repeat; readonly begin: () => void } {
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  return {
    begin,
    repeat: (everyMs, run) => {
      let isOver = false;
      let end = (): void => {};
      void begun.then(() => {
        if (!isOver) end = repeatedly(everyMs, run);
      });
      return () => {
        isOver = true;
        end();
      };
    },
  };
}

/**
 * Delivers events to webhooks by the machine's time, also while the clock of a sandbox stands; failures are followed by
 * pauses of the exchange's time. DEC-OPR-238, DEC-KIT-06.
 */
export function openWebhooks({ config, core, seal, clock, looks, onTrouble }: WebhookParts): OpenWebhooks {
  const rules = { isSandbox: config.profile === 'sandbox', hosts: config.webhookHosts };
  const unseal = ({ webhook, sealedSecret }: Webhook): string =>
    seal.unseal(sealedSecret, webhookAssociatedData(webhook));
  const { repeat, begin } = repeatedlyOnceBegun();
  const delivery = startWebhookDelivery({
    ...{ ingress: core.sequencer, queries: core.queries, history: core.history, unseal, clock, everyMs, onTrouble },
    post: createPostEvent(rules),
    wall: wallClock,
    monotonic: looks,
    repeat,
  });
  return {
    delivery,
    controls: {
      stateOf: delivery.stateOf,
      test: delivery.test,
      faultOfUrl: (url) => faultOfUrl(url, rules),
      seal: (webhook, secret) => seal.seal(secret, webhookAssociatedData(webhook)),
    },
    start: begin,
    stop: () => delivery.stop(),
  };
}
