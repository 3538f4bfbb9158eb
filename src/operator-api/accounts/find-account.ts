import { type AccountView, houseAccountCount } from '#model/account.ts';
import { type AccountId, as, type Uid } from '#model/units.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { invalidBody, Problem } from '#operator-api/requests/problems.ts';
import { engineLimits } from '#model/limits.ts';
import type { Operator } from '#operator-api/requests/authenticate.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { createPast } from '#operator-api/requests/paging.ts';

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

/** A repeated registration that left the uid to the exchange. */
interface RepeatedRegistration {
  readonly operator: Operator;
  readonly idempotencyKey: string | null;
  readonly body: { readonly name: string };
}

/**
 * The uid that an earlier registration under the same idempotency key was given, by the moment of that act: the answer
 * of a repetition. DEC-OPR-06, DEC-OPR-17.
 * @throws Problem `idempotencyKeyInUse` where several accounts of that name were opened at the same moment.
 */
export function createRegistrations(context: OperatorContext) {
  const { queries, clock } = context;
  const past = createPast(context);
  return async ({ operator: { actor }, idempotencyKey, body }: RepeatedRegistration): Promise<number> => {
    const key = idempotencyKey === null ? {} : { idempotencyKey };
    const where = { actor, commandKind: 'registerAccount' as const, ...key };
    const from = clock.now() - engineLimits.idempotencyKeptMs;
    const [act] = await past.page('operatorActs', where, { from }, { limit: 1, before: null });
    const opened = (await queries.accounts()).filter(
      ({ openedAt, name, account, master }) => openedAt === act?.at && name === body.name && master === account,
    );
    if (opened.length !== 1) {
      const detail = 'The account was registered before, and cannot be told from others of its name: list accounts.';
      throw new Problem('idempotencyKeyInUse', { detail });
    }
    return opened[0]!.uid;
  };
}
