import { parseDecimal } from '#base/decimal.ts';
import { canonicalAddress, checkAddress } from '#custody/addresses/addresses.ts';
import { type Network, networkCodes } from '#custody/addresses/networks.ts';
import type { AssetRules } from '#model/asset.ts';
import type { AssetId, Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { AssetNetwork } from '#model/wallet.ts';
import { ApiError, type ErrorName, invalidParameter, missingParameter } from '#http/errors.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { amountText, type SymbolDirectory } from '#market-data/symbol-directory.ts';

/*
 * What requests of the wallet name, read against what is listed: assets, amounts, networks and addresses. Everything
 * else about money is judged by the engine.
 */

/** The asset of a parameter. @throws ApiError 10232 if it is not listed. */
export function listedAsset(directory: SymbolDirectory, code: string, parameter: string): AssetRules {
  return required(directory.findAsset(code), parameter);
}

/** The asset of a filter that need not be sent: one that was delisted too. @throws ApiError 10232. DEC-OPR-172. */
export const filterAsset = (directory: SymbolDirectory, code: string | undefined): { readonly asset?: AssetId } =>
  code === undefined ? {} : { asset: required(directory.findAssetEver(code), 'coin').id };

function required(found: AssetRules | undefined, parameter: string): AssetRules {
  if (found === undefined) throw new ApiError('unknownCurrency', { parameter });
  return found;
}

/**
 * An amount of an asset. `tooMuch`: the error for more than can exist of it.
 * @throws ApiError 10102 unless it is above zero, 10096 for more decimals than the asset has. DEC-REQ-22.
 */
export function readAmount(asset: AssetRules, text: string, tooMuch: ErrorName): Balance {
  if (text.startsWith('-') || !/[1-9]/.test(text)) throw new ApiError('amountNotPositive', { parameter: 'amount' });
  const amount = parseDecimal(text, asset.scale);
  if (amount === 'malformed') throw invalidParameter('amount', 'must be a plain decimal');
  if (amount === 'tooManyDecimals') {
    const why = `${asset.code} has ${asset.scale} decimals`;
    throw new ApiError('tooManyAmountDecimals', { parameter: 'amount', why });
  }
  if (amount > asset.cap) {
    const why = `there is at most ${amountText(asset, asset.cap)} ${asset.code}`;
    throw new ApiError(tooMuch, { parameter: 'amount', why });
  }
  return as<Balance>(amount);
}

const knownNetworks: ReadonlySet<string> = new Set(networkCodes);

/** What a request says about the network: the value, and the parameter it stands in. */
export interface AskedNetwork {
  readonly value: string | undefined;
  readonly parameter: string;
}

/**
 * The network of an asset that a request names by code or label; the only one if it names none. DEC-WAL-08, DEC-WAL-12.
 * @throws ApiError 44444 if it names none of several, 33333 for one that the asset is not on, 10206 if there is none.
 * DEC-WAL-76.
 */
export function networkOf(
  networks: readonly AssetNetwork[],
  asset: AssetRules,
  { value, parameter }: AskedNetwork,
): AssetNetwork {
  const ofAsset = networks.filter((network) => network.asset === asset.id && knownNetworks.has(network.network));
  const [only] = ofAsset;
  if (only === undefined) {
    throw new ApiError('transferDisabled', { parameter, why: `${asset.code} is on no network` });
  }
  if (value === undefined) {
    if (ofAsset.length > 1) throw missingParameter(parameter);
    return only;
  }
  const found = ofAsset.find(({ network }) => network === value) ?? ofAsset.find((network) => network.label === value);
  if (found !== undefined) return found;
  const codes = ofAsset.map(({ network }) => network).join(', ');
  throw invalidParameter(parameter, `${asset.code} is on ${codes}`);
}

/** Where a request wants to pay to. */
export interface AskedDestination {
  readonly address: string;
  readonly memo?: string | undefined;
  readonly contractAddress?: string | undefined;
}

/**
 * The destination in canonical form. SPEC-WAL-04, DEC-WAL-06, DEC-WAL-75, DEC-WAL-174.
 * @throws ApiError 33333 for an address, memo or contract that is not of the network.
 */
export function destinationOn(
  { network, contract }: AssetNetwork,
  { address, memo, contractAddress }: AskedDestination,
): { readonly address: string; readonly memo: string | null } {
  const code = network as Network;
  if (contractAddress !== undefined && (canonicalAddress(code, contractAddress) ?? contractAddress) !== contract) {
    const why = contract === null ? `the native coin of ${network} has none` : `on ${network} it is ${contract}`;
    throw invalidParameter('contractAddress', why);
  }
  const fault = checkAddress(code, address, memo ?? null);
  const canonical = canonicalAddress(code, address);
  if (fault !== null || canonical === null) {
    throw invalidParameter(fault?.part ?? 'address', `it ${fault?.reason ?? 'is none of this network'}`);
  }
  if (contract !== null && canonical === (canonicalAddress(code, contract) ?? contract)) {
    throw invalidParameter('address', 'it is the contract of the asset, which gives nothing back');
  }
  return { address: canonical, memo: memo === '' ? null : (memo ?? null) };
}

/** What histories call a network of an asset, given its code. */
export type NetworkNames = (asset: AssetId, network: string) => string;

/**
 * Networks by their labels; a code that is no longer listed stands for itself. Stock clients read codes: with
 * `modelHabits` they are answered. DEC-WAL-74.
 */
export async function networkNames({ queries, settings }: GatewayContext): Promise<NetworkNames> {
  if (settings.modelHabits) return (_asset, network) => network;
  const networks = await queries.wallet.networks();
  const labels = new Map(networks.map(({ asset, network, label }) => [`${asset} ${network}`, label]));
  return (asset, network) => labels.get(`${asset} ${network}`) ?? network;
}

/** Numbers of an answer by pages. DEC-WAL-71. */
export const pageNumbers = (total: number, page: number, limit: number) => ({
  totalRecords: total,
  page,
  totalPageNum: Math.ceil(total / limit),
});
