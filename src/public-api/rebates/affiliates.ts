import type { affiliateEndpoints } from '#public-api/rebates/affiliate-endpoints.ts';
import { wireLimits } from '#http/limits.ts';
import { invalidParameter } from '#http/errors.ts';
import type { Caller } from '#public-api/pipeline/endpoint-request.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { campaignReport } from '#public-api/rebates/affiliate-campaigns.ts';
import { commissionDetailReport, commissionReport } from '#public-api/rebates/affiliate-commissions.ts';
import { referralReport, subAffiliateReport } from '#public-api/rebates/affiliate-people.ts';
import {
  type AskedReportPage,
  placeOf,
  type Report,
  reportNumbers,
  reportOf,
} from '#public-api/rebates/affiliate-parameters.ts';
import type { HandlersOf } from '#public-api/handlers.ts';
import { amountText, type SymbolDirectory } from '#market-data/symbol-directory.ts';

const { halfYearMs, weekMs, detailWindowMs } = wireLimits.rebates;

/** Payouts of settlement, newest first. SPEC-AFF-03, DEC-SUB-26. */
async function payoutReport({ context, directory, account, window }: Report, asked: AskedReportPage) {
  const [rows, total] = await Promise.all([
    context.history.page('rebatePayouts', { account }, window, placeOf(asked)),
    context.history.count('rebatePayouts', { account }, window),
  ]);
  const resultList = rows.map((row) => {
    const asset = directory.asset(row.asset);
    return { withdrawTime: row.at, asset: asset.code, amount: amountText(asset, row.amount) };
  });
  return { ...reportNumbers(total, asked), resultList };
}

type Times = { readonly startTime?: number | undefined; readonly endTime?: number | undefined };

/** Handlers of the reports of affiliates. */
export function affiliateHandlers(
  context: GatewayContext,
  directory: SymbolDirectory,
): HandlersOf<typeof affiliateEndpoints> {
  const begin = ({ startTime, endTime }: Times, { account }: Caller, defaultMs: number): Promise<Report> =>
    reportOf(context, directory, account.account, { startTime, endTime, defaultMs });
  return {
    affiliateCommission: async (asked, caller) => commissionReport(await begin(asked, caller, halfYearMs), asked),
    affiliatePayouts: async (asked, caller) => payoutReport(await begin(asked, caller, halfYearMs), asked),
    affiliateCommissionDetail: async ({ type: product, ...asked }, caller) => {
      const { startTime, endTime = context.clock.now() } = asked;
      if (startTime !== undefined && endTime - startTime > detailWindowMs)
        throw invalidParameter('startTime', 'the window is at most 30 days');
      return commissionDetailReport(await begin(asked, caller, weekMs), { ...asked, product });
    },
    affiliateCampaigns: async (asked, caller) => campaignReport(await begin(asked, caller, weekMs), asked),
    affiliateReferrals: async (asked, caller) => referralReport(await begin(asked, caller, weekMs), asked),
    subAffiliates: async (asked, caller) => subAffiliateReport(await begin(asked, caller, weekMs), asked),
  };
}
