import type { FastifyInstance } from 'fastify';
import { apiKeysPanelScript } from '#gateway/pages/api-keys-panel.ts';
import { requestSigningScript } from '#gateway/pages/request-signing.ts';

/** Address of the plugin that lets the reference page sign requests. */
export const signingPluginPath = '/docs/api-keys.js';

const scripts = {
  [signingPluginPath]: apiKeysPanelScript,
  '/docs/request-signing.js': requestSigningScript,
} as const;

/** Registers the scripts with which the reference page signs requests. */
export function registerSigningScripts(app: FastifyInstance): void {
  for (const [path, script] of Object.entries(scripts)) {
    app.get(path, (_request, reply) => reply.type('text/javascript;charset=utf-8').send(script));
  }
}
