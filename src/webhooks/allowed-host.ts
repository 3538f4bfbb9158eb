import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Whom webhooks may be sent to. DEC-OPR-242. */
export interface HostRules {
  /** In a sandbox every host may be told, also over http. */
  readonly isSandbox: boolean;
  /** The only hosts, where there are any, whatever their addresses are; none: every host with a public address. */
  readonly hosts: readonly string[];
}

/** Whether an address is one of the internet, and not of this machine, its network, or a reserved range. */
export const isPublicAddress = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.parse(address).range() === 'unicast';

const isLoopbackName = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\./.test(host);

/** The name of the host of a url, without the brackets of an address. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').toLowerCase();

/** Why nothing may be sent to a url, a clause that begins with `must`; `null`: it may. Names are not looked up. */
export function faultOfUrl(text: string, { isSandbox, hosts }: HostRules): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return 'must be a url that begins with https://';
  if (url.username !== '' || url.password !== '') return 'must not have a user name or password';
  if (url.hash !== '') return 'must not have a fragment';
  const host = hostOf(url);
  const isNamed = hosts.includes(host);
  if (hosts.length > 0 && !isNamed) return 'must be of a host of the setting webhookHosts';
  const mayBePlain = isSandbox || (isNamed && isLoopbackName(host));
  if (url.protocol === 'http:' && !mayBePlain) return 'must begin with https://';
  const isHidden = isLoopbackName(host) || (isIP(host) !== 0 && !isPublicAddress(host));
  return isHidden && !isSandbox && !isNamed
    ? 'must be of a public address, or of a host of the setting webhookHosts'
    : null;
}

/**
 * Finds the addresses of a host for the very connection that is made then, and refuses one that is not public: a name
 * may have been given another address since it was looked at.
 */
export const guardedLookup =
  ({ isSandbox, hosts }: HostRules): LookupFunction =>
  (host, options, found) => {
    const isTrusted = isSandbox || hosts.includes(host.toLowerCase());
    lookup(host, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) found(error ?? new Error('the host has no address'), []);
      else if (!isTrusted && !addresses.every(({ address }) => isPublicAddress(address)))
        found(new Error('the host has an address that is not public'), []);
      else if (options.all === true) found(null, addresses);
      else found(null, first.address, first.family);
    });
  };
