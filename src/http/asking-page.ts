import { isAddress } from '#http/client-address.ts';

/*
 * Which pages a browser asks for. A browser tells the name that it believes to ask, and where the asking page is from:
 * a page cannot change either. Programs send what they like, so this keeps out pages, and tokens keep out programs.
 */

/** Loopback names and addresses with any port: the `Host` of a page of this machine. */
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

const hostForm = /^(?<name>\[[0-9a-f:.]{2,45}\]|[^:[\]\s]{1,253})(?::\d{1,5})?$/i;

/**
 * Answers whether a `Host` is that of a server with these names. Foreign is a name that its owner lets resolve to this
 * machine, so that pages of his may read what it answers (DNS rebinding). An address cannot be made to mean another
 * one, and `localhost` is of this machine; a request without `Host` is of no browser. DEC-OPR-222.
 */
export function ownHosts(names: readonly string[]): (host: string | undefined) => boolean {
  const known = new Set(['localhost', ...names.map((name) => name.toLowerCase())]);
  return (host) => {
    if (host === undefined) return true;
    const name = hostForm.exec(host)?.groups?.['name']?.toLowerCase();
    return name !== undefined && (known.has(name) || isAddress(name));
  };
}

/** Headers with which a browser describes the requesting page. */
export interface AskingPage {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** Value of `Sec-Fetch-Site`. */
  readonly site: string | undefined;
  /** `X-Forwarded-For` or `Forwarded`, which proxies add. */
  readonly forwardedFor: string | undefined;
}

/** What the headers of a request say about the page that sent it. */
export function askingPageOf(headers: Readonly<Record<string, string | readonly string[] | undefined>>): AskingPage {
  const { host, origin, forwarded, 'sec-fetch-site': site, 'x-forwarded-for': forwardedBy } = headers;
  return {
    host: host?.toString(),
    origin: origin?.toString(),
    site: site?.toString(),
    forwardedFor: (forwardedBy ?? forwarded)?.toString(),
  };
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
