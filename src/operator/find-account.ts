import type { AccountView } from '#domain/account.ts';
import { as, type Uid } from '#domain/units.ts';
import type { ExchangeQueries } from '#ingress/exchange-queries.ts';
import { Problem } from '#operator/problems.ts';

/** The account with a uid. @throws Problem `unknownAccount`, also for accounts of the house. */
export async function accountOfUid(queries: ExchangeQueries, uid: number): Promise<AccountView> {
  const account = await queries.accountByUid(as<Uid>(uid));
  if (account === null) throw new Problem('unknownAccount');
  return account;
}
