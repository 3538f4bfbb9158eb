import type { walletSendEndpoints } from '#public-api/wallet/transfer-endpoints.ts';
import { assert } from '#base/assert.ts';
import { isEmail, isMobile } from '#model/contact.ts';
import type { AccountId } from '#model/units.ts';
import type { WalletIds } from '#model/wallet-id.ts';
import type { ContactKind } from '#model/wallet.ts';
import { ApiError, invalidParameter, refusalError } from '#http/errors.ts';
import { wireLimits } from '#http/limits.ts';
import { contactKindWord } from '#http/words.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import type { HandlersOf } from '#public-api/handlers.ts';
import { awaitHistory, windowOf } from '#public-api/history/history-reads.ts';
import { RecentMisses } from '#public-api/wallet/recent-misses.ts';
import { submit } from '#public-api/submit.ts';
import { listedAsset, pageNumbers, readAmount } from '#public-api/wallet/wallet-parameters.ts';
import { refuseWithPassword } from '#public-api/broker/withdrawal-passwords.ts';
import type { SendRow } from '#history/tables/wallet-tables.ts';
import { amountText, type SymbolDirectory } from '#market-data/symbol-directory.ts';

const { wallet: limits } = wireLimits;
const { historyWindowDefaultMs: defaultMs, transferReachMs: reachMs } = limits;

const uidPattern = /^[1-9]\d{0,14}$/;
const targetShapes: Readonly<Record<ContactKind, string>> = {
  email: 'must be a mail address',
  uid: 'must be a UID: digits only',
  mobile: 'must be 4 to 15 digits',
};

/** The receiver as the engine finds it. DEC-WAL-62. @throws ApiError 33333 for what is no contact of its kind. */
function targetOf(kind: ContactKind, toAccount: string, areaCode: string | undefined): string {
  const target = kind === 'mobile' ? `${areaCode} ${toAccount}` : toAccount;
  const isFit = { email: isEmail, uid: (text: string) => uidPattern.test(text), mobile: isMobile };
  if (!isFit[kind](target)) throw invalidParameter('toAccount', targetShapes[kind]);
  return target;
}

/** A UID with its middle hidden: `10****01`, of a short one `1***`. DEC-WAL-34, DEC-WAL-78. */
function maskedUid(uid: string): string {
  const shown = uid.length >= 8 ? 2 : 0;
  return shown === 0
    ? `${uid.slice(0, 1)}${'*'.repeat(Math.max(3, uid.length - 1))}`
    : `${uid.slice(0, shown)}${'*'.repeat(uid.length - 2 * shown)}${uid.slice(-shown)}`;
}

/** UIDs of accounts by id. */
async function uidsOf(context: GatewayContext, accounts: Iterable<AccountId>): Promise<ReadonlyMap<AccountId, string>> {
  const uids = new Map<AccountId, string>();
  for (const account of new Set(accounts)) {
    const view = await context.queries.account(account);
    uids.set(account, view === null ? '' : String(view.uid));
  }
  return uids;
}

/** A send as one of its two sides sees it. SPEC-WAL-23, DEC-WAL-34. */
function sendEntry(ids: WalletIds, directory: SymbolDirectory, uids: ReadonlyMap<AccountId, string>, row: SendRow) {
  const asset = directory.asset(row.asset);
  const isReceived = row.direction === 'in';
  const sender = uids.get(isReceived ? row.counterparty : row.account) ?? '';
  return {
    tranId: ids.text('send', row.send),
    asset: asset.code,
    amount: amountText(asset, row.amount),
    toAccountType: contactKindWord[row.targetKind],
    toAccount: row.target,
    fromAccount: isReceived ? maskedUid(sender) : sender,
    status: 'SUCCESS' as const,
    timestamp: row.at,
  };
}

/** Handlers of money that accounts send to one another. */
export function walletSendHandlers(
  context: GatewayContext,
  directory: SymbolDirectory,
): HandlersOf<typeof walletSendEndpoints> {
  const { history, monotonic, windows = monotonic, walletIds } = context;
  const unknownTargets = new RecentMisses(windows, {
    most: limits.unknownTargets,
    windowMs: limits.unknownTargetsWindowMs,
    entriesKept: limits.unknownTargetsKept,
  });
  const tooManyUnknown = (): ApiError =>
    new ApiError('riskControlAbnormal', { parameter: 'toAccount', why: 'too many unknown receivers, wait a minute' });
  return {
    send: async ({ toAccountType: targetKind, toAccount, areaCode, ...terms }, caller, request) => {
      await refuseWithPassword(context, caller);
      const { account } = caller.account;
      const asset = listedAsset(directory, terms.asset, 'asset');
      const amount = readAmount(asset, terms.amount, 'insufficientBalance');
      const target = targetOf(targetKind, toAccount, areaCode);
      if (unknownTargets.isAtLimit(account)) throw tooManyUnknown();
      const { clientTranId = null } = terms;
      const to = { targetKind, target } as const;
      const command = { kind: 'sendFunds', account, ...to, asset: asset.id, amount, clientTranId } as const;
      const { events } = await submit(context, request, command);
      const result = events.find(
        (event) => event.kind === 'fundsSent' || event.kind === 'sendRepeated' || event.kind === 'commandRefused',
      );
      assert(result !== undefined, 'a send has an event with its result');
      if (result.kind !== 'commandRefused') return { tranId: walletIds.text('send', result.send.send) };
      if (result.reason === 'unknownTarget' && !unknownTargets.add(account)) throw tooManyUnknown();
      const { reason } = result;
      throw refusalError(reason, undefined, reason === 'requestIdInUse' ? 'clientTranId' : undefined);
    },
    sends: async ({ startTime, endTime, page, limit, tranId }, caller) => {
      const send = tranId === undefined ? undefined : walletIds.numberOf('send', tranId);
      if (send === null) throw new ApiError('recordNotFound', { parameter: 'tranId' });
      const where = { account: caller.account.account, ...(send === undefined ? {} : { send }) };
      const ofAll = send === undefined ? defaultMs : reachMs;
      const asked = { startTime, endTime, defaultMs: ofAll, reachMs };
      const window = windowOf(asked, await awaitHistory(context));
      const [rows, total] = await Promise.all([
        history.page('sends', where, window, { limit, offset: (page - 1) * limit }),
        history.count('sends', where, window),
      ]);
      if (send !== undefined && total === 0) throw new ApiError('recordNotFound', { parameter: 'tranId' });
      const uids = await uidsOf(
        context,
        rows.map((row) => (row.direction === 'in' ? row.counterparty : row.account)),
      );
      return {
        ...pageNumbers(total, page, limit),
        data: rows.map((row) => sendEntry(walletIds, directory, uids, row)),
      };
    },
  };
}
