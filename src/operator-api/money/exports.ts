import { formatDecimal } from '#base/decimal.ts';
import type { SymbolId } from '#model/units.ts';
import { shownTxId } from '#model/wallet-id.ts';
import { orderIdText, tradeIdText } from '#http/words.ts';
import { accountOfUid, uidOf } from '#operator-api/accounts/find-account.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { exportEndpoints } from '#operator-api/money/export-endpoints.ts';
import { pastRows, pastSpan } from '#operator-api/money/past-rows.ts';
import { statementLines } from '#operator-api/money/statement.ts';
import { taxLines } from '#operator-api/money/tax-lines.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import type { ExportedMarket, ExportParts, LineOf } from '#operator-api/money/export-parts.ts';
import { amountText, type ListedAssets, listedAssets } from '#operator-api/wallet/listed-assets.ts';

type Endpoints = typeof exportEndpoints;
/** Every pair and contract that there ever was: none is forgotten. */
async function exportedMarkets(context: OperatorContext, assets: ListedAssets): Promise<ExportParts['markets']> {
  const { symbols } = await context.queries.listing();
  const contracts = await context.queries.contracts.all();
  return new Map([
    ...symbols.map(({ id, name, priceDecimals, quantityDecimals, base, quote }): [SymbolId, ExportedMarket] => [
      id,
      { name, isContract: false, priceDecimals, quantityDecimals, base: assets.at(base), quote: assets.at(quote) },
    ]),
    ...contracts.map(({ id, name, priceDecimals, base, settle }): [SymbolId, ExportedMarket] => [
      id,
      { name, isContract: true, priceDecimals, quantityDecimals: 0, base: assets.at(base), quote: assets.at(settle) },
    ]),
  ]);
}

async function* orderLines({ context, markets, span, account }: ExportParts): AsyncGenerator<LineOf<'exportOrders'>> {
  for await (const row of pastRows(context, 'orders', account, span)) {
    const market = markets.get(row.symbol)!;
    yield {
      uid: await uidOf(context.queries, row.account),
      order: orderIdText(row.order),
      pair: market.name,
      ...{ side: row.side, kind: row.kind, status: row.status, closeReason: row.closeReason },
      ...{ acceptedAt: row.acceptedAt, closedAt: row.updatedAt },
      price: formatDecimal(row.price, market.priceDecimals),
      quantity: formatDecimal(row.quantity, market.quantityDecimals),
      executed: formatDecimal(row.executed, market.quantityDecimals),
      executedAmount: formatDecimal(row.executedQuote, market.quote.scale),
      clientOrderId: row.clientOrderId,
    };
  }
}

async function* fillLines(parts: ExportParts): AsyncGenerator<LineOf<'exportFills'>> {
  const { context, assets, markets, span, account } = parts;
  for await (const row of pastRows(context, 'fills', account, span)) {
    const market = markets.get(row.symbol)!;
    const feeAsset = assets.at(row.feeAsset);
    yield {
      uid: await uidOf(context.queries, row.account),
      at: row.at,
      pair: market.name,
      side: row.side,
      trade: tradeIdText(row.taker, row.fillOfTaker),
      order: orderIdText(row.order),
      isMaker: row.isMaker,
      price: formatDecimal(row.price, market.priceDecimals),
      quantity: formatDecimal(row.lots, market.quantityDecimals),
      amount: formatDecimal(row.quoteAmount, market.quote.scale),
      fee: formatDecimal(row.fee, feeAsset.scale),
      feeAsset: feeAsset.code,
    };
  }
}

async function* depositLines({
  context,
  assets,
  span,
  account,
}: ExportParts): AsyncGenerator<LineOf<'exportDeposits'>> {
  for await (const row of pastRows(context, 'deposits', account, span)) {
    const asset = assets.at(row.asset);
    yield {
      at: row.insertedAt,
      deposit: row.deposit,
      uid: await uidOf(context.queries, row.account),
      asset: asset.code,
      network: row.network,
      amount: amountText(row.amount, asset),
      ...{ address: row.address, memo: row.memo, isInside: row.isInside, updatedAt: row.updatedAt },
      status: row.status,
      txId: shownTxId(context.walletIds, row.txId),
    };
  }
}

async function* withdrawalLines(parts: ExportParts): AsyncGenerator<LineOf<'exportWithdrawals'>> {
  const { context, assets, span, account } = parts;
  for await (const row of pastRows(context, 'withdrawals', account, span)) {
    const asset = assets.at(row.asset);
    yield {
      at: row.requestedAt,
      withdrawal: row.withdrawal,
      id: context.walletIds.text('withdrawal', row.withdrawal),
      uid: await uidOf(context.queries, row.account),
      asset: asset.code,
      network: row.network,
      amount: amountText(row.amount, asset),
      ...{ address: row.address, memo: row.memo, isInside: row.isInside, updatedAt: row.updatedAt },
      fee: amountText(row.fee, asset),
      status: row.status,
      txId: row.txId,
    };
  }
}

async function* rebateLines({ context, assets, span, account }: ExportParts): AsyncGenerator<LineOf<'exportRebates'>> {
  for await (const row of pastRows(context, 'rebates', account, span)) {
    if (row.kind === 'turnover') continue;
    const asset = assets.at(row.asset);
    yield {
      at: row.at,
      uid: await uidOf(context.queries, row.account),
      sourceUid: await uidOf(context.queries, row.source),
      ...{ share: row.share, product: row.product, ratePpm: row.ratePpm, rejectedAt: row.rejectedAt },
      asset: asset.code,
      amount: amountText(row.amount, asset),
    };
  }
}

/** Handlers of statements and exports. */
export function exportHandlers(context: OperatorContext): HandlersOf<Endpoints> {
  const { queries } = context;
  const partsOf = async (
    uid: number | undefined,
    query: { readonly from?: number | undefined; readonly to?: number | undefined },
  ): Promise<ExportParts> => {
    const account = uid === undefined ? null : (await accountOfUid(queries, uid)).account;
    const span = await pastSpan(context, query);
    const assets = await listedAssets(queries);
    return { context, assets, span, account, markets: await exportedMarkets(context, assets) };
  };
  return {
    getStatement: async ({ path, query }) => {
      const { account } = await accountOfUid(queries, path.uid);
      return statementLines(await partsOf(path.uid, query), account);
    },
    exportOrders: async ({ query }) => orderLines(await partsOf(query.uid, query)),
    exportFills: async ({ query }) => fillLines(await partsOf(query.uid, query)),
    exportDeposits: async ({ query }) => depositLines(await partsOf(query.uid, query)),
    exportWithdrawals: async ({ query }) => withdrawalLines(await partsOf(query.uid, query)),
    exportRebates: async ({ query }) => rebateLines(await partsOf(query.uid, query)),
    exportTax: async ({ query }) => taxLines(await partsOf(query.uid, query)),
  };
}
