import type { z } from 'zod';
import { formatDecimal } from '#base/decimal.ts';
import type { Proposal } from '#model/proposal.ts';
import type { proposalEndpoints } from '#operator-api/operators/proposal-endpoints.ts';
import { shownNetwork } from '#operator-api/wallet/assets.ts';
import { shownTerms } from '#operator-api/money/adjustments.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import { shownRules } from '#operator-api/wallet/wallet-rules.ts';
import { type ListedAssets, listedAssets } from '#operator-api/wallet/listed-assets.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { pageByNumber } from '#operator-api/requests/paging.ts';
import { Problem } from '#operator-api/requests/problems.ts';
import { createProposing } from '#operator-api/requests/act.ts';

type Endpoints = typeof proposalEndpoints;
type ProposalAnswer = z.input<Endpoints['getProposal']['answer']>;
type Change = Pick<ProposalAnswer, 'changes' | 'asset' | 'network' | 'change'>;

const hourMs = 3_600_000;

async function shownChange(
  queries: ExchangeQueries,
  assets: ListedAssets,
  command: Proposal['command'],
): Promise<Change> {
  switch (command.kind) {
    case 'configureWallet':
      return { changes: 'walletRules', asset: null, network: null, change: { ...shownRules(assets, command.rules) } };
    case 'configureAssetNetwork': {
      const { asset: id, network: terms } = { asset: command.network.asset, network: command.network };
      const { asset, network, ...change } = shownNetwork(assets.at(id), terms);
      return { changes: 'assetNetwork', asset, network, change };
    }
    case 'setReferencePrice': {
      const { digits, decimals, validMs, reason } = command;
      const change = { price: formatDecimal(digits, decimals), validHours: validMs / hourMs, reason };
      return { changes: 'referencePrice', asset: assets.at(command.asset).code, network: null, change };
    }
    case 'removeReferencePrice':
      return { changes: 'referencePrice', asset: assets.at(command.asset).code, network: null, change: null };
    case 'setAlone':
      return { changes: 'alone', asset: null, network: null, change: { enabled: command.enabled } };
    case 'adjustBalance': {
      const change = await shownTerms(queries, assets, command);
      return { changes: 'adjustment', asset: change.asset, network: null, change };
    }
  }
}

/** A proposal as it is answered. */
export async function shownProposal(queries: ExchangeQueries, proposal: Proposal): Promise<ProposalAnswer> {
  const { command, basis: _, idempotencyKey: __, lowered, ...others } = proposal;
  const change = await shownChange(queries, await listedAssets(queries), command);
  return { ...others, ...change, lowered: [...lowered] };
}

/** Handlers of changes that wait for a second operator. */
export function proposalHandlers(context: OperatorContext): HandlersOf<Endpoints> {
  const { queries } = context;
  const { safety } = queries;
  const propose = createProposing(context);
  const answer = async (proposal: number): Promise<ProposalAnswer> => {
    const known = await safety.proposal(proposal);
    if (known === null) throw new Problem('unknownProposal');
    return shownProposal(queries, known);
  };
  return {
    listProposals: async ({ query }) => {
      const wanted = (await safety.proposals()).filter(
        ({ state }) => query.state === undefined || state === query.state,
      );
      const number = ({ proposal }: Proposal): number => proposal;
      const { items, nextCursor } = pageByNumber(wanted, query, { item: (each) => each, number });
      return { items: await Promise.all(items.map((each) => shownProposal(queries, each))), nextCursor };
    },
    getProposal: ({ path }) => answer(path.proposal),
    reviewProposal: async ({ path, body, act }) => {
      await act({ kind: body.decision === 'approve' ? 'approveProposal' : 'cancelProposal', proposal: path.proposal });
      return answer(path.proposal);
    },
    cancelProposal: async ({ path, act }) => {
      await act({ kind: 'cancelProposal', proposal: path.proposal });
      return answer(path.proposal);
    },
    getAlone: async () => ({ enabled: await safety.isAlone() }),
    putAlone: async (request) =>
      (await propose(request, { kind: 'setAlone', enabled: request.body.enabled })) ?? {
        enabled: await safety.isAlone(),
      },
  };
}
