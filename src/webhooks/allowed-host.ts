import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Whom webhooks may be sent to. DEC-OPR-242. */
export interface HostRules {
  /** In a sandbox every host may be told, also over http. */
  readonly isSandbox: boolean;
  /** The only hosts, where there are any, whatever their addresses are; none: every host with a public address. */
  readonly hosts: readonly string[];
}

/** By version: a list of both takes addresses of version 4 for those of 6 that stand for them. */
const refused = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [network, prefix] of [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
  ] as const),
  ...([
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
  ] as const),
  ...([
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ] as const),
])
  refused.ipv4.addSubnet(network, prefix, 'ipv4');
// Also addresses that stand for those of version 4: nobody needs them to name a host.
for (const [network, prefix] of [
  ...([
    ['::', 96],
    ['::ffff:0:0', 96],
    ['64:ff9b::', 96],
    ['64:ff9b:1::', 48],
    ['100::', 64],
    ['2001::', 23],
  ] as const),
  ...([
    ['2001:db8::', 32],
    ['2002::', 16],
    ['fc00::', 7],
    ['fe80::', 10],
    ['fec0::', 10],
    ['ff00::', 8],
  ] as const),
])
  refused.ipv6.addSubnet(network, prefix, 'ipv6');

/** Whether an address is one of the internet, and not of this machine, its network, or a reserved range. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  const family = version === 4 ? 'ipv4' : 'ipv6';
  return version !== 0 && !refused[family].check(address, family);
}

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
