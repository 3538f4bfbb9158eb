import type { FastifyInstance } from 'fastify';
import { TransportError } from '#http/errors.ts';
import { registerPageFiles, sendShell } from '#http/page-routes.ts';
import { pageCost } from '#http/shared-page.ts';
import { isSandbox, type OperatorContext } from '#operator-api/operator-context.ts';

/** Pages of the back office by their path: each is a name in `web/office`, and in its `office-routes.ts`. */
const pages = {
  '/': 'overview',
  '/withdrawals': 'withdrawals',
  '/deposits': 'deposits',
  '/safety': 'safety',
  '/solvency': 'solvency',
  '/accounts': 'accounts',
  '/accounts/:uid': 'account',
  '/rebates': 'rebates',
  '/bans': 'bans',
  '/rate-limits': 'rate-limits',
  '/pairs': 'pairs',
  '/fees': 'fees',
  '/coins': 'coins',
  '/coins/:asset': 'coin',
  '/rules': 'rules',
  '/contracts': 'contracts',
  '/contracts/:contract': 'contract',
  '/proposals': 'proposals',
  '/acts': 'acts',
  '/tokens': 'tokens',
  '/docs': 'reference',
  '/docs/': 'reference',
  '/docs/:operation': 'reference',
  '/webhooks': 'webhooks',
  '/backups': 'backups',
  '/performance': 'performance',
} as const;

/** Pages of the sandbox window, likewise; `web/office/sandbox/sandbox-pages.ts` has them. DEC-WEB-60. */
const sandboxPages = {
  '/sandbox/clock': 'clock',
  '/sandbox/market': 'market',
  '/sandbox/events': 'events',
  '/sandbox/states': 'states',
  '/sandbox/scenarios': 'scenarios',
  '/sandbox/requests': 'requests',
  '/sandbox/faults': 'faults',
  '/sandbox/chains': 'chains',
  '/sandbox/faucet': 'faucet',
} as const;

/**
 * Registers the back office: its pages, which hold nothing until a token is given, their files, and the reference of
 * the endpoints with these ids. DEC-WEB-08, DEC-WEB-70.
 */
export function registerOfficePages(app: FastifyInstance, context: OperatorContext, ids: ReadonlySet<string>): void {
  registerPageFiles(app, 'office');
  const profile = isSandbox(context) ? 'sandbox' : 'production';
  const served = isSandbox(context) ? { ...pages, ...sandboxPages } : pages;
  for (const [url, page] of Object.entries(served)) {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      config: { cost: pageCost },
      handler: (request, reply) => {
        const { operation } = request.params as { readonly operation?: string };
        if (operation !== undefined && !ids.has(operation)) throw new TransportError('unknownPath');
        return sendShell(request, reply, 'office', {
          title: 'Operators',
          page,
          exchange: { ...context.version, profile },
        });
      },
    });
  }
}
