import { as, type AccountId, type TimestampMs } from '#model/units.ts';
import { futuresWalletOf } from '#model/account.ts';
import { walletKinds } from '#model/wallet.ts';
import type { ExportParts, LineOf } from '#operator-api/money/export-parts.ts';
import { referenceOf } from '#operator-api/money/ledger.ts';
import { createPastBalances } from '#operator-api/money/past-balances.ts';
import { pastRows } from '#operator-api/money/past-rows.ts';
import { amountText } from '#operator-api/wallet/listed-assets.ts';

type Line = LineOf<'getStatement'>;
type Wallet = (typeof walletKinds)[number];

const ofBalance = { at: null, seq: null, line: null, change: null, reason: null } as const;
const noReference = { referenceType: null, reference: null } as const;

/**
 * What an account owned before a span, every change within it, and what it owned after it: opening balances and changes
 * add up to closing balances, exactly. DEC-OPR-225.
 */
export async function* statementLines(parts: ExportParts, account: AccountId): AsyncGenerator<Line> {
  const { context, assets, span } = parts;
  const pastBalances = createPastBalances(context);
  const ledgerAccount = (wallet: Wallet): AccountId => (wallet === 'spot' ? account : futuresWalletOf(account));
  async function* balances(type: 'opening' | 'closing', at: number): AsyncGenerator<Line> {
    const moment = { at: as<TimestampMs>(at), seq: span.upTo };
    for (const wallet of walletKinds) {
      for (const { asset: id, balance } of await pastBalances.ofEveryAsset(ledgerAccount(wallet), moment)) {
        const asset = assets.at(id);
        yield { type, wallet, asset: asset.code, balance: amountText(balance, asset), ...ofBalance, ...noReference };
      }
    }
  }
  yield* balances('opening', span.from - 1);
  for (const wallet of walletKinds) {
    for await (const row of pastRows(context, 'ledgerLines', ledgerAccount(wallet), span)) {
      if (row.seq > span.upTo) break;
      const asset = assets.at(row.asset);
      const reference = referenceOf(row, context.walletIds);
      yield {
        ...{ type: 'line', wallet, asset: asset.code, at: row.at, seq: row.seq, line: row.line, reason: row.why },
        change: amountText(row.change, asset),
        balance: amountText(row.balance, asset),
        referenceType: reference?.type ?? null,
        reference: reference?.id ?? null,
      };
    }
  }
  yield* balances('closing', span.to);
}
