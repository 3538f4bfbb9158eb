import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { filesPath, registerPageFiles, sendShell } from '#http/page-routes.ts';
import { pageCost } from '#http/shared-page.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';

/** A page of `web/pages` by its name, with the title that stands until its script runs. */
interface ShellPage {
  readonly name: string;
  readonly title: string;
}

/** Path of the first page. */
export const marketsPath = '/';
const markets: ShellPage = { name: 'markets', title: 'Markets' };

/** The other pages by the first part of their path; what comes behind it is for their scripts. */
const pages: Readonly<Record<string, ShellPage>> = {
  trade: { name: 'trade', title: 'Trade' },
  contracts: { name: 'contracts', title: 'Contracts' },
  wallet: { name: 'wallet', title: 'Wallet' },
  account: { name: 'account', title: 'Account' },
};

/** Whether a path is of the pages that are built from `web/`. DEC-WEB-01. */
export function isShellPage(path: string): boolean {
  if (path.startsWith(filesPath)) return true;
  const end = path.indexOf('/', 1);
  return Object.hasOwn(pages, path.slice(1, end < 0 ? undefined : end));
}

/** What the scripts of the pages know of this exchange before they ask. Everybody may read it. DEC-WEB-02. */
function exchangeFacts(context: GatewayContext): object {
  const { version, settings, demoKeys, operatorUrl } = context;
  const { spot, futures } = context.baseUrls?.() ?? { spot: '', futures: '' };
  const isSandbox = settings.profile === 'sandbox';
  return {
    ...version,
    profile: settings.profile,
    keyHeader: settings.keyHeader,
    futuresUrl: futures === spot ? '' : futures,
    hasDemoKeys: isSandbox && demoKeys !== undefined,
    operatorUrl: isSandbox ? (operatorUrl?.() ?? null) : null,
  };
}

/** Sends the document of a page. */
function sendPageOf(
  { name, title }: ShellPage,
  context: GatewayContext,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  return (request, reply) => {
    const exchange = exchangeFacts(context);
    const { futuresUrl } = exchange as { readonly futuresUrl: string };
    const connections = futuresUrl === '' ? [] : [new URL(futuresUrl).origin];
    return sendShell(request, reply, 'public', { title, page: name, exchange, connections });
  };
}

/** The document of the first page. */
export const sendMarketsPage = (
  context: GatewayContext,
): ((request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) => sendPageOf(markets, context);

/** Registers the pages that are built from `web/`, but for the first one, and their files. DEC-WEB-01. */
export function registerShellPages(app: FastifyInstance, context: GatewayContext): void {
  registerPageFiles(app, 'public');
  for (const [part, page] of Object.entries(pages)) {
    const handler = sendPageOf(page, context);
    for (const url of [`/${part}`, `/${part}/*`]) {
      app.route({ method: ['GET', 'HEAD'], url, config: { cost: pageCost }, handler });
    }
  }
}
