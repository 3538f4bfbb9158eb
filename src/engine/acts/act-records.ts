import { houseNames } from '#model/account.ts';
import { permissionNames } from '#model/permission.ts';
import type { OrderRef } from '#model/order.ts';
import type { Proposal } from '#model/proposal.ts';
import type { AccountId, AssetId, SymbolId, TimestampMs } from '#model/units.ts';
import { viewOfPosition } from '#engine/futures/position-margin.ts';
import { orderOf } from '#engine/queries/engine-queries.ts';
import { pendingRebatesOf } from '#engine/rebates/pending-rebates.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Records that acts change, as they are now; `null`: there is none. What names a record is no member of it. */

/** What is kept of an account: its terms, how it can be reached, and its switches. */
export function accountRecord(state: EngineState, account: AccountId): object | null {
  const known = state.accounts.get(account);
  if (known === null || houseNames.has(account)) return null;
  const { account: _, uid: __, ...terms } = known;
  const contact = state.contacts.of(account);
  const subAccount = state.subAccounts.of(account);
  return {
    ...terms,
    email: contact?.email ?? null,
    mobile: contact?.mobile ?? null,
    allowList: state.savedAddresses.isWithdrawalAllowListOn(account),
    inviter: state.invitations.of(account)?.inviter ?? null,
    ...(subAccount === null ? {} : { note: subAccount.note, isFuturesEnabled: subAccount.isFuturesEnabled }),
  };
}

/** What a ledger account owns of an asset. */
export function balanceRecord(state: EngineState, account: AccountId, asset: AssetId): object | null {
  const { balances } = state.ledger;
  if (!state.assets.has(asset)) return null;
  const row = balances.find(account, asset);
  return { asset, free: row < 0 ? 0n : balances.free.get(row), held: row < 0 ? 0n : balances.held.get(row) };
}

/** An API key without its secret. */
export function apiKeyRecord(state: EngineState, account: AccountId, accessKey: string): object | null {
  const known = state.keys.of(account).find((key) => key.accessKey === accessKey);
  if (known === undefined) return null;
  const { account: _, permissions, ...terms } = known;
  return { ...terms, permissions: permissionNames(permissions) };
}

/** The orders of an account, and its position in a contract. */
export function tradingRecord(state: EngineState, account: AccountId, symbol: SymbolId | null): object | null {
  if (!state.accounts.isUser(account)) return null;
  const openOrders = state.accounts.openCount(account);
  const position = symbol === null ? null : state.positions.find(account, symbol);
  if (position === null) return { openOrders };
  const { account: _, ...view } = viewOfPosition(state, position);
  return { openOrders, ...view };
}

/** An order of an account. */
export function orderRecord(state: EngineState, account: AccountId, symbol: SymbolId, ref: OrderRef): object | null {
  if (!state.accounts.isUser(account)) return null;
  const order = orderOf(state, account, symbol, ref);
  if (order === null) return null;
  const { status, executed, closeReason } = order;
  return { order: order.order, status, executed, closeReason };
}

/** The rules of an asset, by its ticker. */
export function assetRecord(state: EngineState, code: string): object | null {
  const known = state.assets.find(code);
  if (known === null) return null;
  const { id: _, ...rules } = known;
  return rules;
}

/** The rules of a pair, by its name. */
export function pairRecord(state: EngineState, name: string): object | null {
  const book = state.symbols.find(name);
  if (book === null) return null;
  const { id: _, ...rules } = book.rules;
  return rules;
}

/** The rules of a contract. */
export function contractRecord(state: EngineState, name: string): object | null {
  const known = state.contracts.find(name);
  if (known === null) return null;
  const { id: _, ...rules } = known.rules;
  return rules;
}

/** What accrued for an inviter on a day and can still be rejected, by who paid and asset. */
export function pendingRecord(
  state: EngineState,
  { beneficiary, source, day }: { beneficiary: AccountId; source: AccountId | null; day: TimestampMs },
): object {
  const isMeant = (each: { day: TimestampMs; source: AccountId }): boolean =>
    each.day === day && (source === null || each.source === source);
  const pending = pendingRebatesOf(state, beneficiary, pendingMost).filter(isMeant);
  return { pending: pending.map(({ source: from, asset, amount }) => ({ from, asset, amount })) };
}
/** Rows of pending rebates that an act tells at most. */
const pendingMost = 100;

/** What became of a proposal, and what it is about as that is now. */
export const proposalRecord = (
  known: Proposal | null,
  recordOf: (command: Proposal['command']) => object | null,
): object | null => (known === null ? null : { ...recordOf(known.command), state: known.state });
