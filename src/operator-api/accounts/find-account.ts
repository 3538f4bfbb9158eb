import { type AccountView, houseAccountCount } from '#model/account.ts';
import { type AccountId, as, type Uid } from '#model/units.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { invalidBody, Problem } from '#operator-api/requests/problems.ts';

/** The account with a uid; `null` also for accounts of the house, whose uids are their ids. */
async function userOf(queries: ExchangeQueries, uid: number): Promise<AccountView | null> {
  const account = await queries.accountByUid(as<Uid>(uid));
  return account === null || account.account < houseAccountCount ? null : account;
}

/** The account with a uid. @throws Problem `unknownAccount`, also for accounts of the house. */
export async function accountOfUid(queries: ExchangeQueries, uid: number): Promise<AccountView> {
  const account = await userOf(queries, uid);
  if (account === null) throw new Problem('unknownAccount');
  return account;
}

/** The account that a member of the body names. @throws Problem naming the member. */
export async function accountOfBody(queries: ExchangeQueries, uid: number, pointer: string): Promise<AccountView> {
  const account = await userOf(queries, uid);
  if (account === null) throw invalidBody(pointer, 'must be the uid of an account');
  return account;
}

/** The uid of an account; `null` for accounts of the house. */
export const uidOf = async (queries: ExchangeQueries, account: AccountId): Promise<number | null> =>
  account < houseAccountCount ? null : ((await queries.account(account))?.uid ?? null);
