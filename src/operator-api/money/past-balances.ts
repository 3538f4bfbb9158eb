import { houseNames, ledgerSections } from '#model/account.ts';
import type { AssetRules } from '#model/asset.ts';
import { type AccountId, as, type Balance, type TimestampMs } from '#model/units.ts';
import { type AccountRange, pageRowsMax, type Window } from '#history/history-store.ts';
import { type LedgerBalance, type LedgerMoment, simulatedFutures } from '#history/tables/ledger-tables.ts';
import type { TrialBalance } from '#sequencer/queries/wallet-queries.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { invalidParameter } from '#operator-api/requests/problems.ts';

/** Every ledger account, with those that stand for all simulated ones. */
const everybody: AccountRange = {
  from: simulatedFutures,
  to: as<AccountId>(ledgerSections.innerFrom + ledgerSections.sectionSize),
};

const always: Window = { from: as(0), to: as(Number.MAX_SAFE_INTEGER) };

/** Whose balance it is, for people. */
function placeOf(account: AccountId): 'users' | 'futures' | 'house' {
  if (houseNames.has(account)) return 'house';
  return account === simulatedFutures || account >= ledgerSections.futuresFrom ? 'futures' : 'users';
}

/**
 * Balances as of moments, read from the ledger lines: exact, also between two commands of one millisecond. DEC-OPR-223.
 */
export function createPastBalances({ queries, history, awaitHistory, clock }: OperatorContext) {
  /** Balances of a range of accounts, by asset, then account, a page at a time. */
  async function* balances(range: AccountRange, moment: LedgerMoment): AsyncGenerator<LedgerBalance> {
    let after: LedgerBalance | null = null;
    for (;;) {
      const page: readonly LedgerBalance[] = await history.balances(range, moment, { limit: pageRowsMax, after });
      yield* page;
      if (page.length < pageRowsMax) return;
      after = page.at(-1)!;
    }
  }
  let first: TimestampMs | null = null;
  /** When money moved for the first time: it comes from accounts of the house. `null`: it never did. */
  async function firstLine(): Promise<TimestampMs | null> {
    const oldest = [...houseNames.keys()].map((account) => history.rows('ledgerLines', { account }, always, 1));
    const times = (await Promise.all(oldest)).flat().map(({ at }) => at);
    return times.length === 0 ? null : as<TimestampMs>(Math.min(...times));
  }
  return {
    /**
     * What happened up to a time and was acknowledged by now, once history shows it.
     * @throws Problem naming `at`: the time is still to come, or nobody owned anything yet.
     */
    moment: async (at: number): Promise<LedgerMoment> => {
      const { seq, at: last } = await queries.position();
      if (at > Math.max(last, clock.now())) throw invalidParameter('at', 'must not be in the future');
      await awaitHistory(seq);
      first ??= await firstLine();
      if (first !== null && at < first)
        throw invalidParameter('at', `must not be before ${first}, when money moved for the first time`);
      return { at: as<TimestampMs>(at), seq };
    },
    /** What one ledger account owned of each asset that it ever has owned by now. */
    ofEveryAsset: async (account: AccountId, moment: LedgerMoment): Promise<readonly LedgerBalance[]> => {
      const all: LedgerBalance[] = [];
      for await (const each of balances({ from: account, to: account }, moment)) all.push(each);
      return all;
    },
    /** Sums of every asset over the whole ledger. */
    trial: async (moment: LedgerMoment, assets: readonly AssetRules[]): Promise<readonly TrialBalance[]> => {
      const sums = assets.map(({ id }) => ({ asset: id, users: 0n, futures: 0n, house: new Map<AccountId, bigint>() }));
      for await (const { asset, account, balance } of balances(everybody, moment)) {
        const of = sums[asset]!;
        const place = placeOf(account);
        if (place !== 'house') of[place] += balance;
        else if (balance !== 0n) of.house.set(account, balance);
      }
      return sums.map(({ asset, users, futures, house }) => ({
        asset,
        users: as<Balance>(users),
        futures: as<Balance>(futures),
        house: [...house].map(([account, balance]) => ({
          name: houseNames.get(account)!,
          balance: as<Balance>(balance),
        })),
      }));
    },
  };
}
