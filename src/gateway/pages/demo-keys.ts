import type { FastifyInstance } from 'fastify';
import type { Gateway } from '#gateway/gateway.ts';

/** Loopback names and addresses with any port: what a page of this machine has in `Host`. */
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** What a browser tells of the page that asks. */
interface AskingPage {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** Value of `Sec-Fetch-Site`. */
  readonly site: string | undefined;
  /** `X-Forwarded-For` or `Forwarded`, which proxies add. */
  readonly forwardedFor: string | undefined;
}

/**
 * Whether a page of this very server asks, by a loopback name. Another `Host` is a foreign name that resolves to this
 * machine (DNS rebinding); another `Origin` or site is a foreign page that runs in a browser here. A request that a proxy
 * forwarded may come from anywhere, whether the proxy is trusted or not.
 */
export function isOwnLocalPage({ host, origin, site, forwardedFor }: AskingPage): boolean {
  if (forwardedFor !== undefined) return false;
  if (host === undefined || !loopbackHost.test(host)) return false;
  if (origin !== undefined && origin !== `http://${host}`) return false;
  return site === undefined || site === 'same-origin';
}

/**
 * Registers `/docs/demo-keys.json`, which hands the keys of the demo accounts to the reference page. The sandbox only:
 * elsewhere there are no such keys and no such page. Answers 403 unless a page of this machine asks from this machine.
 */
export function registerDemoKeys(app: FastifyInstance, gateway: Gateway): void {
  const { demoKeys } = gateway.context;
  if (demoKeys === undefined) return;
  app.get('/docs/demo-keys.json', ({ raw }, reply) => {
    const { host, origin, forwarded, 'sec-fetch-site': site, 'x-forwarded-for': forwardedBy } = raw.headers;
    const forwardedFor = (forwardedBy ?? forwarded)?.toString();
    const client = gateway.limits.clientOf(raw);
    const isAllowed = client.isLoopback && isOwnLocalPage({ host, origin, site: site?.toString(), forwardedFor });
    return reply
      .code(isAllowed ? 200 : 403)
      .header('cache-control', 'no-store')
      .type('application/json;charset=utf-8')
      .send(JSON.stringify(isAllowed ? demoKeys : { msg: 'Demo keys are for pages of this machine only.' }));
  });
}
