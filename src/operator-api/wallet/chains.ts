import type { z } from 'zod';
import { parseDecimal } from '#base/decimal.ts';
import { NetworkUnavailable } from '#custody/custody.ts';
import {
  ChainControlRefused,
  type ChainControls,
  type SimulatedNetworkState,
} from '#custody/simulated/chain-controls.ts';
import type { chainEndpoints } from '#operator-api/wallet/chain-endpoints.ts';
import { accountOfUid } from '#operator-api/accounts/find-account.ts';
import { giveAddress } from '#operator-api/wallet/give-address.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import { listedAssets } from '#operator-api/wallet/listed-assets.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { invalidBody, invalidParameter, Problem } from '#operator-api/requests/problems.ts';
import { createRequestMemory } from '#operator-api/requests/act.ts';

type Endpoints = typeof chainEndpoints;

const shown = (state: SimulatedNetworkState): z.input<Endpoints['getChain']['answer']> => ({
  network: state.network,
  height: state.height,
  hash: state.hash,
  mempoolSize: state.mempoolSize,
  nextBlockAt: state.nextBlockAt,
  delayBlocks: state.delayBlocks,
});

/** What a control refuses, as a problem: `network` stands in the path, everything else in the body. */
function chainProblem(error: unknown): unknown {
  if (error instanceof NetworkUnavailable) return new Problem('networkUnavailable');
  if (!(error instanceof ChainControlRefused)) return error;
  const { member, reason } = error;
  return member === 'network' ? invalidParameter(member, reason) : invalidBody(`/${member}`, reason);
}

/** Handlers of the simulated chains; served only where there are controls. DEC-OPR-16. */
export function chainHandlers(context: OperatorContext): HandlersOf<Endpoints> {
  const { queries } = context;
  const once = createRequestMemory(context);
  const controlled = async <Answer>(act: (chains: ChainControls) => Promise<Answer>): Promise<Answer> => {
    const { chains } = context;
    if (chains === null) throw new Problem('unknownPath');
    try {
      return await act(chains);
    } catch (error) {
      throw chainProblem(error);
    }
  };
  /** The coin of an asset on a network. */
  const coinOf = async (network: string, code: string) => {
    const asset = (await listedAssets(queries)).ofBody(code, '/asset');
    const networks = await queries.wallet.networks();
    const coin = networks.find((each) => each.asset === asset.id && each.network === network);
    if (coin === undefined) throw new Problem('unknownNetwork');
    return coin;
  };
  /** An amount in whole coins at the scale of the chain. */
  const chainAmount = (text: string, scale: number): bigint => {
    const amount = parseDecimal(text, scale);
    if (typeof amount === 'bigint') return amount;
    throw invalidBody('/amount', `must have at most ${scale} decimals, as the chain counts`);
  };
  return {
    getChain: ({ path }) => controlled(async (chains) => shown(await chains.state(path.network))),
    depositOnChain: (request) =>
      once('deposit', request, () =>
        controlled(async (chains) => {
          const { network } = request.path;
          const { asset, address, memo, amount } = request.body;
          const { contract, scale } = await coinOf(network, asset);
          const txId = await chains.deposit({ network, address, memo, contract, amount: chainAmount(amount, scale) });
          return { txId, chain: shown(await chains.state(network)) };
        }),
      ),
    giveAddress: (request) =>
      once('giveAddress', request, () =>
        controlled(async (chains) => {
          const { network } = request.path;
          // Only networks that are simulated: their controls know them.
          await chains.state(network);
          const { account, uid } = await accountOfUid(queries, request.body.uid);
          const { address, memo } = await giveAddress(context, request.actUnkeyed, { account, network });
          return { uid, network, address, memo };
        }),
      ),
    mineBlocks: (request) =>
      once('mine', request, () =>
        controlled(async (chains) => shown(await chains.mine({ ...request.path, ...request.body }))),
      ),
    reorganiseChain: (request) =>
      once('reorganise', request, () =>
        controlled(async (chains) => shown(await chains.reorganise({ ...request.path, ...request.body }))),
      ),
    delayChain: (request) =>
      once('delay', request, () =>
        controlled(async (chains) => shown(await chains.delay({ ...request.path, ...request.body }))),
      ),
    limitChainWallet: (request) =>
      once('limit', request, () =>
        controlled(async (chains) => {
          const { network } = request.path;
          const { contract, scale } = await coinOf(network, request.body.asset);
          const amount = request.body.amount === null ? null : chainAmount(request.body.amount, scale);
          return shown(await chains.limitWallet({ network, contract, amount }));
        }),
      ),
  };
}
