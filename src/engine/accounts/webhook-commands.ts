import { engineLimits } from '#model/limits.ts';
import type { Webhook } from '#model/webhook.ts';
import { refuse, type CommandFunction } from '#engine/money/command-function.ts';
import type { EngineState } from '#engine/state/state.ts';

const idPattern = /^[0-9a-f]{16}$/;
const { webhookUrlLength, webhookSecretLength } = engineLimits;

const isFit = ({ url, kinds }: Pick<Webhook, 'url' | 'kinds'>): boolean =>
  url.length > 0 && url.length <= webhookUrlLength && kinds.length > 0 && new Set(kinds).size === kinds.length;

function put(state: EngineState, next: Webhook): void {
  state.webhooks.put(next);
  state.emit.fact({ kind: 'webhookChanged', webhook: next });
}

const createWebhook: CommandFunction<'createWebhook'> = (state, { webhook, url, kinds, sealedSecret }) => {
  const { webhooks, at, progress } = state;
  const isSealed = sealedSecret.length > 0 && sealedSecret.length <= webhookSecretLength;
  if (!idPattern.test(webhook) || webhooks.find(webhook) !== null || !isSealed || !isFit({ url, kinds }))
    refuse(state, 'invalidConfiguration');
  else if (webhooks.count >= engineLimits.webhooks) refuse(state, 'tooManyWebhooks');
  else {
    const never = { deliveredAt: null, givenUpAt: null };
    const begin = { createdAt: at, changedAt: at, at, seq: progress.seq, line: 0, ...never };
    put(state, { webhook, url, kinds: [...kinds], active: true, sealedSecret, ...begin });
  }
};

const changeWebhook: CommandFunction<'changeWebhook'> = (state, { webhook, url, kinds, active }) => {
  const known = state.webhooks.find(webhook);
  if (known === null) refuse(state, 'unknownWebhook');
  else if (!isFit({ url, kinds })) refuse(state, 'invalidConfiguration');
  else {
    const givenUpAt = active ? null : known.givenUpAt;
    put(state, { ...known, url, kinds: [...kinds], active, changedAt: state.at, givenUpAt });
  }
};

const deleteWebhook: CommandFunction<'deleteWebhook'> = (state, { webhook }) => {
  if (state.webhooks.find(webhook) === null) refuse(state, 'unknownWebhook');
  else {
    state.webhooks.delete(webhook);
    state.emit.fact({ kind: 'webhookDeleted', webhook });
  }
};

const recordWebhookProgress: CommandFunction<'recordWebhookProgress'> = (state, { webhook, at, seq, line }) => {
  const known = state.webhooks.find(webhook);
  if (known === null) refuse(state, 'unknownWebhook');
  else if (seq > state.progress.seq || at > state.at || !(seq > known.seq || (seq === known.seq && line > known.line)))
    refuse(state, 'wrongState');
  else put(state, { ...known, at, seq, line, deliveredAt: state.at });
};

const giveUpWebhook: CommandFunction<'giveUpWebhook'> = (state, { webhook }) => {
  const known = state.webhooks.find(webhook);
  if (known === null) refuse(state, 'unknownWebhook');
  else if (!known.active) refuse(state, 'wrongState');
  else put(state, { ...known, active: false, changedAt: state.at, givenUpAt: state.at });
};

/** The functions of commands about webhooks. DEC-OPR-238, DEC-OPR-240. */
export const webhookCommands = {
  createWebhook,
  changeWebhook,
  deleteWebhook,
  recordWebhookProgress,
  giveUpWebhook,
};
