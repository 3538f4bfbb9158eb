import type { FastifyInstance } from 'fastify';
import { registerPageFiles, sendShell } from '#http/page-routes.ts';
import { pageCost } from '#http/shared-page.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';

/** Pages of the back office by their path: each is a name in `web/office`. */
const pages = {
  '/': 'overview',
} as const;

/** Registers the back office: its pages, which hold nothing until a token is given, and their files. DEC-WEB-08. */
export function registerOfficePages(app: FastifyInstance, { version }: OperatorContext): void {
  registerPageFiles(app, 'office');
  for (const [url, page] of Object.entries(pages)) {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      config: { cost: pageCost },
      handler: (request, reply) =>
        sendShell(request, reply, 'office', {
          title: 'Operators',
          page,
          exchange: { ...version, profile: 'production' },
        }),
    });
  }
}
