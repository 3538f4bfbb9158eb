import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { TransportError } from '#http/errors.ts';
import { filesPath, registerPageFiles, sendShell } from '#http/page-routes.ts';
import { pageCost } from '#http/shared-page.ts';
import { groups } from '#public-api/catalogue.ts';
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

const reference: ShellPage = { name: 'reference', title: 'REST API' };
/** Path below which the reference has a page for each endpoint. */
export const referencePath = '/docs';
const streams: ShellPage = { name: 'streams', title: 'Streams' };
/** Path of the page about the websocket. */
const streamsPath = '/docs/streams';

/** Whether a path is of the pages that are built from `web/`, but for those of the reference. DEC-WEB-01. */
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

type PageHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Sends the document of a page. */
function sendPageOf({ name, title }: ShellPage, context: GatewayContext): PageHandler {
  return (request, reply) => {
    const exchange = exchangeFacts(context);
    const { futuresUrl } = exchange as { readonly futuresUrl: string };
    const connections = futuresUrl === '' ? [] : [new URL(futuresUrl).origin];
    return sendShell(request, reply, 'public', { title, page: name, exchange, connections });
  };
}

/** The document of the first page. */
export const sendMarketsPage = (context: GatewayContext): PageHandler => sendPageOf(markets, context);

/** Registers the pages of the reference: all endpoints, each by its id, and the websocket. DEC-WEB-70. */
function registerReferencePages(app: FastifyInstance, context: GatewayContext): void {
  const ids = new Set(groups.flatMap(({ endpoints }) => Object.keys(endpoints)));
  const sendReference = sendPageOf(reference, context);
  const handlers: Readonly<Record<string, PageHandler>> = {
    [referencePath]: sendReference,
    [`${referencePath}/`]: sendReference,
    [streamsPath]: sendPageOf(streams, context),
    [`${referencePath}/:operation`]: (request, reply) => {
      const { operation } = request.params as { readonly operation: string };
      if (!ids.has(operation)) throw new TransportError('unknownPath');
      return sendReference(request, reply);
    },
  };
  for (const [url, handler] of Object.entries(handlers))
    app.route({ method: ['GET', 'HEAD'], url, config: { cost: pageCost }, handler });
}

/** Registers the pages that are built from `web/`, but for the first one, and their files. DEC-WEB-01. */
export function registerShellPages(app: FastifyInstance, context: GatewayContext): void {
  registerPageFiles(app, 'public');
  registerReferencePages(app, context);
  for (const [part, page] of Object.entries(pages)) {
    const handler = sendPageOf(page, context);
    for (const url of [`/${part}`, `/${part}/*`]) {
      app.route({ method: ['GET', 'HEAD'], url, config: { cost: pageCost }, handler });
    }
  }
}
