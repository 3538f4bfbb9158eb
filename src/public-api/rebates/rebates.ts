import type { rebateEndpoints } from '#public-api/rebates/rebate-endpoints.ts';
import { formatDecimal } from '#base/decimal.ts';
import { referCodeOf } from '#model/refer-code.ts';
import type { AccountId } from '#model/units.ts';
import { wireLimits } from '#http/limits.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import type { HandlersOf } from '#public-api/handlers.ts';
import { rebateStates } from '#public-api/rebates/rebate-states.ts';
import { rebateSummaries } from '#public-api/rebates/rebate-summaries.ts';
import { rebatePage } from '#public-api/rebates/rebate-sums.ts';
import { namedAs, personsOf, rateScale, reportWindow } from '#public-api/rebates/report-parameters.ts';
import { pageNumbers } from '#public-api/wallet/wallet-parameters.ts';
import type { RebateKind } from '#history/tables/rebate-tables.ts';
import { amountText, type SymbolDirectory } from '#market-data/symbol-directory.ts';

const { pageRows: limit, yearMs: defaultMs } = wireLimits.rebates;

interface Asked {
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
  readonly page: number;
}

/** Rebates of an account, newest first. SPEC-REB-02, SPEC-REB-03. */
async function rebateRecords(
  context: GatewayContext,
  directory: SymbolDirectory,
  of: { readonly account: AccountId; readonly kind: RebateKind },
  { startTime, endTime, page }: Asked,
) {
  const window = await reportWindow(context, { startTime, endTime, defaultMs });
  const { rows, total } = await rebatePage(context.history, of, window, { page, limit });
  const [stateOf, persons] = await Promise.all([
    rebateStates(context, of.account, rows),
    personsOf(
      context,
      rows.map(({ source }) => source),
    ),
  ]);
  const data = rows.map((row) => {
    const asset = directory.asset(row.asset);
    return {
      asset: asset.code,
      type: row.product,
      rate: formatDecimal(row.ratePpm, rateScale),
      amount: amountText(asset, row.amount),
      ...namedAs(persons.get(row.source)),
      tradeTime: row.at,
      updateTime: stateOf(row).at,
    };
  });
  return { ...pageNumbers(total, page, limit), data };
}

/** Handlers of what accounts earned from those they invited. */
export function rebateHandlers(
  context: GatewayContext,
  directory: SymbolDirectory,
): HandlersOf<typeof rebateEndpoints> {
  return {
    rebateSummary: (asked, { account }) =>
      rebateSummaries(context, directory, account.account, { ...asked, defaultMs, limit }),
    rebateDetail: (asked, { account }) =>
      rebateRecords(context, directory, { account: account.account, kind: 'earned' }, asked),
    kickbackDetail: (asked, { account }) =>
      rebateRecords(context, directory, { account: account.account, kind: 'kickback' }, asked),
    referCode: (_parameters, { account }) => ({ referCode: referCodeOf(account.master) }),
  };
}
