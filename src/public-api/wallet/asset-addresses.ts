import type { AssetRules } from '#model/asset.ts';
import type { DepositAddress } from '#model/wallet.ts';
import { refusalError } from '#http/errors.ts';
import type { Caller, EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import type { DepositAddressSource } from '#public-api/wallet/deposit-address-source.ts';
import { listedAsset, networkOf } from '#public-api/wallet/wallet-parameters.ts';
import type { SymbolDirectory } from '#market-data/symbol-directory.ts';

/** An address at which an account receives an asset; `label`: how clients call its network. */
export interface AssetAddress {
  readonly asset: AssetRules;
  readonly label: string;
  readonly address: DepositAddress;
}

/** What addresses are found and made with. */
export interface AddressDesk {
  readonly context: GatewayContext;
  readonly directory: SymbolDirectory;
  readonly source: DepositAddressSource;
}

/**
 * The caller's address for an asset on a network; makes it if there is none. DEC-WAL-72.
 * @throws ApiError 10206 where there is none and deposits are off, 10216 if custody gives no address now.
 */
export async function makeAddress(
  { context, directory, source }: AddressDesk,
  { coin, network: value }: { readonly coin: string; readonly network: string },
  { account }: Caller,
  request: EndpointRequest,
): Promise<AssetAddress> {
  const asset = listedAsset(directory, coin, 'coin');
  const network = networkOf(await context.queries.wallet.networks(), asset, { value, parameter: 'network' });
  const known = await context.queries.wallet.depositAddress(account.account, network.network);
  if (known !== null) return { asset, label: network.label, address: known };
  if (!network.depositEnabled) throw refusalError('depositsOff');
  const address = await source.addressOf(account.account, network.network, request);
  return { asset, label: network.label, address };
}

/** Addresses that the caller has for an asset, on one network or on all. */
export async function addressesOf(
  { queries: { wallet } }: GatewayContext,
  directory: SymbolDirectory,
  { coin, network: value }: { readonly coin: string; readonly network?: string | undefined },
  { account: { account } }: Caller,
): Promise<readonly AssetAddress[]> {
  const asset = listedAsset(directory, coin, 'coin');
  const networks = await wallet.networks();
  const asked =
    value === undefined
      ? networks.filter((network) => network.asset === asset.id)
      : [networkOf(networks, asset, { value, parameter: 'network' })];
  const found = asked.map(async ({ network, label }) => {
    const address = await wallet.depositAddress(account, network);
    return address === null ? [] : [{ asset, label, address }];
  });
  return (await Promise.all(found)).flat();
}
