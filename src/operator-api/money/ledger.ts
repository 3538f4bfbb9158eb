import type { z } from 'zod';
import { futuresWalletOf, house, innerHouse } from '#model/account.ts';
import { type AccountId, as, type Seq, type TimestampMs } from '#model/units.ts';
import type { LedgerLineRow } from '#history/tables/wallet-tables.ts';
import type { TrialBalance } from '#sequencer/queries/wallet-queries.ts';
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

function shownLine(assets: ListedAssets, row: LedgerLineRow) {
  const asset = assets.at(row.asset);
  return {
    at: row.at,
    seq: row.seq,
    asset: asset.code,
    change: amountText(row.change, asset),
    freeChange: amountText(row.free, asset),
    heldChange: amountText(row.held, asset),
    reason: row.why,
    order: row.order,
  };
}

/** Handlers of the ledger. */
export function ledgerHandlers(context: OperatorContext): HandlersOf<Endpoints> {
  const { queries } = context;
  const past = createPast(context);
  /** Lines of a ledger account. */
  const linesOf = async (account: AccountId, { limit, cursor, asset: code, from, to }: LineQuery) => {
    const assets = await listedAssets(queries);
    const asset = code === undefined ? null : assets.find(code);
    if (code !== undefined && asset === null) throw invalidParameter('asset', 'must be a listed asset');
    const last = numbersOf(cursor, 3);
    const rows = await past.page(
      'ledgerLines',
      { account, ...(asset === null ? {} : { asset: asset.id }) },
      { from, to },
      { limit, before: last && { at: as<TimestampMs>(last[0]!), seq: as<Seq>(last[1]!), line: last[2]! } },
    );
    const numbers = ({ at, seq, line }: LedgerLineRow): readonly number[] => [at, seq, line];
    return pageOfPast(rows, limit, { item: (row) => shownLine(assets, row), numbers });
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
    listLedgerLines: async ({ path, query }) => {
      const { account } = await accountOfUid(queries, path.uid);
      return linesOf(path.wallet === 'spot' ? account : futuresWalletOf(account), query);
    },
    listHouseLedgerLines: ({ path, query }) => linesOf({ ...house, ...innerHouse }[path.account], query),
    getTrialBalance: async () => {
      const assets = await listedAssets(queries);
      return { items: (await queries.wallet.trialBalance()).map((each) => shownTrial(assets, each)) };
    },
  };
}
