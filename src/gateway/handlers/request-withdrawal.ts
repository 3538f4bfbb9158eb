import { assert } from '#base/assert.ts';
import type { AssetRules } from '#domain/asset.ts';
import type { Balance } from '#domain/units.ts';
import { walletIdText } from '#domain/wallet-id.ts';
import type { AssetNetwork } from '#domain/wallet.ts';
import { refusalError } from '#api/errors.ts';
import type { Caller, EndpointRequest } from '#gateway/endpoint-request.ts';
import type { GatewayContext } from '#gateway/gateway-context.ts';
import { submit } from '#gateway/handlers/submit.ts';
import {
  type AskedDestination,
  type AskedNetwork,
  destinationOn,
  listedAsset,
  networkOf,
  readAmount,
} from '#gateway/handlers/wallet-terms.ts';
import { amountText, type SymbolDirectory } from '#projections/symbol-directory.ts';

/** A withdrawal as endpoints are asked for it. */
export interface AskedWithdrawal extends AskedDestination {
  readonly coin: string;
  readonly network: AskedNetwork;
  readonly amount: string;
  readonly withdrawOrderId?: string | undefined;
  readonly remark?: string | undefined;
}

/** Which bound an amount breaks, in the words of the answer. */
function boundsText(asset: AssetRules, network: AssetNetwork, amount: Balance): string {
  const text = (value: Balance): string => `${amountText(asset, value)} ${asset.code}`;
  if (amount < network.withdrawMin) return `at least ${text(network.withdrawMin)} on ${network.network}`;
  if (amount > network.withdrawMax) return `at most ${text(network.withdrawMax)} on ${network.network}`;
  return `must be a multiple of ${text(network.withdrawStep)}`;
}

/** Asks the engine for a withdrawal of the caller; answers its public id. @throws ApiError if it is refused. */
export async function requestWithdrawal(
  context: GatewayContext,
  directory: SymbolDirectory,
  asked: AskedWithdrawal,
  { account }: Caller,
  request: EndpointRequest,
): Promise<string> {
  const asset = listedAsset(directory, asked.coin, 'coin');
  const amount = readAmount(asset, asked.amount, 'wrongAmount');
  const network = networkOf(await context.queries.wallet.networks(), asset, asked.network);
  const { events } = await submit(context, request, {
    kind: 'requestWithdrawal',
    account: account.account,
    asset: asset.id,
    network: network.network,
    ...destinationOn(network, asked),
    amount,
    withdrawOrderId: asked.withdrawOrderId ?? null,
    remark: asked.remark ?? null,
  });
  const result = events.find(
    (event) =>
      event.kind === 'withdrawalChanged' || event.kind === 'withdrawalRepeated' || event.kind === 'commandRefused',
  );
  assert(result !== undefined, 'a request to withdraw has an event with its result');
  if (result.kind !== 'commandRefused') return walletIdText('withdrawal', result.withdrawal.withdrawal);
  const { reason } = result;
  if (reason === 'wrongAmount') throw refusalError(reason, boundsText(asset, network, amount));
  const isOfNetwork = reason === 'unknownNetwork' || reason === 'withdrawalsOff';
  throw refusalError(reason, undefined, isOfNetwork ? asked.network.parameter : undefined);
}
