import type { z } from 'zod';
import type { AssetRules } from '#model/asset.ts';
import { as, type Balance, type TimestampMs } from '#model/units.ts';
import type { CommandOf } from '#model/command.ts';
import type { WalletQueries } from '#sequencer/queries/wallet-queries.ts';
import type { WalletIds } from '#model/wallet-id.ts';
import type { WithdrawalView } from '#model/wallet.ts';
import { type FundsLack, lackText } from '#custody/settlement/waiting-payments.ts';
import type { WithdrawalRow } from '#history/tables/wallet-tables.ts';
import { amountText, fundsText, type ListedAssets, listedAssets } from '#operator-api/wallet/listed-assets.ts';
import type { withdrawalEndpoints } from '#operator-api/wallet/withdrawal-endpoints.ts';
import { accountOfUid, uidOf } from '#operator-api/accounts/find-account.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import { readTransactionId } from '#operator-api/wallet/network-texts.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { numbersOf, pageByNumber, pageOfPast, createPast } from '#operator-api/requests/paging.ts';
import { Problem, problems } from '#operator-api/requests/problems.ts';

type Endpoints = typeof withdrawalEndpoints;
type WithdrawalAnswer = z.input<Endpoints['getWithdrawal']['answer']>;

/** What a withdrawal is shown with. */
interface Shown {
  readonly ids: WalletIds;
  readonly assets: ListedAssets;
  /** What the wallet is valued in; `null`: it has no rules. */
  readonly valuedIn: AssetRules | null;
}

/** What live withdrawals and those of the past have in common. */
function shownTerms({ ids, assets, valuedIn }: Shown, uid: number | null, terms: WithdrawalRow | WithdrawalView) {
  const { withdrawal, network, address, memo, status, isInside, confirmations, withdrawOrderId, remark } = terms;
  const { amount, fee, value, requestedAt, updatedAt } = terms;
  const asset = assets.at(terms.asset);
  return {
    ...{ withdrawal, network, address, memo, status, isInside, confirmations, withdrawOrderId, remark },
    ...{ requestedAt, updatedAt, uid },
    id: ids.text('withdrawal', withdrawal),
    asset: asset.code,
    amount: amountText(amount, asset),
    fee: amountText(fee, asset),
    value: value === null || valuedIn === null ? null : amountText(value, valuedIn),
  };
}

/** Handlers of withdrawals. */
export function withdrawalHandlers(context: OperatorContext): HandlersOf<Endpoints> {
  const { queries } = context;
  const { wallet } = queries;
  const past = createPast(context);
  const shownWith = async (): Promise<Shown> => {
    const assets = await listedAssets(queries);
    const rules = await wallet.rules();
    return { ids: context.walletIds, assets, valuedIn: rules === null ? null : assets.at(rules.valuedIn) };
  };
  const shown = async (view: WithdrawalView, parts: Shown): Promise<WithdrawalAnswer> => {
    const lack = shortfallOf(context, view);
    return {
      ...shownTerms(parts, await uidOf(queries, view.account), view),
      deposit: view.deposit,
      remark: view.reviewRemark ?? view.remark,
      txId: view.transaction?.txId ?? null,
      nonce: view.transaction?.nonce ?? null,
      approvals: [...view.approvals],
      waitsFor: await waitsFor(context, view, parts.assets),
      waitsForFunds: lack === null ? null : fundsText(lack, parts.assets),
    };
  };
  const answer = async (withdrawal: number): Promise<WithdrawalAnswer> => {
    const view = await wallet.withdrawal(withdrawal);
    if (view === null) throw new Problem('unknownWithdrawal');
    return shown(view, await shownWith());
  };
  return {
    listWithdrawals: async ({ query }) => {
      const { status, network = null, uid, id } = query;
      const owner = uid === undefined ? null : (await accountOfUid(queries, uid)).account;
      const views = (await wallet.liveWithdrawals(network)).filter(
        (view) =>
          (status === undefined || view.status === status) &&
          (owner === null || view.account === owner) &&
          (id === undefined || view.withdrawal === context.walletIds.numberOf('withdrawal', id)),
      );
      const number = (view: WithdrawalView): number => view.withdrawal;
      const { items, nextCursor } = pageByNumber(views, query, { item: (view) => view, number });
      const parts = await shownWith();
      return { items: await Promise.all(items.map((view) => shown(view, parts))), nextCursor };
    },
    listWithdrawalsOfAccount: async ({ path, query }) => {
      const { uid, account } = await accountOfUid(queries, path.uid);
      const parts = await shownWith();
      const last = numbersOf(query.cursor, 2);
      const before = last && { requestedAt: as<TimestampMs>(last[0]!), withdrawal: last[1]! };
      const rows = await past.page('withdrawals', { account }, query, { limit: query.limit, before });
      const item = (row: WithdrawalRow) => ({ ...shownTerms(parts, uid, row), txId: row.txId, nonce: row.nonce });
      return pageOfPast(rows, query.limit, { item, numbers: (row) => [row.requestedAt, row.withdrawal] });
    },
    getWithdrawal: ({ path }) => answer(path.withdrawal),
    reviewWithdrawal: async ({ path, body, act }) => {
      const { decision, remark } = body;
      await act({ kind: 'reviewWithdrawal', withdrawal: path.withdrawal, decision, remark });
      return answer(path.withdrawal);
    },
    recordPayment: async ({ path, body, act, actUnkeyed }) => {
      const view = await wallet.withdrawal(path.withdrawal);
      if (view === null) throw new Problem('unknownWithdrawal');
      if (context.custody.get(view.network)?.isPaying === true) throw new Problem('paidByCustody');
      const txId = body.txId === null ? null : readTransactionId(view.network, body.txId);
      if (isRecorded(view, txId)) return shown(view, await shownWith());
      const [last, ...before] = (await stepsByHand(wallet, view, txId)).toReversed();
      // Only the last step is under the key: the others are where a repetition goes on.
      for (const step of before.toReversed()) await actUnkeyed(step);
      if (last !== undefined) await act(last);
      return answer(path.withdrawal);
    },
  };
}

/** Why a withdrawal does not go on; `null`: nothing is in its way. DEC-WAL-128, DEC-OPR-290. */
async function waitsFor(context: OperatorContext, view: WithdrawalView, { all }: ListedAssets): Promise<string | null> {
  const { queries, custody, clock, payingState } = context;
  const { withdrawal, network, status } = view;
  if (status === 'processing' && custody.get(network)?.isPaying !== true) return 'An operator has to pay it.';
  const refusal = status === 'wait' ? await queries.wallet.refusalOfBegin(withdrawal, as(clock.now())) : null;
  // It waits its time, so that it can be cancelled.
  if (refusal === 'notYet') return null;
  if (refusal !== null) return problems[refusal].title;
  const lack = shortfallOf(context, view);
  if (lack !== null) return `It waits for funds: the hot wallet lacks ${lackText(lack, all)}.`;
  const reason = payingState(network)?.reasonOf(withdrawal) ?? null;
  return reason === null ? null : `Custody does not pay it now: ${reason}.`;
}

const shortfallOf = ({ payingState }: OperatorContext, { network, withdrawal }: WithdrawalView): FundsLack | null =>
  payingState(network)?.shortfallOf(withdrawal) ?? null;

/** Whether a payment by hand was recorded before. */
const isRecorded = ({ status, transaction }: WithdrawalView, txId: string | null): boolean =>
  txId === null ? status === 'failed' : status === 'success' && transaction?.txId === txId;

/** What is left of the way of a withdrawal that was paid by hand. DEC-WAL-98. */
async function stepsByHand(
  wallet: WalletQueries,
  { withdrawal, network, asset, status }: WithdrawalView,
  txId: string | null,
): Promise<readonly CommandOf<'advanceWithdrawal'>[]> {
  const step = (
    event: CommandOf<'advanceWithdrawal'>['event'],
    rest: Partial<CommandOf<'advanceWithdrawal'>> = {},
  ): CommandOf<'advanceWithdrawal'> => ({
    kind: 'advanceWithdrawal',
    withdrawal,
    event,
    transaction: null,
    confirmations: 0,
    networkFee: as<Balance>(0n),
    ...rest,
  });
  if (txId === null) return [step('fail')];
  const listed = (await wallet.networks()).find((each) => each.asset === asset && each.network === network);
  const way: readonly CommandOf<'advanceWithdrawal'>[] = [
    step('sign', { transaction: { txId, raw: '', nonce: null } }),
    step('broadcast'),
    step('confirm', { confirmations: listed?.minConfirm ?? 1 }),
  ];
  return way.slice(status === 'packaging' ? 1 : status === 'confirming' ? 2 : 0);
}
