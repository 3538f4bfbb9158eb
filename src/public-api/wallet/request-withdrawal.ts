import { assert } from '#base/assert.ts';
import type { AssetRules } from '#model/asset.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { Balance } from '#model/units.ts';
import type { AssetNetwork } from '#model/wallet.ts';
import { type ApiError, refusalError } from '#http/errors.ts';
import type { Caller, EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { type Received, submit } from '#public-api/submit.ts';
import {
  type AskedDestination,
  type AskedNetwork,
  destinationOn,
  listedAsset,
  networkOf,
  readAmount,
} from '#public-api/wallet/wallet-parameters.ts';
import { amountText, type SymbolDirectory } from '#market-data/symbol-directory.ts';

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

/**
 * Asks the engine for a withdrawal of the caller; answers its public id. `confirm`: what the caller has to prove; it is
 * looked at when nothing else is wrong. @throws ApiError if it is refused, and what `confirm` throws.
 */
export async function requestWithdrawal(
  context: GatewayContext,
  directory: SymbolDirectory,
  asked: AskedWithdrawal,
  { account }: Caller,
  request: EndpointRequest,
  confirm: (() => Promise<Received>) | null = null,
): Promise<string> {
  const asset = listedAsset(directory, asked.coin, 'coin');
  const amount = readAmount(asset, asked.amount, 'wrongAmount');
  const network = networkOf(await context.queries.wallet.networks(), asset, asked.network);
  const command = {
    kind: 'requestWithdrawal',
    account: account.account,
    asset: asset.id,
    network: network.network,
    ...destinationOn(network, asked),
    amount,
    withdrawOrderId: asked.withdrawOrderId ?? null,
    remark: asked.remark ?? null,
  } as const;
  const refused = (reason: RejectReason): ApiError => {
    if (reason === 'wrongAmount') return refusalError(reason, boundsText(asset, network, amount));
    const isOfNetwork = reason === 'unknownNetwork' || reason === 'withdrawalsOff' || reason === 'depositsOff';
    return refusalError(reason, undefined, isOfNetwork ? asked.network.parameter : undefined);
  };
  const early = confirm === null ? null : await context.queries.wallet.refusalOfRequest(command);
  if (early !== null) throw refused(early);
  const { events } = await submit(context, confirm === null ? request : await confirm(), command);
  const result = events.find(
    (event) =>
      event.kind === 'withdrawalChanged' || event.kind === 'withdrawalRepeated' || event.kind === 'commandRefused',
  );
  assert(result !== undefined, 'a request to withdraw has an event with its result');
  if (result.kind !== 'commandRefused') return context.walletIds.text('withdrawal', result.withdrawal.withdrawal);
  throw refused(result.reason);
}
