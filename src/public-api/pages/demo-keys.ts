import type { FastifyInstance } from 'fastify';
import { askingPageOf, isOwnLocalPage } from '#http/asking-page.ts';
import type { Gateway } from '#public-api/gateway.ts';
import { pageCost } from '#http/shared-page.ts';

/**
 * Registers `/docs/demo-keys.json`, which gives the keys of the demo accounts to the reference page, in the sandbox
 * only. Answers 403 unless a page of this machine asks from this machine.
 */
export function registerDemoKeys(app: FastifyInstance, gateway: Gateway): void {
  const { demoKeys } = gateway.context;
  if (demoKeys === undefined) return;
  app.get('/docs/demo-keys.json', { config: { cost: pageCost } }, ({ raw }, reply) => {
    const isAllowed = gateway.limits.clientOf(raw).isLoopback && isOwnLocalPage(askingPageOf(raw.headers));
    return reply
      .code(isAllowed ? 200 : 403)
      .header('cache-control', 'no-store')
      .type('application/json;charset=utf-8')
      .send(JSON.stringify(isAllowed ? demoKeys : { code: 403, msg: 'Demo keys are for pages of this machine only.' }));
  });
}
