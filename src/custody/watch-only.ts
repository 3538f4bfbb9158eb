import { readFileSync } from 'node:fs';
import { canonicalAddress, checkAddress, deriveAddress, readDepositKey } from '#custody/addresses/addresses.ts';
import { networkCodes, type Network } from '#custody/addresses/networks.ts';
import type { ChainAddress, NetworkCustody } from '#custody/custody.ts';

/**
 * Where the deposit addresses of a network come from: an account's extended public key, a file with one address a line,
 * or one address that all depositors share, each with a memo of its own.
 */
export interface WatchOnlySettings {
  readonly network: string;
  readonly key?: string | undefined;
  readonly addressFile?: string | undefined;
  readonly sharedAddress?: string | undefined;
}

/** The settings of custody cannot be used; the message says which and why. */
export class CustodyMisconfigured extends Error {
  override name = 'CustodyMisconfigured';
}

/** The first memo of a shared address. */
const firstMemo = 100_000_000;

/**
 * Custody that hands out addresses and looks at no chain: an operator reports what arrived and pays by hand what is to
 * be sent. DEC-WAL-22. @throws CustodyMisconfigured
 */
export function createWatchOnlyCustody(settings: WatchOnlySettings): NetworkCustody {
  const { network } = settings;
  const { addressAt, addressCountMax } = addressesOf(settings);
  return {
    network,
    isPaying: false,
    addressCountMax,
    isReading: false,
    depositAddress: async (index) => addressAt(index),
    observe: async ({ since }) => ({ position: since ?? 'watch-only', height: 0, fork: null, payments: [] }),
    // Nobody reads this chain, so nothing changes: whoever reported a payment reports what becomes of it.
    placesOf: async (payments) => payments.map(() => null),
    sign: async () => ({
      kind: 'refused',
      until: 'later',
      reason: `${network} is watch-only: an operator has to pay this withdrawal`,
    }),
    readSigned: async () => ({ fault: 'is on a network where nothing is signed' }),
    send: async () => {},
    fateOf: async () => ({ kind: 'waiting' }),
    replacementFor: async () => null,
    sentPayments: async () => ({ final: [], waiting: [] }),
    describePayment: async () => null,
    sweep: async () => {},
    sweepsSince: async (position) => ({ position: position ?? 'watch-only', sweeps: [] }),
    status: async () => ({ head: null, wallets: [] }),
    holdings: async () => [],
  };
}

/** Addresses of a network, and how many there are; `null`: there is no end. */
interface AddressSource extends Pick<NetworkCustody, 'addressCountMax'> {
  readonly addressAt: (index: number) => ChainAddress | null;
}

function addressesOf(settings: WatchOnlySettings): AddressSource {
  const { key, addressFile, sharedAddress } = settings;
  const network = knownNetwork(settings.network);
  const given = [key, addressFile, sharedAddress].filter((source) => source !== undefined);
  if (given.length !== 1) throw new CustodyMisconfigured(`${network}: give one of key, addressFile and sharedAddress`);
  if (key !== undefined) return { addressAt: derivedFrom(network, key), addressCountMax: null };
  if (addressFile !== undefined) return listedIn(network, addressFile);
  return { addressAt: sharedOn(network, sharedAddress as string), addressCountMax: null };
}

function knownNetwork(code: string): Network {
  const network = networkCodes.find((each) => each === code);
  if (network === undefined)
    throw new CustodyMisconfigured(`${code} is no network whose addresses are known: ${networkCodes.join(', ')}`);
  return network;
}

function derivedFrom(network: Network, text: string): (index: number) => ChainAddress {
  const key = readDepositKey(network, text);
  if ('fault' in key) throw new CustodyMisconfigured(`${network}: ${key.fault}`);
  return (index) => ({ address: deriveAddress(network, key, index), memo: null });
}

/** Reads the whole file at the start, so that a bad line is told of before anybody is given an address. */
function listedIn(network: Network, path: string): AddressSource {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.trim());
  const addresses = lines.filter((line) => line !== '').map((line, at) => canonicalLine(network, line, at));
  if (new Set(addresses).size !== addresses.length)
    throw new CustodyMisconfigured(`${network}: ${path} has an address twice`);
  const addressAt = (index: number): ChainAddress | null => {
    const address = addresses[index];
    return address === undefined ? null : { address, memo: null };
  };
  return { addressAt, addressCountMax: addresses.length };
}

function canonicalLine(network: Network, line: string, at: number): string {
  const address = canonicalAddress(network, line);
  if (address === null)
    throw new CustodyMisconfigured(`${network}: address ${at + 1} of the file is none of ${network}`);
  return address;
}

function sharedOn(network: Network, text: string): (index: number) => ChainAddress {
  const address = canonicalAddress(network, text);
  if (address === null) throw new CustodyMisconfigured(`${network}: sharedAddress is no address of ${network}`);
  const fault = checkAddress(network, address, String(firstMemo));
  if (fault !== null)
    throw new CustodyMisconfigured(`${network}: its addresses cannot be shared: the memo ${fault.reason}`);
  return (index) => ({ address, memo: String(firstMemo + index) });
}
