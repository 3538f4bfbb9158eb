import type { EventSink } from '#model/events.ts';
import type { AccountId } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { HistoryStore, Where, Window } from '#history/history-store.ts';
import type { RowOf } from '#history/tables/history-table.ts';
import type { HistoryTables } from '#history/tables/history-tables.ts';
import { rebateKinds } from '#history/tables/rebate-tables.ts';

const always: Window = { from: as(0), to: as(Number.MAX_SAFE_INTEGER) };
const dayMs = 86_400_000;
/** Every account that the story tells of. */
const accounts = [4, 5, 6, 7].map((account) => as<AccountId>(account));

/** Tells a sink something of everything about rebates at an entry, always the same. */
export function tellRebates(sink: EventSink, entry: number, at: number): void {
  const trade = { product: 'spot', symbol: 0, trade: entry, payer: 7, source: 7, code: 'a-7' };
  for (const isMaker of [false, true])
    sink.rebateAccrued({
      ...trade,
      accrual: 2 * entry - Number(!isMaker),
      isMaker,
      asset: entry % 2,
      commission: 100,
      turnover: 1000 + entry,
      beneficiaries: [6, 5, 4, 7],
      ratesPpm: [200_000, 50_000, 20_000, 0],
      amounts: [entry % 5 === 0 ? 0 : 20, 5, 2, entry % 3],
      assetValue: [2 ** 52 + entry, 7],
      quoteValue: [1, 1],
    } as unknown as Parameters<EventSink['rebateAccrued']>[0]);
  const both = { asset: 1, amount: BigInt(entry), at };
  const move = { ...both, move: entry, account: 7, inviter: 6, code: 'a-7', direction: 'deposit', value: 3n };
  const day = at - (at % dayMs) - dayMs;
  const route = { master: 6, from: 6, fromWallet: 'spot', to: 7, toWallet: 'spot' };
  const transfer = { ...both, ...route, transfer: entry, clientTranId: null };
  const facts = [
    { kind: 'inviteeMoved', move },
    { kind: 'clicksRecorded', code: 'a-7', owner: 6, minute: at - (at % 60_000), count: entry },
    { kind: 'rebatesSettled', day, payouts: [{ beneficiary: 5, asset: 1, amount: 9n }], isDone: true },
    { kind: 'rebatesRejected', beneficiary: 4, source: 7, day, amounts: [] },
    { kind: 'rebatesRejected', beneficiary: 5, source: null, day: entry % 3 === 0 ? day : day + dayMs, amounts: [] },
    { kind: 'universalTransferMade', transfer },
  ];
  for (const fact of facts) sink.fact(fact as never);
}

/** What history tells of the story. */
export async function rebateContentOf(store: HistoryStore): Promise<unknown> {
  const content: Record<string, unknown> = {};
  const add = async <Name extends keyof HistoryTables>(table: Name, where: Where<RowOf<HistoryTables[Name]>>) => {
    content[`${table} of ${JSON.stringify(where)}`] = await store.rows(table, where, always);
  };
  for (const account of accounts) {
    for (const kind of rebateKinds) {
      await add('rebates', { account, kind });
      await add('rebateDays', { account, kind });
    }
    await add('inviteeMoves', { inviter: account });
    await add('inviteClicks', { owner: account });
    await add('rebatePayouts', { account });
    await add('rebateRejections', { account });
    await add('universalTransfers', { master: account });
  }
  return content;
}
