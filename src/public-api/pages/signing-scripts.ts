import type { FastifyInstance } from 'fastify';
import { apiKeysPanelScript } from '#public-api/pages/api-keys-panel.ts';
import { requestSigningScript } from '#public-api/pages/request-signing.ts';
import { pageCost } from '#http/page-cost.ts';
import { sendPage, SharedPage } from '#http/shared-page.ts';

/** Path of the plugin with which the reference page signs requests. */
export const signingPluginPath = '/docs/api-keys.js';

const scripts = {
  [signingPluginPath]: apiKeysPanelScript,
  '/docs/request-signing.js': requestSigningScript,
} as const;

/** Registers the scripts that sign requests of the reference page. */
export function registerSigningScripts(app: FastifyInstance): void {
  for (const [path, script] of Object.entries(scripts)) {
    const page = new SharedPage(script, 'text/javascript;charset=utf-8');
    app.get(path, { config: { cost: pageCost } }, (request, reply) => sendPage(request, reply, page));
  }
}
