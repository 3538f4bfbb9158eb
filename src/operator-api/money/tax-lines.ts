import { futuresWalletOf, type PostingKind } from '#model/account.ts';
import type { AccountId } from '#model/units.ts';
import type { FillRow } from '#history/tables/history-tables.ts';
import type { LedgerLineRow } from '#history/tables/ledger-tables.ts';
import { formatDecimal } from '#base/decimal.ts';
import { tradeIdText } from '#http/words.ts';
import { uidOf } from '#operator-api/accounts/find-account.ts';
import type { ExportedMarket, ExportParts, LineOf } from '#operator-api/money/export-parts.ts';
import { referenceOf } from '#operator-api/money/ledger.ts';
import { pastRows } from '#operator-api/money/past-rows.ts';
import { amountText } from '#operator-api/wallet/listed-assets.ts';

type Line = LineOf<'exportTax'>;

const nothing = {
  ...{ gotAmount: null, gotAsset: null, gaveAmount: null, gaveAsset: null, feeAmount: null, feeAsset: null },
} as const;

/** Reasons for which what is taken is a fee. */
const feeReasons: ReadonlySet<PostingKind> = new Set(['fee', 'withdrawalFee', 'liquidationFee']);

/**
 * What accounts got and gave, line by line: their trades on pairs, then all else that changed what they owned. Of each
 * asset, what was got less what was given and paid as fees is what the account owns more. DEC-OPR-226.
 */
export async function* taxLines(parts: ExportParts): AsyncGenerator<Line> {
  const { context, account } = parts;
  if (account !== null) return yield* linesOfAccount(parts, account);
  for (const each of await context.queries.accounts()) if (!each.simulated) yield* linesOfAccount(parts, each.account);
}

async function* linesOfAccount(parts: ExportParts, account: AccountId): AsyncGenerator<Line> {
  const { context, markets, span } = parts;
  const uid = await uidOf(context.queries, account);
  for await (const fill of pastRows(context, 'fills', account, span)) {
    const market = markets.get(fill.symbol)!;
    // What a contract's trades bring is posted to the futures wallet.
    if (!market.isContract) yield tradeLine(parts, uid, fill, market);
  }
  for (const wallet of [account, futuresWalletOf(account)]) yield* otherLines(parts, uid, wallet);
}

function tradeLine({ assets }: ExportParts, uid: number | null, fill: FillRow, market: ExportedMarket): Line {
  const { base, quote, quantityDecimals } = market;
  const baseAmount = formatDecimal(fill.lots, quantityDecimals);
  const quoteAmount = formatDecimal(fill.quoteAmount, quote.scale);
  const feeAsset = assets.at(fill.feeAsset);
  const isBuy = fill.side === 'buy';
  return {
    ...{ at: fill.at, uid, kind: 'trade' },
    gotAmount: isBuy ? baseAmount : quoteAmount,
    gotAsset: isBuy ? base.code : quote.code,
    gaveAmount: isBuy ? quoteAmount : baseAmount,
    gaveAsset: isBuy ? quote.code : base.code,
    ...(fill.fee === 0
      ? { feeAmount: null, feeAsset: null }
      : { feeAmount: formatDecimal(fill.fee, feeAsset.scale), feeAsset: feeAsset.code }),
    reference: tradeIdText(fill.taker, fill.fillOfTaker),
  };
}

/** Lines of a wallet but those of fills on pairs and those of moves to the account's other wallet. */
async function* otherLines(parts: ExportParts, uid: number | null, wallet: AccountId): AsyncGenerator<Line> {
  const { context, span } = parts;
  const isSpot = wallet < futuresWalletOf(0 as AccountId);
  /** Dust that was given; the next line of its entry is what it became. */
  let given: LedgerLineRow | null = null;
  for await (const row of pastRows(context, 'ledgerLines', wallet, span)) {
    if (row.seq > span.upTo) break;
    if (row.why === 'contractTransfer' || (isSpot && row.order !== null)) continue;
    if (row.why === 'dust' && row.change < 0n) {
      given = row;
      continue;
    }
    const line = movedLine(parts, uid, row);
    if (given === null) yield line;
    else
      yield { ...movedLine(parts, uid, given), kind: 'conversion', gotAmount: line.gotAmount, gotAsset: line.gotAsset };
    given = null;
  }
}

function movedLine({ context, assets }: ExportParts, uid: number | null, row: LedgerLineRow): Line {
  const asset = assets.at(row.asset);
  const isTaken = row.change < 0n;
  const [amount, code] = [amountText(isTaken ? -row.change : row.change, asset), asset.code];
  const isFee = isTaken && feeReasons.has(row.why);
  return {
    ...{ at: row.at, uid, kind: row.why, ...nothing },
    ...(isTaken ? {} : { gotAmount: amount, gotAsset: code }),
    ...(isTaken && !isFee ? { gaveAmount: amount, gaveAsset: code } : {}),
    ...(isFee ? { feeAmount: amount, feeAsset: code } : {}),
    reference: referenceOf(row, context.walletIds)?.id ?? null,
  };
}
