import type { z } from 'zod';
import type { AccountView } from '#model/account.ts';
import { referCodeOf } from '#model/refer-code.ts';
import { type AccountId, as, type Uid } from '#model/units.ts';
import type { SavedAddress } from '#model/wallet.ts';
import type { accountEndpoints } from '#operator-api/accounts/account-endpoints.ts';
import { cancelFrozenOrders } from '#jobs/keep-accounts.ts';
import { createAccountFinder } from '#operator-api/accounts/account-finder.ts';
import { accountOfUid, uidOf, createRegistrations } from '#operator-api/accounts/find-account.ts';
import { notEmpty } from '#operator-api/accounts/not-empty.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import { type ListedAssets, listedAssets } from '#operator-api/wallet/listed-assets.ts';
import { canonicalAddressOf, readAddress } from '#operator-api/wallet/network-texts.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { pageByNumber, pageByOffset } from '#operator-api/requests/paging.ts';
import { invalidBody, Problem } from '#operator-api/requests/problems.ts';

type Endpoints = typeof accountEndpoints;
type AccountAnswer = z.input<Endpoints['getAccount']['answer']>;
type SavedAnswer = z.input<Endpoints['saveAddress']['answer']>;

const shownSaved = (assets: ListedAssets, saved: SavedAddress): SavedAnswer => ({
  asset: assets.at(saved.asset).code,
  network: saved.network,
  address: saved.address,
  memo: saved.memo,
  tag: saved.tag,
  savedAt: saved.savedAt,
});

/** Handlers of accounts. DEC-OPR-17, DEC-OPR-18. */
export function accountHandlers(context: OperatorContext): HandlersOf<Endpoints> {
  const { queries } = context;
  const { wallet, rebates, subAccounts } = queries;
  const registeredBefore = createRegistrations(context);
  const invitationOf = async (account: AccountId): Promise<AccountAnswer['invitation']> => {
    const invitation = await rebates.invitation(account);
    if (invitation === null) return null;
    const { inviter, code, invitedAt } = invitation;
    return { inviterUid: (await uidOf(queries, inviter)) as number, code, invitedAt };
  };
  const subAccountOf = async (account: AccountId): Promise<AccountAnswer['subAccount']> => {
    const found = await subAccounts.of(account);
    return found === null ? null : { note: found.note, futuresEnabled: found.isFuturesEnabled };
  };
  const shown = async (view: AccountView): Promise<AccountAnswer> => {
    const { account, uid, name, status, switches, kycLevel, simulated, openedAt } = view;
    const contact = await wallet.contact(account);
    const master = view.master === account ? view : await queries.account(view.master);
    return {
      uid,
      name,
      masterUid: master?.uid ?? uid,
      class: view.class,
      status,
      switches,
      kycLevel,
      email: contact?.email ?? null,
      mobile: contact?.mobile ?? null,
      allowListEnabled: await wallet.isWithdrawalAllowListOn(account),
      simulated,
      openedAt,
      referCode: view.master === account ? referCodeOf(account) : null,
      invitation: await invitationOf(account),
      subAccount: await subAccountOf(account),
    };
  };
  const answerOf = async (uid: number): Promise<AccountAnswer> => shown(await accountOfUid(queries, uid));
  const found = createAccountFinder(context);
  return {
    listAccounts: async ({ query }) => {
      const { items, nextCursor } = pageByNumber(await found(query), query, {
        item: (view) => view,
        number: ({ account }) => account,
      });
      return { items: await Promise.all(items.map(shown)), nextCursor };
    },
    getAccount: ({ path }) => answerOf(path.uid),
    registerAccount: async (request) => {
      const { body, act } = request;
      const { uid, name, email, mobile, inviteCode, kycLevel } = body;
      const events = await act({
        kind: 'registerAccount',
        uid: uid === undefined ? null : as<Uid>(uid),
        name,
        class: body.class,
        kycLevel,
        simulated: false,
        email,
        mobile,
        inviteCode,
      });
      const opened = events.find((event) => event.kind === 'accountOpened');
      return answerOf(uid ?? opened?.account.uid ?? (await registeredBefore(request)));
    },
    listSubAccounts: async ({ path, query }) => {
      const { account: master } = await accountOfUid(queries, path.uid);
      const read = async (offset: number, limit: number) => (await subAccounts.page(master, { offset, limit })).items;
      const { items, nextCursor } = await pageByOffset(query, read, ({ uid }) => uid);
      return { items: await Promise.all(items.map(answerOf)), nextCursor };
    },
    setAccountStatus: async ({ path, body, act }) => {
      const { account } = await accountOfUid(queries, path.uid);
      await act({ kind: 'setAccountStatus', account, status: body.status });
      await cancelFrozenOrders(context.ingress, queries);
      return answerOf(path.uid);
    },
    setAccountClosed: async ({ path, body, act }) => {
      const { account } = await accountOfUid(queries, path.uid);
      await act({ kind: 'setAccountClosed', account, closed: body.closed }).catch(async (error: unknown) => {
        const isLeft = error instanceof Problem && error.code === 'accountNotEmpty';
        throw isLeft ? await notEmpty(queries, account) : error;
      });
      return answerOf(path.uid);
    },
    setSwitches: async ({ path, body, act }) => {
      const { account } = await accountOfUid(queries, path.uid);
      const { trade, withdraw, api, cancelOrders } = body;
      if (cancelOrders && trade) throw invalidBody('/cancelOrders', 'must be false while trade is on');
      await act({ kind: 'setAccountSwitches', account, switches: { trade, withdraw, api }, cancelOrders });
      await cancelFrozenOrders(context.ingress, queries);
      return answerOf(path.uid);
    },
    setKycLevel: async ({ path, body, act }) => {
      const { account } = await accountOfUid(queries, path.uid);
      await act({ kind: 'setKycLevel', account, kycLevel: body.kycLevel });
      return answerOf(path.uid);
    },
    setAccountClass: async ({ path, body, act }) => {
      const { account } = await accountOfUid(queries, path.uid);
      await act({ kind: 'setAccountClass', account, class: body.class });
      return answerOf(path.uid);
    },
    setContact: async ({ path, body, act }) => {
      const { account } = await accountOfUid(queries, path.uid);
      await act({ kind: 'setContact', account, email: body.email, mobile: body.mobile });
      return answerOf(path.uid);
    },
    setAllowList: async ({ path, body, act }) => {
      const { account } = await accountOfUid(queries, path.uid);
      await act({ kind: 'setAllowList', account, enabled: body.enabled });
      return answerOf(path.uid);
    },
    listDepositAddresses: async ({ path }) => {
      const { account } = await accountOfUid(queries, path.uid);
      const own = await wallet.depositAddressesOf(account);
      return { items: own.map(({ network, index, address, memo }) => ({ network, index, address, memo })) };
    },
    listSavedAddresses: async ({ path, query }) => {
      const { account } = await accountOfUid(queries, path.uid);
      const assets = await listedAssets(queries);
      const numbered = (await wallet.savedAddresses(account)).map((saved, index) => ({ saved, index }));
      return pageByNumber(numbered, query, {
        item: ({ saved }) => shownSaved(assets, saved),
        number: ({ index }) => index,
      });
    },
    saveAddress: async ({ path, body, act }) => {
      const { account } = await accountOfUid(queries, path.uid);
      const assets = await listedAssets(queries);
      const asset = assets.ofBody(body.asset, '/asset');
      const target = readAddress(body);
      await act({ kind: 'saveAddress', account, asset: asset.id, tag: body.tag, ...target });
      const saved = (await wallet.savedAddresses(account)).find((each) => isSame(each, { asset: asset.id, ...target }));
      if (saved === undefined) throw new Problem('unknownSavedAddress');
      return shownSaved(assets, saved);
    },
    removeSavedAddress: async ({ path, query, act }) => {
      const { account } = await accountOfUid(queries, path.uid);
      const asset = (await listedAssets(queries)).find(query.asset);
      if (asset === null) throw new Problem('unknownSavedAddress');
      const { network, memo = null } = query;
      const address = canonicalAddressOf(network, query.address);
      await act({ kind: 'removeSavedAddress', account, asset: asset.id, network, address, memo });
      return { asset: asset.code, network, address, memo };
    },
  };
}

/** Whether a saved address is the one that is meant. */
const isSame = (saved: SavedAddress, other: Pick<SavedAddress, 'asset' | 'network' | 'address' | 'memo'>): boolean =>
  saved.asset === other.asset &&
  saved.network === other.network &&
  saved.address === other.address &&
  saved.memo === other.memo;
