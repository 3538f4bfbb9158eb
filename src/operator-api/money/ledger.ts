import type { z } from 'zod';
import { futuresWalletOf, house, innerHouse } from '#model/account.ts';
import { type AccountId, as, type Seq, type TimestampMs } from '#model/units.ts';
import type { LedgerLineRow } from '#history/tables/ledger-tables.ts';
import { orderIdText } from '#http/words.ts';
import type { WalletIds } from '#model/wallet-id.ts';
import type { TrialBalance } from '#sequencer/queries/wallet-queries.ts';
import { createPastBalances } from '#operator-api/money/past-balances.ts';
import { amountText, type ListedAssets, listedAssets } from '#operator-api/wallet/listed-assets.ts';
import type { ledgerEndpoints } from '#operator-api/money/ledger-endpoints.ts';
import { accountOfUid } from '#operator-api/accounts/find-account.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { numbersOf, pageOfPast, createPast } from '#operator-api/requests/paging.ts';
import { invalidParameter } from '#operator-api/requests/problems.ts';

type Endpoints = typeof ledgerEndpoints;

/** Name of the house account of the outside world. */
const outsideName = 'outside';

/** Who owns an asset, each by name, with the outside apart. DEC-OPR-15. */
function shownTrial(assets: ListedAssets, { asset: id, users, futures, house }: TrialBalance) {
  const asset = assets.at(id);
  const sum = house.reduce((total, { balance }) => total + balance, users + futures);
  const outside = house.find(({ name }) => name === outsideName)?.balance ?? 0n;
  return {
    asset: asset.code,
    users: amountText(users, asset),
    futures: amountText(futures, asset),
    house: house
      .filter(({ name }) => name !== outsideName)
      .map(({ name, balance }) => ({ account: name, balance: amountText(balance, asset) })),
    outside: amountText(outside, asset),
    sum: amountText(sum, asset),
  };
}

type LineQuery = z.output<Endpoints['listLedgerLines']['query']>;
type LineAnswer = z.input<Endpoints['listLedgerLines']['answer']>['items'][number];

/** What a line was caused by; of what has a public id, that. */
export function referenceOf(
  { order, referenceKind: type, reference }: LedgerLineRow,
  walletIds: WalletIds,
): LineAnswer['reference'] {
  if (order !== null) return { type: 'order', id: orderIdText(order) };
  if (type === null || reference === null) return null;
  const hasId = type !== 'deposit' && type !== 'adjustment';
  return { type, id: hasId ? walletIds.text(type, reference) : String(reference) };
}

/** A ledger line as answers tell it. DEC-OPR-220. */
function shownLine(assets: ListedAssets, walletIds: WalletIds, row: LedgerLineRow): LineAnswer {
  const asset = assets.at(row.asset);
  return {
    at: row.at,
    seq: row.seq,
    line: row.line,
    asset: asset.code,
    change: amountText(row.change, asset),
    freeChange: amountText(row.free, asset),
    heldChange: amountText(row.held, asset),
    balance: amountText(row.balance, asset),
    reason: row.why,
    reference: referenceOf(row, walletIds),
  };
}

/** Handlers of the ledger. */
export function ledgerHandlers(context: OperatorContext): HandlersOf<Endpoints> {
  const { queries } = context;
  const past = createPast(context);
  const pastBalances = createPastBalances(context);
  /** Lines of a ledger account. */
  const linesOf = async (account: AccountId, { limit, cursor, asset: code, reason, from, to }: LineQuery) => {
    const assets = await listedAssets(queries);
    const asset = code === undefined ? null : assets.find(code);
    if (code !== undefined && asset === null) throw invalidParameter('asset', 'must be a listed asset');
    const last = numbersOf(cursor, 3);
    const rows = await past.page(
      'ledgerLines',
      {
        account,
        ...(asset === null ? {} : { asset: asset.id }),
        ...(reason === undefined ? {} : { why: reason }),
      },
      { from, to },
      { limit, before: last && { at: as<TimestampMs>(last[0]!), seq: as<Seq>(last[1]!), line: last[2]! } },
    );
    const numbers = ({ at, seq, line }: LedgerLineRow): readonly number[] => [at, seq, line];
    return pageOfPast(rows, limit, { item: (row) => shownLine(assets, context.walletIds, row), numbers });
  };
  const balancesOf = async (assets: ListedAssets, account: AccountId) =>
    (await queries.balances(account)).map(({ asset: id, free, held }) => {
      const asset = assets.at(id);
      return { asset: asset.code, free: amountText(free, asset), held: amountText(held, asset) };
    });
  return {
    getBalances: async ({ path }) => {
      const { uid, account } = await accountOfUid(queries, path.uid);
      const assets = await listedAssets(queries);
      return {
        uid,
        spot: await balancesOf(assets, account),
        futures: await balancesOf(assets, futuresWalletOf(account)),
      };
    },
    getBalancesAt: async ({ path, query: { at } }) => {
      const { uid, account } = await accountOfUid(queries, path.uid);
      const moment = await pastBalances.moment(at);
      const assets = await listedAssets(queries);
      const of = async (wallet: AccountId) =>
        (await pastBalances.ofEveryAsset(wallet, moment))
          .filter(({ balance }) => balance !== 0n)
          .map(({ asset: id, balance }) => {
            const asset = assets.at(id);
            return { asset: asset.code, balance: amountText(balance, asset) };
          });
      return { uid, at, spot: await of(account), futures: await of(futuresWalletOf(account)) };
    },
    listLedgerLines: async ({ path, query }) => {
      const { account } = await accountOfUid(queries, path.uid);
      return linesOf(path.wallet === 'spot' ? account : futuresWalletOf(account), query);
    },
    listHouseLedgerLines: ({ path, query }) => linesOf({ ...house, ...innerHouse }[path.account], query),
    getTrialBalance: async ({ query: { at } }) => {
      const assets = await listedAssets(queries);
      const sums =
        at === undefined
          ? await queries.wallet.trialBalance()
          : await pastBalances.trial(await pastBalances.moment(at), assets.all);
      return { items: sums.map((each) => shownTrial(assets, each)) };
    },
  };
}
