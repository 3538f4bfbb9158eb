import type { z } from 'zod';
import { NetworkUnavailable } from '#custody/custody.ts';
import type { PaidWithdrawal, UnknownPayment } from '#model/safety.ts';
import { type AccountId, as, type Balance } from '#model/units.ts';
import type { AssetNetwork } from '#model/wallet.ts';
import { amountText, fundsText, readPositiveAmount, listedAssets } from '#operator-api/wallet/listed-assets.ts';
import type { safetyEndpoints } from '#operator-api/money/safety-endpoints.ts';
import { accountOfBody, uidOf } from '#operator-api/accounts/find-account.ts';
import type { HandlerRequest, HandlersOf } from '#operator-api/handlers.ts';
import { readTransactionId } from '#operator-api/wallet/network-texts.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { invalidBody, Problem, type ProblemCode } from '#operator-api/requests/problems.ts';
import type { PayingState } from '#custody/settlement/settlement.ts';
import { describe } from '#custody/settlement/watch-hot-wallet.ts';

type Endpoints = typeof safetyEndpoints;
type Safety = z.input<Endpoints['getSafety']['answer']>;
type Booking = HandlerRequest<Endpoints['bookPayment']>;

/** Members of a booking by the problem that is about them. */
const pointers: Partial<Record<ProblemCode, string>> = {
  unknownWithdrawal: '/withdrawal',
  unknownDeposit: '/deposit',
  unknownAsset: '/asset',
  wrongAmount: '/amount',
};

/** Handlers of safety. */
export function safetyHandlers(context: OperatorContext): HandlersOf<Endpoints> {
  const { queries } = context;
  const { safety } = queries;
  const found = async ({ network, payment }: Booking['path']): Promise<UnknownPayment> => {
    const known = await safety.unknownPayment(network, payment);
    if (known === null) throw new Problem('unknownPayment');
    return known;
  };
  return {
    getSafety: async () => ({
      profile: await safety.profile(),
      networks: await networksOf(context),
      unknownPayments: await Promise.all((await safety.unknownPayments()).map((each) => shown(context, each))),
      isAlone: await safety.isAlone(),
      openProposals: (await safety.proposals()).flatMap(({ proposal, state }) => (state === 'open' ? [proposal] : [])),
      lostPayments: await Promise.all((await safety.lostPayments()).map((each) => shownLost(context, each))),
    }),
    bookPayment: async (request) => {
      const { path, body, act, actUnkeyed } = request;
      const known = await found(path);
      if (known.booking === null && known.txId === null && body.txId !== undefined) {
        await actUnkeyed(await transactionNamed(context, known, body.txId));
      }
      const target = await targetOf(context, await found(path), body);
      await act({ kind: 'bookUnknownPayment', ...path, booking: body.booking, ...target }).catch((error: unknown) => {
        throw pointed(error, body);
      });
      return shown(context, await found(path));
    },
    bookLostPayment: async ({ path, body, act }) => {
      await act({ kind: 'bookLostPayment', ...path, ...body });
      const paid = await safety.lostPayment(path.withdrawal);
      if (paid === null) throw new Problem('unknownWithdrawal');
      return shownLost(context, paid);
    },
  };
}

async function networksOf(context: OperatorContext): Promise<Safety['networks']> {
  const { queries, custody, payingState } = context;
  const listed = [...new Set((await queries.wallet.networks()).map(({ network }) => network))];
  const [unknown, assets] = await Promise.all([queries.safety.unknownPayments(), listedAssets(queries)]);
  return Promise.all(
    listed.map(async (network) => {
      const paying = payingState(network);
      const isRecorded = await queries.safety.isHeld(network);
      const isHeld = isRecorded || (paying !== null && (paying.unknownWaiting > 0 || paying.stoppedBy !== null));
      const isGuarded = custody.get(network)?.isPaying === true;
      const count = unknown.filter((each) => each.network === network && each.booking === null).length;
      const waitsForFunds = (paying?.lacks() ?? []).map((lack) => ({
        ...fundsText(lack, assets),
        withdrawals: lack.withdrawals,
      }));
      return { network, isGuarded, isHeld, reason: reasonOf({ isGuarded, isRecorded, count }, paying), waitsForFunds };
    }),
  );
}

/** Why a network is held or not guarded; `null`: neither. */
function reasonOf(
  seen: { readonly isGuarded: boolean; readonly isRecorded: boolean; readonly count: number },
  paying: PayingState | null,
): string | null {
  if (!seen.isGuarded)
    return 'Nothing is signed here: operators pay by hand, and nothing is compared with the journal.';
  const stoppedBy = paying?.stoppedBy ?? null;
  if (stoppedBy !== null) return `Its work is stopped until the next start: it does not hold that ${stoppedBy}.`;
  if (seen.isRecorded)
    return `Payments of the hot wallet that the journal does not know wait for a booking: ${seen.count}.`;
  const waiting = paying?.unknownWaiting ?? 0;
  if (waiting === 0) return null;
  return `Transactions of the hot wallet that the journal does not know have too few confirmations: ${waiting}.`;
}

async function shown(
  { queries }: OperatorContext,
  payment: UnknownPayment,
): Promise<Safety['unknownPayments'][number]> {
  const assets = await listedAssets(queries);
  const { network, nonce, txId, address, memo, foundAt, booking, bookedTo, bookedAt } = payment;
  const asset = payment.asset === null ? null : assets.at(payment.asset);
  const native = (await nativeOf(queries, network)) ?? null;
  return {
    ...{ network, payment: payment.payment, nonce, txId, address, memo, foundAt, booking, bookedAt },
    asset: asset?.code ?? null,
    amount: asset === null ? null : amountText(payment.amount, asset),
    networkFee: native === null ? null : amountText(payment.networkFee, assets.at(native.asset)),
    withdrawal: booking === 'withdrawal' ? bookedTo : null,
    uid: booking === 'account' ? await uidOf(queries, bookedTo as AccountId) : null,
    deposit: booking === 'refund' ? bookedTo : null,
    toDo: booking === null ? toDoAbout(payment) : null,
  };
}

const nativeOf = async (queries: OperatorContext['queries'], network: string): Promise<AssetNetwork | undefined> =>
  (await queries.wallet.networks()).find((each) => each.network === network && each.contract === null);

function toDoAbout({ network, nonce, txId, asset }: UnknownPayment): string {
  if (txId === null)
    return (
      `The transaction is looked for. If it is not found, look up which one the hot wallet of ${network} sent with ` +
      `nonce ${nonce}, and name it as txId when you book it.`
    );
  if (asset === null) return 'Look up what the transaction moved, and book it with asset and amount.';
  return (
    'Book it to the withdrawal that asks for the same, to the account that was paid, to the deposit that it paid ' +
    'back, as revenue or as capital of your own.'
  );
}

async function shownLost({ queries }: OperatorContext, paid: PaidWithdrawal): Promise<Safety['lostPayments'][number]> {
  const asset = (await listedAssets(queries)).at(paid.asset);
  const { withdrawal, network, booking } = paid;
  return {
    ...{ withdrawal, network, booking },
    uid: await uidOf(queries, paid.account),
    asset: asset.code,
    amount: amountText(paid.amount, asset),
    txId: paid.transaction.txId,
    lostBy: paid.lostBy!,
    lostAt: paid.lostAt!,
    toDo: booking === null ? 'Book it: back to the account, or as capital, and pay the receiver in another way.' : null,
  };
}

/** What an operator names as the transaction of a payment, as its network has it. */
async function transactionNamed(
  { queries, custody }: OperatorContext,
  { network, nonce }: UnknownPayment,
  txId: string,
) {
  const [networks, { assets }] = await Promise.all([queries.wallet.networks(), queries.listing()]);
  try {
    const payment =
      (await custody.get(network)?.describePayment({ nonce, txId: readTransactionId(network, txId) }, null)) ?? null;
    if (payment === null) throw differs('/txId', 'must be a transaction of the hot wallet with this nonce');
    const listing = { networks: networks.filter((each) => each.network === network), assets };
    return { kind: 'recordUnknownPayment', network, nonce, ...describe(payment, listing) } as const;
  } catch (error) {
    if (error instanceof NetworkUnavailable) throw new Problem('networkUnavailable');
    throw error;
  }
}

const differs = (pointer: string, detail: string): Problem =>
  new Problem('paymentDiffers', { detail: `${pointer} ${detail}.`, errors: [{ pointer, detail }] });

/** Where a booking goes to, and what was moved where the payment itself does not tell. */
async function targetOf({ queries }: OperatorContext, known: UnknownPayment, body: Booking['body']) {
  const { booking, withdrawal = null, deposit = null, uid } = body;
  if ((booking === 'withdrawal') !== (withdrawal !== null))
    throw invalidBody('/withdrawal', 'must be given with `withdrawal` alone');
  if ((booking === 'account') !== (uid !== undefined)) throw invalidBody('/uid', 'must be given with `account` alone');
  if ((booking === 'refund') !== (deposit !== null)) throw invalidBody('/deposit', 'must be given with `refund` alone');
  const account = uid === undefined ? null : (await accountOfBody(queries, uid, '/uid')).account;
  const to = { withdrawal, account, deposit };
  if ((body.asset === undefined) !== (body.amount === undefined))
    throw invalidBody(body.asset === undefined ? '/asset' : '/amount', 'must be given with the other of both');
  if (body.asset === undefined || body.amount === undefined) {
    if (known.asset === null && known.booking === null && booking !== 'withdrawal')
      throw differs('/asset', 'must be given: it is not known what this payment moved');
    return { ...to, asset: null, amount: as<Balance>(0n) };
  }
  const asset = (await listedAssets(queries)).ofBody(body.asset, '/asset');
  return { ...to, asset: asset.id, amount: readPositiveAmount(body.amount, asset, '/amount') };
}

/** The problem with the member of the body that it is about. */
function pointed(error: unknown, { booking }: Booking['body']): unknown {
  if (!(error instanceof Problem)) return error;
  const differing = booking === 'withdrawal' ? '/withdrawal' : booking === 'refund' ? '/deposit' : '/amount';
  const pointer = error.code === 'paymentDiffers' ? differing : pointers[error.code];
  if (pointer === undefined) return error;
  return new Problem(error.code, { errors: [{ pointer, detail: 'does not fit this payment' }] });
}
