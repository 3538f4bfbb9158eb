import type { z } from 'zod';
import { as, type TimestampMs } from '#domain/units.ts';
import { walletIdText, walletNumberOf } from '#domain/wallet-id.ts';
import type { WithdrawalView } from '#domain/wallet.ts';
import type { WithdrawalRow } from '#history/wallet-tables.ts';
import { amountText } from '#operator/amounts.ts';
import type { withdrawalEndpoints } from '#operator/endpoints/withdrawals.ts';
import { accountOfUid, uidOf } from '#operator/find-account.ts';
import type { HandlersOf } from '#operator/handlers/handlers.ts';
import { listedAssets } from '#operator/listed-assets.ts';
import type { OperatorContext } from '#operator/operator-context.ts';
import { numbersOf, pageByNumber, pageOfPast } from '#operator/paging.ts';
import { createPast } from '#operator/past.ts';
import { Problem } from '#operator/problems.ts';

type Endpoints = typeof withdrawalEndpoints;
type WithdrawalAnswer = z.input<Endpoints['getWithdrawal']['answer']>;

/** Handlers of withdrawals. */
export function withdrawalHandlers(context: OperatorContext): HandlersOf<Endpoints> {
  const { queries } = context;
  const { wallet } = queries;
  const past = createPast(context);
  const shown = async (view: WithdrawalView): Promise<WithdrawalAnswer> => {
    const { account, asset: id, amount, fee, value, transaction, approvals, ...others } = view;
    const assets = await listedAssets(queries);
    const asset = assets.at(id);
    const rules = await wallet.rules();
    return {
      ...others,
      id: walletIdText('withdrawal', view.withdrawal),
      uid: await uidOf(queries, account),
      asset: asset.code,
      amount: amountText(amount, asset),
      fee: amountText(fee, asset),
      value: value === null || rules === null ? null : amountText(value, assets.at(rules.valuedIn)),
      txId: transaction?.txId ?? null,
      nonce: transaction?.nonce ?? null,
      approvals: [...approvals],
    };
  };
  const answer = async (withdrawal: number): Promise<WithdrawalAnswer> => {
    const view = await wallet.withdrawal(withdrawal);
    if (view === null) throw new Problem('unknownWithdrawal');
    return shown(view);
  };
  return {
    listWithdrawals: async ({ query }) => {
      const { status, network = null, uid, id } = query;
      const owner = uid === undefined ? null : (await accountOfUid(queries, uid)).account;
      const views = (await wallet.liveWithdrawals(network)).filter(
        (view) =>
          (status === undefined || view.status === status) &&
          (owner === null || view.account === owner) &&
          (id === undefined || view.withdrawal === walletNumberOf('withdrawal', id)),
      );
      const number = (view: WithdrawalView): number => view.withdrawal;
      const { items, nextCursor } = pageByNumber(views, query, { item: (view) => view, number });
      return { items: await Promise.all(items.map(shown)), nextCursor };
    },
    listWithdrawalsOfAccount: async ({ path, query }) => {
      const { uid, account } = await accountOfUid(queries, path.uid);
      const assets = await listedAssets(queries);
      const rules = await wallet.rules();
      const last = numbersOf(query.cursor, 2);
      const before = last && { requestedAt: as<TimestampMs>(last[0]!), withdrawal: last[1]! };
      const rows = await past.page('withdrawals', { account }, query, { limit: query.limit, before });
      const item = ({ account: _account, seq: _seq, ...row }: WithdrawalRow) => {
        const asset = assets.at(row.asset);
        const { amount, fee, value } = row;
        return {
          ...row,
          id: walletIdText('withdrawal', row.withdrawal),
          uid,
          asset: asset.code,
          amount: amountText(amount, asset),
          fee: amountText(fee, asset),
          value: value === null || rules === null ? null : amountText(value, assets.at(rules.valuedIn)),
        };
      };
      return pageOfPast(rows, query.limit, { item, numbers: (row) => [row.requestedAt, row.withdrawal] });
    },
    getWithdrawal: ({ path }) => answer(path.withdrawal),
    reviewWithdrawal: async ({ path, body, act }) => {
      await act({ kind: 'reviewWithdrawal', withdrawal: path.withdrawal, decision: body.decision });
      return answer(path.withdrawal);
    },
  };
}
