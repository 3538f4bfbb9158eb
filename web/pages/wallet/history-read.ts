import type { BourseClient } from '#client/client.ts';

/** What a history is asked for. */
export interface HistoryFilter {
  /** Empty: every coin. */
  readonly coin: string;
  /** Number of a status; empty: every one. */
  readonly status: string;
  /** So many days back from now. */
  readonly days: number;
}

const dayMs = 86_400_000;
/** Pages that are read at most of one history: more is told to be left out. */
const pagesMax = 10;

/** Rows of a history, newest first, and whether older ones were left out. */
export interface HistoryRows<Row> {
  readonly rows: readonly Row[];
  readonly isCut: boolean;
}

const since = ({ days }: HistoryFilter): number => Date.now() - days * dayMs;
const rowsMax = 1000;

/** Members that both histories of the chains take. */
const chainMembers = (filter: HistoryFilter) => ({
  startTime: since(filter),
  limit: rowsMax,
  ...(filter.coin === '' ? {} : { coin: filter.coin }),
  ...(filter.status === '' ? {} : { status: filter.status as '5' }),
});

const cutAt = <Row>(rows: readonly Row[], most: number): HistoryRows<Row> => ({ rows, isCut: rows.length >= most });

/** Reads pages until one is not full. */
async function byPages<Row>(
  size: number,
  readPage: (page: number) => Promise<readonly Row[]>,
): Promise<HistoryRows<Row>> {
  const rows: Row[] = [];
  for (let page = 1; page <= pagesMax; page += 1) {
    const read = await readPage(page);
    rows.push(...read);
    if (read.length < size) return { rows, isCut: false };
  }
  return { rows, isCut: true };
}

/** Deposits. */
export const readDeposits = async (client: BourseClient, filter: HistoryFilter) =>
  cutAt(await client.deposits(chainMembers(filter)), rowsMax);

/** Withdrawals. */
export const readWithdrawals = async (client: BourseClient, filter: HistoryFilter) =>
  cutAt(await client.withdrawals(chainMembers(filter)), rowsMax);

/** Something that was moved within the exchange. */
export interface Move {
  readonly id: string;
  readonly at: number;
  readonly asset: string;
  readonly amount: string;
  readonly from: string;
  readonly to: string;
  readonly status: string;
}

const pageSize = 100;
const wallets = { SPOT: 'Spot', FUTURES: 'Contracts' } as const;
const ofCoin =
  ({ coin }: HistoryFilter) =>
  ({ asset }: { readonly asset: string }): boolean =>
    coin === '' || asset === coin;

/** Both directions between the wallets of the account. */
export async function readTransfers(client: BourseClient, filter: HistoryFilter): Promise<HistoryRows<Move>> {
  const startTime = since(filter);
  const read = (fromAccountType: 'SPOT' | 'FUTURES', toAccountType: 'SPOT' | 'FUTURES') =>
    byPages(
      pageSize,
      async (page) =>
        (await client.transfers({ fromAccountType, toAccountType, startTime, page, size: pageSize })).rows,
    );
  const both = await Promise.all([read('SPOT', 'FUTURES'), read('FUTURES', 'SPOT')]);
  const moves = both.flatMap(({ rows }) =>
    rows.map(({ tranId, timestamp, asset, amount, fromAccountType, toAccountType, status }) => ({
      ...{ id: tranId, at: timestamp, asset, amount, status },
      ...{ from: wallets[fromAccountType], to: wallets[toAccountType] },
    })),
  );
  return {
    rows: moves.filter(ofCoin(filter)).toSorted((one, other) => other.at - one.at),
    isCut: both.some(({ isCut }) => isCut),
  };
}

/** Between this account and others. */
export async function readSends(client: BourseClient, filter: HistoryFilter): Promise<HistoryRows<Move>> {
  const startTime = since(filter);
  const { rows, isCut } = await byPages(
    pageSize,
    async (page) => (await client.sends({ startTime, page, limit: pageSize })).data,
  );
  const moves = rows.map(({ tranId, timestamp, asset, amount, fromAccount, toAccount, status }) => ({
    ...{ id: tranId, at: timestamp, asset, amount, from: fromAccount, to: toAccount, status },
  }));
  return { rows: moves.filter(ofCoin(filter)), isCut };
}

const accountTypes = ['SPOT', 'FUTURES'] as const;
const subPageSize = 500;

/** Between this account and its sub-accounts, of all wallets. */
export async function readSubTransfers(client: BourseClient, filter: HistoryFilter): Promise<HistoryRows<Move>> {
  const startTime = since(filter);
  const ways = accountTypes.flatMap((fromAccountType) =>
    accountTypes.map((toAccountType) => ({ fromAccountType, toAccountType })),
  );
  const all = await Promise.all(
    ways.map((way) =>
      byPages(subPageSize, (page) => client.universalTransfers({ ...way, startTime, page, limit: subPageSize })),
    ),
  );
  const moves = all.flatMap(({ rows }) =>
    rows.map(({ tranId, timestamp, asset, amount, status, ...way }) => ({
      ...{ id: tranId, at: timestamp, asset, amount, status },
      from: `${way.fromAccount} · ${wallets[way.fromAccountType]}`,
      to: `${way.toAccount} · ${wallets[way.toAccountType]}`,
    })),
  );
  return {
    rows: moves.filter(ofCoin(filter)).toSorted((one, other) => other.at - one.at),
    isCut: all.some(({ isCut }) => isCut),
  };
}

/** An asset that became the platform's token. */
export interface Conversion {
  readonly id: string;
  readonly at: number;
  readonly asset: string;
  readonly amount: string;
  readonly fee: string;
  readonly became: string;
}

/** Conversions of small balances, a row for each asset. */
export async function readConversions(client: BourseClient, filter: HistoryFilter): Promise<HistoryRows<Conversion>> {
  const startTime = since(filter);
  const { data } = await client.conversions({ startTime, limit: rowsMax });
  const rows = data.flatMap(({ convertDetails }) =>
    convertDetails.map(({ id, time, asset, amount, fee, convert }) => ({
      ...{ id, at: time, asset, amount, fee, became: convert },
    })),
  );
  return { rows: rows.filter(ofCoin(filter)), isCut: data.length >= rowsMax };
}
