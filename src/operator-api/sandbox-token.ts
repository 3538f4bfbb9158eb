import type { FastifyInstance } from 'fastify';
import { askingPageOf, isOwnLocalPage } from '#http/asking-page.ts';
import { jsonType } from '#http/fixed-headers.ts';
import type { RateLimits } from '#http/rate-limits.ts';
import { pageCost } from '#http/shared-page.ts';
import { isSandbox, type OperatorContext } from '#operator-api/operator-context.ts';

/** Where the back office of a sandbox gets its token. */
export const sandboxTokenPath = '/sandbox-token.json';

/**
 * Registers what gives the token of a sandbox to the back office, so that nobody has to copy it from `demo.json`: to
 * pages of this machine that ask from this machine, under a loopback name and without a proxy. Everybody else is
 * answered `null`. In production it is not there. DEC-WEB-53.
 */
export function registerSandboxToken(app: FastifyInstance, context: OperatorContext, limits: RateLimits): void {
  if (!isSandbox(context)) return;
  app.get(sandboxTokenPath, { config: { cost: pageCost } }, ({ raw }, reply) => {
    const isAllowed = limits.clientOf(raw).isLoopback && isOwnLocalPage(askingPageOf(raw.headers));
    return reply
      .header('cache-control', 'no-store')
      .type(jsonType)
      .send(JSON.stringify({ token: isAllowed ? context.rootToken : null }));
  });
}
