import type { FastifyInstance } from 'fastify';
import type { Gateway } from '#public-api/gateway.ts';
import { pageCost } from '#http/shared-page.ts';

/** Loopback names and addresses with any port: the `Host` of a page of this machine. */
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** Headers with which a browser describes the requesting page. */
interface AskingPage {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** Value of `Sec-Fetch-Site`. */
  readonly site: string | undefined;
  /** `X-Forwarded-For` or `Forwarded`, which proxies add. */
  readonly forwardedFor: string | undefined;
}

/**
 * Whether the request comes from a page of this server under a loopback name. Another `Host` is a foreign name that
 * resolves to this machine (DNS rebinding); another `Origin` or site is a foreign page in a local browser. A request
 * that a proxy forwarded may come from anywhere, whether the proxy is trusted or not.
 */
export function isOwnLocalPage({ host, origin, site, forwardedFor }: AskingPage): boolean {
  if (forwardedFor !== undefined) return false;
  if (host === undefined || !loopbackHost.test(host)) return false;
  if (origin !== undefined && origin !== `http://${host}`) return false;
  return site === undefined || site === 'same-origin';
}

/**
 * Registers `/docs/demo-keys.json`, which gives the keys of the demo accounts to the reference page, in the sandbox
 * only. Answers 403 unless a page of this machine asks from this machine.
 */
export function registerDemoKeys(app: FastifyInstance, gateway: Gateway): void {
  const { demoKeys } = gateway.context;
  if (demoKeys === undefined) return;
  app.get('/docs/demo-keys.json', { config: { cost: pageCost } }, ({ raw }, reply) => {
    const { host, origin, forwarded, 'sec-fetch-site': site, 'x-forwarded-for': forwardedBy } = raw.headers;
    const forwardedFor = (forwardedBy ?? forwarded)?.toString();
    const client = gateway.limits.clientOf(raw);
    const isAllowed = client.isLoopback && isOwnLocalPage({ host, origin, site: site?.toString(), forwardedFor });
    return reply
      .code(isAllowed ? 200 : 403)
      .header('cache-control', 'no-store')
      .type('application/json;charset=utf-8')
      .send(JSON.stringify(isAllowed ? demoKeys : { code: 403, msg: 'Demo keys are for pages of this machine only.' }));
  });
}
