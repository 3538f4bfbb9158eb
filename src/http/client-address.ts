import ipaddr from 'ipaddr.js';
import { BoundedCache } from '#base/bounded-cache.ts';

/** A parsed address. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A set of addresses and CIDR ranges. */
export interface AddressRanges {
  readonly isEmpty: boolean;
  includes(address: Address): boolean;
}

/** The address of a client. */
export interface ClientAddress {
  /** As text, IPv4-mapped IPv6 as IPv4. API keys are bound to it. */
  readonly text: string;
  /** Key that limits count by: the address, for IPv6 its /64. DEC-REQ-29. */
  readonly bucket: string;
  readonly isLoopback: boolean;
  readonly parsed: Address;
}

const ipv6PrefixBits = 64;

/** Parses dotted IPv4 and IPv6 only: no octal, hexadecimal or shortened forms of IPv4. */
function parseAddress(text: string): Address | null {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare);
  if (!ipaddr.IPv6.isValid(bare)) return null;
  const address = ipaddr.IPv6.parse(bare);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

type Range = readonly [Address, number];

const prefixForm = /^(?:0|[1-9]\d{0,2})$/;

function parseRange(text: string): Range | null {
  const slash = text.indexOf('/');
  const address = parseAddress(slash < 0 ? text : text.slice(0, slash));
  if (address === null) return null;
  const whole = address.kind() === 'ipv4' ? 32 : 128;
  if (slash < 0) return [address, whole];
  const prefix = text.slice(slash + 1);
  const bits = prefixForm.test(prefix) ? Number(prefix) : whole + 1;
  return bits <= whole ? [address, bits] : null;
}

/** An address range: its kind, its first address, and how many bits all its addresses share. */
export interface AddressRange {
  readonly kind: 'ipv4' | 'ipv6';
  readonly first: string;
  readonly bits: number;
}

/** Reads an address or CIDR range; `null`: it is none. */
export function readAddressRange(text: string): AddressRange | null {
  const range = parseRange(text);
  return range === null ? null : { kind: range[0].kind(), first: firstOfRange(range[0], range[1]), bits: range[1] };
}

/** @throws RangeError for a text that is neither an address nor a CIDR range. */
export function addressRanges(texts: readonly string[]): AddressRanges {
  const ranges = texts.map((text) => {
    const range = parseRange(text);
    if (range === null) throw new RangeError(`not an address or CIDR range: ${text}`);
    return range;
  });
  return {
    isEmpty: ranges.length === 0,
    includes: (address) =>
      ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network as never, bits)),
  };
}

/** The first address of the range that an address is in. */
export function firstOfRange(address: Address, bits: number): string {
  const bytes = address.toByteArray();
  const kept = bytes.map((byte, at) => byte & (0xff00 >> Math.min(8, Math.max(0, bits - 8 * at))) & 0xff);
  return ipaddr.fromByteArray(kept).toString();
}

/**
 * Why a key cannot be bound to an address or CIDR range, as a clause; `null`: it can. A range of everything binds
 * nothing; bits beside the prefix and zones of one machine are mistakes that would be found too late. DEC-REQ-148.
 */
export function bindingFault(text: string): string | null {
  const range = parseRange(text);
  if (range === null) return 'must be an address or a CIDR range';
  if (text.includes('%')) return 'must have no zone';
  const [address, bits] = range;
  if (bits === 0) return 'must not be a range of all addresses';
  const first = firstOfRange(address, bits);
  return first === address.toString() ? null : `must begin with the first address of its range: ${first}/${bits}`;
}

const widestBits = { ipv4: 8, ipv6: 16 } as const;
const loopback = { ipv4: ipaddr.parse('127.0.0.1'), ipv6: ipaddr.parse('::1') } as const;

/**
 * The normal form of an address or CIDR range that can be banned, and what is wrong with it as a clause, `null`:
 * nothing. Addresses are those that limits count by: IPv6 by its /64. DEC-OPR-176.
 */
export function bannableRange(text: string): { readonly normal: string; readonly fault: string | null } {
  const wrong = bindingFault(text);
  const range = parseRange(text);
  if (wrong !== null || range === null) return { normal: text, fault: wrong };
  const [address, sentBits] = range;
  const kind = address.kind();
  const isOne = !text.includes('/');
  const bits = kind === 'ipv6' && isOne ? ipv6PrefixBits : sentBits;
  const first = firstOfRange(address, bits);
  const normal = bits === 32 && kind === 'ipv4' ? first : `${first}/${bits}`;
  const faultOf = (): string | null => {
    if (bits < widestBits[kind]) return `must not be wider than /${widestBits[kind]}`;
    if (kind === 'ipv6' && bits > ipv6PrefixBits) return `must not be narrower than /${ipv6PrefixBits}`;
    if (firstOfRange(loopback[kind], bits) === first) return 'must not have the addresses of this machine itself';
    return null;
  };
  return { normal, fault: faultOf() };
}

/** Whether `text` is an address: four decimal parts, or IPv6 with or without brackets. */
export const isAddress = (text: string): boolean => parseAddress(text) !== null;

/** Whether `text` is an address or CIDR range. */
export const isAddressRange = (text: string): boolean => parseRange(text) !== null;

function describe(parsed: Address): ClientAddress {
  const text = parsed.toString();
  const isLoopback = parsed.range() === 'loopback';
  if (parsed.kind() === 'ipv4') return { text, bucket: text, isLoopback, parsed };
  const network = [...parsed.toByteArray().slice(0, ipv6PrefixBits / 8), 0, 0, 0, 0, 0, 0, 0, 0];
  return { text, bucket: `${ipaddr.fromByteArray(network).toString()}/${ipv6PrefixBits}`, isLoopback, parsed };
}

const nowhere = describe(ipaddr.IPv4.parse('0.0.0.0'));

/**
 * Finds the client of a request: the peer of the socket, or, if that is a trusted proxy, the last address in
 * X-Forwarded-For that is not a trusted proxy. Addresses left of it are not trusted, because clients can send any.
 */
export class ClientAddresses {
  readonly #trusted: AddressRanges;
  readonly #known = new BoundedCache<string, ClientAddress>({ entriesKept: 5000 });

  constructor(trustedProxies: readonly string[]) {
    this.#trusted = addressRanges(trustedProxies);
  }

  /** Size of the cache of parsed addresses, at most 10,000. */
  get known(): number {
    return this.#known.size;
  }

  /** Parses the address of a socket or header; `null` for anything else. */
  of(text: string): ClientAddress | null {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const parsed = parseAddress(text);
    if (parsed === null) return null;
    const address = describe(parsed);
    this.#known.set(text, address);
    return address;
  }

  isTrusted(address: ClientAddress): boolean {
    return !this.#trusted.isEmpty && this.#trusted.includes(address.parsed);
  }

  /** `forwarded`: value of X-Forwarded-For, if any. */
  clientOf(peer: string | undefined, forwarded: string | undefined): ClientAddress {
    let client = (peer === undefined ? null : this.of(peer)) ?? nowhere;
    if (forwarded === undefined || !this.isTrusted(client)) return client;
    const hops = forwarded.split(',');
    for (let at = hops.length - 1; at >= 0 && this.isTrusted(client); at -= 1) {
      const hop = this.of((hops[at] as string).trim());
      if (hop === null) break;
      client = hop;
    }
    return client;
  }
}
