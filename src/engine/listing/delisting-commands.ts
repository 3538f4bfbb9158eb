import { hasEnded } from '#model/contract.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { AssetId } from '#model/units.ts';
import { obstacleToDelisting } from '#engine/listing/asset-obstacles.ts';
import type { Book } from '#engine/book/book.ts';
import { hasOrders, putSymbol } from '#engine/listing/listing-commands.ts';
import { refuse, type CommandFunction } from '#engine/money/command-function.ts';
import type { EngineState } from '#engine/state/state.ts';

/**
 * Takes a pair off the list for good: its id and its name stay with what it traded and are never given again; its
 * assets are free for a pair of another name. DEC-OPR-169.
 */
const delistSymbol: CommandFunction<'delistSymbol'> = (state, { symbol }) => {
  const book = state.books[symbol];
  const reason = book === undefined || book.isContract ? 'unknownSymbol' : refusalOfDelisting(state, book);
  if (book === undefined || reason !== null) refuse(state, reason ?? 'unknownSymbol');
  else putSymbol(state, { ...book.rules, status: 'delisted', openAt: null });
};

function refusalOfDelisting(state: EngineState, book: Book): RejectReason | null {
  const { status } = book.rules;
  if (status === 'delisted') return 'pairDelisted';
  if (makesIndex(state, book)) return 'pairMakesIndex';
  if (valuesCommission(state, book)) return 'pairValuesCommission';
  return status === 'offline' && !hasOrders(book) ? null : 'pairNotOffline';
}

/** Whether a contract that has not ended takes its index from the pair of its base and settle asset. DEC-FUT-03. */
const makesIndex = ({ contracts }: EngineState, { base, quote }: Book): boolean =>
  contracts.all().some(({ rules }) => !hasEnded(rules.state) && rules.base === base && rules.settle === quote);

/** Whether commission in the platform token is counted at the price of the pair. DEC-OPR-164. */
const valuesCommission = ({ feeToken: { value } }: EngineState, { base, quote }: Book): boolean =>
  value !== null && value.token === base && value.valuedIn === quote;

/** Takes an asset off the list that nobody has and nothing needs, with its networks. DEC-OPR-172. */
const delistAsset: CommandFunction<'delistAsset'> = (state, { asset }) => {
  const known = state.assets.known(asset);
  const reason = known === null ? 'unknownAsset' : known.isDelisted ? 'assetDelisted' : refusalOfAsset(state, asset);
  if (known === null || reason !== null) {
    refuse(state, reason ?? 'unknownAsset');
    return;
  }
  state.assetNetworks.removeOf(asset);
  const rules = { ...known, isDelisted: true };
  state.assets.put(rules);
  state.emit.fact({ kind: 'assetConfigured', asset: rules });
};

const refusalOfAsset = (state: EngineState, asset: AssetId): RejectReason | null =>
  obstacleToDelisting(state, asset)?.reason ?? null;

/** The functions of commands that take something off the list. */
export const delistingCommands = { delistSymbol, delistAsset } as const;
