import { flag, integer, list, oneOf, text, time } from '#model/codec/field-codec.ts';
import { command } from '#model/commands/command-declaration.ts';
import type { Seq } from '#model/units.ts';
import { webhookKinds } from '#model/webhook.ts';

/** Commands about webhooks. */
export const webhookCommands = {
  /** It is told of what happens from now on. DEC-OPR-238. */
  createWebhook: command(128, {
    webhook: text(),
    url: text(),
    kinds: list(oneOf(webhookKinds)),
    sealedSecret: text(),
  }),
  /** One that is switched on goes on where it stopped. */
  changeWebhook: command(129, { webhook: text(), url: text(), kinds: list(oneOf(webhookKinds)), active: flag }),
  deleteWebhook: command(130, { webhook: text() }),
  /** What was delivered, up to this event: only forward. DEC-OPR-240. */
  recordWebhookProgress: command(131, { webhook: text(), at: time(), seq: integer<Seq>(), line: integer() }),
  /** Switches one off that failed for too long. */
  giveUpWebhook: command(132, { webhook: text() }),
};
