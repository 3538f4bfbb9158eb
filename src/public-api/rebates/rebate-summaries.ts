import type { AccountId } from '#model/units.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { earnedSums, type AskedPage } from '#public-api/rebates/rebate-sums.ts';
import {
  type AskedTimes,
  namedAs,
  personsOf,
  reportWindow,
  valueTexts,
} from '#public-api/rebates/report-parameters.ts';
import { pageNumbers } from '#public-api/wallet/wallet-parameters.ts';
import type { SymbolDirectory } from '#market-data/symbol-directory.ts';

interface Earned {
  readonly source: AccountId;
  readonly spot: bigint;
  readonly futures: bigint;
  readonly total: bigint;
}

/**
 * What an account earned from each user, by pages. Newest user first: accounts are numbered as they are opened, and
 * invited at that moment. SPEC-REB-01, DEC-SUB-62.
 */
export async function rebateSummaries(
  context: GatewayContext,
  directory: SymbolDirectory,
  account: AccountId,
  asked: AskedTimes & AskedPage,
) {
  const window = await reportWindow(context, asked);
  const sums = await earnedSums(context.history, { account, kind: 'earned' }, window, ['source', 'product']);
  const bySource = new Map<AccountId, Earned>();
  for (const { source, product, amount, value } of sums) {
    if (amount === 0n) continue;
    const known = bySource.get(source) ?? { source, spot: 0n, futures: 0n, total: 0n };
    bySource.set(source, {
      source,
      spot: product === 'spot' ? known.spot + value : known.spot,
      futures: product === 'futures' ? known.futures + value : known.futures,
      total: known.total + value,
    });
  }
  const { page, limit } = asked;
  const earned = [...bySource.values()]
    .sort((left, right) => right.source - left.source)
    .slice((page - 1) * limit, page * limit);
  const text = await valueTexts(context, directory);
  const persons = await personsOf(
    context,
    earned.map(({ source }) => source),
  );
  const data = earned.map(({ source, spot, futures, total }) => {
    const person = persons.get(source);
    return {
      spot: text(spot),
      futures: text(futures),
      total: text(total),
      ...namedAs(person),
      inviteTime: person?.view.openedAt ?? 0,
    };
  });
  return { ...pageNumbers(bySource.size, page, limit), data };
}
