import type { z } from 'zod';
import type { Webhook } from '#model/webhook.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import type { webhookEndpoints } from '#operator-api/operators/webhook-endpoints.ts';
import { pageByText } from '#operator-api/requests/paging.ts';
import { invalidBody, Problem } from '#operator-api/requests/problems.ts';

type Endpoints = typeof webhookEndpoints;
type Answer = z.input<Endpoints['getWebhook']['answer']>;

const idBytes = 8;
const secretBytes = 32;
const idPattern = /^[0-9a-f]{16}$/;

/** Handlers of webhooks. DEC-OPR-238. */
export function webhookHandlers({ queries, webhooks, newSecret }: OperatorContext): HandlersOf<Endpoints> {
  const { support } = queries;
  const shown = ({ webhook: id, url, kinds, active, createdAt, changedAt, ...rest }: Webhook): Answer => {
    const { waitingSince: _, lastSuccessAt, ...state } = webhooks.stateOf(id);
    const { seq, at, deliveredAt, givenUpAt } = rest;
    return {
      ...{ id, url, kinds: [...kinds], active, createdAt, changedAt, position: { seq, at }, ...state, givenUpAt },
      lastSuccessAt: lastSuccessAt ?? deliveredAt,
    };
  };
  const find = async (id: string): Promise<Webhook> => {
    const found = await support.webhook(id);
    if (found === null) throw new Problem('unknownWebhook');
    return found;
  };
  const checkUrl = (url: string): void => {
    const fault = webhooks.faultOfUrl(url);
    if (fault !== null) throw invalidBody('/url', fault);
  };
  return {
    listWebhooks: async ({ query }) =>
      pageByText(await support.webhooks(), query, { item: shown, key: ({ webhook }) => webhook, pattern: idPattern }),
    getWebhook: async ({ path }) => shown(await find(path.id)),
    createWebhook: async ({ body: { url, kinds }, act }) => {
      checkUrl(url);
      const webhook = newSecret('webhook', idBytes).toString('hex');
      const secret = newSecret('webhook secret', secretBytes).toString('hex');
      const sealedSecret = webhooks.seal(webhook, secret);
      await act({ kind: 'createWebhook', webhook, url, kinds, sealedSecret });
      return { ...shown(await find(webhook)), secret };
    },
    changeWebhook: async ({ path, body: { url, kinds, active }, act }) => {
      checkUrl(url);
      await act({ kind: 'changeWebhook', webhook: path.id, url, kinds, active });
      return shown(await find(path.id));
    },
    deleteWebhook: async ({ path, act }) => {
      await act({ kind: 'deleteWebhook', webhook: path.id });
      return { id: path.id };
    },
    testWebhook: async ({ path }) => {
      const failure = await webhooks.test(await find(path.id));
      return { delivered: failure === null, failure };
    },
  };
}
