import type { z } from 'zod';
import { NetworkUnavailable, type PaymentTerms } from '#custody/custody.ts';
import { as, type TimestampMs } from '#model/units.ts';
import { shownTxId } from '#model/wallet-id.ts';
import type { AssetNetwork, DepositView } from '#model/wallet.ts';
import type { DepositRow } from '#history/tables/wallet-tables.ts';
import { amountText, readPositiveAmount, type ListedAssets, listedAssets } from '#operator-api/wallet/listed-assets.ts';
import type { depositEndpoints } from '#operator-api/wallet/deposit-endpoints.ts';
import { accountOfBody, accountOfUid, uidOf } from '#operator-api/accounts/find-account.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import { readAddress, readTransactionId } from '#operator-api/wallet/network-texts.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { numbersOf, pageByNumber, pageOfPast, createPast } from '#operator-api/requests/paging.ts';
import { invalidBody, noNormalForm, Problem } from '#operator-api/requests/problems.ts';
import { toLedger } from '#custody/settlement/chain-amounts.ts';
import { sightOfPayment } from '#custody/settlement/sight-of-payment.ts';

type Endpoints = typeof depositEndpoints;
type DepositAnswer = z.input<Endpoints['getDeposit']['answer']>;

/** Says of a refused report what the operator can mend: the address is nobody's, or the payment is known otherwise. */
function reportProblem(error: unknown): never {
  if (!(error instanceof Problem)) throw error;
  if (error.code === 'unknownDeposit') throw invalidBody('/address', 'must be a deposit address of this exchange');
  throw error;
}

/** What custody says of a payment now. DEC-WAL-101. @throws Problem where it is nowhere or nobody answers. */
async function lookAt(context: OperatorContext, payment: Parameters<typeof sightOfPayment>[1]) {
  try {
    const seen = await sightOfPayment(context, payment);
    if (seen.kind !== 'gone') return seen.kind === 'seen' ? seen : null;
  } catch (error) {
    throw error instanceof NetworkUnavailable ? new Problem('networkUnavailable') : error;
  }
  throw new Problem('notOnChain', { detail: `The transaction is in no block of ${payment.network}.` });
}

/** A payment as an operator reports it, and the coin that it is of. */
interface ReportedPayment {
  readonly address: string;
  readonly memo: string | null;
  readonly amount: bigint;
  readonly listed: AssetNetwork;
  readonly scale: number;
}

/** Refuses a report that differs from what custody sees itself. DEC-WAL-106. */
function requireSameTerms(terms: PaymentTerms | null, { address, memo, amount, listed, scale }: ReportedPayment): void {
  const differs = (pointer: string): Problem =>
    new Problem('notOnChain', { errors: [{ pointer, detail: 'must be what the transaction pays' }] });
  // Where custody sees no terms, it is a native coin that a contract paid.
  if ((terms?.contract ?? null) !== listed.contract) throw differs('/output');
  if (terms === null) return;
  if (terms.address !== address) throw differs('/address');
  if (listed.sharesAddress && terms.memo !== memo) throw differs('/memo');
  if (toLedger(terms.amount, listed.scale, scale) !== amount) throw differs('/amount');
}

/** Says of a refused refund that the address is the member at fault. */
function refundProblem(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'addressNotAllowed') throw error;
  const detail = 'is an address of this exchange';
  throw new Problem('addressNotAllowed', {
    detail: `/address ${detail}.`,
    errors: [{ pointer: '/address', detail }],
  });
}

/**
 * Where a deposit is paid back to, in canonical form.
 * @throws Problem naming the member, also where a token would be paid to its own contract. DEC-WAL-174.
 */
async function readRefundAddress(
  { queries }: OperatorContext,
  { network, asset }: DepositView,
  asked: { readonly address: string; readonly memo: string | null },
) {
  const { address, memo } = readAddress({ network, ...asked });
  const listed = (await queries.wallet.networks()).find((each) => each.asset === asset && each.network === network);
  if (listed?.contract === address) throw noNormalForm('/address', 'is the contract of the token');
  return { address, memo };
}

/** Handlers of deposits. */
export function depositHandlers(context: OperatorContext): HandlersOf<Endpoints> {
  const { queries, custody, walletIds: ids } = context;
  const { wallet } = queries;
  const past = createPast(context);
  const shown = async (view: DepositView, assets: ListedAssets): Promise<DepositAnswer> => {
    const { account, asset: id, amount, block: _block, approvals, ...others } = view;
    const asset = assets.at(id);
    return {
      ...others,
      approvals: [...approvals],
      txId: shownTxId(ids, others.txId),
      uid: await uidOf(queries, account),
      paidBackBy: (await wallet.refundOf(view.deposit))?.withdrawal ?? null,
      asset: asset.code,
      amount: amountText(amount, asset),
    };
  };
  const answer = async (deposit: number): Promise<DepositAnswer> => {
    const view = await wallet.deposit(deposit);
    if (view === null) throw new Problem('unknownDeposit');
    return shown(view, await listedAssets(queries));
  };
  return {
    listDeposits: async ({ query }) => {
      const { status, network = null, uid } = query;
      const owner = uid === undefined ? null : (await accountOfUid(queries, uid)).account;
      const views = (await wallet.liveDeposits(network)).filter(
        (view) => (status === undefined || view.status === status) && (owner === null || view.account === owner),
      );
      const { items, nextCursor } = pageByNumber(views, query, {
        item: (view) => view,
        number: (view) => view.deposit,
      });
      const assets = await listedAssets(queries);
      return { items: await Promise.all(items.map((view) => shown(view, assets))), nextCursor };
    },
    listDepositsOfAccount: async ({ path, query }) => {
      const { uid, account } = await accountOfUid(queries, path.uid);
      const assets = await listedAssets(queries);
      const last = numbersOf(query.cursor, 2);
      const before = last && { insertedAt: as<TimestampMs>(last[0]!), deposit: last[1]! };
      const rows = await past.page('deposits', { account }, query, { limit: query.limit, before });
      const refunds = new Map<number, number>();
      for (const { deposit } of rows) {
        const refund = await wallet.refundOf(deposit);
        if (refund !== null) refunds.set(deposit, refund.withdrawal);
      }
      const item = ({ account: _account, seq: _seq, ...row }: DepositRow): DepositAnswer => {
        const asset = assets.at(row.asset);
        return {
          ...row,
          approvals: [],
          txId: shownTxId(ids, row.txId),
          uid,
          paidBackBy: refunds.get(row.deposit) ?? null,
          asset: asset.code,
          amount: amountText(row.amount, asset),
        };
      };
      return pageOfPast(rows, query.limit, { item, numbers: ({ insertedAt, deposit }) => [insertedAt, deposit] });
    },
    getDeposit: ({ path }) => answer(path.deposit),
    reviewDeposit: async ({ path, body, act }) => {
      const account = body.uid === undefined ? null : (await accountOfBody(queries, body.uid, '/uid')).account;
      const { deposit } = path;
      const known = await wallet.deposit(deposit);
      const { decision } = body;
      if (decision === 'paidBack' && known !== null && custody.get(known.network)?.isPaying === true)
        throw new Problem('paidByCustody');
      const isLookedAt = decision === 'credit' && known !== null && !known.isInside;
      const sight = !isLookedAt ? null : ((await lookAt(context, known))?.sight ?? null);
      await act({ kind: 'reviewDeposit', deposit, decision, account, sight });
      return answer(path.deposit);
    },
    // DEC-OPR-215, DEC-OPR-216.
    payBackDeposit: async ({ path: { deposit }, body, act }) => {
      const known = await wallet.deposit(deposit);
      if (known === null) throw new Problem('unknownDeposit');
      if (custody.get(known.network)?.isPaying !== true) throw new Problem('notPaidByCustody');
      const to = await readRefundAddress(context, known, body);
      const sight =
        known.status === 'refund' && !known.isInside ? ((await lookAt(context, known))?.sight ?? null) : null;
      await act({ kind: 'payBackDeposit', deposit, ...to, sight }).catch(refundProblem);
      return answer(deposit);
    },
    cancelRefund: async ({ path, act }) => {
      await act({ kind: 'cancelRefund', deposit: path.deposit });
      return answer(path.deposit);
    },
    // DEC-OPR-14, DEC-WAL-20.
    reportDeposit: async ({ body, act }) => {
      const assets = await listedAssets(queries);
      const asset = assets.ofBody(body.asset, '/asset');
      const { network, address, memo } = readAddress(body);
      const terms = (await wallet.networks()).find((each) => each.asset === asset.id && each.network === network);
      if (terms === undefined) throw new Problem('unknownNetwork');
      const { output } = body;
      const txId = readTransactionId(network, body.txId);
      const amount = readPositiveAmount(body.amount, asset, '/amount');
      const payment = { network, txId, output, address, memo, amount, asset: asset.id };
      const seen = await lookAt(context, payment);
      if (seen !== null) requireSameTerms(seen.terms, { address, memo, amount, listed: terms, scale: asset.scale });
      await act({ kind: 'reportDeposit', ...payment, sight: seen?.sight ?? null }).catch(reportProblem);
      const views = await wallet.liveDeposits(network);
      const view = views.find((each) => each.txId === txId && each.output === output);
      if (view === undefined) throw new Problem('settledBefore');
      return shown(view, assets);
    },
  };
}
