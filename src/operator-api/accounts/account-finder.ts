import { houseAccountCount, type AccountView } from '#model/account.ts';
import { type AccountId, as, type OrderNumber, type Uid } from '#model/units.ts';
import type { AccountText, HistoryStore } from '#history/history-store.ts';
import { orderOfId } from '#http/words.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { invalidParameter } from '#operator-api/requests/problems.ts';
import { canonicalAddressOf, transactionIdOf } from '#operator-api/wallet/network-texts.ts';

/** What an account is found by. A deposit address may be that of several accounts, each on another network. */
interface AccountNames {
  readonly uid?: number | undefined;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly mobile?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly depositAddress?: string | undefined;
  readonly memo?: string | undefined;
  readonly order?: string | undefined;
  readonly withdrawal?: string | undefined;
  readonly withdrawalAddress?: string | undefined;
  readonly transaction?: string | undefined;
}

type Found = Promise<readonly (AccountId | null)[]>;

/** Finds accounts by what belongs to them; each question is answered from an index. DEC-OPR-231, DEC-OPR-234. */
export function createAccountFinder(context: OperatorContext) {
  const { queries, walletIds } = context;
  const { wallet } = queries;
  /** Whose an order or a withdrawal is that the engine does not keep any more. */
  const ownerBefore = async (kind: Parameters<HistoryStore['ownerOf']>[0], number: number): Found => {
    const { seq } = await queries.position();
    await context.awaitHistory(seq);
    return [await context.history.ownerOf(kind, number)];
  };
  /** Whose deposits or withdrawals have a text, in the forms that networks give it. */
  const ownersOf = async (kinds: readonly AccountText['of'][], texts: readonly string[]): Found => {
    const { seq } = await queries.position();
    await context.awaitHistory(seq);
    const asked = kinds.flatMap((of) => [...new Set(texts)].map((text) => context.history.accountsWith({ of, text })));
    return (await Promise.all(asked)).flat();
  };
  const networkCodes = async (): Promise<readonly string[]> => [
    ...new Set((await wallet.networks()).map(({ network }) => network)),
  ];
  const finders = {
    uid: async (uid: number): Found => [(await queries.accountByUid(as<Uid>(uid)))?.account ?? null],
    name: async (name: string): Found => queries.support.accountsNamed(name),
    email: async (email: string): Found => [await wallet.accountOfContact('email', email)],
    mobile: async (mobile: string): Found => [await wallet.accountOfContact('mobile', mobile)],
    apiKey: async (apiKey: string): Found => [(await queries.apiKey(apiKey))?.account ?? null],
    depositAddress: async (address: string, memo: string | null): Found => {
      const networks = await networkCodes();
      const owner = (network: string) => wallet.accountOfAddress(network, canonicalAddressOf(network, address), memo);
      return Promise.all(networks.map(owner));
    },
    order: async (id: string): Found => {
      const order = orderOfId(id);
      if (order === null) return [];
      const live = await queries.accountOfOrder(order as OrderNumber);
      return live === null ? ownerBefore('orders', order) : [live];
    },
    withdrawal: async (id: string): Found => {
      const number = id.length === 32 ? walletIds.numberOf('withdrawal', id) : Number.parseInt(id, 10);
      if (number === null) return [];
      const live = await wallet.withdrawal(number);
      return live === null ? ownerBefore('withdrawals', number) : [live.account];
    },
    withdrawalAddress: async (address: string): Found => {
      const forms = (await networkCodes()).map((network) => canonicalAddressOf(network, address));
      return ownersOf(['withdrawalAddress'], forms);
    },
    transaction: async (txId: string): Found => {
      const forms = (await networkCodes()).map((network) => transactionIdOf(network, txId));
      return ownersOf(['depositTransaction', 'withdrawalTransaction'], [txId, ...forms]);
    },
  };
  /**
   * The accounts that have all that is named, in the order of opening; every account where nothing is.
   * @throws Problem naming `memo` where there is no address.
   */
  return async ({
    memo = null,
    ...names
  }: Omit<AccountNames, 'memo'> & { readonly memo?: string | null | undefined }) => {
    const { uid, name, email, mobile, apiKey, depositAddress } = names;
    const { order, withdrawal, withdrawalAddress, transaction } = names;
    if (memo !== null && depositAddress === undefined) throw invalidParameter('memo', 'must go with depositAddress');
    const asked = [
      uid === undefined ? null : finders.uid(uid),
      name === undefined ? null : finders.name(name),
      email === undefined ? null : finders.email(email),
      mobile === undefined ? null : finders.mobile(mobile),
      apiKey === undefined ? null : finders.apiKey(apiKey),
      depositAddress === undefined ? null : finders.depositAddress(depositAddress, memo),
      order === undefined ? null : finders.order(order),
      withdrawal === undefined ? null : finders.withdrawal(withdrawal),
      withdrawalAddress === undefined ? null : finders.withdrawalAddress(withdrawalAddress),
      transaction === undefined ? null : finders.transaction(transaction),
    ].filter((each) => each !== null);
    if (asked.length === 0) return queries.accounts();
    const [first = [], ...further] = await Promise.all(asked);
    const inAll = first.filter((id) => id !== null && further.every((ids) => ids.includes(id))) as AccountId[];
    const ids = [...new Set(inAll)].filter((id) => id >= houseAccountCount).sort((left, right) => left - right);
    const views = await Promise.all(ids.map((id) => queries.account(id)));
    return views.filter((view): view is AccountView => view !== null);
  };
}
