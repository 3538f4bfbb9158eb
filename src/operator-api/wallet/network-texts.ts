import { canonicalAddress, checkAddress, normalTransactionId } from '#custody/addresses/addresses.ts';
import { type Network, networkCodes } from '#custody/addresses/networks.ts';
import { invalidBody, invalidParameter, noNormalForm } from '#operator-api/requests/problems.ts';

const isNetwork = (code: string): code is Network => networkCodes.some((known) => known === code);

/**
 * The code of a network whose addresses this exchange can read.
 * @throws Problem naming `network` of the path.
 */
export function readNetworkCode(code: string): Network {
  if (!isNetwork(code)) throw invalidParameter('network', `must be one of ${networkCodes.join(', ')}`);
  return code;
}

/** The contract of a token as it is compared. @throws Problem naming the member. */
export function canonicalContract(network: Network, contract: string, pointer: string): string {
  const canonical = canonicalAddress(network, contract);
  if (canonical === null) throw invalidBody(pointer, `must be an address of ${network}`);
  return canonical;
}

/** An address of a network, with its memo. */
export interface AddressText {
  readonly network: string;
  readonly address: string;
  readonly memo: string | null;
}

/**
 * A payable address in canonical form.
 * @throws Problem naming `/network`, `/address` or `/memo`.
 */
export function readAddress({ network, address, memo }: AddressText): AddressText {
  if (!isNetwork(network)) throw invalidBody('/network', `must be one of ${networkCodes.join(', ')}`);
  const fault = checkAddress(network, address, memo);
  if (fault !== null) throw noNormalForm(`/${fault.part}`, fault.reason);
  return { network, address: canonicalAddress(network, address) ?? address, memo: memo === '' ? null : memo };
}

/** A transaction's id as it is compared. @throws Problem naming `/txId`. DEC-WAL-100. */
export function readTransactionId(network: string, text: string): string {
  const normal = isNetwork(network) ? normalTransactionId(network, text) : null;
  if (normal === null) throw noNormalForm('/txId', `is not the id of a transaction of ${network}`);
  return normal;
}

/** An address as it is compared; text that is no address of the network stays as it is, and is found nowhere. */
export const canonicalAddressOf = (network: string, address: string): string =>
  (isNetwork(network) ? canonicalAddress(network, address) : null) ?? address;

/** A transaction's id as it is compared; text that is no such id of the network stays as it is, likewise. */
export const transactionIdOf = (network: string, text: string): string =>
  (isNetwork(network) ? normalTransactionId(network, text) : null) ?? text;
